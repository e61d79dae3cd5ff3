import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import type {
	ConfigOrigin,
	InputDefinition,
	ParsedConfig,
	ServerConfig,
} from "../../../../src/servers/definitions/config.ts";
import { define, mergeDefinitions, parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../fixtures.ts";

function parseText(text: string, origin: ConfigOrigin = workspaceOrigin): ParsedConfig {
	return parseConfig({ origin, content: { text } });
}

/** The texts at the problems of a configuration, and their messages. */
function problemsOf(text: string): readonly (readonly [string | undefined, string])[] {
	return parseText(text).problems.map(({ range, message }) => [
		range === undefined ? undefined : text.replace(/^\uFEFF/, "").slice(range.offset, range.offset + range.length),
		message,
	]);
}

describe("parseConfig: the shapes of files", () => {
	it("reads mcp.json, .mcp.json and a setting", () => {
		const servers = { a: { command: "node", args: ["x"] } };
		const dotMcp: ConfigOrigin = { ...workspaceOrigin, kind: "dot-mcp-json", file: "/ws/.mcp.json" };
		const parsed = [
			parseText(JSON.stringify({ servers })),
			parseText(JSON.stringify({ mcpServers: servers }), dotMcp),
			parseConfig({ origin: userOrigin, content: { value: servers } }),
		];
		for (const { definitions, problems, isIntact } of parsed) {
			expect(problems).toEqual([]);
			expect(isIntact).toBe(true);
			expect(definitions.map(({ name, config }) => [name, config])).toEqual([["a", stdioConfig({ args: ["x"] })]]);
		}
		expect(parsed.map(({ definitions }) => definitions[0]?.id)).toEqual([
			"mcp-json:/ws/.vscode/mcp.json#a",
			"dot-mcp-json:/ws/.mcp.json#a",
			"user-settings:#a",
		]);
	});

	it("accepts either key in either file, its own first", () => {
		expect(parseText('{"mcpServers": {"a": {"command": "x"}}}').definitions).toHaveLength(1);
		const both = '{"mcpServers": {"a": {"command": "x"}}, "servers": {"b": {"command": "x"}}}';
		expect(parseText(both).definitions.map(({ name }) => name)).toEqual(["b"]);
	});

	it("reads comments, trailing commas and a byte order mark, and places problems as an editor counts", () => {
		const text =
			'\uFEFF{\n\t// mine\n\t"servers": { /* a */ "a": { "command": "node", "args": ["x",], }, "b": 7, },\n}';
		expect(parseText(text).definitions.map(({ name }) => name)).toEqual(["a"]);
		expect(problemsOf(text)).toEqual([["7", "A server must be an object."]]);
	});

	it.each([
		["", 0],
		["  \n", 0],
		["\uFEFF", 0],
		["{}", 0],
	])("reads %j as no servers and no problem", (text, count) => {
		const { definitions, problems, isIntact } = parseText(text);
		expect([definitions.length, problems.length, isIntact]).toEqual([count, 0, true]);
	});

	it("reads every kind of server", () => {
		const { definitions, problems } = parseConfig({
			origin: userOrigin,
			content: {
				value: {
					local: { command: "npx", env: { A: "1", PORT: 80, DEBUG: true, NONE: null }, envFile: ".env", cwd: "sub" },
					remote: { url: "https://x.example/mcp", headers: { "X-Key": "${input:key}" } },
					old: { type: "sse", url: "http://127.0.0.1:1/sse", protocol: "legacy" },
					other: { type: "streamable-http", url: "https://x.example" },
					variable: { type: "http", url: "${input:url}" },
				},
			},
		});
		expect(problems).toEqual([]);
		expect(definitions.map(({ config }) => config)).toEqual([
			stdioConfig({
				command: "npx",
				args: [],
				env: { A: "1", PORT: "80", DEBUG: "true" },
				envFile: ".env",
				cwd: "sub",
			}),
			{ kind: "http", url: "https://x.example/mcp", headers: { "X-Key": "${input:key}" }, protocol: "auto" },
			{ kind: "sse", url: "http://127.0.0.1:1/sse", headers: {}, protocol: "legacy" },
			{ kind: "http", url: "https://x.example", headers: {}, protocol: "auto" },
			{ kind: "http", url: "${input:url}", headers: {}, protocol: "auto" },
		]);
	});
});

describe("parseConfig: errors become problems at their place", () => {
	it.each<readonly [string, readonly (readonly [string, string | RegExp])[]]>([
		['{"servers": 7}', [["7", '"servers" must be an object that maps names to servers.']]],
		["[1]", [["[1]", "Expected an object."]]],
		['{"server": {}}', [["{", '"servers" is missing, so this file defines no server.']]],
		['{"servers": {"bad": "text"}}', [['"text"', "A server must be an object."]]],
		['{"servers": {"bad": {}}}', [['"bad"', 'A server needs "command" (local) or "url" (remote).']]],
		['{"servers": {"bad": {"command": 1}}}', [["1", '"command" must be a string.']]],
		['{"servers": {"bad": {"url": 1}}}', [["1", '"url" must be a string.']]],
		['{"servers": {"bad": {"command": " "}}}', [['"bad"', 'A server of type "stdio" needs "command".']]],
		[
			'{"servers": {"bad": {"command": "a", "url": "https://b"}}}',
			[['"bad"', 'Give either "command" or "url", not both.']],
		],
		['{"servers": {"bad": {"command": "a", "args": "-y x"}}}', [['"-y x"', '"args" must be a list of strings.']]],
		[
			'{"servers": {"bad": {"command": "a", "args": ["-p", 80]}}}',
			[["80", '"args" must be a list of strings; put item 2 in quotes.']],
		],
		['{"servers": {"bad": {"command": "a", "env": []}}}', [["[]", '"env" must be an object of strings.']]],
		['{"servers": {"bad": {"command": "a", "env": {"K": {}}}}}', [['"K"', '"K" in "env" must be a string.']]],
		// The system treats the first sign as the end of the name: it would set NODE_OPTIONS (CFG-27).
		[
			'{"servers": {"bad": {"command": "a", "env": {"NODE_OPTIONS=--import=x ": "y"}}}}',
			[['"y"', '"NODE_OPTIONS=--import=x" in "env" is not a valid name of a variable.']],
		],
		[
			'{"servers": {"bad": {"command": "a", "env": {"": "x"}}}}',
			[['"x"', '"" in "env" is not a valid name of a variable.']],
		],
		[
			'{"servers": {"bad": {"command": "a", "env": {"A\\u0000B": "x"}}}}',
			[['"x"', '"A\\u0000B" in "env" is not a valid name of a variable.']],
		],
		['{"servers": {"bad": {"command": "a", "cwd": false}}}', [["false", '"cwd" must be a string.']]],
		['{"servers": {"bad": {"command": "a", "protocol": "new"}}}', [['"new"', /must be one of auto, legacy, modern/]]],
		['{"servers": {"bad": {"type": "ws", "url": "ws://x"}}}', [['"ws"', '"type" must be stdio, http or sse.']]],
		['{"servers": {"bad": {"url": "file:///etc"}}}', [['"file:///etc"', '"url" must begin with http:// or https://.']]],
		['{"servers": {"bad": {"type": "stdio", "url": "https://x"}}}', [['"bad"', /needs "command"/]]],
		['{"servers": {"": {"command": "a"}}}', [['""', "A server needs a name."]]],
		...[String.raw`"a\nb"`, String.raw`"a\u001bb"`, String.raw`"a\u2028b"`].map(
			(name): [string, [string, string][]] => [
				`{"servers": {${name}: {"command": "a"}}}`,
				[[name, "The name of a server may not contain line breaks or other control characters."]],
			],
		),
	])("%s", (text, expected) => {
		expect(parseText(text).definitions).toEqual([]);
		expect(problemsOf(text)).toEqual(
			expected.map(([at, message]) => [at, message instanceof RegExp ? expect.stringMatching(message) : message]),
		);
	});

	it("keeps the valid entries beside the faulty ones, and names the server of each problem", () => {
		const text = '{"servers": {"a": {"command": "x"}, "b": {"args": 1}, "c": {"url": "https://y"}}}';
		const { definitions, problems } = parseText(text);
		expect(definitions.map(({ name }) => name)).toEqual(["a", "c"]);
		expect(problems.map(({ server }) => server)).toEqual(["b"]);
	});

	it("warns of unknown keys and of duplicate keys, and uses the last", () => {
		const text = '{"servers": {"a": {"command": "x"}, "a": {"command": "y", "comand": "z"}}}';
		const { definitions, problems } = parseText(text);
		expect(definitions.map(({ config }) => config)).toEqual([stdioConfig({ command: "y", args: [] })]);
		expect(problems.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
		expect(problems[0]?.range?.offset).toBe(text.lastIndexOf('"a"'));
		expect(problemsOf(text)).toEqual([
			['"a"', '"a" is given more than once; the last one is used.'],
			['"z"', '"comand" is not a known key and is ignored. Did you mean "command"?'],
		]);
	});

	it("reads a broken text as far as possible, and reports that it is broken", () => {
		const text = '{"servers": {"a": {"command": "x"}, "b": {"command"';
		const { definitions, problems, isIntact } = parseText(text);
		expect(isIntact).toBe(false);
		expect(definitions.map(({ name }) => name)).toEqual(["a"]);
		expect(problems[0]).toMatchObject({
			message: expect.stringMatching(/^Not valid JSON: [a-z ]+\.$/),
			severity: "error",
		});
		expect(problems[0]?.range?.offset).toBeGreaterThanOrEqual(text.length - 1);
	});

	it.each(["}", "nonsense", '"text', "{]", "[".repeat(500_000), '{"a":'.repeat(100_000)])(
		"never throws (%#)",
		(text) => {
			const { definitions, problems, isIntact } = parseText(text);
			expect([definitions, isIntact]).toEqual([[], false]);
			expect(problems.length).toBeGreaterThan(0);
			expect(problems.length).toBeLessThan(30);
		},
	);

	it("does not read a text of more than a million characters, nor more than 500 servers", () => {
		expect(parseText(" ".repeat(1_000_001)).problems[0]?.message).toBe(
			"This file has more than 1,000,000 characters and was not read.",
		);
		const servers = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`s${index}`, { command: "x" }]));
		const { definitions, problems } = parseText(JSON.stringify({ servers }));
		expect(definitions).toHaveLength(500);
		expect(problems).toMatchObject([{ message: "This file defines 600 servers. Only the first 500 are used." }]);
	});
});

