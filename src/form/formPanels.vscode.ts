import type * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { RpcEndpoint } from "../base/rpc.ts";
import { oneLine } from "../base/text.ts";
import type { ShowReason } from "../decisions/queue.ts";
import { openPanel, type Panel } from "../webview/panel.vscode.ts";
import { QuestionPanels, type Placement } from "../webview/questions.vscode.ts";
import type { FormHostApi, FormViewApi } from "./formProtocol.ts";
import type { FormSession } from "./formSession.ts";
import { editedText, jsonEditSession, type OpenJsonEditor } from "./jsonEdit.ts";

/** Shows forms: a server's elicitations and the host's own JSON editor. */
export interface FormPanels extends Disposable {
	/** Brings an elicitation before the person, as `ElicitationService` asks for. */
	show(session: FormSession, reason: ShowReason): void;
	/** Opens a JSON text for editing, with the focus, because the person asked for it. */
	readonly openJsonEditor: OpenJsonEditor;
}

/** Makes the form panels of this window. Disposing closes them, which answers nothing. */
export function formPanels(extensionUri: vscode.Uri): FormPanels {
	const questions = new QuestionPanels();
	const show = (session: FormSession, reason: ShowReason): void =>
		questions.show(session.decision, reason, (placement) => openForm(extensionUri, session, placement));
	return {
		show,
		openJsonEditor(request) {
			const session = jsonEditSession(request);
			show(session, "asked");
			return editedText(session);
		},
		dispose: () => questions.dispose(),
	};
}

function openForm(extensionUri: vscode.Uri, session: FormSession, placement: Placement): Panel {
	const title = oneLine(session.question.heading, 60);
	const panel = openPanel({ extensionUri, view: "form", title, ...placement });
	const store = new DisposableStore();
	const view = store.add(
		new RpcEndpoint<FormViewApi, FormHostApi>(panel.port, {
			ready: () => session.document,
			change: (input) => session.change(input),
			submit: (input) => session.submit(input),
			decline: () => session.decline(),
			cancel: () => session.cancel(),
		}),
	);
	store.add(session.onDidChange(() => view.notify("show", session.state)));
	store.add(panel.onDidClose(() => store.dispose()));
	return panel;
}
