import { HostError, messageOf } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { RequestRefusal } from "../../base/refusal.ts";
import { oneLine } from "../../base/text.ts";
import type { AppCall } from "./appCall.ts";
import { readWantedFiles, type WantedFile } from "./appDownloads.ts";
import { type DisplayMode, readDisplayModes } from "./appPlacing.ts";
import {
	type AppMessage,
	AppRefusal,
	type AppRequestId,
	appsRevision,
	readAppMessage,
	rpcCodes,
} from "./bridgeMessages.ts";

/**
 * The requests of an app to its host. Each rejects with an AppRefusal or HostError, whose message is sent to the app.
 */
export interface AppRequests {
	callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject>;
	readResource(uri: string, signal: AbortSignal): Promise<JsonObject>;
	/** The lists of the app's server, each in one page. */
	list(what: "resources" | "resourceTemplates"): Promise<JsonObject>;
	openLink(url: string, signal: AbortSignal): Promise<void>;
	/** A text that the app wants to send in the chat. */
	message(text: string, signal: AbortSignal): Promise<void>;
	/** The context of the app for models from now on, replacing the former one; empty for nothing. */
	addContext(text: string): void;
	/** Has files saved where the user wants them; false when they do not. */
	saveFiles(files: readonly WantedFile[], signal: AbortSignal): Promise<boolean>;
	/** Has the user's model asked, as the app's server could ask it. */
	createMessage(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
	/** Gives the mode that results, into which the app is put after it was answered. */
	changeDisplayMode(mode: unknown): DisplayMode;
}

/** The notifications of an app. Texts are the app's: untrusted. */
export interface AppNews {
	/** It reported its name and supported modes, and waits for our answer. */
	asked(modes: readonly DisplayMode[]): void;
	/** It takes messages from now on. */
	initialized(): void;
	resized(width: number, height: number): void;
	/** It wants to be closed. */
	closing(): void;
	logged(level: string, text: string): void;
	/** A message that is not of the protocol arrived, or too many. */
	misbehaved(what: string): void;
}

/** The parts of a conversation with an app. */
export interface BridgeOptions {
	readonly hostInfo: { readonly name: string; readonly version: string };
	readonly capabilities: JsonObject;
	/** The app's host context at the time of its request. */
	readonly context: () => JsonObject;
	readonly requests: AppRequests;
	readonly news: AppNews;
	/** Hands a message to the frame. */
	readonly send: (message: JsonObject) => void;
}

/** How many requests of an app may be open. */
const mostUnderWay = 50;
/** Sizes beyond this are nonsense. */
const largestSize = 4000;
const initialize = "ui/initialize";
const partOfInput = "ui/notifications/tool-input-partial";
const wholeInput = "ui/notifications/tool-input";

/**
 * The host's end of the conversation with an app in a frame (MCP Apps 2026-01-26, "Communication Protocol"). Nothing is
 * sent before the app has sent `initialized`; then its call's arguments come first, once, and the result or the
 * cancellation after them. Every message of the app is checked, and never throws here.
 */
export class AppBridge implements Disposable {
	private readonly options: BridgeOptions;
	private readonly methods: ReadonlyMap<string, Fulfil>;
	private readonly controller = new AbortController();
	private readonly underWay = new Set<AppRequestId>();
	private standing: "new" | "asked" | "ready" | "closed" = "new";
	/** The messages that wait for `initialized`. */
	private held: { readonly method: string; readonly params: JsonObject }[] = [];
	/** The data that was sent to the app about its call. */
	private toldOfCall: "nothing" | "input" | "end" = "nothing";
	private told: JsonObject = {};
	private teardown: { readonly id: AppRequestId; readonly done: () => void } | undefined;

	constructor(options: BridgeOptions) {
		this.options = options;
		this.methods = methodsOf(options.requests);
	}

	/** Takes a message of the frame; it may be any value. */
	receive(value: unknown): void {
		if (this.standing === "closed") return;
		const message = readAppMessage(value);
		if (message === undefined) return this.options.news.misbehaved("A message was not JSON-RPC.");
		switch (message.kind) {
			case "response":
				if (message.id === this.teardown?.id) this.teardown.done();
				return undefined;
			case "notification":
				return this.notice(message);
			case "request":
				// Synchronously, so that nothing that follows `initialized` can precede it.
				if (message.method === initialize) this.post({ id: message.id, result: this.initialize(message.params) });
				else void this.answer(message);
				return undefined;
		}
	}

