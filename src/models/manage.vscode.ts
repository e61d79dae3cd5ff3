import * as vscode from "vscode";
import { showInformation, showWarning } from "../base/notify.vscode.ts";
import { messageOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import type { ApiKeys } from "./apiKeys.ts";
import type { ConfiguredModels, EndpointStatus } from "./directory.ts";
import { checkBaseURL, endpointLabel, endpointPresets, originOf, type ModelEndpoint } from "./endpoints.ts";
import { listModels } from "./listModels.ts";

const settingId = "mcpHost.models";

type Action = vscode.QuickPickItem & { readonly run?: () => Promise<unknown> };

/** `MCP Host: Manage Models…`: add an endpoint, set or remove its key, test it, open the settings. */
export async function manageModels(directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const endpoints: Action[] = directory.statuses.map((status) => ({
		label: `$(server) ${withoutIcons(status.endpoint.name)}`,
		description: status.endpoint.baseURL,
		detail: withoutIcons(status.problem ?? countText(status.modelCount)),
		run: () => manageEndpoint(status, directory, keys),
	}));
	const separator: Action = { label: "", kind: vscode.QuickPickItemKind.Separator };
	await choose(vscode.l10n.t("Manage Models"), vscode.l10n.t("Choose an endpoint, or add one"), [
		...endpoints,
		...directory.problems.map((problem) => ({ label: `$(warning) ${withoutIcons(problem)}`, run: openSettings })),
		...(endpoints.length + directory.problems.length > 0 ? [separator] : []),
		{ label: `$(add) ${vscode.l10n.t("Add Endpoint…")}`, run: () => addEndpoint(directory, keys) },
		{ label: `$(settings-gear) ${vscode.l10n.t("Open Settings")}`, run: openSettings },
	]);
}

async function manageEndpoint(status: EndpointStatus, directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const { endpoint } = status;
	const hasKey = (await keys.get(endpoint)) !== undefined;
	const removal: Action = {
		label: `$(trash) ${vscode.l10n.t("Remove API Key")}`,
		run: async () => {
			await keys.remove(endpoint);
			await directory.refresh();
		},
	};
	await choose(endpointLabel(endpoint), status.problem ?? vscode.l10n.t("What to do with this endpoint"), [
		{
			label: `$(key) ${hasKey ? vscode.l10n.t("Replace API Key…") : vscode.l10n.t("Set API Key…")}`,
			detail: vscode.l10n.t("Kept in the secret store, sent to {0} only", originOf(endpoint)),
			run: () => setKey(endpoint, directory, keys),
		},
		...(hasKey ? [removal] : []),
		{ label: `$(debug-start) ${vscode.l10n.t("Test Endpoint")}`, run: () => testEndpoint(endpoint, directory, keys) },
		{ label: `$(settings-gear) ${vscode.l10n.t("Open Settings")}`, run: openSettings },
	]);
}

async function addEndpoint(directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const presets = endpointPresets.map(({ name, baseURL, hint }) => ({
		label: name,
		description: baseURL,
		detail: hint,
	}));
	const custom = {
		label: vscode.l10n.t("Other…"),
		description: vscode.l10n.t("any OpenAI-compatible endpoint"),
		detail: "",
	};
	const picked = await vscode.window.showQuickPick([...presets, custom], {
		title: vscode.l10n.t("Add Endpoint"),
		placeHolder: vscode.l10n.t("What serves the models?"),
	});
	if (picked === undefined) return;
	const isCustom = picked === custom;
	const baseURL = await vscode.window.showInputBox({
		title: vscode.l10n.t("Add Endpoint"),
		prompt: vscode.l10n.t("The address of the OpenAI-compatible API"),
		value: isCustom ? "" : picked.description,
		placeHolder: "https://models.example.com/v1",
		ignoreFocusOut: true,
		validateInput: (text) => {
			const checked = checkBaseURL(text);
			return "problem" in checked ? checked.problem : undefined;
		},
	});
	const checked = baseURL === undefined ? undefined : checkBaseURL(baseURL);
	if (checked === undefined || "problem" in checked) return;
	const name = await askName(isCustom ? new URL(checked.url).hostname : picked.label, directory);
	if (name === undefined) return;
	const configuration = vscode.workspace.getConfiguration();
	const before = configuration.inspect<unknown>(settingId)?.globalValue;
	const others: readonly unknown[] = Array.isArray(before) ? before : [];
	await configuration.update(settingId, [...others, { name, baseURL: checked.url }], vscode.ConfigurationTarget.Global);
	await directory.refresh();
	const added = directory.statuses.find((status) => status.endpoint.name === name);
	if (added !== undefined) await testEndpoint(added.endpoint, directory, keys);
}

function askName(suggestion: string, directory: ConfiguredModels): Thenable<string | undefined> {
	const taken = new Set(directory.statuses.map(({ endpoint }) => endpoint.name.toLowerCase()));
	return vscode.window.showInputBox({
		title: vscode.l10n.t("Add Endpoint"),
		prompt: vscode.l10n.t("The name to show"),
		value: suggestion,
		ignoreFocusOut: true,
		validateInput: (text) => {
			if (text.trim() === "") return vscode.l10n.t("Give the endpoint a name.");
			return taken.has(text.trim().toLowerCase()) ? vscode.l10n.t("Another endpoint has this name.") : undefined;
		},
	});
}

async function setKey(endpoint: ModelEndpoint, directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const key = await vscode.window.showInputBox({
		title: endpointLabel(endpoint),
		prompt: vscode.l10n.t("The API key. It is kept in the secret store and sent to {0} only.", originOf(endpoint)),
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === "" ? vscode.l10n.t("Paste the key, or press Escape.") : undefined),
	});
	if (key === undefined) return;
	await keys.set(endpoint, key);
	await testEndpoint(endpoint, directory, keys);
}

