import { type MessagePort, type RpcApi, RpcEndpoint, type RpcHandlers } from "../../src/base/rpc.ts";

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

/** The handlers of a page, which only the extension can reach: it sends what the contract says. */
type ViewHandlers<Api extends RpcApi<Api>> = {
	readonly [Method in keyof Api]: (
		...args: Parameters<Api[Method]>
	) => ReturnType<Api[Method]> | Promise<Awaited<ReturnType<Api[Method]>>>;
};

/** The extension, which calls these handlers. */
export function connectHost<Theirs extends RpcApi<Theirs>, Ours extends RpcApi<Ours>>(
	port: MessagePort,
	handlers: ViewHandlers<Ours>,
): RpcEndpoint<Theirs, Ours> {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whom a page can trust is no matter of types
	return new RpcEndpoint(port, handlers as RpcHandlers<Ours>);
}
