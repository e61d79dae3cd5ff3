import * as vscode from "vscode";
import type { Disposable } from "../../../base/lifecycle.ts";
import { messageOf } from "../../../base/errors.ts";
import { showError } from "../../../base/notify.vscode.ts";
import { oneLine } from "../../../base/text.ts";
import type { ChooseSamplingRule } from "../../../permissions/budgets/samplingPolicy.ts";
import type { ShowReason } from "../../../questions/decisions/queue.ts";
import { openPanel, type Panel } from "../../../questions/webview/panel.vscode.ts";
import { type Placement, QuestionPanels } from "../../../questions/webview/questions.vscode.ts";
import type { ReviewSession } from "./review.ts";
import { connectReview } from "./reviewPort.ts";

/** The functions of the panels beside the review of the one request. */
export interface ReviewPanelServices {
	readonly extensionUri: vscode.Uri;
	/** Rejects everything that a server asks for and that waits. */
	readonly denyAll: (serverId: string) => void;
	readonly chooseRule: ChooseSamplingRule;
}

/** Shows the reviews of sampling requests. */
export interface SamplingReviews extends Disposable {
	/** Brings a review before the user, as `SamplingService` asks for. */
	show(review: ReviewSession, reason: ShowReason): void;
}

/** Creates the review panels of this window. Disposing closes them, which rejects open requests. */
export function reviewPanels(services: ReviewPanelServices): SamplingReviews {
	const questions = new QuestionPanels();
	return {
		show: (review, reason) =>
			questions.show(review.decision, reason, (placement) => openReview(services, review, placement)),
		dispose: () => questions.dispose(),
	};
}

function openReview(services: ReviewPanelServices, review: ReviewSession, placement: Placement): Panel {
	const { extensionUri, denyAll } = services;
	const title = `Review: ${oneLine(review.decision.subject.server, 40)}`;
	const media = { showsImages: true, playsAudio: true };
	const panel = openPanel({ extensionUri, view: "review", style: "review.css", title, ...media, ...placement });
	// Completes the step of the walkthrough about it.
	void vscode.commands.executeCommand("setContext", "mcpHost.reviewShown", true);
	const connection = connectReview(panel.port, review, {
		denyAll: () => denyAll(review.asker.id),
		openRules: () => void openRules(services, review),
		manageModels: () => void vscode.commands.executeCommand("mcpHost.manageModels"),
		openLog: () => void vscode.commands.executeCommand("mcpHost.showSamplingRequests", { entry: review.decision.id }),
	});
	panel.onDidClose(() => connection.dispose());
	return panel;
}

/** A rule applies to future requests; a rule that refuses all also ends the waiting ones. */
async function openRules({ chooseRule, denyAll }: ReviewPanelServices, { asker }: ReviewSession): Promise<void> {
	try {
		if ((await chooseRule(asker)) === "never") denyAll(asker.id);
	} catch (error) {
		void showError(messageOf(error));
	}
}