	/**
	 * Sends the news about the app's call: the partial arguments, never after the complete ones; the complete arguments,
	 * once and before the outcome; the outcome, once.
	 */
	tellCall({ written, arguments: sent, end }: Pick<AppCall, "written" | "arguments" | "end">): void {
		if (this.toldOfCall === "nothing" && written !== undefined) this.notify(partOfInput, { arguments: written });
		if (this.toldOfCall === "nothing" && sent !== undefined) {
			this.toldOfCall = "input";
			this.notify(wholeInput, { arguments: sent });
		}
		if (end === undefined || this.toldOfCall === "end") return;
		this.toldOfCall = "end";
		if ("result" in end) this.notify("ui/notifications/tool-result", end.result);
		else this.notify("ui/notifications/tool-cancelled", { reason: end.cancelled });
	}

	/** Sends the changes of the host context. The initial context is part of the answer to its first request. */
	contextChanged(): void {
		if (this.standing === "new") return;
		const now = this.options.context();
		const changed = Object.fromEntries(
			Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(this.told[name])),
		);
		this.told = now;
		if (Object.keys(changed).length > 0) this.notify("ui/notifications/host-context-changed", changed);
	}

	/**
	 * Announces the teardown to the app, and waits for its answer up to a limit in milliseconds. Most answer that they do
	 * not support the method, which counts as consent. Resolves in any case; open requests are ended.
	 */
	async close(reason: string, limitMs: number): Promise<void> {
		const wasReady = this.standing === "ready";
		if (wasReady && this.teardown === undefined) {
			const { promise, resolve } = Promise.withResolvers<void>();
			const timer = setTimeout(resolve, limitMs);
			this.teardown = { id: "teardown", done: resolve };
			this.post({ id: this.teardown.id, method: "ui/resource-teardown", params: { reason } });
			await promise;
			clearTimeout(timer);
		}
		this.dispose();
	}

	dispose(): void {
		this.standing = "closed";
		this.held = [];
		this.controller.abort();
	}

	private notice({ method, params }: Extract<AppMessage, { kind: "notification" }>): void {
		const { news } = this.options;
		switch (method) {
			case "ui/notifications/initialized":
				// Before its first request it received nothing, and a repetition changes nothing.
				if (this.standing !== "asked") return;
				this.standing = "ready";
				news.initialized();
				for (const message of this.held.splice(0)) this.post(message);
				return;
			case "ui/notifications/size-changed": {
				const { width, height } = params;
				news.resized(sizeOf(width), sizeOf(height));
				return;
			}
			case "ui/notifications/request-teardown":
				if (this.standing === "ready") news.closing();
				return;
			case "notifications/message": {
				const { level, data } = params;
				const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
				news.logged(typeof level === "string" ? oneLine(level, 20) : "info", oneLine(text, 500));
				return;
			}
			default:
			// Others are for hosts that know them (JSON-RPC 2.0: notifications are not answered).
		}
	}

	private async answer({ id, method, params }: Extract<AppMessage, { kind: "request" }>): Promise<void> {
		try {
			if (this.underWay.has(id))
				throw new AppRefusal(rpcCodes.invalidRequest, "A request with this id is already running.");
			if (this.underWay.size >= mostUnderWay)
				throw new AppRefusal(rpcCodes.refused, `${mostUnderWay} requests of this app are already running.`);
		} catch (error) {
			return this.post({ id, error: errorOf(error) });
		}
		this.underWay.add(id);
		try {
			this.post({ id, result: await this.fulfil(method, params) });
		} catch (error) {
			this.post({ id, error: errorOf(error) });
		} finally {
			this.underWay.delete(id);
		}
	}

	private async fulfil(method: string, params: JsonObject): Promise<JsonObject> {
		if (method === "ping") return {};
		const fulfil = this.methods.get(method);
		if (fulfil === undefined) throw new AppRefusal(rpcCodes.unknownMethod, "Method not found");
		if (this.standing !== "ready")
			throw new AppRefusal(rpcCodes.invalidRequest, "The app has not sent ui/notifications/initialized.");
		return fulfil(params, this.controller.signal);
	}

	private initialize({ appCapabilities }: JsonObject): JsonObject {
		const { hostInfo, capabilities, context, news } = this.options;
		if (this.standing === "new") {
			this.standing = "asked";
			const modes = isJsonObject(appCapabilities) ? appCapabilities["availableDisplayModes"] : undefined;
			news.asked(readDisplayModes(modes));
		}
		this.told = context();
		return { protocolVersion: appsRevision, hostInfo, hostCapabilities: capabilities, hostContext: this.told };
	}

