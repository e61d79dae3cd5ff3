import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import {
	bindVersion,
	hintsOf,
	keepSecret,
	variableAsInput,
	type ConfigHint,
} from "../../../../src/setup/entries/hints.ts";
import { definitionFindings, reviewNotes } from "../../../../src/setup/entries/entryFindings.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../../servers/fixtures.ts";

const isSet = (name: string): boolean => name === "HOME";
const dotMcp = { ...workspaceOrigin, kind: "dot-mcp-json" as const };

function hints(text: string, origin: Parameters<typeof hintsOf>[0] = workspaceOrigin): readonly ConfigHint[] {
	return hintsOf(origin, text, isSet);
}

/** The places of hints, their texts and their fixes. */
function told(text: string, origin?: Parameters<typeof hintsOf>[0]): readonly (readonly string[])[] {
	return hints(text, origin).map(({ range: { offset, length }, message, fix }) =>
		[text.slice(offset, offset + length), message].concat(fix === undefined ? [] : [fix.title]),
	);
}

/** The text with the first fix of its first hint. */
function fixed(text: string, origin = workspaceOrigin): string {
	const fix = hints(text, origin)[0]?.fix;
	if (fix?.kind !== "edit") throw new Error("There is no such fix.");
	return fix.edit(text);
}

describe("hints of a configuration", () => {
	it.each([
		['"arg": []', '"arg"', "args"],
		['"enviroment": {}', '"enviroment"', "env"],
		['"Env": {}', '"Env"', "env"],
		['"headrs": {}', '"headrs"', "headers"],
		['"transport": "stdio"', '"transport"', "type"],
		['"serverUrl": "u"', '"serverUrl"', "url"],
		['"httpUrl": "u"', '"httpUrl"', "url"],
		['"type": "streamable"', '"streamable"', "http"],
		['"type": "Stdio"', '"Stdio"', "stdio"],
	])("recognise the intended key of %s (EDT-07)", (member, place, meant) => {
		const text = `{\n\t"servers": { "a": { ${member} } } // mine\n}`;
		expect(told(text)).toEqual([[place, expect.stringContaining(`Did you mean "${meant}"?`), `Change to "${meant}"`]]);
		expect(hints(text)[0]?.isTold).toBe(true);
		expect(fixed(text)).toBe(text.replace(place, `"${meant}"`));
	});

	it.each(['"gallery": true', '"custom": 1', '"type": "sse"', '"type": "streamable-http"', '"x": 1'])(
		"ignore %s",
		(member) => {
			expect(told(`{"servers": {"a": {${member}}}}`)).toEqual([]);
		},
	);

	it("name the key that a file's readers expect", () => {
		const text = '{ "mcpServers": { "a": { "command": "x" } } }';
		expect(told(text)[0]?.[1]).toContain('VS Code\'s own MCP host reads "servers" in this file.');
		expect(fixed(text)).toBe('{ "servers": { "a": { "command": "x" } } }');
		expect(told(text, dotMcp)).toEqual([]);
		expect(told('{"servers": {}}', dotMcp)[0]?.[2]).toBe('Change to "mcpServers"');
		expect(told('{"servers": {}, "mcpServers": {}}')).toEqual([]);
	});

	it("find secrets in plain text, and never repeat them (EDT-08)", () => {
		const text = '{"servers": {"a": {"command": "x", "env": {"API_KEY": "s3cret-value", "LEVEL": "2"}}}}';
		expect(told(text)).toEqual([
			[
				'"s3cret-value"',
				expect.stringMatching(
					/^"API_KEY" looks secret, and is in plain text in .*, which may be shared or tracked by Git\./,
				),
				"Move to Secret Store",
			],
		]);
		expect(JSON.stringify(hints(text))).not.toContain("s3cret-value");
		const fix = hints(text)[0]?.fix;
		if (fix?.kind !== "keep-secret") throw new Error("There is no such fix.");
		const kept = keepSecret(workspaceOrigin, text, fix.place);
		expect(kept).toMatchObject({ id: "a-api-key", value: "s3cret-value" });
		expect(parse(kept?.text ?? "")).toEqual({
			servers: { a: { command: "x", env: { API_KEY: "${input:a-api-key}", LEVEL: "2" } } },
			inputs: [{ type: "promptString", id: "a-api-key", description: "API_KEY of a", password: true }],
		});
		expect(told(kept?.text ?? "")).toEqual([]);
	});

	it("find them in the settings, too, which only the user reads", () => {
		const text = '{"mcpHost.servers": {"a": {"url": "u", "headers": {"Authorization": "Bearer s3cret-value"}}}}';
		const [hint] = hints(text, userOrigin);
		expect(hint).toMatchObject({ weight: "information" });
		const fix = hint?.fix;
		if (fix?.kind !== "keep-secret") throw new Error("There is no such fix.");
		expect(parse(keepSecret(userOrigin, text, fix.place)?.text ?? "")).toMatchObject({
			"mcpHost.servers": { a: { headers: { Authorization: "Bearer ${input:a-authorization}" } } },
			"mcpHost.inputs": [{ id: "a-authorization" }],
		});
	});

	it("add a missing definition of an input", () => {
		const text = '{"servers": {"a": {"command": "x", "args": ["-k", "${input:key}"]}}}';
		expect(told(text)).toEqual([
			['"${input:key}"', '"inputs" does not define "key", so the server cannot start.', "Add Input"],
		]);
		expect(told(fixed(text))).toEqual([]);
	});

	it("report variables that are not set, and make inputs of them", () => {
		const text =
			'{"servers": {"a": {"command": "x", "env": {"A": "${env:HOME}", "B": "p-${env:NONE}", "C": "${env:NONE}", "D": "${env:D:-1}"}}}}';
		const found = told(text);
		expect(found).toHaveLength(1);
		expect(found[0]).toMatchObject(['"p-${env:NONE}"', expect.stringContaining("NONE is not set"), "Set Variable…"]);
		const { text: edited, id } = variableAsInput(workspaceOrigin, text, "a", "NONE");
		expect(id).toBe("a-none");
		expect(parse(edited)).toMatchObject({
			servers: { a: { env: { A: "${env:HOME}", B: "p-${input:a-none}", C: "${input:a-none}", D: "${env:D:-1}" } } },
			inputs: [{ id: "a-none", password: true }],
		});
	});

	it.each([
		'{"servers": {"a": {"disabled": true, "arg": [], "env": {"API_KEY": "s3cret-value"}}}}',
		'{"servers": {',
		"[]",
		'{"servers": {"a": 1}}',
		'{"servers": {"__proto__": {"constructor": 1}}}',
	])("do not report %s", (text) => {
		expect(told(text)).toEqual([]);
	});
});

