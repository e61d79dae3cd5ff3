import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { asksForSecret, holdsSecrets } from "../../base/secrets/judge.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { ServerFacts } from "../../protocol/connection.ts";
import { appUriOf } from "../../protocol/toolPage.ts";
import { readCatalog, type ToolEntry } from "../../permissions/catalog/catalog.ts";
import type { ToolOutcome } from "../tools/call.ts";
import { readResult } from "../tools/results/result.ts";
import { AppCall } from "./appCall.ts";
import type { AppPlace } from "./appPlacing.ts";

/** An app that was open when its window was reloaded, with the call that it showed. */
export interface KeptApp {
	readonly id: string;
	/** Of its editor. */
	readonly title: string;
	/** Absent for one in an editor. */
	readonly place?: "sideBar";
	/** The side bar did not show it. */
	readonly isHidden?: boolean;
	/** The id and the hash of its server's definition: another one is another server. */
	readonly server: string;
	readonly definition: string;
	readonly tool: string;
	readonly page: string;
	readonly arguments: JsonObject;
	readonly result: JsonObject;
	/** When it was kept, in milliseconds since the epoch. */
	readonly at: number;
}

/** The storage of open apps, and the secrets that it must not contain. */
export interface KeptAppServices {
	/** VS Code's own state for this workspace. */
	readonly state: KeyValue;
	/** The text without the secrets that the host knows. */
	readonly redact: (text: string) => string;
	readonly now?: () => number;
}

const storeName = "mcpHost.openApps";
/** How many are kept, the latest ones, and how long the JSON of one may be. */
const mostKept = 4;
const longest = 256 * 1024;
/** An editor that the user closed while this extension was not running is not reported. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The calls of open apps, so that they exist again after a reload of the window. Only calls with a result are kept,
 * while the app is open, bounded, and only if nothing in them is or looks like a secret (SEC-03).
 */
export class KeptApps {
	private readonly services: KeptAppServices;
	/** Those of this window's apps. */
	private readonly own = new Set<string>();
	/** One writing after the other. */
	private writing: Promise<void> = Promise.resolve();

	constructor(services: KeptAppServices) {
		this.services = services;
	}

	/** Keeps the call of an app that is open, and where, as soon as it has a result, until it is forgotten. */
	keep(call: AppCall, title: string, id: string, place: AppPlace = "editor"): Disposable {
		const tryIt = (): void => {
			const called = this.toKept(call, title, id);
			if (called === undefined) return;
			const kept: KeptApp = place === "editor" ? called : { ...called, place };
			following.dispose();
			this.own.add(id);
			this.change((all) => {
				const before = all.find((one) => one.id === id);
				const isHidden = before?.place === kept.place && before?.isHidden === true;
				return [...all.filter((one) => one.id !== id), { ...kept, isHidden }].slice(-mostKept);
			});
		};
		const following = call.onDidChange(tryIt);
		tryIt();
		return following;
	}

	/** The side bar shows an app that is kept, or hides it. */
	hide(id: string, isHidden: boolean): void {
		this.change((all) => all.map((one) => (one.id === id ? { ...one, isHidden } : one)));
	}

	/** The app is closed. */
	forget(id: string): void {
		this.own.delete(id);
		this.change((all) => all.filter((one) => one.id !== id));
	}

	/**
	 * Returns the app of an editor that VS Code restored, once; undefined when nothing of it is kept. `id` is the page's
	 * stored id: if VS Code did not store it in time, the latest app with the title is used.
	 */
	take(title: string, id: unknown): KeptApp | undefined {
		const others = this.all().filter((one) => one.title === title && one.place === undefined && !this.own.has(one.id));
		return this.taken(typeof id === "string" ? others.find((one) => one.id === id) : others.at(-1));
	}

	/** Returns the app that the side bar showed, once; VS Code does not restore views of it. */
	takeInSideBar(): KeptApp | undefined {
		return this.taken(this.all().findLast((one) => one.place === "sideBar" && !this.own.has(one.id)));
	}

	private taken(found: KeptApp | undefined): KeptApp | undefined {
		if (found !== undefined) this.own.add(found.id);
		return found;
	}

	private toKept(call: AppCall, title: string, id: string): KeptApp | undefined {
		const { arguments: sent, end, entry } = call;
		const page = appUriOf(entry.tool);
		if (sent === undefined || end === undefined || !("result" in end) || page === undefined) return undefined;
		const { result } = end;
		const text = JSON.stringify([sent, result]);
		if (text.length > longest) return undefined;
		const searched = [sent, result].map(searchedTexts);
		if ([text, JSON.stringify(searched)].some((one) => this.services.redact(one) !== one)) return undefined;
		if (asksForSecret(jsonObjectOf(entry.tool.inputSchema)) || holdsSecrets(searched, "asked")) return undefined;
		const { id: server, hash: definition } = entry.session.definition;
		return { id, title, server, definition, tool: entry.tool.name, page, arguments: sent, result, at: this.now() };
	}

