/**
 * Everything that the source stores beyond a window is in a row of the table of stores, so that *Reset…* deletes it
 * (SEC-12).
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isJsonObject, parseJsonObject } from "../../../../src/base/json.ts";
import { keptStores, type StorePlaces } from "../../../../src/surfaces/reset/stores.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
const table = "src/surfaces/reset/stores.ts";
const sources = globSync("src/**/*.ts", { cwd: root })
	.map((file) => file.replaceAll(path.sep, "/"))
	.filter((file) => file !== table && !file.startsWith("src/surfaces/demo/"))
	.map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));

const named = (kind: keyof StorePlaces): ReadonlySet<string> =>
	new Set(keptStores.flatMap(({ places }) => places[kind] ?? []));
const state = named("state");

/** The name of a place in a file: a text, or a constant of some file. */
function valueOf(expression: string, text: string): string {
	if (/^"[^"]*"$/.test(expression)) return expression.slice(1, -1);
	const constant = new RegExp(`\\bconst ${expression} = "([^"]+)"`);
	const own = constant.exec(text) ?? sources.map((source) => constant.exec(source.text)).find((one) => one !== null);
	return own?.[1]?.replace(/@\d+$/, "") ?? `${expression} (not a constant)`;
}

/** The matches of a pattern in the source, and their places. */
function found(pattern: RegExp): readonly { readonly file: string; readonly value: string }[] {
	return sources.flatMap(({ file, text }) =>
		[...text.matchAll(pattern)].map(([, expression = ""]) => ({ file, value: valueOf(expression, text) })),
	);
}

/** The texts that VS Code reads in the manifest: commands, settings and parts of their names, views and context keys. */
function ofManifest(): (text: string) => boolean {
	const names = new Set<string>();
	const walk = (value: unknown): void => {
		if (typeof value === "string") for (const [name] of value.matchAll(/mcpHost\.[\w.]+/g)) names.add(name);
		if (Array.isArray(value)) value.forEach(walk);
		if (!isJsonObject(value)) return;
		for (const [name, member] of Object.entries(value)) [name, member].forEach(walk);
	};
	const manifest = parseJsonObject(readFileSync(path.join(root, "package.json"), "utf8"));
	walk(manifest?.["contributes"]);
	return (text) => names.has(text) || [...names].some((name) => name.startsWith(`${text}.`));
}

/** Texts of our own that are not stored: keys for the editor's display, and commands behind links. */
const notKept = new Set([
	"mcpHost.answerElicitation",
	"mcpHost.calls",
	"mcpHost.chat",
	"mcpHost.decideTool",
	"mcpHost.giveContext",
	"mcpHost.namedCalls",
	"mcpHost.policy",
	"mcpHost.showToolCall",
	"mcpHost.showTurnText",
	"mcpHost.status",
]);

describe("The table of stores", () => {
	it("names every text that could be a name in the editor's state", () => {
		const isKnown = ofManifest();
		const unknown = found(/("mcpHost\.[\w.]+")/g).filter(
			({ value }) =>
				!state.has(value) &&
				!named("uncountedSecrets").has(value) &&
				!isKnown(value.replace(/\.focus$/, "")) &&
				!notKept.has(value),
		);
		expect(unknown).toEqual([]);
	});

	it("names every key under which the editor's state is written", () => {
		const keys = [
			...found(/\b(?:state|store|workspaceState|globalState)\.update\(\s*("[^"]+"|\w+),/g),
			...found(/new (?:RememberedTexts|ValueMemory)\(\w+, ("[^"]+")/g),
		].filter(({ file }) => file !== "src/base/store/versionedState.ts");
		expect(keys.length).toBeGreaterThan(15);
		expect(keys.filter(({ value }) => !state.has(value))).toEqual([]);
		expect([...state].filter((name) => !keys.some(({ value }) => value === name))).toEqual([]);
	});

	it("names every journal that windows share", () => {
		const known = new Set([...named("journals"), ...named("uncounted")]);
		const journals = [
			...found(/\b(?:store|shared|sharedStore)\.journal\(("[^"]+"|\w+)/g),
			...found(/new ScopedStore\(\s*[\w.]+,\s*\{\s*name: ("[^"]+"|\w+)/g),
		].filter(({ file, value }) => !passedOn.has(file) || known.has(value));
		expect(new Set(journals.map(({ value }) => value))).toEqual(known);
	});

	it("names the prefix of every secret", () => {
		const writers = new Set(sources.filter(({ text }) => /\bsecrets\.store\(/.test(text)).map(({ file }) => file));
		const begins = [...named("secrets"), ...named("uncountedSecrets")];
		const without = sources.filter(
			({ file, text }) =>
				writers.has(file) && !passOn.has(file) && !begins.some((start) => new RegExp(`["\`]${start}`).test(text)),
		);
		expect(without.map(({ file }) => file)).toEqual([]);
		for (const start of begins)
			expect(sources.some(({ file, text }) => writers.has(file) && text.includes(start))).toBe(true);
	});

	it("names every file in the extension's folder of this machine", () => {
		const files = found(/(?:globalStorageUri|storage)(?:\.fsPath)?, ("[^"]+")/g).filter(({ value }) => value !== "..");
		expect(new Set(files.map(({ value }) => value))).toEqual(new Set([...named("files"), "store"]));
	});

	it("names every store once", () => {
		const ids = keptStores.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const labels = keptStores.map(({ label }) => label);
		expect(new Set(labels).size).toBe(labels.length);
	});
});

/** Files that open journals with names from their callers, or from the table. */
const passedOn = new Set(["src/servers/approval/installation.ts", "src/wiring/surfaces.vscode.ts"]);
/** Files that write secrets under names from their callers. */
const passOn = new Set(["src/servers/accounts/notedSecrets.ts"]);
