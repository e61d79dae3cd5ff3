/**
 * Pasted texts, as pages print them. Install links: of VS Code
 * (https://code.visualstudio.com/api/extension-guides/ai/mcp#create-an-mcp-installation-url), Cursor
 * (https://cursor.com/docs/mcp/install-links), LM Studio (https://lmstudio.ai/docs/app/mcp/deeplink), Kiro
 * (https://kiro.dev/docs/mcp/share) and Goose (https://block.github.io/goose/docs/getting-started/using-extensions).
 */
import { describe, expect, it } from "vitest";
import type { ForeignServer } from "../../../../src/servers/formats/foreignServer.ts";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";

const memory = { type: "stdio", command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] };
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");
const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

function one(text: string): ForeignServer {
	const read = readPasted(text);
	expect(read.refused).toEqual([]);
	expect(read.servers).toHaveLength(1);
	return read.servers[0] as ForeignServer;
}

describe("an install link (ADD-02)", () => {
	const { type: _type, ...plain } = memory;
	it.each([
		["VS Code", `vscode:mcp/install?${encoded({ name: "memory", ...plain })}`],
		["VS Code", `vscode-insiders:mcp/install?${encoded({ name: "memory", ...plain })}`],
		["VS Code", `https://insiders.vscode.dev/redirect/mcp/install?name=memory&config=${encoded(plain)}`],
		["VS Code", `https://vscode.dev/redirect/mcp/install?name=memory&config=${encoded(plain)}&quality=insiders`],
		[
			"VS Code",
			`https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encoded({ name: "memory", ...plain })}`)}`,
		],
		["Cursor", `cursor://anysphere.cursor-deeplink/mcp/install?name=memory&config=${base64(plain)}`],
		[
			"Cursor",
			`cursor://anysphere.cursor-deeplink/mcp/install?name=memory&config=${encodeURIComponent(base64(plain))}`,
		],
		["Cursor", `https://cursor.com/install-mcp?name=memory&config=${base64(plain)}`],
		["Cursor", `https://cursor.com/en/install-mcp?name=memory&config=${base64(plain)}`],
		["Cursor", `cursor://anysphere.cursor-deeplink/mcp/install?name=memory&config=${base64({ memory: plain })}`],
		["LM Studio", `lmstudio://add_mcp?name=memory&config=${base64(plain)}`],
		["Kiro", `https://kiro.dev/launch/mcp/add?name=memory&config=${encoded(plain)}`],
		[
			"Goose",
			"goose://extension?cmd=npx&arg=-y&arg=%40modelcontextprotocol%2Fserver-memory&timeout=300&id=memory&name=memory&description=x",
		],
		["MCP Host", `vscode://mcp-host.mcp-host/install?name=memory&config=${encoded(plain)}`],
		["MCP Host", `vscode://mcp-host.mcp-host/install?config=${encoded({ name: "memory", ...plain })}`],
	])("of %s: %s", (host, link) => {
		const server = one(link);
		expect(server.name).toBe("memory");
		expect(server.entry).toEqual(memory);
		expect(readPasted(link).format).toContain(host);
	});

	it("keeps its inputs", () => {
		const config = { command: "npx", args: ["x"], env: { KEY: "${input:key}" } };
		const inputs = [{ id: "key", type: "promptString", description: "The key", password: true }];
		for (const link of [
			`vscode:mcp/install?${encoded({ name: "x", ...config, inputs })}`,
			`https://insiders.vscode.dev/redirect/mcp/install?name=x&inputs=${encoded(inputs)}&config=${encoded(config)}`,
		]) {
			expect(one(link).inputs).toEqual(inputs);
			expect(one(link).entry).toMatchObject({ env: { KEY: "${input:key}" } });
		}
	});

	it("of Goose asks for the named values, and may lead to a URL", () => {
		const server = one("goose://extension?cmd=uvx&arg=tool&id=t&name=Tool&env=API_KEY%3DYour%20key");
		expect(server.entry).toMatchObject({ command: "uvx", env: { API_KEY: "${input:API_KEY}" } });
		expect(server.inputs).toMatchObject([{ id: "API_KEY", description: "Your key", password: true }]);
		const remote = one("goose://extension?url=https%3A%2F%2Fmcp.example.com%2Fmcp&type=streamable_http&id=e&name=E");
		expect(remote.entry).toEqual({ type: "http", url: "https://mcp.example.com/mcp" });
	});

	it("with the whole line as the command is split as a shell would, and reports it", () => {
		const server = one(
			`cursor://anysphere.cursor-deeplink/mcp/install?name=memory&config=${base64({ command: "npx -y '@a/b c'" })}`,
		);
		expect(server.entry).toEqual({ type: "stdio", command: "npx", args: ["-y", "@a/b c"] });
		expect(server.remarks.join()).toContain("split as a shell would");
	});

	it("is found as a button of a page", () => {
		const server = one(
			`[![Install in VS Code](https://img.shields.io/badge/x)](https://insiders.vscode.dev/redirect/mcp/install?name=memory&config=${encoded(plain)})`,
		);
		expect(server.entry).toEqual(memory);
	});

	it.each([
		["vscode:mcp/install?nonsense", /not a JSON object/],
		["cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=%%%", /not a JSON object/],
		[`cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${base64({ command: "a | b" })}`, /pipes/],
		["vscode:extension/some.thing", /http/],
	])("is refused with the reason: %s", (link, why) => {
		const read = readPasted(link);
		expect(read.servers).toEqual([]);
		expect(read.refused.map(({ reason }) => reason).join()).toMatch(why);
	});
});