describe("a package without a version (REG-12)", () => {
	const text = (entry: object): string => JSON.stringify({ servers: { a: entry } }, undefined, "\t");
	it.each([
		[["-y", "@acme/weather"], "npx", "registry.npmjs.org"],
		[["-y", "@acme/weather@latest"], "npx", "registry.npmjs.org"],
		[["weather"], "uvx", "pypi.org"],
		[["--from", "weather", "tool"], "uvx", "pypi.org"],
	])("%j is a hint that counts among no problems, and names the registry", (args, command, home) => {
		const [hint, ...more] = hints(text({ command, args }));
		expect(more).toEqual([]);
		expect(hint?.weight).toBe("note");
		expect(hint?.message).toContain("Each start may run a different version");
		expect(hint?.fix?.title).toBe(`Bind to the Latest Version (Asks ${home})`);
	});

	it.each([
		{ command: "npx", args: ["--registry", "https://npm.acme.example", "@acme/weather"] },
		{ command: "npx", args: ["weather"], env: { npm_config_registry: "https://npm.acme.example" } },
		{ command: "uvx", args: ["--index-url=https://pip.acme.example", "weather"] },
		{ command: "docker", args: ["run", "-i", "--rm", "mcp/weather"] },
		{ command: "dnx", args: ["Acme.Weather", "--yes"] },
	])("is a hint without a fix: %j", (entry) => {
		const found = hints(text(entry));
		expect(found[0]).toMatchObject({
			weight: "note",
			message: expect.stringContaining("has no fixed version") as unknown,
		});
		expect(found.flatMap(({ fix }) => fix ?? [])).toEqual([]);
	});

	it.each([
		{ command: "npx", args: ["-y", "@acme/weather@1.2.0"] },
		{ command: "npx", args: ["./weather"] },
		{ command: "docker", args: ["run", "mcp/weather:1.2"] },
		{ command: "node", args: ["weather.js"] },
	])("has no hint for %j", (entry) => expect(told(text(entry))).toEqual([]));

	it("is bound at its place, unless it has changed by then", () => {
		const before = text({ command: "npx", args: ["-y", "@acme/weather@latest", "--x"] });
		const after = bindVersion(workspaceOrigin, before, "a", { name: "@acme/weather", version: "1.4.0" });
		expect(after).toBe(before.replace("@latest", "@1.4.0"));
		expect(bindVersion(workspaceOrigin, before, "a", { name: "other", version: "1.4.0" })).toBe(before);
		expect(bindVersion(workspaceOrigin, after, "a", { name: "@acme/weather", version: "2.0.0" })).toBe(after);
		expect(bindVersion(workspaceOrigin, "{}", "a", { name: "@acme/weather", version: "2.0.0" })).toBe("{}");
	});
});

it("the editor, Check Server and the review show the same findings (DOC-01)", () => {
	const entry = { command: "npx", args: ["-y", "acme"], env: { API_KEY: "s3cret-value", B: "${env:NONE}" } };
	const text = JSON.stringify({ servers: { a: entry } });
	const shown = hints(text).map(({ message }) => message);
	const server = definition("a", stdioConfig(entry), workspaceOrigin);
	const listed = definitionFindings(server, isSet).map(({ what, why = "" }) => `${what} ${why}`.trimEnd());
	expect(listed).toEqual(shown);
	expect(reviewNotes(server, isSet)).toEqual(shown);
	expect(shown).toHaveLength(3);
});
