import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { guestTools } from "../../src/surfaces/guest/guestTools.ts";
import { contextKeys } from "../../src/servers/status/contextKeys.ts";
import { releases } from "../editor/workbenchInstall.ts";

interface Manifest {
	readonly extensionKind: readonly string[];
	readonly capabilities: Readonly<Record<"untrustedWorkspaces" | "virtualWorkspaces", { readonly supported: string }>>;
	readonly engines: { readonly vscode: string };
	readonly devDependencies: Readonly<Record<string, string>>;
	readonly contributes: {
		readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
		readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
		readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
		readonly configuration: readonly {
			readonly title: string;
			readonly order: number;
			readonly properties: Readonly<
				Record<
					string,
					{
						readonly type: string;
						readonly scope: string;
						readonly order: number;
						readonly markdownDescription: string;
					}
				>
			>;
		}[];
		readonly chatParticipants: readonly { readonly id: string }[];
		readonly languageModelTools: readonly { readonly name: string; readonly when: string }[];
	};
}

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as Manifest;
const contributes = JSON.stringify(manifest.contributes);
const source = globSync("src/**/*.ts", { cwd: root })
	.map((path) => readFileSync(resolve(root, path), "utf8"))
	.join("\n");

const commands = manifest.contributes.commands.map(({ command }) => command);
const views = Object.values(manifest.contributes.views).flatMap((group) => group.map(({ id }) => id));
const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));

/** The distinct first groups of a pattern's matches in a text. */
function found(text: string, pattern: RegExp): readonly string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, group = ""]) => group))];
}

/** Those of `names` that `known` lacks. */
function missing(names: readonly string[], known: readonly string[]): readonly string[] {
	return names.filter((name) => !known.includes(name));
}

