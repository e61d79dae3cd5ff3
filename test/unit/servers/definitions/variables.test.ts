import { homedir } from "node:os";
import { basename, resolve as resolvePath, sep } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConfigOrigin, InputDefinition, ServerConfig } from "../../../../src/servers/definitions/config.ts";
import { variablesOf } from "../../../../src/servers/definitions/entryTexts.ts";
import { define } from "../../../../src/servers/definitions/parseConfig.ts";
import { resolveVariables, type VariableContext } from "../../../../src/servers/definitions/variables.ts";
import type { Launch } from "../../../../src/protocol/launch.ts";
import { bindToPlace } from "../../../../src/servers/definitions/workspacePlace.ts";
import { stdioConfig, userOrigin, workspaceOrigin } from "../fixtures.ts";

const context: VariableContext = {
	folders: [
		{ name: "first", path: "/first" },
		{ name: "ws", path: "/ws" },
	],
	isWorkspaceTrusted: () => true,
	environment: { TOKEN: "secret", EMPTY: "" },
	input: (id) => Promise.resolve(id === "key" ? "${env:TOKEN}" : undefined),
};
const inputs: readonly InputDefinition[] = ["key", "none"].map((id) => ({ id, description: id, isPassword: false }));

async function resolve(
	config: ServerConfig,
	origin: ConfigOrigin = workspaceOrigin,
	changes: Partial<VariableContext> = {},
): Promise<Launch> {
	const used = { ...context, ...changes };
	return resolveVariables(await bindToPlace(define("a", config, origin, inputs), used.folders), used);
}

async function argument(
	text: string,
	origin?: ConfigOrigin,
	changes?: Partial<VariableContext>,
): Promise<string | undefined> {
	const launch = await resolve(stdioConfig({ args: [text] }), origin, changes);
	return launch.kind === "stdio" ? launch.args[0] : undefined;
}

