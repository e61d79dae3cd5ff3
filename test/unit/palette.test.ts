import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type ContextValues, holds } from "../../src/base/whenClause.ts";
import { contextKeys } from "../../src/servers/status/contextKeys.ts";
import type { SessionState } from "../../src/servers/sessions/session.ts";
import { FakeSession } from "./features/resources/fakeSession.ts";

interface MenuItem {
	readonly command?: string;
	readonly when?: string;
}

interface Manifest {
	readonly contributes: {
		readonly commands: readonly { readonly command: string; readonly title: string }[];
		readonly keybindings: readonly { readonly command: string }[];
		readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
	};
}

const { contributes } = JSON.parse(
	readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"),
) as Manifest;
const { commandPalette = [], ...otherMenus } = contributes.menus;
const clauses = new Map(commandPalette.map(({ command, when = "true" }) => [command, when]));

/** The commands that the Command Palette shows while the context keys have these values. */
function paletteIn(values: ContextValues): readonly string[] {
	return contributes.commands
		.map(({ command }) => command)
		.filter((command) => holds(clauses.get(command) ?? "true", values));
}

/** The context keys of a window whose servers are in these states. */
function valuesOf(states: readonly SessionState[], more: ContextValues = {}): ContextValues {
	const sessions = states.map((state, index) => {
		const session = new FakeSession(`server ${index}`, {
			config: { kind: "http", url: "https://mcp.example", headers: {}, protocol: "auto" } as never,
		});
		session.state = state;
		return session;
	});
	const keys = contextKeys(sessions, 1);
	const prefixed = Object.entries(keys).map(([key, value]) => [`mcpHost.${key}`, value]);
	// The Servers view and the named calls of the folder set these.
	const others = { "mcpHost.hasServers": states.length > 0, "mcpHost.hasNamedCalls": true, workspaceFolderCount: 1 };
	return { ...others, ...Object.fromEntries(prefixed), ...more };
}

const idle: readonly SessionState[] = [
	{ kind: "stopped" },
	{ kind: "needs-approval", reason: "unapproved" },
	{ kind: "needs-sign-in", message: "sign in" },
	{ kind: "off" },
	{ kind: "left-to-editor" },
	{ kind: "failed", message: "exited", stderr: [] },
];

describe("the Command Palette", () => {
	test("shows at most 40 commands ever (UI-18)", () => {
		const ever = contributes.commands.filter(({ command }) => clauses.get(command) !== "false");
		expect(ever.length).toBeLessThanOrEqual(40);
	});

	test("shows at most 30 commands in a window without running servers (UI-18)", () => {
		expect(paletteIn(valuesOf(idle)).length).toBeLessThanOrEqual(30);
		expect(paletteIn(valuesOf([])).length).toBeLessThan(paletteIn(valuesOf(idle)).length);
	});

	test("shows the first steps and the commands for prompts, tools and resources in a window without servers", () => {
		const shown = paletteIn(valuesOf([]));
		const first = ["getStarted", "tryDemo", "addServer", "findServers", "importServers", "openConfiguration"];
		const use = ["runPrompt", "runTool", "openResource"];
		expect(shown).toEqual(expect.arrayContaining([...first, ...use].map((name) => `mcpHost.${name}`)));
	});

	test("offers Start All Servers while a server can start, and Stop All Servers while one can be stopped", () => {
		expect(paletteIn(valuesOf([{ kind: "stopped" }]))).toContain("mcpHost.startAllServers");
		expect(paletteIn(valuesOf([{ kind: "stopped" }]))).not.toContain("mcpHost.stopAllServers");
		expect(paletteIn(valuesOf([{ kind: "starting" }]))).toContain("mcpHost.stopAllServers");
	});

	test("hides no command that is not in a menu, keybinding or list", () => {
		const menus = Object.values(otherMenus).flat();
		const reachable = new Set([...menus, ...contributes.keybindings].map(({ command }) => command));
		const hidden = contributes.commands
			.map(({ command }) => command)
			.filter((command) => clauses.get(command) === "false" && !reachable.has(command));
		// Manage Models has it as a row.
		expect(hidden).toEqual(["mcpHost.detectModels"]);
	});

	test("has titles that differ in their first words if commands do different things", () => {
		const title = (id: string): string =>
			contributes.commands.find(({ command }) => command === `mcpHost.${id}`)?.title ?? "";
		const titles = ["whyNotStart", "findUpdates", "openResource", "openResourceFromTemplate", "chooseRunner"].map(
			title,
		);
		expect(titles.map((words) => words.split(" ", 1)[0])).toEqual(["Check", "Update", "Open", "Use", "Choose"]);
	});
});