describe("the manifest", () => {
	it("contributes every command that its menus, links and welcome views name", () => {
		const named = [
			...found(contributes, /"command":"(mcpHost\.[\w.]+)"/g),
			...found(contributes, /command:(mcpHost\.[\w.]+)/g),
		];
		expect(missing(named, commands)).toEqual([]);
	});

	it("contributes every command that the source runs, beside the editor's own of a view", () => {
		const used = found(source, /executeCommand\(\s*"(mcpHost\.[\w.]+)"/g);
		expect(used).not.toEqual([]);
		expect(missing(used, [...commands, ...views.map((id) => `${id}.focus`)])).toEqual([]);
	});

	it("contributes each command that has a function, and no other", () => {
		// The functions are in tables by the ids of their commands; commands that only links run are not contributed.
		const named = [...source.matchAll(/[{,]\s*"(mcpHost\.\w+)": (?!\{)/g)].map(([, id = ""]) => id);
		const tables = missing(named, settings);
		expect(tables.toSorted()).toEqual(commands.toSorted());
	});

	it("lets a workspace set where servers come from, and not what they may do (CFG-06, ROOT-01)", () => {
		const properties = manifest.contributes.configuration.flatMap((part) => Object.entries(part.properties));
		const ofWorkspaces = properties.filter(([, { scope }]) => scope !== "application" && scope !== "machine");
		expect(ofWorkspaces.map(([name]) => name).toSorted()).toEqual([
			"mcpHost.configurationSources",
			"mcpHost.ignoredServers",
			"mcpHost.inputs",
			"mcpHost.servers",
		]);
	});

	it("runs where the workspace is, with limits in untrusted and virtual ones (PRC-13)", () => {
		const { extensionKind, capabilities } = manifest;
		expect(extensionKind).toEqual(["workspace"]);
		expect(capabilities.untrustedWorkspaces.supported).toBe("limited");
		expect(capabilities.virtualWorkspaces.supported).toBe("limited");
	});

	it("offers other extensions no server to start, and five tools whose calls are decided here (BLT-06)", () => {
		for (const point of ["languageModelToolSets", "mcpServerDefinitionProviders"]) {
			expect(contributes).not.toContain(point);
		}
		expect(source).not.toMatch(/\blm\.registerMcpServerDefinitionProvider\b/);
		const tools = manifest.contributes.languageModelTools;
		expect(tools.map(({ name }) => name)).toEqual(Object.values(guestTools));
		for (const { when } of tools) expect(when).toMatch(/^config\.mcpHost\.chat\.otherAgents && /);
	});

	it("has its category on every command and a title in title case", () => {
		const small = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;
		for (const { category, title } of manifest.contributes.commands) {
			expect(category).toBe("MCP Host");
			const words = title.replace(/…$/, "").split(" ");
			expect(
				// The name of a file or a command is written exactly.
				words.filter((word) => !/^(?:[A-Z]|[.'][a-z])/.test(word) && !small.test(word)),
				title,
			).toEqual([]);
		}
	});

	it("has no setting that the source does not read", () => {
		const unread = settings.filter((setting) => {
			const name = setting.slice("mcpHost.".length);
			return ![setting, name, name.split(".").at(-1) ?? name].some((text) => source.includes(`"${text}"`));
		});
		expect(unread).toEqual([]);
	});

	it("has its settings in groups, with an example for those whose values have members (UI-19)", () => {
		const groups = manifest.contributes.configuration;
		const titles = ["Servers", "Chat", "Tools and Rules", "Sampling", "Privacy", "Limits", "Models"];
		expect(groups.map(({ title }) => title)).toEqual(titles);
		expect(groups.map(({ order }) => order)).toEqual(titles.map((_, index) => index + 1));
		const properties = groups.flatMap((group) => Object.entries(group.properties));
		const structured = properties.filter(([, { type }]) => ["object", "array"].includes(type));
		const bare = structured.filter(([, { markdownDescription }]) => !/\nExample: \S/.test(markdownDescription));
		expect(bare.map(([name]) => name)).toEqual([]);
		for (const { properties: settingsOfGroup } of groups) {
			const orders = Object.values(settingsOfGroup).map(({ order }) => order);
			expect(new Set(orders).size).toBe(orders.length);
		}
	});

	it("uses no context key that the source does not set", () => {
		const clauses = found(contributes, /"(?:when|enablement)":"([^"]+)"/g).join(" ");
		// The types of panels are no keys.
		const plain = clauses.replaceAll(/activeWebviewPanelId == \S+/g, "");
		const keys = found(plain, /(?<!config\.)\b(mcpHost\.[\w.]+)/g).filter((key) => !views.includes(key));
		const known = Object.keys(contextKeys([], 0)).map((key) => `mcpHost.${key}`);
		expect(missing(keys, [...known, ...found(source, /"setContext",\s*"([\w.]+)"/g)])).toEqual([]);
	});

	it("hides commands that need a server from the palette while there is none, except those that explain what is missing (UI-18)", () => {
		const conditional = new Set(manifest.contributes.menus.commandPalette.map(({ command }) => command));
		const always = manifest.contributes.commands.filter(({ command }) => !conditional.has(command));
		const needy = always.filter(({ title }) => /\b(?:Servers?|Tools?|Prompts?|Resources?|Roots|Pending)\b/.test(title));
		const first = ["mcpHost.tryDemo", "mcpHost.addServer", "mcpHost.findServers", "mcpHost.importServers"];
		const explaining = ["mcpHost.runPrompt", "mcpHost.runTool", "mcpHost.openResource"];
		expect(needy.map(({ command }) => command)).toEqual([...first, ...explaining]);
		expect(always.length).toBeLessThan(manifest.contributes.commands.length / 3);
	});

	it("has no two commands with the same words, nor those of the editor's own host for its servers (UI-18)", () => {
		const words = ({ title }: { readonly title: string }): string => title.replace(/…$/, "").toLowerCase();
		const titles = manifest.contributes.commands.map(words);
		expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
		// Those that are in the palette as “MCP: …”.
		const editors = ["Add Server", "Browse MCP Servers", "Browse Resources", "List Servers", "Reset Cached Tools"];
		const more = ["Install Server from Manifest", "Open User Configuration", "Reset Trust", "Show Installed Servers"];
		expect(titles.filter((title) => [...editors, ...more].some((other) => other.toLowerCase() === title))).toEqual([]);
	});

	it("requires an editor at least as new as its types", () => {
		const types = manifest.devDependencies["@types/vscode"];
		expect(manifest.engines.vscode).toBe(`^${types}`);
	});

	it("is tested in the oldest editor that it supports", () => {
		const { editor } = releases.least;
		expect(manifest.engines.vscode).toBe(`^${editor.slice(0, editor.lastIndexOf("."))}.0`);
	});
});
