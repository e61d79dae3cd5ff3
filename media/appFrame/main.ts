import type { FrameEvent } from "../../src/features/apps/appProtocol.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { jsonObjectOf } from "../../src/base/guards.ts";
import { type FromDocument, portMessage, type ToDocument } from "../app/framePort.ts";

/**
 * Runs in an app's frame before any script of the server's. It removes the one way out that no policy closes, gives the
 * app the storage that a frame of an opaque origin does not have, reports blocked requests and errors, and confirms the
 * app's messages as long as its document is in the frame. The app cannot reach any of it: browser functions for later
 * use are saved now.
 */
const { parent } = window;
/** How long changes of the storage are gathered, in milliseconds. */
const gatherMs = 100;
/** The app's stored data from where it was shown before (`src/features/apps/appDocument.ts`). */
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
// So that a new page is reported immediately; the deciding fact is that this one no longer answers.
window.addEventListener("pagehide", () => post({ isLeft: true }), true);

const tell = (kind: FrameEvent, text: string): void => post({ kind, text: text.slice(0, 500) });

for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"]) {
	Reflect.deleteProperty(window, name);
}

const storages: Record<string, Map<string, string>> = {};
const before = storedBefore();
let telling: number | undefined;
/** Reports the stored data, so that the app finds it where it is shown next. */
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

/** The pairs of texts in a list; other values are left out. */
function pairsOf(list: unknown): readonly [string, string][] {
	if (!Array.isArray(list)) return [];
	return list.filter(
		(one): one is [string, string] =>
			Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === "string"),
	);
}

/** The stored data that this app reported where it was shown before; empty if it does not have this form. */
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
	// A failed load has no message, and is a violation or a failure that the app sees itself.
	if (message !== undefined && message !== "") tell("error", `${message} (${filename || "page"}:${lineno})`);
});
window.addEventListener("unhandledrejection", ({ reason }) => tell("error", `Unhandled rejection: ${String(reason)}`));
