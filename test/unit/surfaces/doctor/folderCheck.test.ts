import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { define } from "../../../../src/servers/definitions/parseConfig.ts";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import type { DoctorFacts } from "../../../../src/surfaces/doctor/facts.ts";
import { checkFolder } from "../../../../src/surfaces/doctor/examine.ts";

const user: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };

async function factsOf(args: readonly string[], origin = user): Promise<{ facts: DoctorFacts; folder: string }> {
	const folder = await mkdtemp(join(tmpdir(), "mcp-folder-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	await writeFile(join(folder, "server.mjs"), "");
	const config = { kind: "stdio", command: "node", args, env: {}, protocol: "auto" } as const;
	const facts = { definition: define("orders", config, origin), folders: [{ name: "wsB", path: folder }] };
	return { facts: facts as unknown as DoctorFacts, folder };
}

describe("a relative file of an open folder", () => {
	it("that is not where the server runs is found, with a move to the workspace and the working directory as fixes", async () => {
		const { facts, folder } = await factsOf(["server.mjs"]);
		const [finding, ...others] = await checkFolder(facts);
		expect(others).toEqual([]);
		expect(finding).toMatchObject({
			weight: "cause",
			what: "“server.mjs” is in the open folder wsB, but the server runs in ~.",
			fixes: [
				{ title: "Move to Workspace…", command: "mcpHost.moveToWorkspace" },
				{ title: "Set Working Directory", fix: { set: [{ path: ["cwd"], value: folder }] } },
			],
		});
	});

	it("is not moved where the workspace has the entry already", async () => {
		const origin = { ...user, kind: "mcp-json", isWorkspace: true, folder: tmpdir() } as const;
		const [finding] = await checkFolder((await factsOf(["server.mjs"], origin)).facts);
		expect(finding?.fixes?.map(({ title }) => title)).toEqual(["Set Working Directory"]);
	});

	it.each([["other.mjs"], ["--inspect"], ["${env:FILE}"], ["/server.mjs"]])("is not meant by %s", async (word) => {
		expect(await checkFolder((await factsOf([word])).facts)).toEqual([]);
	});
});
