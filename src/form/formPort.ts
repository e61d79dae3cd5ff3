import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { RpcEndpoint, type MessagePort } from "../base/rpc.ts";
import type { FormHostApi, FormViewApi } from "./formProtocol.ts";
import type { FormSession } from "./formSession.ts";

/**
 * Connects a form with the view that shows it. The session checks whatever the view sends (security.md UI-06), and keeps
 * all state, so that a view may come and go (UI-07). Disposing ends the connection, not the form.
 */
export function connectForm(session: FormSession, port: MessagePort): Disposable {
	const store = new DisposableStore();
	const view = store.add(
		new RpcEndpoint<FormViewApi, FormHostApi>(port, {
			ready: () => session.document,
			change: (input) => session.change(input),
			submit: (input) => session.submit(input),
			decline: () => session.decline(),
			cancel: () => session.cancel(),
			complete: (field, input, line) => session.complete(field, input, line),
			fill: (field, source) => session.fill(field, source),
			act: (action) => session.act(action),
		}),
	);
	store.add(session.onDidChange(() => view.notify("show", session.state)));
	store.add(session.onDidSuggest((suggestions) => view.notify("suggest", suggestions)));
	store.add(session.onDidFill(({ field, text }) => view.notify("fill", field, text)));
	return store;
}
