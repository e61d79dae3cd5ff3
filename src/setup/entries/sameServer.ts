import type { JsonObject } from "../../base/json.ts";
import type { ServerConfig } from "../../servers/definitions/config.ts";
import { suggestName } from "./serverName.ts";
import { targetValues, type ValueContext } from "./valueRows.ts";

/** A server that is configured already, as far as another one is compared with it. */
export interface ExistingServer {
	readonly name: string;
	readonly config: ServerConfig;
	/** The cost of its tools for models, in words, if it ran in its current definition. */
	readonly cost?: string | undefined;
}

/** The relation of a server to the existing ones. */
export type Likeness =
	| { readonly kind: "new" }
	/** The same command and arguments, or the same URL. */
	| { readonly kind: "same"; readonly name: string; readonly cost?: string | undefined }
	/** The same program or host with other arguments, or another path. */
	| { readonly kind: "different"; readonly name: string };

/** Secrets are kept in other ways in one place and another; whether they are the same does not matter here. */
const anyValue: ValueContext = { inputs: [], hasVariable: () => true };

/** The relation of an entry to the existing servers: `same` takes precedence over `different`. */
export function likenessOf(entry: JsonObject, existing: readonly ExistingServer[]): Likeness {
	const target = targetOf(entry);
	const same = existing.find(({ config }) => targetOf(entryOf(config)) === target);
	if (same !== undefined) return { kind: "same", name: same.name, cost: same.cost };
	const subject = subjectOf(entry);
	const like = existing.find(({ config }) => subjectOf(entryOf(config)) === subject);
	return like === undefined ? { kind: "new" } : { kind: "different", name: like.name };
}

/** Lists of hundreds are compared each with each, at every change. */
const targets = new WeakMap<JsonObject, string>();
const subjects = new WeakMap<JsonObject, string>();
const entries = new WeakMap<ServerConfig, JsonObject>();

/** The target of an entry (command or URL), as a text that is equal for equal targets. */
export function targetOf(entry: JsonObject): string {
	const target = targets.get(entry) ?? readTarget(entry);
	targets.set(entry, target);
	return target;
}

function readTarget(entry: JsonObject): string {
	const { command, args, url } = entry as { command?: unknown; args?: unknown; url?: unknown };
	if (typeof url === "string") return withoutSecrets(entry).url.replace(/\/$/, "").toLowerCase();
	const program = typeof command === "string" ? programOf(command) : "";
	return JSON.stringify([program, ...(Array.isArray(args) ? withoutSecrets(entry).args : [])]);
}

function subjectOf(entry: JsonObject): string {
	const subject = subjects.get(entry) ?? readSubject(entry);
	subjects.set(entry, subject);
	return subject;
}

function readSubject(entry: JsonObject): string {
	const { command, url } = entry as { command?: unknown; url?: unknown };
	if (typeof url === "string") return URL.canParse(url) ? `host ${new URL(url).host}` : url;
	return `program ${typeof command === "string" ? programOf(command) : ""} ${suggestName(entry, new Set())}`;
}

function programOf(command: string): string {
	return (command.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd|bat)$/i, "");
}

function withoutSecrets(entry: JsonObject): { readonly url: string; readonly args: readonly string[] } {
	const { args, url } = entry as { args?: unknown; url?: unknown };
	let address = typeof url === "string" ? url : "";
	const words = Array.isArray(args) ? args.map(String) : [];
	for (const { holder, start, end } of targetValues(entry, anyValue).toReversed()) {
		if (holder.kind !== "text") continue;
		const [key, index] = holder.path;
		if (key === "url") address = `${address.slice(0, start)}…${address.slice(end)}`;
		if (typeof index !== "number") continue;
		const word = words[index] ?? "";
		words[index] = `${word.slice(0, start)}…${word.slice(end)}`;
	}
	return { url: address, args: words };
}

function entryOf(config: ServerConfig): JsonObject {
	const entry =
		entries.get(config) ??
		(config.kind === "stdio" ? { command: config.command, args: config.args } : { url: config.url });
	entries.set(config, entry);
	return entry;
}