describe("resolveVariables", () => {
	it.each([
		["${workspaceFolder}/x", "/ws/x"],
		["${workspaceRoot}", "/ws"],
		["${workspaceFolder:first}", "/first"],
		["${workspaceFolderBasename}", "ws"],
		["${userHome}", homedir()],
		["a${pathSeparator}b${/}c", `a${sep}b${sep}c`],
		["${env:TOKEN}-${env:EMPTY}-", "secret--"],
		["${env:TOKEN:-other}|${env:EMPTY:-a:-b}|${env:NONE:-}|${env:NONE:-c d}", "secret|a:-b||c d"],
		["no variable, $HOME, $(id), %PATH%, ${", "no variable, $HOME, $(id), %PATH%, ${"],
	])("resolves %s", async (text, expected) => {
		expect(await argument(text)).toBe(expected);
	});

	it("does not resolve variables within a value", async () => {
		expect(await argument("${input:key}")).toBe("${env:TOKEN}");
	});

	it("uses the first of several folders for a user's own server, and logs it once (BLT-33)", async () => {
		const notes: string[] = [];
		const note = (message: string): void => void notes.push(message);
		expect(await argument("${workspaceFolder}:${workspaceFolder}", userOrigin, { note })).toBe("/first:/first");
		expect(await argument("${workspaceFolderBasename}", userOrigin)).toBe(basename("/first"));
		expect(await argument("${workspaceFolder:ws}", userOrigin, { note })).toBe("/ws");
		expect(notes).toEqual([
			"${workspaceFolder} is /first, the first of 2 folders. Write ${workspaceFolder:name} to use another folder.",
		]);
	});

	it("uses a folder's own folder for the servers of its file, and logs nothing (BLT-33)", async () => {
		const notes: string[] = [];
		const note = (message: string): void => void notes.push(message);
		expect(await argument("${workspaceFolder}", workspaceOrigin, { note })).toBe("/ws");
		expect(await argument("${workspaceFolder}", userOrigin, { note, folders: [{ name: "ws", path: "/ws" }] })).toBe(
			"/ws",
		);
		expect(notes).toEqual([]);
	});

	it("does not guess between folders of one name", async () => {
		const folders = ["/a/app", "/b/app"].map((path) => ({ name: "app", path }));
		await expect(argument("${workspaceFolder:app}", userOrigin, { folders })).rejects.toMatchObject({
			message:
				"${workspaceFolder:app} has no value, because 2 open folders have that name; give them different names in the workspace file.",
		});
	});

	it.each([
		["${unknown}", "${unknown} is not a known variable."],
		["${command:evil}", "${command:evil} is not a known variable."],
		["${env:MISSING}", "The environment variable MISSING is not set."],
		[
			"${workspaceFolder:other}",
			"${workspaceFolder:other} has no value, because no folder with that name is open (open: first, ws).",
		],
		["${input:undefined}", '${input:undefined} is used, but "inputs" does not define undefined.'],
	])("names %s, which has no value", async (text, message) => {
		await expect(argument(text)).rejects.toMatchObject({ code: "invalid", message });
	});

	it("reports that no folder is open", async () => {
		await expect(argument("${workspaceFolder}", userOrigin, { folders: [] })).rejects.toMatchObject({
			code: "invalid",
		});
		await expect(argument("${workspaceFolderBasename}", userOrigin, { folders: [] })).rejects.toMatchObject({
			code: "invalid",
		});
	});

	it("excludes the folders of a workspace that is not trusted from the search for programs (CFG-40)", async () => {
		const config = stdioConfig({ command: process.execPath, args: [] });
		expect(await resolve(config, userOrigin)).not.toHaveProperty("closedFolders");
		expect(await resolve(config, userOrigin, { isWorkspaceTrusted: () => false })).toMatchObject({
			closedFolders: ["/first", "/ws"],
		});
	});

	it("is cancelled when the user gives no value", async () => {
		await expect(argument("${input:none}")).rejects.toMatchObject({
			code: "cancelled",
			message: 'Server "a" was not started: it needs a value for none.',
		});
	});

	it("resolves every text of a local server, and its folders against its own", async () => {
		const config = stdioConfig({
			command: "${workspaceFolder}/bin/x",
			args: ["${env:TOKEN}"],
			env: { KEY: "${env:TOKEN}", ["__proto__"]: "kept" },
			envFile: "${workspaceFolder}/.env",
			cwd: "sub",
		});
		const launch = await resolve(config);
		expect(launch).toMatchObject({
			command: "/ws/bin/x",
			args: ["secret"],
			envFile: "/ws/.env",
			cwd: resolvePath("/ws/sub"),
		});
		expect(launch.kind === "stdio" && Object.entries(launch.env)).toEqual([
			["KEY", "secret"],
			["__proto__", "kept"],
		]);
		expect(await resolve(stdioConfig())).toMatchObject({ cwd: resolvePath("/ws"), envFile: undefined });
		expect(await resolve(stdioConfig(), userOrigin)).toMatchObject({ cwd: homedir() });
		expect(await resolve(stdioConfig({ cwd: "/else" }), userOrigin)).toMatchObject({
			cwd: resolvePath(homedir(), "/else"),
		});
	});

	const http = (url: string, headers: Record<string, string> = {}): ServerConfig => ({
		kind: "http",
		url,
		headers,
		protocol: "auto",
	});

	it("resolves a remote server", async () => {
		expect(await resolve(http("https://${workspaceFolderBasename}.example", { A: "Bearer ${env:TOKEN}" }))).toEqual({
			kind: "http",
			url: "https://ws.example",
			headers: { A: "Bearer secret" },
		});
	});

	it("allows no environment variable in a workspace's URL, and reads none before it reports that", async () => {
		const environment = new Proxy({}, { get: () => expect.fail("the environment was read") });
		await expect(
			resolve(http("http://evil.example/?t=${env:TOKEN}"), workspaceOrigin, { environment }),
		).rejects.toMatchObject({
			code: "invalid",
			message: "A URL from a workspace may not contain environment variables. Use a header or an input.",
		});
		expect(await resolve(http("http://mine.example/?t=${env:TOKEN}"), userOrigin)).toMatchObject({
			url: "http://mine.example/?t=secret",
		});
	});

	it.each(["file:///etc/passwd", "not a url", "ws://x"])("refuses the URL %s from an input", async (value) => {
		const input = (): Promise<string> => Promise.resolve(value);
		await expect(resolve(http("${input:key}"), workspaceOrigin, { input })).rejects.toMatchObject({
			message: "The URL is not a valid http or https URL.",
		});
	});

	it("refuses a password in a URL without repeating it", async () => {
		await expect(resolve(http("https://user:hunter2@x.example"))).rejects.toMatchObject({
			message: "The URL may not contain a user name or password. Use a header and an input.",
		});
	});
});

describe("variablesOf", () => {
	it("lists the variables of a configuration, once each", () => {
		const config = stdioConfig({
			args: ["${env:A}${env:A}", "${input:x}"],
			env: { K: '${input:q"}' },
			cwd: "${userHome}",
		});
		expect(variablesOf(config)).toEqual(["env:A", "input:x", "userHome", 'input:q"']);
		expect(variablesOf({ kind: "http", url: "${input:u}", headers: { H: "${env:H}" }, protocol: "auto" })).toEqual([
			"input:u",
			"env:H",
		]);
	});
});
