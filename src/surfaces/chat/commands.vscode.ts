import * as vscode from "vscode";
import type { Commands } from "../../base/commands.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { InlineQuestions } from "../../features/elicitation/inline.ts";
import { toTokenSource } from "../../models/convert.vscode.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { FinishedCalls, RememberedCall } from "../../features/tools/results/finishedCalls.ts";
import { uriOfBlock } from "../../features/tools/results/resultMedia.ts";
import { isOpenable } from "../../features/tools/results/resultView.ts";
import type { DecisionHelp, DecisionLinks } from "./decide.ts";
import { answerInline } from "./elicitation.ts";
import type { ResultAction } from "./parts.ts";
import { chatCommands } from "./stream.vscode.ts";
import { wordsWithout } from "./turnServers.ts";
import { type WaitingAction, WaitingAnswers, type WaitingAnswersDependencies } from "./waitingAnswers.ts";

/** The command behind the links of questions and running calls. */
export function decisionCommands(links: DecisionLinks): Commands<(typeof chatCommands)["decide"]> {
	return {
		[chatCommands.decide]: async (id: unknown, action: unknown) => informed(async () => links.follow(id, action)),
	};
}

/** For how long the status bar shows a key's decision, in milliseconds. */
const saidMs = 5000;

/** The commands of the keys and icons for waiting decisions. */
export function waitingCommands(
	deps: Omit<WaitingAnswersDependencies, "say">,
): Commands<"mcpHost.allowCall" | "mcpHost.denyCall" | "mcpHost.editCall"> {
	const say = (words: string): unknown => vscode.window.setStatusBarMessage(withoutIcons(words), saidMs);
	const answers = new WaitingAnswers({ ...deps, say });
	const answer =
		(action: WaitingAction) =>
		async (argument: unknown): Promise<void> =>
			informed(async () => answers.answer(action, argument));
	return {
		"mcpHost.allowCall": answer("allow"),
		"mcpHost.denyCall": answer("deny"),
		"mcpHost.editCall": answer("edit"),
	};
}

/** Does something and shows its outcome to the user, if there is one. */
async function informed(run: () => Promise<string | undefined>): Promise<void> {
	try {
		const message = await run();
		if (message !== undefined) inform(message);
	} catch (error) {
		if (!HostError.is(error, "cancelled")) void showError(messageOf(error));
	}
}

/** Asks in VS Code's own box why the user denies. */
export const askReason: DecisionHelp["askReason"] = async (signal) => {
	const source = toTokenSource(signal);
	try {
		const prompt = "The reason to send to the model, such as what to do instead";
		const title = "Deny the Call";
		return await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true }, source.token);
	} finally {
		source.dispose();
	}
};

/** Shows the change of a definition. */
export const showChanges: DecisionHelp["showChanges"] = (changed) =>
	vscode.commands.executeCommand("mcpHost.showToolChanges", changed);

function inform(message: string): void {
	void showInformation(message);
}

/**
 * The command behind the links below a server's question. They stay in the transcript, so a link whose question has
 * ended, or belongs to another window, says so and changes nothing.
 */
export function elicitationCommands(questions: InlineQuestions): Commands<(typeof chatCommands)["elicitation"]> {
	return {
		[chatCommands.elicitation]: async (id: unknown, action: unknown, detail: unknown) => {
			const question = typeof id === "string" ? questions.get(id) : undefined;
			if (question === undefined) return showInformation("This question is no longer open.");
			const stale = typeof question === "string" ? question : await answerInline(question, action, detail);
			return stale === undefined ? undefined : showInformation(stale);
		},
	};
}

/** The targets of the links below results. */
export interface ResultLinkServices {
	readonly calls: FinishedCalls;
	readonly showCall: (call: RememberedCall) => void;
	readonly openResult: (call: RememberedCall) => Promise<void>;
	/** Shows the result of a call by its app. */
	readonly apps: {
		open(call: RememberedCall): void;
		/** Shows a call that still runs, by its id; false when there is none. */
		openRunning(id: string): boolean;
	};
}

/**
 * The command behind the links below results. A resource is only ever opened by a click, and read from the server whose
 * result names it (TOL-17).
 */
export function resultCommands({
	calls,
	showCall,
	openResult,
	apps,
}: ResultLinkServices): Commands<(typeof chatCommands)["details"]> {
	return {
		[chatCommands.details]: async (id: unknown, action: unknown, block: unknown) => {
			if (action === ("open-app" satisfies ResultAction) && typeof id === "string" && apps.openRunning(id)) return;
			const call = typeof id === "string" ? calls.get(id) : undefined;
			if (typeof id !== "string" || call === undefined) {
				void showInformation("This call is no longer kept.");
				return;
			}
			if (action === ("open-app" satisfies ResultAction)) return apps.open(call);
			if (action === ("open-result" satisfies ResultAction)) return openResult(call);
			if (action !== ("open-resource" satisfies ResultAction)) return showCall(call);
			const { entry, outcome } = call;
			const uri = typeof block === "number" ? uriOfBlock(outcome.result.raw, block) : undefined;
			if (uri === undefined || !isOpenable(uri)) return;
			await vscode.commands.executeCommand("mcpHost.openResource", { server: entry.session.definition.id, uri });
		},
	};
}

/** The command that lets the user choose the servers of their next turn: it writes the words for it into the chat. */
export function serverChoiceCommands(directory: SessionDirectory): Commands<"mcpHost.chatWithServers"> {
	return {
		"mcpHost.chatWithServers": async () => {
			const running = directory.sessions.filter(({ state }) => state.kind === "running");
			if (running.length === 0) return showInformation("No server is running.");
			const picked = await vscode.window.showQuickPick(
				running.map((session) => ({ label: withoutIcons(oneLine(session.definition.name)), picked: true, session })),
				{
					ignoreFocusOut: true,
					canPickMany: true,
					placeHolder: "Choose the servers that the model may use in your next turn",
				},
			);
			if (picked === undefined) return undefined;
			const chosen = new Set(picked.map(({ session }) => session));
			const words = wordsWithout(running.filter((session) => !chosen.has(session)));
			const query = `@mcp ${words}`;
			return vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
		},
	};
}
