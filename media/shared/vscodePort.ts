import type { MessagePort } from "../../src/base/rpc.ts";

declare function acquireVsCodeApi(): {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
};

/** The port to the extension, with the state that only the view needs when it is shown again. */
export interface ViewPort extends MessagePort {
	recall(): unknown;
	remember(state: unknown): void;
}

/** The port to the extension. VS Code allows to acquire it once, so a view calls this once. */
export function vscodePort(): ViewPort {
	const api = acquireVsCodeApi();
	return {
		recall: () => api.getState(),
		remember: (state) => api.setState(state),
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
