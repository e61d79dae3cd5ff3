/**
 * The output of add-mcp for each host is read back, and matches our own (EXP-01): a second opinion on some twenty
 * shapes.
 */
import { agents, type AgentType } from "add-mcp";
import { stringify as toToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { stringify as toYaml } from "yaml";
import { exportTarget } from "../../../../src/servers/formats/exportTargets.ts";
import { type ForeignHostId, foreignHosts } from "../../../../src/servers/formats/hosts.ts";
import { readConfiguration } from "../../../../src/servers/formats/readConfiguration.ts";
import { writeEntry } from "../../../../src/servers/formats/writeEntry.ts";

/** A configuration file of a host with one server. */
function fileOf(agent: AgentType, config: object): string {
	const { configKey, format, transformConfig } = agents[agent];
	const entry = transformConfig("a", config, { local: false });
	const file = configKey.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), { a: entry });
	if (format === "toml") return toToml(file);
	return format === "yaml" ? toYaml(file) : JSON.stringify(file);
}

const names = Object.keys(agents) as AgentType[];

describe("The output of add-mcp is read back", () => {
	const local = { command: "npx", args: ["-y", "pkg"], env: { A: "1" } };
	it.each(names)("of %s with a command", (agent) => {
		const read = readConfiguration(fileOf(agent, local));
		expect(read?.refused).toEqual([]);
		expect(read?.servers).toMatchObject([{ name: "a", isOff: false, entry: { type: "stdio", ...local } }]);
	});

	const remote = { type: "http", url: "https://example.com/mcp", headers: { A: "1" } };
	const dialing = names.filter((agent) => agents[agent].supportedTransports.includes("http"));
	it.each(dialing)("of %s with a URL", (agent) => {
		const read = readConfiguration(fileOf(agent, remote));
		expect(read?.refused).toEqual([]);
		expect(read?.servers).toMatchObject([{ name: "a", entry: remote }]);
	});
});

describe("The output of add-mcp matches our own", () => {
	const agentOf = (id: ForeignHostId): AgentType | undefined => {
		const others: Partial<Record<ForeignHostId, string>> = {
			"copilot-cli": "github-copilot-cli",
			grok: "grok-build",
			kilo: "kilo-code",
			kimi: "kimi-code",
			kiro: "kiro-cli",
			mastra: "mastracode",
		};
		return names.find((name) => name === (others[id] ?? id));
	};
	const shared = foreignHosts.flatMap(({ id }) => {
		const agent = agentOf(id);
		return agent === undefined ? [] : [[id, agent] as const];
	});
	const configs: readonly object[] = [
		{ command: "npx", args: ["-y", "pkg"], env: { A: "1" } },
		{ type: "http", url: "https://example.com/mcp", headers: { A: "1" } },
	];

	it("for as many hosts as both support", () => expect(shared.length).toBeGreaterThan(16));

	it.each(shared)("for %s", (id, agent) => {
		const { configKey, transformConfig } = agents[agent];
		const target = exportTarget(id);
		expect(configKey).toBe(target.keys.join("."));
		for (const config of configs) {
			const server = { name: "a", entry: { type: "stdio", ...config }, inputs: [], isOff: false };
			const { entry } = writeEntry(server, target, "linux");
			// Claude Desktop's file has no addresses, by its own documentation.
			if (entry === undefined) continue;
			// The ways have several names, which their readers treat alike.
			const { type: _type, transport: _transport, ...rest } = entry;
			expect(transformConfig("a", config, { local: false })).toMatchObject(rest);
		}
	});
});
