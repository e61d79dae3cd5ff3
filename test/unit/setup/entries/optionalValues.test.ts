import { describe, expect, it } from "vitest";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { addingScene } from "./addingScene.ts";

describe("an optional value of a server (REG-16)", () => {
	const offered = [
		{ kind: "env", name: "PROXY", about: "A proxy", isSecret: false },
		{ kind: "env", name: "TOKEN", about: "A token", isSecret: true },
		{ kind: "env", name: "MODE", about: "", isSecret: false },
	] as const;
	const server = {
		name: "weather",
		entry: { type: "stdio", command: "npx", args: ["-y", "weather@1.0.0"], env: { MODE: "quiet" } },
		inputs: [],
		optional: offered,
		isOff: false,
		tools: {},
		remarks: [],
	};
	const sources = [{ heading: "Weather", found: { format: "server.json", servers: [server], refused: [] } }];

	it("is left out while it is not given, and not requested", async () => {
		const { adding, added, candidate } = addingScene(undefined, { sources, variables: ["TOKEN"] });
		expect(candidate().rows.map(({ label }) => label)).toEqual(["MODE", "PROXY", "TOKEN"]);
		const [view] = toAddServersView(adding).groups[0]?.candidates ?? [];
		expect(view?.rows.slice(1)).toMatchObject([
			{ kind: "plain", hint: "Left out if empty", note: "A proxy" },
			{ kind: "secret", hint: "Left out if empty", note: "A token" },
		]);
		await adding.add(false);
		expect(added[0]?.servers[0]).toMatchObject({ entry: { env: { MODE: "quiet" } }, inputs: [] });
	});

	it("is kept like any other value once it is given", async () => {
		const { adding, added, candidate, row } = addingScene(undefined, { sources });
		adding.edit(candidate().id, (one) => {
			one.change(row("PROXY").id, { text: "https://proxy.example" });
			one.change(row("TOKEN").id, { text: "a typed secret" });
		});
		await adding.add(false);
		const [written] = added[0]?.servers ?? [];
		expect(written?.entry["env"]).toEqual({
			MODE: "quiet",
			PROXY: "https://proxy.example",
			TOKEN: "${input:weather-token}",
		});
		expect(written?.values).toEqual(new Map([["weather-token", "a typed secret"]]));
	});

	it("may be a variable of the environment", async () => {
		const { adding, added, candidate, row } = addingScene(undefined, { sources });
		adding.edit(candidate().id, (one) => one.change(row("TOKEN").id, { kind: "environment", variable: "MINE" }));
		await adding.add(false);
		expect(added[0]?.servers[0]?.entry["env"]).toEqual({ MODE: "quiet", TOKEN: "${env:MINE}" });
	});
});
