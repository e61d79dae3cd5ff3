import { describe, expect, it } from "vitest";
import type { EditorSettings } from "../../../../src/servers/definitions/editorLimits.ts";
import { leaveOut } from "../../../../src/servers/definitions/leftOut.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../fixtures.ts";

/** An editor whose organization sets these settings; VS Code returns them as defaults. */
function policies(values: Readonly<Record<string, unknown>>): EditorSettings {
	return { inspect: (name) => ({ defaultValue: values[name] }), get: (name) => values[name] };
}

const npx = definition("npx", stdioConfig({ command: "npx", args: ["-y", "@acme/mcp"] }), workspaceOrigin);
const remote = definition(
	"remote",
	{ kind: "http", url: "https://mcp.acme.example/v1", headers: {}, protocol: "auto" },
	userOrigin,
);
const other = definition("other", stdioConfig({ command: "node", args: ["server.js"] }), userOrigin);
const all = [npx, remote, other];

/** The servers that stay, and the messages about the others. */
function read(values: Readonly<Record<string, unknown>>, isIgnored: (name: string) => boolean = () => false) {
	const left = leaveOut(({ name }) => isIgnored(name), policies(values));
	const stay = all.filter((one) => !left.isLeftOut(one)).map(({ name }) => name);
	return {
		stay,
		problems: left.problems.flatMap(({ server, path, message, isByPolicy }) =>
			isByPolicy === true ? [`${server} ${path.join(".")}: ${message}`] : [],
		),
	};
}

describe("Servers that an organization does not allow (REG-17)", () => {
	it("are left out wherever they are configured, by command, address or name, with the setting at their places", () => {
		const denied = [
			{ serverCommand: ["npx", "-y", "@acme/mcp"] },
			{ serverUrl: "https://*.acme.example/*" },
			{ serverName: "nobody" },
		];
		expect(read({ "chat.mcp.deniedServers": denied })).toEqual({
			stay: ["other"],
			problems: [
				"npx servers.npx: Your organization does not allow the server “npx” (chat.mcp.deniedServers).",
				"remote remote: Your organization does not allow the server “remote” (chat.mcp.deniedServers).",
			],
		});
	});

	it("are all except those that it lists, if it lists some", () => {
		const { stay, problems } = read({ "chat.mcp.allowedServers": [{ serverUrl: "https://mcp.acme.example/*" }] });
		expect(stay).toEqual(["remote"]);
		expect(problems[0]).toContain("(chat.mcp.allowedServers)");
	});

	it("are all if it turned MCP servers off, and none if it allows only its registry", () => {
		expect(read({ "chat.mcp.access": "none" }).stay).toEqual([]);
		expect(read({ "chat.mcp.access": "none" }).problems[0]).toContain("chat.mcp.access");
		expect(read({ "chat.mcp.access": "registry" })).toEqual({ stay: all.map(({ name }) => name), problems: [] });
	});

	it("are none if a user or a workspace set the same, like Run Here Only does", () => {
		const settings: EditorSettings = {
			inspect: () => ({ defaultValue: "all", workspaceValue: "none" }),
			get: () => "none",
		};
		const left = leaveOut(() => false, settings);
		expect(all.filter((one) => left.isLeftOut(one))).toEqual([]);
	});

	it("are not mentioned if the user ignores them already", () => {
		expect(read({ "chat.mcp.access": "none" }, () => true)).toEqual({ stay: [], problems: [] });
		expect(read({}, (name) => name === "npx")).toEqual({ stay: ["remote", "other"], problems: [] });
	});
});