describe("parseConfig: names are data", () => {
	it.each(["__proto__", "constructor", "hasOwnProperty", "toString"])("accepts a server named %s", (name) => {
		const entry = `{"servers": {"${name}": {"command": "x", "env": {"${name}": "1"}}}}`;
		const value = (JSON.parse(entry) as { servers: JsonObject }).servers;
		for (const { definitions } of [parseText(entry), parseConfig({ origin: userOrigin, content: { value } })]) {
			expect(definitions.map((one) => one.name)).toEqual([name]);
			const { config } = definitions[0] ?? {};
			expect(config?.kind === "stdio" && Object.entries(config.env)).toEqual([[name, "1"]]);
		}
		expect(({} as Record<string, unknown>)["command"]).toBeUndefined();
	});

	it("reads nothing from a prototype", () => {
		const text =
			'{"servers": {"a": {"__proto__": {"command": "evil"}}, "__proto__": {"args": 1}}, "__proto__": {"servers": {}}}';
		expect(parseText(text).definitions).toEqual([]);
	});

	it("shows hidden characters in a name", () => {
		expect(parseText('{"servers": {"a\\u202Eb": {"command": "x"}}}').definitions[0]?.name).toBe("a\\u202Eb");
	});
});

describe("parseConfig: inputs", () => {
	it("keeps the inputs that a server uses", () => {
		const text = JSON.stringify({
			inputs: [
				{ id: "key", type: "promptString", description: "API key", password: true },
				{ id: "size", type: "pickString", options: ["s", "m", 3], default: "m" },
				{ id: 'qu"ote', type: "promptString" },
				{ id: "unused", type: "promptString" },
			],
			servers: { a: { command: "x", args: ["${input:size}", '${input:qu"ote}'], env: { KEY: "pre-${input:key}" } } },
		});
		const { definitions, problems } = parseText(text);
		expect(problems).toEqual([]);
		expect(definitions[0]?.inputs).toEqual([
			{ id: "key", description: "API key", isPassword: true },
			{ id: "size", description: "size", isPassword: false, defaultValue: "m", options: ["s", "m"] },
			{ id: 'qu"ote', description: 'qu"ote', isPassword: false },
		]);
	});

	it("reports faulty inputs at their place", () => {
		expect(problemsOf('{"inputs": 1, "servers": {}}')).toEqual([["1", '"inputs" must be a list.']]);
		expect(problemsOf('{"inputs": [5, {"id": "c", "type": "command"}], "servers": {}}')).toEqual([
			["5", 'An input must be an object with an "id".'],
			["{", expect.stringMatching(/type "command" are not supported/)],
		]);
	});
});

