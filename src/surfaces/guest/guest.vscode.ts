import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { toAbortSignal } from "../../models/convert.vscode.ts";
import type { ModelPart } from "../../models/model.ts";
import { Guest, type GuestAnswer, type GuestServices } from "./guest.ts";
import { guestQuestions, type GuestQuestionServices } from "./guestQuestions.ts";
import { guestTools } from "./guestTools.ts";
import { jsonObjectOf } from "../../base/guards.ts";

/** The dependencies of the guest's tools on the rest of the host. */
export interface GuestWiring
	extends Omit<GuestServices, "caller" | "isOn" | "mostUnasked" | "now">, Omit<GuestQuestionServices, "policy"> {}

/** Registers the tools for VS Code's own agent, and for others that VS Code lets call tools. */
export function wireGuest(services: GuestWiring): Disposable {
	const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("mcpHost.chat");
	const guest = new Guest({
		...services,
		caller: guestQuestions(services),
		isOn: () => settings().get("otherAgents", true),
		mostUnasked: () => settings().get("maxCalls", 100),
		now: () => performance.now(),
	});
	const store = new DisposableStore();
	for (const name of Object.values(guestTools)) store.add(vscode.lm.registerTool(name, toolOf(name, guest)));
	return store;
}

function toolOf(name: string, guest: Guest): vscode.LanguageModelTool<unknown> {
	return {
		prepareInvocation: async ({ input }, token) => {
			const { message, confirmation } = await guest.preview(name, jsonObjectOf(input), toAbortSignal(token));
			return {
				invocationMessage: new vscode.MarkdownString(message),
				...(confirmation === undefined
					? {}
					: {
							confirmationMessages: {
								title: confirmation.title,
								message: new vscode.MarkdownString(confirmation.message),
							},
						}),
			};
		},
		invoke: async ({ input, tokenizationOptions }, token) => {
			const budget = tokenizationOptions?.tokenBudget;
			return resultOf(await guest.answer(name, jsonObjectOf(input), budget, toAbortSignal(token)));
		},
	};
}

/** VS Code's result cannot be marked as an error, so its first words say it. */
function resultOf({ content, isError }: GuestAnswer): vscode.LanguageModelToolResult {
	const note = isError ? [new vscode.LanguageModelTextPart("Error:")] : [];
	return new vscode.LanguageModelToolResult([...note, ...content.map(partOf)]);
}

function partOf(part: ModelPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
	if (part.type === "text") return new vscode.LanguageModelTextPart(part.text);
	if (part.type === "image") return vscode.LanguageModelDataPart.image(Buffer.from(part.data, "base64"), part.mimeType);
	return new vscode.LanguageModelTextPart("(A part of the result that VS Code agents do not support was left out.)");
}
