import type { FrameEvent } from "../../src/features/apps/appProtocol.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { jsonObjectOf } from "../../src/base/guards.ts";
import { type FromDocument, portMessage, type ToDocument } from "../app/framePort.ts";

/**
 * Runs in an app's frame before any script of the server's. It takes away the one way out that no policy closes, gives the app
 * the storage that a frame of an opaque origin does not have, tells what the policy stopped and which errors came, and answers
 * for the app's messages as long as its document is in the frame. Nothing of it is within the app's reach: what it uses later it
 * takes from the browser now.
 */
const { parent } = window;
/** How long changes of the storage are gathered, in milliseconds. */
const gatherMs = 100;
/** What the app had in its storage where it was shown before (`src/features/apps/appDocument.ts`). */
declare const mcpHostStored: string;
const { port1: port, port2: other } = new MessageChannel();
const post: (message: FromDocument) => void = port.postMessage.bind(port);
const dispatch = window.dispatchEvent.bind(window);
const { apply } = Reflect;
const { MessageEvent: Message } = window;
// oxlint-disable-next-line typescript/unbound-method -- it is applied to the event
const dataOf = Object.getOwnPropertyDescriptor(Message.prototype, "data")?.get ?? (() => undefined);
const origin = location.ancestorOrigins?.[0] ?? "null";
port.onmessage = (event: MessageEvent) => {
	const data: ToDocument = apply(dataOf, event, []);
	if ("ask" in data) post({ here: data.ask });
	else dispatch(new Message("message", { data: data.message, origin, source: parent }));
};
parent.postMessage({ [portMessage]: true }, "*", [other]);
// So that it is said at once that another page is there; what counts is that this one does not answer any more.
window.addEventListener("pagehide", () => post({ isLeft: true }), true);

const tell = (kind: FrameEvent, text: string): void => post({ kind, text: text.slice(0, 500) });

for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"]) {
	Reflect.deleteProperty(window, name);
}

const storages: Record<string, Map<string, string>> = {};
const before = storedBefore();
let telling: number | undefined;
/** Tells what is kept, so that the app finds it where it is shown next. */
function tellStored(): void {
	clearTimeout(telling);
	telling = undefined;
	const entries = Object.entries(storages).map(([name, kept]) => [name, [...kept]]);
	post({ stored: JSON.stringify(Object.fromEntries(entries)) });
}
/** Once for all changes of a moment, and before the app answers that it lets go. */
const keep = (): void => {
	telling ??= setTimeout(tellStored, gatherMs);
};
window.addEventListener("message", ({ data }: MessageEvent<{ readonly method?: unknown } | undefined>) => {
	if (telling !== undefined && data?.method === "ui/resource-teardown") tellStored();
});
for (const name of ["localStorage", "sessionStorage"]) {
	const kept = (storages[name] = new Map(pairsOf(before[name])));
	const storage = {
		getItem: (key: unknown) => kept.get(String(key)) ?? null,
		setItem: (key: unknown, value: unknown) => {
			kept.set(String(key), String(value));
			keep();
		},
		removeItem: (key: unknown) => {
			if (kept.delete(String(key))) keep();
		},
		clear: () => {
			kept.clear();
			keep();
		},
		key: (index: number) => [...kept.keys()][index] ?? null,
		get length() {
			return kept.size;
		},
	};
	// oxlint-disable-next-line no-extend-native -- of this window alone
	Object.defineProperty(window, name, { value: storage, configurable: true });
}

/** The pairs of texts in a list; what is no such pair is left out. */
function pairsOf(list: unknown): readonly [string, string][] {
	if (!Array.isArray(list)) return [];
	return list.filter(
		(one): one is [string, string] =>
			Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === "string"),
	);
}

/** What this app told that it keeps, where it was shown before; nothing where that is not of this form. */
function storedBefore(): JsonObject {
	try {
		return jsonObjectOf(JSON.parse(mcpHostStored));
	} catch {
		return {};
	}
}

new PerformanceObserver((list, observer) => {
	if (list.getEntriesByName("first-contentful-paint").length === 0) return;
	observer.disconnect();
	tell("painted", "");
}).observe({ type: "paint", buffered: true });

document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, disposition }) => {
	if (disposition === "enforce") tell("violation", `${effectiveDirective} ${blockedURI}`);
});
window.addEventListener("error", ({ message, filename, lineno }) => {
	// What could not be loaded has no message, and is a violation or a failure that the app sees itself.
	if (message !== undefined && message !== "") tell("error", `${message} (${filename || "page"}:${lineno})`);
});
window.addEventListener("unhandledrejection", ({ reason }) => tell("error", `Unhandled rejection: ${String(reason)}`));
