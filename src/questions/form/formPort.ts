import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { RpcEndpoint, type MessagePort } from "../../base/rpc.ts";
import type { FormField, FormHostApi, FormNode, FormState, FormViewApi } from "./formProtocol.ts";
import type { FormSession } from "./formSession.ts";

/**
 * Connects a form with the view that shows it. The session checks every message of the view (UI-06), and keeps all
 * state, so that a view may be closed and reopened (UI-07). Disposing ends the connection, not the form.
 */
export function connectForm(session: FormSession, port: MessagePort): Disposable {
	const store = new DisposableStore();
	let known = new Map<number, FormField>();
	const view = store.add(
		new RpcEndpoint<FormViewApi, FormHostApi>(port, {
			ready: () => {
				known = new Map();
				const { document } = session;
				withoutKnown(document.state, known);
				return document;
			},
			change: (change, number) => session.change(change, number),
			submit: () => session.submit(),
			decline: () => session.decline(),
			cancel: () => session.cancel(),
			complete: (field, line) => session.complete(field, line),
			fill: (field, source) => session.fill(field, source),
			act: (action) => session.act(action),
		}),
	);
	store.add(session.onDidChange(() => view.notify("show", withoutKnown(session.state, known))));
	store.add(session.onDidSuggest((suggestions) => view.notify("suggest", suggestions)));
	store.add(session.onDidFill(({ field, text }) => view.notify("fill", field, text)));
	return store;
}

/** A state without the fields that the view has had; those that it gets are known from then on. */
function withoutKnown({ root, ...state }: FormState, known: Map<number, FormField>): FormState {
	const strip = (node: FormNode): FormNode => {
		if (node.kind === "group") return { ...node, children: node.children.map(strip) };
		if (node.kind !== "field" || node.field === undefined) return node;
		const { field, ...rest } = node;
		if (known.get(node.id) === field) return rest;
		known.set(node.id, field);
		return node;
	};
	return root === undefined ? state : { ...state, root: strip(root) };
}
