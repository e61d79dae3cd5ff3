import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sourcePlaces } from "../../../../src/surfaces/doctor/sourcePlaces.ts";

const signal = new AbortController().signal;

/** A folder with these files. */
function project(files: Readonly<Record<string, string>>): string {
	const folder = mkdtempSync(path.join(tmpdir(), "mcp-host-source-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		writeFileSync(path.join(folder, name), text);
	}
	return folder;
}

/** Where names are, as `file:line:character`, from 1 on. */
async function placesIn(files: Readonly<Record<string, string>>, ...names: readonly string[]) {
	const folder = project(files);
	const places = await sourcePlaces(folder, new Set(names), signal);
	return names.map((name) => {
		const place = places.get(name);
		if (place === undefined) return undefined;
		const file = path.relative(folder, place.file).replaceAll("\\", "/");
		expect(place.length).toBe(name.length);
		return `${file}:${place.line + 1}:${place.character + 1}`;
	});
}

it.each([
	["a call of the TypeScript SDK", 'server.registerTool(\n\t"search",\n\t{}', "src/server.ts", "2:3"],
	["a call with type arguments", 'server.tool<Input>("search", {})', "server.mts", "1:21"],
	["a definition as data", 'const tools = [{ name: "search" }];', "server.js", "1:25"],
	["a definition of Go", 'mcp.Tool{\n\tName: "search",\n}', "main.go", "2:9"],
	["a named decorator of Python", '@mcp.tool(name="search")\ndef find():\n    pass', "server.py", "1:17"],
	[
		"a decorated function of Python",
		"import x\n\n@mcp.tool()\nasync def search(text: str) -> str:",
		"server.py",
		"4:11",
	],
	[
		"a function with an attribute of Rust",
		'#[tool(description = "Finds.")]\nasync fn search(&self) {}',
		"lib.rs",
		"2:10",
	],
])("finds %s", async (_name, text, file, place) => {
	expect(await placesIn({ [file]: text }, "search")).toEqual([`${file}:${place}`]);
});

it("prefers the definition to other uses of a name", async () => {
	const text = [
		'if (request.params.name === "search") return search();',
		'client.callTool("search");',
		'switch (name) { case "search": break; }',
		'server.registerTool("search", {});',
	].join("\n");
	expect(await placesIn({ "server.js": text }, "search")).toEqual(["server.js:4:22"]);
});

it("takes the only place in quotes where no definition is recognised", async () => {
	expect(await placesIn({ "server.py": 'TOOLS = {"search": find}' }, "search")).toEqual(["server.py:1:11"]);
});

it("never guesses between two places (DOC-11)", async () => {
	const files = { "a.ts": 'registerTool("search", {})', "b.ts": 'registerTool("search", {})' };
	expect(await placesIn(files, "search")).toEqual([undefined]);
	expect(await placesIn({ "a.ts": 'x("search"); y("search")' }, "search")).toEqual([undefined]);
});

it("finds URIs and templates", async () => {
	const text = 'registerResource("orders", "orders://today", {}); new ResourceTemplate("orders://{id}", {});';
	expect(await placesIn({ "a.ts": text }, "orders://today", "orders://{id}")).toEqual(["a.ts:1:29", "a.ts:1:73"]);
});

it("leaves out installed, generated and testing code, and follows no links", async () => {
	const text = 'registerTool("search", {})';
	const elsewhere = project({ "server.ts": text });
	const files = {
		"node_modules/x/server.js": text,
		"dist/server.js": text,
		".venv/server.py": text,
		"test/server.ts": text,
		"server.test.ts": text,
		"test_server.py": text,
		"server.d.ts": text,
		"readme.md": text,
	};
	const folder = project(files);
	symlinkSync(elsewhere, path.join(folder, "linked"));
	expect(await sourcePlaces(folder, new Set(["search"]), signal)).toEqual(new Map());
});
