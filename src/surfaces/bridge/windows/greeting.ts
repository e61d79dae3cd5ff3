import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../base/json.ts";
import { isName, isText, shape } from "../../../base/shape.ts";
import { isWhole } from "../../../base/guards.ts";
import type { Turns } from "../../../base/turns.ts";
import type { GuestClaim, SharedRevision } from "../../../protocol/shared/sharing.ts";
import type { SharingWindow } from "../meetingPlace.ts";
import { Lines } from "./lines.ts";
import type { WindowKey } from "./windowKey.ts";

/** Another number is another form. Windows of different versions do not ask each other. */
const form = 1;
/** How long the other window may take to answer, and to start a process that both want, in milliseconds. */
const answerMs = 3000;
const startMs = 30_000;

/** The first message of a window that asks another one. */
export interface WindowHello {
	readonly form: number;
	/** That of the other window's file. */
	readonly key: string;
	readonly nonce: string;
}

/** The request of a window. */
export interface Wanted {
	/** The digest of the identity of a process. */
	readonly process: string;
	/** Of two windows that are about to start it, the one with the lower rank does. */
	readonly rank: string;
}

const isHello = shape({ form: (value) => value === form, key: isText, nonce: isName });
const isGreeting = shape({ nonce: isName, proof: isText });
const isWanted = shape({ proof: isText, process: isName, rank: isName });
const isFound = shape({
	pid: (value) => isWhole(value, 1),
	era: (value) => value === "legacy" || value === "modern",
	version: isText,
});

/** Reads the first line of a window; undefined for anything else. */
export function readHello(line: string): WindowHello | undefined {
	const window: unknown = parseJsonObject(line)?.["window"];
	return isWindowHello(window) ? window : undefined;
}

/** The side of the window that asks. */
export interface AskingWindow {
	readonly key: WindowKey;
	/** Has a few greetings run at once: the other window lets in a few strangers only. */
	readonly turns: Turns;
	/** The other one is not a window of this user. */
	readonly onFalse: () => void;
	/** The other one does not answer. */
	readonly onSilent: () => void;
}

/** Asks another window for a process; undefined if it has none. Never rejects. */
export async function askWindow(
	{ socket: address, key }: SharingWindow,
	wanted: Wanted,
	{ key: windowKey, turns, onFalse, onSilent }: AskingWindow,
	signal: AbortSignal,
): Promise<GuestClaim | undefined> {
	let lines: Lines | undefined;
	const onAbort = (): void => lines?.close();
	signal.addEventListener("abort", onAbort, { once: true });
	const greet = async (): Promise<JsonObject | undefined> => {
		if (signal.aborted) return undefined;
		lines = new Lines(connect(address));
		const nonce = newNonce();
		lines.send({ window: { form, key, nonce } satisfies WindowHello });
		const greeting: unknown = await lines.next(answerMs);
		if (greeting === undefined) onSilent();
		if (!isProvenGreeting(greeting)) return undefined;
		if (!(await windowKey.verify(greeting.proof, "asked", address, nonce, greeting.nonce))) {
			onFalse();
			return undefined;
		}
		lines.send({ ...wanted, proof: await windowKey.sign("asking", address, nonce, greeting.nonce) });
		return lines.next(answerMs);
	};
	try {
		let answer = await turns.take(greet);
		// It is about to start the process, or waits for one that does.
		if (answer?.["wait"] === true) answer = await lines?.next(startMs);
		const found: unknown = answer?.["found"];
		if (!isFoundProcess(found) || lines === undefined || signal.aborted) return lines?.close();
		const { pid, era, version } = found;
		return { kind: "guest", stream: lines.release(), pid, revision: { era, version } };
	} catch {
		return lines?.close();
	} finally {
		signal.removeEventListener("abort", onAbort);
	}
}

/**
 * Has a window that asks prove that it is one, and reads what it wants; undefined, with the socket ended, if it does not.
 * `address` is that of the socket at which it asks. `onFalse`: it is not a window of this user.
 */
export async function greetWindow(
	socket: Socket,
	hello: WindowHello,
	address: string,
	windowKey: WindowKey,
	onFalse: () => void,
): Promise<{ readonly lines: Lines; readonly wanted: Wanted } | undefined> {
	const lines = new Lines(socket);
	try {
		const nonce = newNonce();
		lines.send({ nonce, proof: await windowKey.sign("asked", address, hello.nonce, nonce) });
		const wanted: unknown = await lines.next(answerMs);
		if (!isProvenWanted(wanted)) return lines.close();
		if (await windowKey.verify(wanted.proof, "asking", address, hello.nonce, nonce)) return { lines, wanted };
		onFalse();
		return lines.close({ refused: true });
	} catch {
		return lines.close();
	}
}

function newNonce(): string {
	return randomBytes(32).toString("hex");
}

function isWindowHello(value: unknown): value is WindowHello {
	return isHello(value);
}

function isProvenGreeting(value: unknown): value is { readonly nonce: string; readonly proof: string } {
	return isJsonObject(value) && isGreeting(value);
}

function isProvenWanted(value: unknown): value is Wanted & { readonly proof: string } {
	return isJsonObject(value) && isWanted(value);
}

function isFoundProcess(value: unknown): value is SharedRevision & { readonly pid: number } {
	return isFound(value);
}
