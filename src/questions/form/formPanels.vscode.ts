import type * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { oneLine } from "../../base/text.ts";
import type { ShowReason } from "../decisions/queue.ts";
import { openPanel, type Panel } from "../webview/panel.vscode.ts";
import { QuestionPanels, type Placement } from "../webview/questions.vscode.ts";
import { connectForm } from "./formPort.ts";
import { editQuestion, type EditObject, type FormQuestion } from "./formQuestion.ts";
import { acceptedValue, FormSession } from "./formSession.ts";

/** Shows forms: a server's elicitations, the user's own forms, and edits of objects. */
export interface FormPanels extends Disposable {
	/** Brings an elicitation before the user, as `ElicitationService` asks for. */
	readonly show: (session: FormSession, reason: ShowReason) => void;
	/**
	 * Opens a form of the user's own, with the focus, because they asked for it. Undefined when they cancelled or closed
	 * it, or the signal was aborted. A value that is returned has passed the question's validation.
	 */
	readonly ask: (question: FormQuestion, signal?: AbortSignal) => Promise<JsonObject | undefined>;
	/** Opens an object for editing, with the focus, because the user asked for it. */
	readonly editObject: EditObject;
}

/** Makes the form panels of this window. Disposing closes them, which answers nothing. */
export function formPanels(extensionUri: vscode.Uri): FormPanels {
	const questions = new QuestionPanels();
	const show = (session: FormSession, reason: ShowReason): void =>
		questions.show(session.decision, reason, (placement) => openForm(extensionUri, session, placement));
	const ask = (question: FormQuestion, signal?: AbortSignal): Promise<JsonObject | undefined> => {
		const session = new FormSession(question);
		if (signal !== undefined) session.decision.lapseOn(signal);
		show(session, "asked");
		return acceptedValue(session);
	};
	return {
		show,
		ask,
		editObject: (request) => ask(editQuestion(request), request.signal),
		dispose: () => questions.dispose(),
	};
}

function openForm(extensionUri: vscode.Uri, session: FormSession, placement: Placement): Panel {
	const { tabTitle, heading } = session.question;
	const title = oneLine(tabTitle ?? heading, 60);
	const panel = openPanel({ extensionUri, view: "form", style: "form.css", title, ...placement });
	const connection = connectForm(session, panel.port);
	panel.onDidClose(() => connection.dispose());
	return panel;
}
