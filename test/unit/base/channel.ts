import type { MessagePort } from "../../../src/base/rpc.ts";

/** Two ends of a channel that delivers messages at once. */
export function channel(): readonly [MessagePort, MessagePort] {
	const listeners: [(message: unknown) => void, (message: unknown) => void] = [() => undefined, () => undefined];
	const end = (own: 0 | 1): MessagePort => ({
		send: (message) => listeners[own === 0 ? 1 : 0](structuredClone(message)),
		listen: (listener) => {
			listeners[own] = listener;
			return { dispose: () => undefined };
		},
	});
	return [end(0), end(1)];
}
