import type { FrameEvent } from "../../src/apps/appProtocol.ts";

/**
 * Runs in an app's frame before any script of the server's. It takes away the one way out that no policy closes, gives the app
 * the storage that a frame of an opaque origin does not have, and tells what the policy stopped and which errors came. What it
 * tells passes through the app's hands and is for the person who looks why an app is blank, no more.
 */
const { parent } = window;
const tell = (kind: FrameEvent, text: string): void =>
	parent.postMessage({ mcpHostFrame: kind, text: text.slice(0, 500) }, "*");

for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"]) {
	Reflect.deleteProperty(window, name);
}

for (const name of ["localStorage", "sessionStorage"]) {
	const kept = new Map<string, string>();
	const storage = {
		getItem: (key: unknown) => kept.get(String(key)) ?? null,
		setItem: (key: unknown, value: unknown) => void kept.set(String(key), String(value)),
		removeItem: (key: unknown) => void kept.delete(String(key)),
		clear: () => kept.clear(),
		key: (index: number) => [...kept.keys()][index] ?? null,
		get length() {
			return kept.size;
		},
	};
	// oxlint-disable-next-line no-extend-native -- of this window alone
	Object.defineProperty(window, name, { value: storage, configurable: true });
}

document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, disposition }) => {
	if (disposition === "enforce") tell("violation", `${effectiveDirective} ${blockedURI}`);
});
window.addEventListener("error", ({ message, filename, lineno }) => {
	// What could not be loaded has no message, and is a violation or a failure that the app sees itself.
	if (message !== undefined && message !== "") tell("error", `${message} (${filename || "page"}:${lineno})`);
});
window.addEventListener("unhandledrejection", ({ reason }) => tell("error", `Unhandled rejection: ${String(reason)}`));
