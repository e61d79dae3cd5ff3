import type { MessagePort } from "../../src/base/rpc.ts";

declare function acquireVsCodeApi(): {
	postMessage(message: unknown): void;
};

/** The port to the extension. VS Code allows to acquire it once, so a view calls this once. */
export function vscodePort(): MessagePort {
	const api = acquireVsCodeApi();
	return {
		send: (message) => api.postMessage(message),
		listen: (listener) => {
			const onMessage = (event: MessageEvent): void => {
				// The workbench hands messages over from the frame around this one, which has the same origin.
				if (event.origin === window.origin) listener(event.data);
			};
			window.addEventListener("message", onMessage);
			return { dispose: () => window.removeEventListener("message", onMessage) };
		},
	};
}
