import { describe, expect, it } from "vitest";
import { Candidate } from "../../../../src/setup/entries/candidate.ts";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";

describe("A pasted entry with variables of its own", () => {
	it("asks for their values once, where the entry sets them", () => {
		const entry = {
			command: "npx",
			args: ["--header", "Authorization:${AUTH_TOKEN}"],
			env: { AUTH_TOKEN: "Bearer abc" },
		};
		const [server] = readPasted(JSON.stringify({ mcpServers: { a: entry } })).servers;
		if (server === undefined) throw new Error("no server");
		const candidate = new Candidate("1", server, "a", () => false);
		expect(candidate.rows.map(({ label }) => label)).toEqual(["AUTH_TOKEN"]);
		const { entry: written, inputs, values } = candidate.compose();
		expect(written).toMatchObject({ args: ["--header", "Authorization:${env:AUTH_TOKEN}"] });
		expect(inputs).toHaveLength(1);
		expect([...values.values()]).toEqual(["Bearer abc"]);
	});
});