describe("define: the hash", () => {
	const input: InputDefinition = { id: "key", description: "Key", isPassword: true };
	const base = stdioConfig({ env: { A: "1", B: "${input:key}" }, envFile: ".env", cwd: "sub" });
	const http: ServerConfig = { kind: "http", url: "https://x.example/a", headers: { H: "1" }, protocol: "auto" };
	const hash = (config: ServerConfig, origin = workspaceOrigin, inputs = [input], name = "a"): string =>
		define(name, config, origin, inputs).hash;

	it("is the same for any order of keys", () => {
		const shuffled: ServerConfig = {
			protocol: "auto",
			cwd: "sub",
			envFile: ".env",
			env: { B: "${input:key}", A: "1" },
			args: ["server.js"],
			command: "node",
			kind: "stdio",
		};
		expect(hash(shuffled)).toBe(hash(base));
		expect(hash(base)).toMatch(/^[0-9a-f]{64}$/);
	});

	it("changes with every single field and with the place", () => {
		const variants = [
			hash(base),
			hash({ ...base, command: "nodejs" }),
			hash({ ...base, args: ["server.js", "-x"] }),
			hash({ ...base, args: ["server.js -x"] }),
			hash({ ...base, args: [] }),
			hash({ ...base, env: { ...base.env, A: "2" } }),
			hash({ ...base, env: { ...base.env, C: "" } }),
			hash({ ...base, envFile: "../.env" }),
			hash({ ...base, cwd: "other" }),
			hash({ ...base, protocol: "legacy" }),
			hash(base, { ...workspaceOrigin, folder: "/other" }),
			hash(base, { ...workspaceOrigin, file: "/other/.vscode/mcp.json" }),
			hash(base, { ...workspaceOrigin, kind: "dot-mcp-json" }),
			hash(base, workspaceOrigin, [input], "b"),
			hash(base, workspaceOrigin, [{ ...input, defaultValue: "x" }]),
			hash(base, workspaceOrigin, [{ ...input, isPassword: false }]),
			hash(base, workspaceOrigin, []),
			hash(http),
			hash({ ...http, url: "https://x.example/b" }),
			hash({ ...http, headers: { H: "2" } }),
			hash({ ...http, kind: "sse" }),
		];
		expect(new Set(variants).size).toBe(variants.length);
	});

	it("does not change with an input that is not used, nor with the label of the place", () => {
		expect(hash(base, workspaceOrigin, [input, { ...input, id: "other" }])).toBe(hash(base));
		expect(hash(base, { ...workspaceOrigin, label: "elsewhere" })).toBe(hash(base));
	});

	it("distinguishes the settings of two folders", () => {
		const settings: ConfigOrigin = { kind: "folder-settings", label: "x", folder: "/one", isWorkspace: true };
		expect(definition("a", stdioConfig(), settings).id).not.toBe(
			definition("a", stdioConfig(), { ...settings, folder: "/two" }).id,
		);
	});
});

