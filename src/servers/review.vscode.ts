import * as vscode from "vscode";
import { canonicalJson } from "../base/json.ts";
import { RpcEndpoint } from "../base/rpc.ts";
import { Decision } from "../decisions/decision.ts";
import type { McpHost } from "../host.ts";
import { openPanel, type Panel } from "../webview/panel.vscode.ts";
import type { ServerDefinition } from "./config.ts";
import { reviewServer } from "./review.ts";
import type { ServerReviewHostApi, ServerReviewState, ServerReviewViewApi } from "./reviewProtocol.ts";

/** The open reviews by what they show: asking twice for the same shows the one that is open. */
const open = new Map<string, { readonly panel: Panel; readonly answer: Promise<boolean> }>();

/**
 * Shows everything that a server would start and waits for the person. False when they decline or close the panel.
 * Every start of the panel is the person's own doing, so it takes the focus.
 */
export function reviewServerStart(
	host: McpHost,
	definition: ServerDefinition,
	extensionUri: vscode.Uri,
): Promise<boolean> {
	const key = canonicalJson([definition.hash, definition.roots ?? null]);
	const existing = open.get(key);
	if (existing !== undefined) {
		existing.panel.reveal();
		return existing.answer;
	}
	const review = reviewServer(definition, host.approvals.former(definition));
	const { name: server, id: serverId } = definition;
	const decision = new Decision<boolean>({ kind: "start", server, serverId, title: "asks to be started" }, false);
	const panel = openPanel({
		extensionUri,
		view: "server",
		title: `Review: ${definition.name}`,
		column: vscode.ViewColumn.Active,
		preserveFocus: false,
	});
	const state = (): ServerReviewState => {
		const { outcome } = decision;
		if (outcome === undefined) return { review };
		return { review, outcome: outcome.by === "lapse" ? "lapsed" : outcome.answer ? "approved" : "declined" };
	};
	const view = new RpcEndpoint<ServerReviewViewApi, ServerReviewHostApi>(panel.port, {
		ready: state,
		approve: () => void decision.answer(true),
		decline: () => void decision.answer(false),
	});
	host.pending.add(decision, () => panel.reveal());
	panel.onDidClose(() => decision.lapse("closed"));
	const answer = decision.settled.then((settled) => {
		open.delete(key);
		view.dispose();
		panel.dispose();
		return settled.by === "person" && settled.answer;
	});
	open.set(key, { panel, answer });
	return answer;
}
