import * as vscode from "vscode";
import { showError, showInformation } from "../base/notify.vscode.ts";
import type { Commands } from "../base/commands.ts";
import { HostError, messageOf } from "../base/errors.ts";
import { canonicalJson, type JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { OpenJsonEditor } from "../form/jsonEdit.ts";
import type { ToolApprovals, ToolQuestion } from "../tools/approval.ts";
import { exactJson } from "../tools/exactJson.ts";
import { checkArguments, parseObject } from "../tools/schema.ts";
import { detailsScheme, detailsText, type FinishedCalls } from "./details.ts";
import { settledSentence } from "./render.ts";
import { chatCommands } from "./stream.vscode.ts";

type ChatCommand = (typeof chatCommands)["decide" | "details"];

/**
 * The commands behind the links in the chat. They stay in the transcript, so a link whose question has ended, or belongs
 * to another window, says so and changes nothing.
 */
export function decisionCommands(
	approvals: ToolApprovals,
	calls: FinishedCalls,
	openJsonEditor: OpenJsonEditor,
): Commands<ChatCommand> {
	return {
		[chatCommands.decide]: async (id: unknown, action: unknown) => {
			const question = typeof id === "string" ? approvals.get(id) : undefined;
			if (question === undefined) return tell(vscode.l10n.t("This question is no longer open."));
			const { outcome } = question.decision;
			if (outcome !== undefined) return tell(settledSentence(outcome));
			if (action === "allow") question.decision.answer({ kind: "allow" });
			else if (action === "deny") question.decision.answer({ kind: "deny" });
			else if (action === "edit") await edit(question, openJsonEditor);
		},
		[chatCommands.details]: async (id: unknown) => {
			const call = typeof id === "string" ? calls.get(id) : undefined;
			if (typeof id !== "string" || call === undefined) return tell(vscode.l10n.t("This call is no longer kept."));
			const { session, tool } = call.entry;
			const name = `${oneLine(session.definition.name, 40)} ${oneLine(tool.name, 60)}.txt`.replace(/[/\\]/g, "_");
			const uri = vscode.Uri.from({ scheme: detailsScheme, path: `/${name}`, query: id });
			await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
		},
	};
}

/** The text of the read-only documents that show a call in full. */
export function callDetails(calls: FinishedCalls): vscode.TextDocumentContentProvider {
	return {
		provideTextDocumentContent: ({ query }) => {
			const call = calls.get(query);
			return call === undefined ? vscode.l10n.t("This call is no longer kept.") : detailsText(call);
		},
	};
}

/** Lets the person change the arguments. Closing the editor leaves the question open in the chat. */
async function edit(question: ToolQuestion, openJsonEditor: OpenJsonEditor): Promise<void> {
	const { call, decision } = question;
	const { tool } = call.entry;
	const schema = tool.inputSchema as JsonObject;
	const controller = new AbortController();
	void decision.settled.then(() => controller.abort());
	try {
		const text = await openJsonEditor({
			subject: decision.subject,
			heading: vscode.l10n.t("Arguments of {0}", oneLine(tool.name)),
			schemaText: exactJson(schema),
			initialText: exactJson(call.arguments),
			submitLabel: vscode.l10n.t("Allow with These Arguments"),
			validate: async (edited) => {
				const parsed = parseObject(edited);
				return "problem" in parsed ? [parsed.problem] : checkArguments(schema, parsed.value);
			},
			signal: controller.signal,
		});
		const parsed = text === undefined ? undefined : parseObject(text);
		if (parsed === undefined || "problem" in parsed) return;
		const isSame = canonicalJson(parsed.value) === canonicalJson(call.arguments);
		decision.answer(isSame ? { kind: "allow" } : { kind: "edited", arguments: parsed.value });
	} catch (error) {
		if (!HostError.is(error, "cancelled")) void showError(messageOf(error));
	}
}

function tell(message: string): void {
	void showInformation(message);
}
