/** Variables of an `.mcp.json`, as the hosts that share it write them (CFG-41). */
import { describe, expect, it } from "vitest";
import { approvalOf } from "../../../../src/servers/approval/keptApproval.ts";
import type { ConfigOrigin, ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../../../src/servers/review/review.ts";
import { resolveVariables } from "../../../../src/servers/definitions/variables.ts";
import { bindToPlace } from "../../../../src/servers/definitions/workspacePlace.ts";
import { workspaceOrigin } from "../fixtures.ts";

const rootFile: ConfigOrigin = {
	...workspaceOrigin,
	kind: "dot-mcp-json",
	label: ".mcp.json in ws",
	file: "/ws/.mcp.json",
};
const folders = [{ name: "ws", path: "/ws" }];

function definitionOf(entry: unknown, origin = rootFile): ServerDefinition {
	const key = origin.kind === "dot-mcp-json" ? "mcpServers" : "servers";
	const { definitions, problems } = parseConfig({ origin, content: { text: JSON.stringify({ [key]: { a: entry } }) } });
	expect(problems).toEqual([]);
	const [definition] = definitions;
	if (definition === undefined) throw new Error("no definition");
	return definition;
}

async function launchOf(definition: ServerDefinition, environment: Record<string, string>) {
	const bound = await bindToPlace(definition, folders);
	const input = () => Promise.resolve(undefined);
	return resolveVariables(bound, { folders, isWorkspaceTrusted: () => true, environment, input });
}

describe("Variables of an .mcp.json (CFG-41)", () => {
	const entry = {
		command: "${TOOLS}/server",
		args: ["--config", "${CONFIG:-./config.json}", "${workspaceFolder}"],
		env: { KEY: "${API_KEY}", "${NOT}": "1" },
	};

	it("are read from the environment, with their defaults", async () => {
		expect(await launchOf(definitionOf(entry), { TOOLS: "/opt", API_KEY: "k" })).toMatchObject({
			command: "/opt/server",
			args: ["--config", "./config.json", "/ws"],
			env: { KEY: "k", "${NOT}": "1" },
		});
		expect(await launchOf(definitionOf(entry), { TOOLS: "/opt", API_KEY: "k", CONFIG: "c" })).toMatchObject({
			args: ["--config", "c", "/ws"],
		});
	});

	it("that are not set keep the server from starting, by name", async () => {
		await expect(launchOf(definitionOf(entry), { TOOLS: "/opt" })).rejects.toThrow("variable API_KEY is not set");
	});

	it("are named in the review, and a default that may be a secret is not shown", () => {
		const definition = definitionOf({ ...entry, env: { KEY: "${API_KEY:-hunter2}" } });
		const rows = reviewServer(definition, undefined).rows;
		const read = rows.find(({ label }) => label === "Reads from your environment");
		expect(read?.values).toEqual(["TOOLS", "CONFIG, or its default", "API_KEY, or its default"]);
		expect(JSON.stringify(rows)).not.toContain("hunter2");
		expect(JSON.stringify(approvalOf("h", definition.config))).not.toContain("hunter2");
	});

	it("take nothing of the environment to a URL (CFG-10)", async () => {
		for (const url of ["${API_URL:-https://example.com}/mcp", "https://example.com/${API_KEY}"])
			await expect(launchOf(definitionOf({ type: "http", url }), { API_KEY: "k" })).rejects.toThrow("may not contain");
	});

	it("are only those of that file", async () => {
		await expect(launchOf(definitionOf(entry, workspaceOrigin), { TOOLS: "/opt" })).rejects.toThrow(
			"not a known variable",
		);
	});
});