describe("mergeDefinitions", () => {
	it("distinguishes equal names by their origin and keeps the others", () => {
		const merged = mergeDefinitions([
			[definition("travel"), definition("mine")],
			[definition("travel", stdioConfig(), workspaceOrigin)],
		]);
		expect(merged.map(({ name }) => name)).toEqual([
			"travel (User Settings)",
			"mine",
			"travel (.vscode/mcp.json in ws)",
		]);
		expect(new Set(merged.map(({ id }) => id)).size).toBe(3);
	});

	it("never assigns one name twice, for any names in a file", () => {
		const merged = mergeDefinitions([
			[definition("a"), definition("a  "), definition("a (User Settings)"), definition("a (User Settings) 2")],
			[definition("a", stdioConfig(), workspaceOrigin)],
		]);
		expect(new Set(merged.map(({ name }) => name)).size).toBe(5);
	});

	it("lets a running server keep its name when another of that name is written", () => {
		const running = definition("travel");
		const held = new Map([[running.id, "travel"]]);
		const newcomer = definition("travel", stdioConfig(), workspaceOrigin);
		expect(mergeDefinitions([[newcomer], [running]], held).map(({ name }) => name)).toEqual([
			"travel (.vscode/mcp.json in ws)",
			"travel",
		]);
		expect(mergeDefinitions([[running]], new Map([[running.id, "travel (User Settings)"]]))).toMatchObject([
			{ name: "travel (User Settings)" },
		]);
	});
});