	private change(next: (all: readonly KeptApp[]) => readonly KeptApp[]): void {
		const { state } = this.services;
		const write = async (): Promise<void> => {
			const all = next(this.all());
			await state.update(storeName, all.length === 0 ? undefined : all);
		};
		// Data that cannot be kept is missing after a reload, as its editor shows.
		this.writing = this.writing.then(write).catch(() => undefined);
	}

	private all(): readonly KeptApp[] {
		const stored = this.services.state.get<unknown>(storeName);
		const oldest = this.now() - lifetimeMs;
		return Array.isArray(stored) ? stored.filter(isKeptApp).filter(({ at }) => at > oldest) : [];
	}

	private now(): number {
		return (this.services.now ?? Date.now)();
	}
}

function isKeptApp(value: unknown): value is KeptApp {
	if (!isJsonObject(value)) return false;
	const texts = ["id", "title", "server", "definition", "tool", "page"].map((name): Json | undefined => value[name]);
	return (
		texts.every((text) => typeof text === "string") &&
		isJsonObject(value["arguments"]) &&
		isJsonObject(value["result"]) &&
		typeof value["at"] === "number"
	);
}

/**
 * The call of a kept app, as soon as its server runs and lists its tools; undefined when that is another server by now, or it
 * has no such tool with this app, or the signal is aborted.
 */
export async function keptCall(
	kept: KeptApp,
	directory: SessionDirectory,
	signal: AbortSignal,
): Promise<AppCall | undefined> {
	while (!signal.aborted) {
		const session = directory.get(kept.server);
		if (session !== undefined && session.definition.hash !== kept.definition) return undefined;
		if (session?.state.kind === "running" && isListed(session.tools, session.state.facts)) {
			const entry = readCatalog(directory).entries.find(
				(one) => one.session === session && one.tool.name === kept.tool && appUriOf(one.tool) === kept.page,
			);
			return entry === undefined ? undefined : callOf(kept, entry);
		}
		await changed(signal, directory, ...(session === undefined ? [] : [session.tools]));
	}
	return undefined;
}

/** Whether a running server has listed its tools, or has none. */
function isListed({ status }: Pick<Session["tools"], "status">, { capabilities }: ServerFacts): boolean {
	return status.kind === "ready" || capabilities.tools === undefined;
}

/** Resolves at the next change of one of these, or when the signal is aborted. */
async function changed(
	signal: AbortSignal,
	...observed: readonly Pick<SessionDirectory, "onDidChange">[]
): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const onAbort = (): void => resolve();
	const listening = observed.map(({ onDidChange }) => onDidChange(resolve));
	signal.addEventListener("abort", onAbort);
	await promise;
	signal.removeEventListener("abort", onAbort);
	for (const one of listening) one.dispose();
}

function callOf({ arguments: sent, result }: KeptApp, entry: ToolEntry): AppCall {
	return new AppCall(entry, sent, finished(sent, result));
}

/** The end of a call of which only this is known. */
export function finished(sent: JsonObject, result: JsonObject): Extract<ToolOutcome, { readonly kind: "done" }> {
	return { kind: "done", result: readResult(result), wanted: sent, sent, isEdited: false, milliseconds: 0 };
}

/** Shorter data may be a key, and is not a picture, in characters. */
const shortest = 64;
const base64 = /^[A-Za-z\d+/\s]+={0,2}$/;
const dataUrl = /^data:[^,]{1,200};base64,/i;

/**
 * A value in the form that is searched for secrets: without pictures, sounds and other binary data, which in base64
 * look like keys. Text in base64 is decoded. Data counts where the protocol has it (MCP 2025-11-25, "Image Content",
 * "Audio Content", "Embedded Resources"), and as a URL of its own, as apps get pictures.
 */
export function searchedTexts(value: Json): Json {
	if (typeof value === "string") {
		const [head] = dataUrl.exec(value) ?? [];
		return head === undefined ? value : textIn(value.slice(head.length));
	}
	if (Array.isArray(value)) return (value as readonly Json[]).map(searchedTexts);
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).map(([name, inner]): [string, Json | undefined] => {
		if (inner === undefined) return [name, inner];
		return [name, typeof inner === "string" && isData(value, name) ? textIn(inner) : searchedTexts(inner)];
	});
	return Object.fromEntries(entries);
}

function isData({ type, uri }: JsonObject, name: string): boolean {
	return name === "data" ? type === "image" || type === "audio" : name === "blob" && typeof uri === "string";
}

/** The readable text in data; the data unchanged if it may be text itself. */
function textIn(data: string): string {
	if (data.length < shortest || !base64.test(data)) return data;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(data, "base64"));
	} catch {
		return "";
	}
}