	private notify(method: string, params: JsonObject): void {
		if (this.standing === "ready") return this.post({ method, params });
		if (this.standing === "closed") return;
		// Only the last of the partial arguments is sent, and none beside the complete ones.
		if (method === partOfInput || method === wholeInput)
			this.held = this.held.filter((one) => one.method !== partOfInput);
		this.held.push({ method, params });
	}

	private post(message: JsonObject): void {
		if (this.standing !== "closed") this.options.send({ jsonrpc: "2.0", ...message });
	}
}

type Fulfil = (params: JsonObject, signal: AbortSignal) => JsonObject | Promise<JsonObject>;

function methodsOf(requests: AppRequests): ReadonlyMap<string, Fulfil> {
	return new Map<string, Fulfil>([
		[
			"tools/call",
			({ name, arguments: args = {} }, signal) => {
				if (typeof name !== "string" || !isJsonObject(args)) throw invalid("tools/call needs a name and arguments.");
				return requests.callTool(name, args, signal);
			},
		],
		[
			"resources/read",
			({ uri }, signal) => {
				if (typeof uri !== "string") throw invalid("resources/read needs a uri.");
				return requests.readResource(uri, signal);
			},
		],
		["resources/list", () => requests.list("resources")],
		["resources/templates/list", () => requests.list("resourceTemplates")],
		[
			"ui/open-link",
			async ({ url }, signal) => {
				if (typeof url !== "string") throw invalid("ui/open-link needs a url.");
				await requests.openLink(url, signal);
				return {};
			},
		],
		[
			"ui/message",
			async (params, signal) => {
				await requests.message(messageText(params), signal);
				return {};
			},
		],
		[
			"ui/update-model-context",
			(params) => {
				requests.addContext(contextText(params));
				return {};
			},
		],
		[
			"ui/download-file",
			async (params, signal) => ((await requests.saveFiles(readWantedFiles(params), signal)) ? {} : { isError: true }),
		],
		["sampling/createMessage", (params, signal) => requests.createMessage(params, signal)],
		["ui/request-display-mode", ({ mode }) => ({ mode: requests.changeDisplayMode(mode) })],
	]);
}

function sizeOf(value: unknown): number {
	return typeof value === "number" && value >= 0 ? Math.min(Math.round(value), largestSize) : 0;
}

/** The error text for an app: refusals and failures with words for it; an internal error is not sent. */
function errorOf(error: unknown): JsonObject {
	if (error instanceof AppRefusal) return { code: error.code, message: error.message };
	if (error instanceof RequestRefusal) return { code: error.rpcCode, message: error.message };
	return {
		code: rpcCodes.refused,
		message: HostError.is(error) ? messageOf(error) : "The host could not handle this request.",
	};
}

/**
 * The texts of a message for the chat; the only accepted kind of content (MCP Apps 2026-01-26, "ui/message").
 * @throws AppRefusal when there is none, or it is of another role.
 */
export function messageText({ role, content }: JsonObject): string {
	const texts = textsOf(Array.isArray(content) ? content : [content]);
	if (role !== "user" || texts === undefined || texts.length === 0)
		throw invalid("ui/message needs the role user and text content.");
	return texts.join("\n\n");
}

/**
 * The context for models, as one text (MCP Apps 2026-01-26, "ui/update-model-context").
 * @throws AppRefusal for other content than texts and an object.
 */
export function contextText({ content = [], structuredContent }: JsonObject): string {
	const texts = Array.isArray(content) ? textsOf(content) : undefined;
	if (texts === undefined || (structuredContent !== undefined && !isJsonObject(structuredContent)))
		throw invalid("ui/update-model-context needs text content, and an object as structuredContent.");
	return [...texts, ...(structuredContent === undefined ? [] : [JSON.stringify(structuredContent)])].join("\n\n");
}

/** A refusal of params that do not fit their method. */
export function invalid(message: string): AppRefusal {
	return new AppRefusal(rpcCodes.invalidParams, message);
}

/** The texts of blocks; undefined when there are others among them. */
function textsOf(blocks: readonly unknown[]): readonly string[] | undefined {
	const texts = blocks.flatMap((block) =>
		isJsonObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
	);
	return texts.length === blocks.length ? texts : undefined;
}
