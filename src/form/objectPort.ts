import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { RpcEndpoint, type MessagePort } from "../base/rpc.ts";
import type { ObjectHostApi, ObjectViewApi } from "./objectProtocol.ts";
import type { ObjectSession } from "./objectSession.ts";

/**
 * Connects the edit of an object with the view that shows it. The session checks whatever the view sends (security.md
 * UI-06), and keeps all state, so that a view may come and go (UI-07). Disposing ends the connection, not the edit.
 */
export function connectObject(session: ObjectSession, port: MessagePort): Disposable {
	const store = new DisposableStore();
	const view = store.add(
		new RpcEndpoint<ObjectViewApi, ObjectHostApi>(port, {
			ready: () => session.document,
			change: (change, number) => session.change(change, number),
			submit: () => session.submit(),
			cancel: () => session.cancel(),
		}),
	);
	store.add(session.onDidChange(() => view.notify("show", session.state)));
	return store;
}
