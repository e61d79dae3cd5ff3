import { isWhole, oneOf } from "../../base/guards.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../base/json.ts";
import { isText, shape } from "../../base/shape.ts";
import type { ListKind } from "../../protocol/connection.ts";

/**
 * The messages between `serve` and a window: JSON objects, one a line. `serve` speaks MCP with its client, so that
 * only whole requests of few kinds reach a window. Another number is another form: the two ends may be of different
 * versions of the extension.
 */
export const linkVersion = 2;

/** Caps on one connection. A message is a request with its arguments, or an answer with the result of a call. */
export const linkLimits = {
	/** Before a client is identified, in bytes. */
	helloBytes: 4096,
	/** Of a client's message, in bytes. */
	requestBytes: 8 * 1024 * 1024,
	/** Of a window's message, in bytes. */
	answerBytes: 96 * 1024 * 1024,
	/** How many requests of one connection may be open. */
	requests: 32,
	/** How long a client may take to identify itself, in milliseconds. */
	helloMs: 5000,
} as const;

/** The program at the other end as it names itself: a claim. */
export interface ClaimedClient {
	readonly name: string;
	readonly version: string;
}

/** The first message of a client. `key` is that of the window's file, which only its user can read. */
export interface Hello {
	readonly link: number;
	readonly key: string;
	/** The process of the client. */
	readonly pid: number;
	/** Its working directory, where the window cannot find it. */
	readonly cwd?: string;
}

/** The requests of a client that a window answers, by their names in the protocol. */
export const relayedMethods = [
	"tools/list",
	"tools/call",
	"resources/list",
	"resources/templates/list",
	"resources/read",
	"resources/subscribe",
	"resources/unsubscribe",
	"prompts/list",
	"prompts/get",
	"completion/complete",
] as const;

/** The name of such a request. */
export type RelayedMethod = (typeof relayedMethods)[number];

/** A request of a client. */
export interface LinkRequest {
	readonly id: number;
	readonly method: RelayedMethod;
	readonly client: ClaimedClient;
	readonly params: JsonObject;
}

/** The messages of a client. */
export type ToWindow =
	| { readonly hello: Hello }
	/** The file that the window named is held open, as the proof of `pid`. */
	| { readonly held: true }
	| LinkRequest
	| { readonly cancel: number };

/** The messages of a window. */
export type FromWindow =
	/** Hold this file open, and say `held`. */
	| { readonly hold: string }
	/** Requests are taken. */
	| { readonly ready: true }
	/** Nothing is taken: a sentence says why. The connection ends. */
	| { readonly refused: string }
	| { readonly id: number; readonly result: JsonObject }
	/** `code` is that of the protocol. */
	| { readonly id: number; readonly error: string; readonly code: number }
	| { readonly id: number; readonly progress: JsonObject }
	/** A server wrote it into its log during the request: `level`, `logger` and `data`. */
	| { readonly id: number; readonly log: JsonObject }
	/** A list is another one. */
	| { readonly changed: ListKind }
	/** A resource that the client subscribed to has changed. */
	| { readonly updated: string };

/** The lists whose changes are reported. */
export const listKinds = ["tools", "prompts", "resources"] as const satisfies readonly ListKind[];

const isHello = shape(
	{ link: (value) => isWhole(value, 0), key: isText, pid: (value) => isWhole(value, 1) },
	{ cwd: isText },
);
const isClient = shape({ name: isText, version: isText });
const isRequest = shape({
	id: (value) => isWhole(value, 0),
	method: (value) => oneOf(relayedMethods, value) !== undefined,
	client: isClient,
	params: isJsonObject,
});

/** Reads a line of a client; undefined for anything else than a message. */
export function readToWindow(line: string): ToWindow | undefined {
	const message: unknown = parseJsonObject(line);
	return isToWindow(message) ? message : undefined;
}

function isToWindow(message: unknown): message is ToWindow {
	if (!isJsonObject(message)) return false;
	const { hello, held, cancel } = message;
	return isHello(hello) || held === true || isWhole(cancel, 0) || isRequest(message);
}

/** Reads a line of a window; undefined for anything else than a message. */
export function readFromWindow(line: string): FromWindow | undefined {
	const message: unknown = parseJsonObject(line);
	return isFromWindow(message) ? message : undefined;
}

function isFromWindow(message: unknown): message is FromWindow {
	if (!isJsonObject(message)) return false;
	const { hold, ready, refused, id, changed, updated } = message;
	const isNews = oneOf(listKinds, changed) !== undefined || isText(updated);
	return isText(hold) || ready === true || isText(refused) || isNews || (isWhole(id, 0) && isAnswer(message));
}

function isAnswer({ result, error, code, progress, log }: JsonObject): boolean {
	return isJsonObject(result) || (isText(error) && typeof code === "number") || isJsonObject(progress ?? log);
}

/** Cuts what arrives into lines, and holds at most so many bytes of one that is not whole. */
export class LineCutter {
	private pieces: Buffer[] = [];
	private bytes = 0;
	private readonly onLine: (line: string) => void;

	constructor(onLine: (line: string) => void) {
		this.onLine = onLine;
	}

	/** Takes the next bytes; false when a line is longer than `most` bytes. */
	write(chunk: Buffer, most: number): boolean {
		let rest = chunk;
		for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
			if (this.bytes + end > most) return false;
			const line = Buffer.concat([...this.pieces, rest.subarray(0, end)]).toString("utf8");
			this.clear();
			rest = rest.subarray(end + 1);
			this.onLine(line);
		}
		if (rest.length === 0) return true;
		this.pieces.push(rest);
		this.bytes += rest.length;
		return this.bytes <= most;
	}

	/** Forgets what it holds. */
	clear(): void {
		this.pieces = [];
		this.bytes = 0;
	}
}
