import * as vscode from "vscode";
import { askModal, showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import type { ApiKeys } from "./apiKeys.ts";
import type { ConfiguredModels } from "./directory.ts";
import { endpointLabel } from "./endpoints.ts";
import { createWithContext, lengthsFor, nameWithContext } from "./longerContext.ts";

/**
 * Has Ollama make a copy of a model with a context of the length that the person chooses, after they saw exactly what is made.
 * `id` may be anything. May throw.
 */
export async function giveContext(id: unknown, directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const info = directory.models.find((model) => model.info.id === id)?.info;
	const status = directory.statuses.find(({ endpoint }) => info?.id === `${endpoint.id}/${info?.name}`);
	if (info?.longerContext?.by !== "ollama" || status === undefined) {
		void showInformation("This model is no longer there, or has its whole context by now.");
		return;
	}
	const { endpoint } = status;
	const { name, longerContext } = info;
	const picked = await vscode.window.showQuickPick(
		lengthsFor(info.maxInputTokens, longerContext.tokens).map((length) => ({
			label: `${length.toLocaleString("en-US")} tokens`,
			description: length === 32_768 ? "enough for the tools of some servers" : "",
			length,
		})),
		{
			title: "Longer Context",
			placeHolder: `How much ${oneLine(name, 60)} is to read at a time; more takes more memory`,
		},
	);
	if (picked === undefined) return;
	const { length } = picked;
	const question = `Create the model ${oneLine(nameWithContext(name, length), 80)}?`;
	const detail = `${endpointLabel(endpoint)} makes it of ${oneLine(name, 80)}, with num_ctx ${length}. It shares the weights; while it runs it takes more memory. ${oneLine(name, 80)} stays as it is.`;
	if ((await askModal(question, detail, "Create")) !== "Create") return;
	const made = await createWithContext(await keys.filled(endpoint), await keys.get(endpoint), name, length);
	await directory.refresh();
	void showInformation(`${oneLine(made, 80)} is there. Choose it in the picker of the chat.`);
}
