import * as vscode from "vscode";
import { RpcEndpoint } from "../../base/rpc.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import { CallReview, type CallReviewServices } from "./callReview.ts";
import type { CallReviewHostApi } from "./callReviewProtocol.ts";
import type { CallRunServices } from "./callRun.ts";

/**
 * Asks about calls in a panel, which opens with the focus: the person has just asked for the run. Closing it, or stopping the
 * run, allows nothing.
 */
export function askAboutCalls(extensionUri: vscode.Uri, services: CallReviewServices): CallRunServices["consent"] {
	return async (calls, signal) => {
		const review = new CallReview(calls, services);
		const panel: Panel = openPanel({
			extensionUri,
			view: "callReview",
			style: "callReview.css",
			title: calls.length === 1 ? "Run 1 Call?" : `Run ${calls.length} Calls?`,
			column: vscode.ViewColumn.Active,
			preserveFocus: false,
		});
		const view = new RpcEndpoint<object, CallReviewHostApi>(panel.port, {
			ready: () => review.state,
			answer: (answer) => void review.answer(answer),
		});
		const stop = (): void => void review.answer("none");
		panel.onDidClose(stop);
		signal.addEventListener("abort", stop, { once: true });
		try {
			return await review.settled;
		} finally {
			signal.removeEventListener("abort", stop);
			view.dispose();
			panel.dispose();
		}
	};
}
