import { beforeEach, describe, expect, it } from "vitest";
import { entryLenses, type EntryLens } from "../../../src/servers/entryLenses.ts";
import { define } from "../../../src/servers/definitions/parseConfig.ts";
import type { ConfigOrigin } from "../../../src/servers/definitions/config.ts";
import type { SessionState } from "../../../src/servers/sessions/session.ts";
import { FakeDirectory, FakeSession } from "../features/resources/fakeSession.ts";
import { FakeEditor } from "./otherHosts/fakeEditor.ts";
import { stdioConfig, workspaceOrigin } from "./fixtures.ts";

const file = "/ws/.vscode/mcp.json";
const text = '{\n\t// mine\n\t"servers": {\n\t\t"a": { "command": "node" },\n\t},\n}';
let editor: FakeEditor;
let session: FakeSession;

beforeEach(() => {
	editor = new FakeEditor();
	editor.scopes.set("user", "none");
	session = sessionOf("a");
});

/** A server of the file; `shown` is its display name, if that is another one. */
function sessionOf(name: string, origin: ConfigOrigin = workspaceOrigin, shown = name): FakeSession {
	return new FakeSession(shown, { ...define(name, stdioConfig(), origin), name: shown });
}

function lenses(content = text, of = file, sessions = [session]): readonly EntryLens[] {
	return entryLenses({ file: of, text: content }, new FakeDirectory(...sessions).sessions, editor.shared);
}

/** The lenses above the one entry, and their actions. */
function shown(): readonly string[] {
	return lenses().map(({ title, command }) => (command === undefined ? title : `${title} → ${command}`));
}

describe("The lenses above an entry of mcp.json (CFG-34)", () => {
	it.each<[string, SessionState, readonly string[]]>([
		[
			"a server that needs approval",
			{ kind: "needs-approval", reason: "unapproved" },
			["MCP Host: unapproved", "Review… → mcpHost.reviewServer"],
		],
		[
			"one that is stopped",
			{ kind: "stopped" },
			["MCP Host: stopped", "Start → mcpHost.startServer", "Review… → mcpHost.reviewServer"],
		],
		["one that starts", { kind: "starting" }, ["MCP Host: starting", "Stop → mcpHost.stopServer"]],
		[
			"one that failed",
			{ kind: "failed", message: "spawn $(error) ENOENT", stderr: [] },
			[
				"MCP Host: failed",
				"Start → mcpHost.startServer",
				"Show Log → mcpHost.showLog",
				"Review… → mcpHost.reviewServer",
			],
		],
		[
			"one that restarts automatically",
			{ kind: "failed", message: "gone", stderr: [], retryAt: 1 },
			["MCP Host: restarts soon", "Stop → mcpHost.stopServer", "Show Log → mcpHost.showLog"],
		],
		[
			"one that wants a sign-in",
			{ kind: "needs-sign-in", message: "Sign in at x." },
			["MCP Host: waits for sign-in", "Sign In… → mcpHost.signIn"],
		],
		[
			"one that is left to VS Code",
			{ kind: "left-to-editor" },
			["MCP Host: left to VS Code", "Change… → mcpHost.chooseRunner"],
		],
	])("%s: state and actions", (_what, state, expected) => {
		session.setState(state);
		expect(shown()).toEqual(expected);
	});

	it("a running one can be stopped, restarted and reviewed", async () => {
		await session.run();
		expect(shown()).toEqual([
			"MCP Host: running",
			"Stop → mcpHost.stopServer",
			"Restart → mcpHost.restartServer",
			"Review… → mcpHost.reviewServer",
		]);
	});

	it("one with dev.debug can be debugged, running or not, once it may start", async () => {
		const config = stdioConfig({ debug: { type: "node" } });
		session = new FakeSession("a", { ...define("a", config, workspaceOrigin), name: "a" });
		expect(shown()).toContain("Debug → mcpHost.debugServer");
		await session.run();
		expect(shown()).toContain("Debug → mcpHost.debugServer");
		session.setState({ kind: "needs-approval", reason: "unapproved" });
		expect(shown()).not.toContain("Debug → mcpHost.debugServer");
	});

	it("say where both hosts can run it, and lead to the choice", () => {
		editor.scopes.clear();
		expect(shown()).toEqual([
			"MCP Host: stopped · VS Code can run it too",
			"Start → mcpHost.startServer",
			"Review… → mcpHost.reviewServer",
			"Change… → mcpHost.chooseRunner",
		]);
	});

	it("are at the key of the entry and for exactly this server", () => {
		const all = lenses();
		expect(new Set(all.map(({ range }) => text.slice(range.offset, range.offset + range.length)))).toEqual(
			new Set(['"a"']),
		);
		expect(all[1]?.argument).toEqual({ server: session.definition.id });
	});
});

describe("Entries and servers", () => {
	it("are matched by file and key, for any display name, and in either key of a file", () => {
		const dotMcp: ConfigOrigin = { ...workspaceOrigin, kind: "dot-mcp-json", file: "/ws/.mcp.json" };
		const other = sessionOf("a", dotMcp, "a (.mcp.json in ws)");
		const found = lenses('{"mcpServers": {"a": {}}}', "/ws/.mcp.json", [session, other]);
		expect(new Set(found.flatMap(({ argument }) => argument?.server ?? []))).toEqual(new Set([other.definition.id]));
	});

	it("are not confused by a key that looks like a whole id", () => {
		const evil = `${file}#a`;
		const content = JSON.stringify({ servers: { a: {}, [evil]: {} } });
		const found = lenses(content, file, [sessionOf(evil)]);
		expect(new Set(found.map(({ range }) => content.slice(range.offset, range.offset + range.length)))).toEqual(
			new Set([JSON.stringify(evil)]),
		);
	});

	it("have no lens if there is no server, no entry, no object, or no text of JSON", () => {
		for (const content of ["", "[", "7", '{"servers": 7}', '{"servers": {"b": {}}}', '{"a": {}}'])
			expect(lenses(content)).toEqual([]);
		expect(lenses(text, "/elsewhere/mcp.json")).toEqual([]);
		expect(lenses('{"servers": {"__proto__": {}, "constructor": {}}}')).toEqual([]);
	});

	it("of a broken text are found as far as possible, while the user types", () => {
		expect(lenses('{"servers": {"a": {"comm')).not.toEqual([]);
	});

	it("are not searched for in a text that is too long for a configuration", () => {
		expect(lenses(`${text}${" ".repeat(1_000_000)}`)).toEqual([]);
	});
});
