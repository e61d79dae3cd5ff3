/** Entries written for other hosts: their own variables, `~`, paths and commands (CFG-41). */
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { readPasted } from "../../../src/servers/formats/readPasted.ts";
import type { ConfigOrigin, ParsedConfig } from "../../../src/servers/definitions/config.ts";
import { parseConfig } from "../../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../../src/servers/review/review.ts";
import { resolveVariables } from "../../../src/servers/definitions/variables.ts";
import { bindToPlace } from "../../../src/servers/definitions/workspacePlace.ts";
import { userOrigin, workspaceOrigin } from "./fixtures.ts";

const rootFile: ConfigOrigin = { ...workspaceOrigin, kind: "dot-mcp-json", file: "/ws/.mcp.json" };
const origins = { settings: userOrigin, "mcp.json": workspaceOrigin, ".mcp.json": rootFile };
const folders = [{ name: "ws", path: "/ws" }];

function parsed(text: string, origin: ConfigOrigin): ParsedConfig {
	return parseConfig({ origin, content: { text } });
}

function parsedEntry(entry: unknown, origin: ConfigOrigin): ParsedConfig {
	return parsed(JSON.stringify({ [origin === rootFile ? "mcpServers" : "servers"]: { a: entry } }), origin);
}

async function launchOf(entry: unknown, origin: ConfigOrigin, environment: Record<string, string> = {}) {
	const { definitions } = parsedEntry(entry, origin);
	const [definition] = definitions;
	if (definition === undefined) throw new Error("no definition");
	const input = (id: string) => Promise.resolve(id === "key" ? "${env:TOKEN}" : undefined);
	const context = { folders, isWorkspaceTrusted: () => true, environment, input };
	return resolveVariables(await bindToPlace(definition, folders), context);
}

describe.each(Object.entries(origins))("A name in an entry of %s", (_place, origin) => {
	const env = { AUTH_HEADER: "Bearer abc" };
	it.each<[string, object, Record<string, string>, object]>([
		[
			"in a part of an argument",
			{ args: ["Authorization:${AUTH_HEADER}"], env },
			{},
			{ args: ["Authorization:Bearer abc"] },
		],
		["as ${env:NAME}", { args: ["${env:AUTH_HEADER}"], env }, {}, { args: ["Bearer abc"] }],
		["before the environment", { args: ["${AUTH_HEADER}"], env }, { AUTH_HEADER: "other" }, { args: ["Bearer abc"] }],
		["with a default", { args: ["${A:-d}", "${B:-d}"], env: { A: "", B: "b" } }, {}, { args: ["d", "b"] }],
		["in another variable", { env: { T: "abc", H: "Bearer ${env:T}" } }, {}, { env: { T: "abc", H: "Bearer abc" } }],
		["in the folder", { env: { DIR: "/opt" }, cwd: "${DIR}/x" }, {}, { cwd: "/opt/x" }],
		["that names itself is the one around it", { env: { X: "/a:${env:X}" } }, { X: "/b" }, { env: { X: "/a:/b" } }],
		[
			"that names another in a circle ends",
			{ env: { X: "${env:Y}", Y: "${env:X}" } },
			{ X: "x" },
			{ env: { X: "x", Y: "x" } },
		],
		[
			"whose value looks like a variable stays",
			{ args: ["${A}"], env: { A: "${env:V}" } },
			{ V: "${userHome}" },
			{ args: ["${userHome}"] },
		],
		["is no part of a variable", { args: ["${A}{env:V}"], env: { A: "$" } }, { V: "secret" }, { args: ["${env:V}"] }],
		[
			"and no shell: no globs, no substitution",
			{ args: ["*.js", "$(id)", "`id`", "$AUTH_HEADER"], env },
			{},
			{ args: ["*.js", "$(id)", "`id`", "$AUTH_HEADER"] },
		],
	])("is resolved in the entry first: %s", async (_what, entry, environment, launch) => {
		expect(await launchOf({ command: "x", ...entry }, origin, environment)).toMatchObject(launch);
	});

	it("may be that of a remote server", async () => {
		const entry = { type: "http", url: "https://x.example", headers: { A: "Bearer ${KEY}" }, env: { KEY: "abc" } };
		expect(await launchOf(entry, origin)).toMatchObject({ headers: { A: "Bearer abc" } });
	});

	it("that is unknown is reported by its name", async () => {
		await expect(launchOf({ command: "x", args: ["${NOBODY}"] }, origin)).rejects.toThrow("NOBODY");
	});

	it.each([
		["~/bin/x", `${homedir()}/bin/x`],
		["~", homedir()],
		["~other/x", "~other/x"],
		["x~/y", "x~/y"],
	])("and a command %s is %s", async (command, expected) => {
		expect(await launchOf({ command }, origin)).toMatchObject({ command: expected });
	});

	it("and ~ is resolved in folders and files, and not in arguments and values", async () => {
		const entry = { command: "x", args: ["~/a"], env: { A: "~/b" }, cwd: "~/c", envFile: "~/d" };
		expect(await launchOf(entry, origin)).toMatchObject({
			args: ["~/a"],
			env: { A: "~/b" },
			cwd: `${homedir()}/c`,
			envFile: `${homedir()}/d`,
		});
	});
});

