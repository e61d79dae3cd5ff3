/** What add-mcp writes for each host is read back to what went in: a second opinion on the shapes of some twenty hosts. */
import { agents, type AgentType } from "add-mcp";
import { stringify as toToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { stringify as toYaml } from "yaml";
import { readConfiguration } from "../../../src/formats/readConfiguration.ts";

/** A configuration file of a host with one server. */
function fileOf(agent: AgentType, config: object): string {
	const { configKey, format, transformConfig } = agents[agent];
	const entry = transformConfig("a", config, { local: false });
	const file = configKey.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), { a: entry });
	if (format === "toml") return toToml(file);
	return format === "yaml" ? toYaml(file) : JSON.stringify(file);
}

const names = Object.keys(agents) as AgentType[];

describe("What add-mcp writes is read back", () => {
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