/** Asks the endpoint for its models and says what came of it. */
async function testEndpoint(endpoint: ModelEndpoint, directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const title = vscode.l10n.t("Asking {0} for its models…", endpointLabel(endpoint));
	const setKeyButton = vscode.l10n.t("Set API Key…");
	try {
		const models = await vscode.window.withProgress(
			// In the status bar: a notification of progress that ends takes the next notification along.
			{ location: vscode.ProgressLocation.Window, title },
			async () => listModels(endpoint, await keys.get(endpoint)),
		);
		await directory.refresh();
		// A notification makes links of brackets, and these names are the endpoint's words.
		const names = models.slice(0, 5).map(({ name }) => oneLine(name, 60).replace(/[[\]]/g, "_"));
		const more = models.length > names.length ? ", …" : "";
		const list = names.length === 0 ? "" : `: ${names.join(", ")}${more}`;
		const text = vscode.l10n.t("{0} offers {1}", endpointLabel(endpoint), countText(models.length) + list);
		void showInformation(text);
	} catch (error) {
		const answer = await showWarning(messageOf(error), setKeyButton, vscode.l10n.t("Open Settings"));
		if (answer === setKeyButton) await setKey(endpoint, directory, keys);
		else if (answer !== undefined) await openSettings();
	}
}

function countText(count: number): string {
	return count === 1 ? vscode.l10n.t("1 model") : vscode.l10n.t("{0} models", count);
}

async function openSettings(): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.openSettings", settingId);
}

async function choose(title: string, placeHolder: string, actions: readonly Action[]): Promise<void> {
	const picked = await vscode.window.showQuickPick(actions, { title, placeHolder });
	await picked?.run?.();
}

/** The setting as it applies to this machine: a workspace has no say in where conversations go (security.md SEC-06). */
export function readModelsSetting(): unknown {
	const inspected = vscode.workspace.getConfiguration().inspect<unknown>(settingId);
	return inspected?.globalValue ?? inspected?.defaultValue;
}