describe("The question before a start", () => {
	const review = (entry: unknown, origin: ConfigOrigin = userOrigin, approved?: unknown) => {
		const [definition] = parsedEntry(entry, origin).definitions;
		const [former] = approved === undefined ? [] : parsedEntry(approved, origin).definitions;
		if (definition === undefined) throw new Error("no definition");
		return { ...reviewServer(definition, undefined), hash: definition.hash, former: former?.hash };
	};
	const row = (entry: unknown, label: string) => review(entry).rows.find((one) => one.label === label)?.values;

	it("shows what would run", () => {
		const entry = { command: "~/bin/x", args: ["${A}", "${userHome}/y"], env: { A: "evil-package" } };
		expect(row(entry, "Command")).toEqual([`${homedir()}/bin/x`]);
		expect(row(entry, "Arguments")).toEqual(["evil-package", `${homedir()}/y`]);
		expect(review({ command: "x", args: ["${A}"], env: { A: "rm -rf /" } }).warnings.join()).toContain("deletes");
		expect(row({ command: "${A}", env: { A: "/tmp/evil" } }, "Command")).toEqual(["/tmp/evil"]);
	});

	it("shows no token of a header, and names nothing of its own as read from the environment", () => {
		const entry = { command: "x", args: ["Authorization:${A}", "${B}"], env: { A: "Bearer hunter2", B: "${env:C}" } };
		expect(row(entry, "Arguments")).toEqual(["Authorization:(masked: 14 characters)", "${env:C}"]);
		expect(row(entry, "Reads from your environment")).toEqual(["C"]);
	});

	it("binds the deciding values", () => {
		const entry = (value: string) => ({ command: "x", args: ["${A}"], env: { A: value } });
		expect(review(entry("a")).hash).not.toBe(review(entry("b")).hash);
	});

	it.each(["${KEY}", "https://x.example/${A}"])(
		"allows no variable of the environment in a workspace's URL: %s",
		async (url) => {
			const entry = { type: "http", url, env: { A: "${env:KEY}" } };
			await expect(launchOf(entry, rootFile, { KEY: "https://k.example" })).rejects.toThrow("may not contain");
		},
	);
});

describe("A text that could only be half read makes no server", () => {
	const entries = String.raw`{ "servers": { "a": { "command": "C:\Users\dev\srv\run.exe", "args": [] }, "b": { "command": "x" } } }`;
	it("of a path with single backslashes, and shows the correct form", () => {
		const { definitions, problems, isIntact } = parsed(entries, workspaceOrigin);
		expect(definitions.map(({ name }) => name)).toEqual(["b"]);
		expect(isIntact).toBe(false);
		expect(problems.map(({ message }) => message).join()).toMatch(
			/write each backslash of a path as \\\\, or write \//,
		);
	});

	it.each([
		['{"command": "C:\\temp\\new.exe"}', "escapes that JSON knows"],
		['{"command": "x", "args": ["D:\\notes\\temp"]}', "an argument"],
		['{"command": "C:tools"}', "a drive alone"],
		['{"command": "x", "cwd": "C:\\build"}', "a folder"],
		['{"command": "x" "args": []}', "a comma that is missing"],
		['{"command": "x", "args": ["a', "an end that is missing"],
	])("%s: %s", (entry) => {
		expect(parsed(`{ "servers": { "a": ${entry} } }`, workspaceOrigin).definitions).toEqual([]);
	});

	it.each([
		'{"command": "C:\\\\Program Files\\\\x.exe"}',
		'{"command": "C:/x.exe"}',
		'{"command": "sh", "args": ["-c", "a\\nb"]}',
	])("but a valid one is read: %s", (entry) => {
		const { definitions, problems } = parsed(`{ "servers": { "a": ${entry} } }`, workspaceOrigin);
		expect(problems).toEqual([]);
		expect(definitions).toHaveLength(1);
	});

	it("and a paste of it reads the backslashes as such, and reports it", () => {
		const text = String.raw`{ "mcpServers": { "a": { "command": "C:\Users\dev\srv\run.exe", "args": ["--dir", "D:\notes\temp"] } } }`;
		const [server] = readPasted(text).servers;
		expect(server?.entry).toMatchObject({
			command: String.raw`C:\Users\dev\srv\run.exe`,
			args: ["--dir", String.raw`D:\notes\temp`],
		});
		expect(server?.remarks.join()).toContain("single backslashes");
		const other = readPasted(String.raw`{ "mcpServers": { "a": { "command": "build\index.js" } } }`);
		expect(other.servers).toEqual([]);
		expect(other.refused[0]?.reason).toContain("write each backslash");
	});

	it.each([
		["npx -y some-server /data", "contains arguments"],
		['"/usr/bin/node"', "is in quotes"],
		["/usr/bin/node server.js", "contains arguments"],
	])("and %s as a command is reported: it %s", (command, what) => {
		const { problems, definitions } = parsedEntry({ command }, workspaceOrigin);
		expect(problems.map(({ message }) => message).join()).toMatch(new RegExp(`${what}.*"args"`));
		expect(definitions).toHaveLength(1);
	});
});
