import { DisposableStore } from "../base/lifecycle.ts";
import { wirePending } from "../questions/decisions/pending.vscode.ts";
import { DecisionQueue } from "../questions/decisions/queue.ts";
import { Repetition } from "../questions/decisions/repetition.ts";
import { formPanels } from "../questions/form/formPanels.vscode.ts";
import type { Window } from "./window.vscode.ts";

/** The parts that ask the user, until it is disposed: the queue of decisions, pending decisions, and forms. */
export type Questions = ReturnType<typeof wireQuestions>;

/** Makes what asks the user. */
export function wireQuestions({ host: { pending, registry }, context }: Window) {
	const store = new DisposableStore();
	const queue = new DecisionQueue(pending);
	const repetition = new Repetition();
	const nameOf = (server: string): string | undefined => registry.get(server)?.definition.name;
	const waiting = store.add(wirePending({ pending, queue, repetition, nameOf }));
	const { show: showForm, ask, editObject } = store.add(formPanels(context.extensionUri));
	return { queue, repetition, waiting, showForm, ask, editObject, dispose: () => store.dispose() };
}
