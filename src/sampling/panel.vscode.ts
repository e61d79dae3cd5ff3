import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { RpcEndpoint } from "../base/rpc.ts";
import { throttle } from "../base/throttle.ts";
import { oneLine } from "../base/text.ts";
import type { ShowReason } from "../decisions/queue.ts";
import { openPanel, type Panel } from "../webview/panel.vscode.ts";
import { QuestionPanels, type Placement } from "../webview/questions.vscode.ts";
import type { ReviewSession } from "./review.ts";
import type { ReviewHostApi, ReviewViewApi } from "./reviewProtocol.ts";

/** How often a streamed completion is painted, in milliseconds. */
const paintIntervalMs = 60;

/** Shows the reviews of sampling requests. */
export interface SamplingReviews extends Disposable {
	/** Brings a review before the person, as `SamplingService` asks for. */
	show(review: ReviewSession, reason: ShowReason): void;
}

/** Makes the review panels of this window. Disposing closes them, which rejects what is still open. */
export function reviewPanels(extensionUri: vscode.Uri): SamplingReviews {
	const questions = new QuestionPanels();
	return {
		show: (review, reason) =>
			questions.show(review.decision, reason, (placement) => openReview(extensionUri, review, placement)),
		dispose: () => questions.dispose(),
	};
}

function openReview(extensionUri: vscode.Uri, review: ReviewSession, placement: Placement): Panel {
	const title = vscode.l10n.t("Review: {0}", oneLine(review.decision.subject.server, 40));
	const panel = openPanel({ extensionUri, view: "review", title, showsImages: true, ...placement });
	const store = new DisposableStore();
	const view = store.add(
		new RpcEndpoint<ReviewViewApi, ReviewHostApi>(panel.port, {
			ready: () => review.document,
			edit: (draft) => review.edit(draft),
			approve: (draft) => review.approve(draft),
			stop: () => review.stop(),
			editCompletion: (text) => review.editCompletion(text),
			returnToServer: (text) => review.returnToServer(text),
			reject: () => review.reject(),
			manageModels: () => void vscode.commands.executeCommand("mcpHost.manageModels"),
		}),
	);
	const paint = store.add(throttle(() => view.notify("show", review.state), paintIntervalMs));
	store.add(review.onDidChange(() => paint.run()));
	store.add(panel.onDidClose(() => store.dispose()));
	return panel;
}