describe("a text (ADD-01)", () => {
	it.each([
		"https://example.com/releases/weather-1.0.mcpb",
		"https://example.com/a.dxt?download=1",
		"/home/ada/My Servers/weather.MCPB",
		"~/weather.mcpb",
		"C:\\Users\\ada\\weather.mcpb",
		"file:///home/ada/weather.mcpb",
	])("that is the address of a bundle is one, and not a server: %s", (text) => {
		expect(readPasted(` ${text}\n`)).toEqual({ format: "MCP bundle", servers: [], refused: [], bundle: text });
	});

	it.each(["npx -y a.mcpb", "https://example.com/mcpb", "weather.mcpb", "see /a.mcpb"])(
		"that only mentions one is not read as one: %s",
		(text) => {
			expect(readPasted(text).bundle).toBeUndefined();
		},
	);

	const snippet = JSON.stringify({ mcpServers: { memory: { command: "npx", args: memory.args } } }, undefined, 2);
	it.each([
		["a configuration", snippet],
		["a part of one", `"memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }`],
		["one in a code block", `Add this:\n\n\`\`\`json\n${snippet}\n\`\`\`\n\nThen restart.`],
		["one in an indented code block that is not closed", `1. Add this:\n   \`\`\`json\n${snippet}`],
		["one between words", `Add this to your configuration:\n\n${snippet}\n\nThen restart the host.`],
		["one in TOML", `[mcp_servers.memory]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-memory"]\n`],
		[
			"one in YAML",
			`mcpServers:\n  memory:\n    command: npx\n    args: ["-y", "@modelcontextprotocol/server-memory"]\n`,
		],
		["one with blanks that do not break", snippet.replaceAll("  ", "\u00A0\u00A0")],
		[
			"a command between words",
			"To add it, run:\n\n  claude mcp add memory -- npx -y @modelcontextprotocol/server-memory\n\nand restart.",
		],
		[
			"a command in backticks",
			"Run `claude mcp add memory -- npx -y @modelcontextprotocol/server-memory` in a terminal.",
		],
		[
			"one for each host",
			`\`\`\`sh\nnpm install -g x\n\`\`\`\n\`\`\`json\n${snippet}\n\`\`\`\n\`\`\`sh\nclaude mcp add memory -- npx -y @modelcontextprotocol/server-memory\n\`\`\``,
		],
	])("that is %s gives the server", (_what, text) => {
		const server = one(text);
		expect(server.name).toBe("memory");
		expect(server.entry).toEqual(memory);
	});

	it("keeps a URL, a domain or a command line unchanged", () => {
		expect(one("https://mcp.example.com/mcp").entry).toEqual({ type: "http", url: "https://mcp.example.com/mcp" });
		expect(one(" mcp.example.com\n").entry).toEqual({ type: "http", url: "https://mcp.example.com" });
		expect(one("npx -y @modelcontextprotocol/server-memory").entry).toEqual(memory);
		expect(one('FOO="a b" \\\n  my-server').entry).toEqual({
			type: "stdio",
			command: "my-server",
			args: [],
			env: { FOO: "a b" },
		});
		expect(one("my-server --stdio").entry).toEqual({ type: "stdio", command: "my-server", args: ["--stdio"] });
	});

	it("of several commands returns for each its server or its reason", () => {
		const read = readPasted("cd x\nclaude mcp add a -- b 'c d'\nnpm install -g x | tee log\n");
		expect(read.servers.map(({ name }) => name)).toEqual(["a"]);
		expect(read.refused.map(({ reason }) => reason).join()).toMatch(/does not start a server.*pipes/);
	});

	it("keeps JSON of several lines in quotes together", () => {
		const text = `claude mcp add-json memory '{\n  "command": "npx",\n  "args": ["-y", "@modelcontextprotocol/server-memory"]\n}'`;
		expect(one(text).entry).toEqual(memory);
	});

	it.each([
		["{", /JSON/],
		['{ "mcpServers": { "a": { "command": "x" }', /JSON/],
		["{ }", /No server/],
		["<html></html>", /No server/],
		["This server gives access to your files.", /No server/],
		["Read the docs\nand install it first", /No server/],
		["run | sh", /pipes/],
		["```\nnothing here at all, just words.\n```", /No server/],
		["x".repeat(500_001), /was not read/],
	])("without a server is refused with the reason, and never read as a command: %.40s", (text, why) => {
		const read = readPasted(text);
		expect(read.servers).toEqual([]);
		expect(read.refused.map(({ reason }) => reason).join()).toMatch(why);
	});

	it("reports nothing for an empty text", () => {
		expect(readPasted("  \n")).toEqual({ format: "Nothing", servers: [], refused: [] });
	});

	it("never makes the reader throw", () => {
		const pieces = [
			"{",
			"}",
			'"',
			"'",
			"`",
			"```",
			"\n",
			"vscode:mcp/install?",
			"cursor://",
			"npx ",
			"$",
			"${",
			"\\",
			"mcpServers",
			":",
			"[",
			"a.b",
			"%",
			"claude mcp add ",
			"-e ",
			"--",
			"\u202E",
		];
		let seed = 11;
		for (let round = 0; round < 3000; round++) {
			let text = "";
			for (let length = 0; length < 12; length++) {
				seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
				text += pieces[Math.floor((seed / 2_147_483_648) * pieces.length)] ?? "";
			}
			const read = readPasted(text);
			for (const { entry } of read.servers) expect(typeof (entry["command"] ?? entry["url"])).toBe("string");
		}
	});
});
