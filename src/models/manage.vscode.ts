import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { showWarning } from "../base/notify.vscode.ts";
import { withoutIcons } from "../base/words.ts";
import type { ApiKeys } from "./apiKeys.ts";
import { askForHeader, askForKey, askForModels, modelCount, showModels } from "./checkEndpoint.vscode.ts";
import type { ConfiguredModels, EndpointStatus } from "./directory.ts";
import { endpointId, endpointLabel, type ModelEndpoint, originOf } from "./endpoints.ts";
import { allowedModelsKey, pricesKey } from "./modelFacts.ts";
import { pricesAsOf } from "./prices.ts";
import { chattingModels } from "./profile.ts";
import { openModelsSetting, updateModelsSetting } from "./settings.vscode.ts";

type Action = vscode.QuickPickItem & { readonly run?: () => Promise<unknown> };

/** The actions of Manage Models. */
export interface ManageModels {
	readonly directory: ConfiguredModels;
	readonly keys: ApiKeys;
	readonly add: () => Promise<void>;
	readonly detect: () => Promise<void>;
	/** The problems of the settings of prices and of the models of servers, one sentence each. */
	readonly settingProblems: () => readonly string[];
}

/** The setting that a problem is about; its name is the first word. */
function settingOf(problem: string): string | undefined {
	return [allowedModelsKey, pricesKey].find((key) => problem.startsWith(key));
}

/** `MCP Host: Manage Models…`: the endpoints and their state, keys that are kept, and the ways to add more. */
export async function manageModels(models: ManageModels): Promise<void> {
	const { directory, keys } = models;
	const endpoints: Action[] = directory.statuses.map((status) => ({
		label: `$(server) ${withoutIcons(status.endpoint.name)}`,
		description: status.endpoint.baseURL,
		detail: withoutIcons(status.problem ?? modelCount(status.modelCount)),
		run: () => manageEndpoint(status, models),
	}));
	const problems: Action[] = [...directory.problems, ...models.settingProblems()].map((problem) => ({
		label: `$(warning) ${withoutIcons(problem)}`,
		run: () => openModelsSetting(settingOf(problem)),
	}));
	const unused = await keys.unused(directory.statuses.map(({ endpoint }) => endpoint));
	const forgettable: Action[] = unused.map((origin) => ({
		label: "$(key) Forget API Key and Secret Headers",
		description: withoutIcons(origin),
		detail: "Stored in the secret store, not used by any endpoint",
		run: async () => keys.removeAll({ baseURL: origin }),
	}));
	const separator: Action = { label: "", kind: vscode.QuickPickItemKind.Separator };
	const state = [...endpoints, ...problems, ...forgettable];
	await choose("Manage Models", "Choose an endpoint, or add one", [
		...state,
		...(state.length > 0 ? [separator] : []),
		{ label: "$(add) Add Model Endpoint…", run: models.add },
		{ label: "$(search) Detect Local Models", run: models.detect },
		{
			label: "$(credit-card) Prices…",
			detail: `Your prices override the prices that MCP Host includes, as of ${pricesAsOf}`,
			run: () => openModelsSetting(pricesKey),
		},
		{
			label: "$(shield) Models of Servers…",
			detail: "Which models each server may use for sampling",
			run: () => openModelsSetting(allowedModelsKey),
		},
		{ label: "$(settings-gear) Open Settings", run: () => openModelsSetting() },
	]);
}

async function manageEndpoint(status: EndpointStatus, models: ManageModels): Promise<void> {
	const { directory, keys } = models;
	const { endpoint } = status;
	const hasKey = (await keys.get(endpoint)) !== undefined;
	const set = await keys.headers(endpoint);
	const forgetting: Action = {
		label: "$(trash) Forget API Key",
		run: async () => {
			await keys.remove(endpoint);
			await directory.refresh();
		},
	};
	await choose(endpointLabel(endpoint), status.problem ?? "Choose what to do with this endpoint", [
		{
			label: `$(key) ${hasKey ? "Replace API Key…" : "Set API Key…"}`,
			detail: `Stored in the secret store, sent only to ${originOf(endpoint)}`,
			run: () => setKey(endpoint, models),
		},
		...(hasKey ? [forgetting] : []),
		...endpoint.secretHeaders.map((name) => headerAction(endpoint, name, set.has(name), models)),
		{ label: "$(debug-start) Test Endpoint", run: () => testEndpoint(endpoint, models) },
		{ label: "$(remove) Remove Endpoint", run: () => removeEndpoint(endpoint, models) },
		{ label: "$(settings-gear) Open Settings", run: () => openModelsSetting() },
	]);
}

/** Sets the value of a secret header, or forgets it where there is one. */
function headerAction(endpoint: ModelEndpoint, name: string, isSet: boolean, models: ManageModels): Action {
	return {
		label: `$(key) ${isSet ? "Replace" : "Set"} Header ${name}…`,
		description: isSet ? "an empty value deletes it" : "not set",
		detail: `Stored in the secret store, sent only to ${originOf(endpoint)}`,
		run: async () => {
			const value = await askForHeader(endpoint, name, isSet);
			if (value === undefined) return;
			await (value === "" ? models.keys.removeHeader(endpoint, name) : models.keys.setHeader(endpoint, name, value));
			await testEndpoint(endpoint, models);
		},
	};
}

async function setKey(endpoint: ModelEndpoint, models: ManageModels): Promise<void> {
	const key = await askForKey(endpoint);
	if (key === undefined) return;
	await models.keys.set(endpoint, key);
	await testEndpoint(endpoint, models);
}

/** Asks the endpoint for its models and shows the result. */
async function testEndpoint(endpoint: ModelEndpoint, models: ManageModels): Promise<void> {
	const setKeyButton = "Set API Key…";
	try {
		const listed = await askForModels(await models.keys.filled(endpoint), await models.keys.get(endpoint));
		await models.directory.refresh();
		showModels(
			endpoint,
			chattingModels(listed).map(({ name }) => name),
		);
	} catch (error) {
		const answer = await showWarning(messageOf(error), setKeyButton, "Open Settings");
		if (answer === setKeyButton) await setKey(endpoint, models);
		else if (answer !== undefined) await openModelsSetting();
	}
}

/** The key goes too, unless another endpoint of the same origin uses it. */
async function removeEndpoint(endpoint: ModelEndpoint, { directory, keys }: ManageModels): Promise<void> {
	const isOther = (entry: unknown): boolean =>
		!isJsonObject(entry) || typeof entry["name"] !== "string" || endpointId(entry["name"]) !== endpoint.id;
	await updateModelsSetting([], isOther);
	await directory.refresh();
	const isKeyUsed = directory.statuses.some((status) => originOf(status.endpoint) === originOf(endpoint));
	if (!isKeyUsed) await keys.removeAll(endpoint);
}

async function choose(title: string, placeHolder: string, actions: readonly Action[]): Promise<void> {
	const picked = await vscode.window.showQuickPick(actions, { ignoreFocusOut: true, title, placeHolder });
	await picked?.run?.();
}
