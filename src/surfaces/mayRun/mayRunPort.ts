import { HostError } from "../../base/errors.ts";
import type { Event } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { RpcEndpoint, type MessagePort } from "../../base/rpc.ts";
import { throttle } from "../../base/throttle.ts";
import type { MayRunAction, MayRunPage } from "./mayRun.ts";
import type { MayRunHostApi, MayRunViewApi } from "./mayRunProtocol.ts";

/** How often the page is rebuilt, at most, in milliseconds. */
const tellingMs = 200;

/** The parts of the page, and the actions of its buttons. */
export interface MayRunSource {
	page(): MayRunPage;
	/** Something that decides may have changed. */
	readonly onDidChange: Event<unknown>;
	/** Each resolves with a sentence about the outcome; empty if the page shows it. */
	act(action: MayRunAction): Promise<string>;
	copy(page: MayRunPage): Promise<string>;
}

/** Connects the page with its view. A button does only what the page has a button for (UI-06). */
export function connectMayRun(port: MessagePort, source: MayRunSource): Disposable {
	const store = new DisposableStore();
	let page = source.page();
	const view = store.add(
		new RpcEndpoint<MayRunViewApi, MayRunHostApi>(port, {
			ready: () => ({ sections: page.sections }),
			act: async (key) => {
				const action = typeof key === "string" ? page.actions.get(key) : undefined;
				if (action === undefined) throw new HostError("invalid", "This line is no longer there.");
				return source.act(action);
			},
			copy: () => source.copy(page),
		}),
	);
	const telling = store.add(
		throttle(() => {
			page = source.page();
			view.notify("show", { sections: page.sections });
		}, tellingMs),
	);
	store.add(source.onDidChange(() => telling.run()));
	return store;
}
