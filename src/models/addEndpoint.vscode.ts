import * as vscode from "vscode";
import { messageOf } from "../base/errors.ts";
import { showWarning } from "../base/notify.vscode.ts";
import type { ApiKeys } from "./apiKeys.ts";
import { askForKey, askForModels, showModels } from "./checkEndpoint.vscode.ts";
import type { ConfiguredModels } from "./directory.ts";
import { endpointId } from "./endpoints.ts";
import { failureReason } from "./failure.ts";
import { machineNote } from "./remoteMachine.ts";
import { newEndpoint, readAddress, uniqueName, type NewEndpoint, type ReadAddress } from "./newEndpoint.ts";
import { endpointPresets, type EndpointPreset } from "./presets.ts";
import { chattingModels, type ListedModel } from "./profile.ts";
import { updateModelsSetting } from "./settings.vscode.ts";

type Address = Exclude<ReadAddress, { readonly problem: string }>;

const title = "Add Model Endpoint";

/**
 * `MCP Host: Add Model Endpoint…`: the provider, the address, and the key. Then the endpoint is asked for its models,
 * and it is saved only if it answered, or if the user keeps it all the same.
 */
export async function addEndpoint(directory: ConfiguredModels, keys: ApiKeys): Promise<void> {
	const picked = await pickPreset();
	if (picked !== undefined) await describeEndpoint(picked.preset, picked.preset?.baseURL ?? "", directory, keys);
}

/** From the address on, which is `proposed` at first. */
async function describeEndpoint(
	preset: EndpointPreset | undefined,
	proposed: string,
	directory: ConfiguredModels,
	keys: ApiKeys,
): Promise<void> {
	const address = await askAddress(preset, proposed);
	if (address === undefined) return;
	const models = preset?.namesModels === true ? await askModelNames(address.deployment) : [];
	if (models === undefined) return;
	const name = await chooseName(preset, address, directory);
	const added = name === undefined ? undefined : newEndpoint(name, address, preset, models);
	if (added === undefined) return;
	const known = await keys.get(added.endpoint);
	const isKeyMissing = preset?.key === "required" && known === undefined;
	const key = isKeyMissing ? await askForKey(added.endpoint) : known;
	if (isKeyMissing && key === undefined) return;
	const changeAddress = (): Promise<void> => describeEndpoint(preset, added.endpoint.baseURL, directory, keys);
	await checkAndSave(added, key, { directory, keys, changeAddress });
}

/** The dependencies of adding an endpoint, and where it continues when its address is wrong. */
interface Adding {
	readonly directory: ConfiguredModels;
	readonly keys: ApiKeys;
	readonly changeAddress: () => Promise<void>;
}

type PresetRow = vscode.QuickPickItem & { readonly preset?: EndpointPreset };

async function pickPreset(): Promise<{ readonly preset: EndpointPreset | undefined } | undefined> {
	const rows = (isLocal: boolean): readonly PresetRow[] =>
		endpointPresets
			.filter((preset) => preset.isLocal === isLocal)
			.map((preset) => ({
				label: preset.name,
				description: preset.isTemplate === true ? "" : preset.baseURL,
				detail: preset.hint,
				preset,
			}));
	const group = (label: string): PresetRow => ({ label, kind: vscode.QuickPickItemKind.Separator });
	const other: PresetRow = { label: "Other…", detail: "any OpenAI-compatible endpoint" };
	// The row for other endpoints is where nobody has to look for it.
	const items = [group("Local"), ...rows(true), group("Any"), other, group("Hosted"), ...rows(false)];
	const placeHolder = "Choose what serves the models";
	const picked = await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title, placeHolder });
	return picked === undefined ? undefined : { preset: picked.preset };
}

async function askAddress(preset: EndpointPreset | undefined, proposed: string): Promise<Address | undefined> {
	const text = await vscode.window.showInputBox({
		title,
		prompt:
			preset?.kind === "azure"
				? "The address of your resource, as shown in the portal"
				: `The address of the OpenAI-compatible API.${machineNote(proposed, vscode.env.remoteName)}`.replace(/\.$/, ""),
		value: proposed,
		placeHolder: "https://models.example.com/v1",
		ignoreFocusOut: true,
		validateInput: (typed) => {
			const read = readAddress(typed, preset);
			return "problem" in read ? read.problem : undefined;
		},
	});
	const read = text === undefined ? undefined : readAddress(text, preset);
	return read === undefined || "problem" in read ? undefined : read;
}

async function askModelNames(suggestion = ""): Promise<readonly string[] | undefined> {
	const read = (text: string): readonly string[] => text.split(",").flatMap((name) => name.trim() || []);
	const text = await vscode.window.showInputBox({
		title,
		prompt: "The names of your deployments, separated by commas",
		placeHolder: "gpt-5, gpt-5-mini",
		value: suggestion,
		ignoreFocusOut: true,
		validateInput: (typed) => (read(typed).length === 0 ? "Name at least one deployment." : undefined),
	});
	return text === undefined ? undefined : read(text);
}

/** A preset has its name; for another endpoint the user is asked for one. */
async function chooseName(
	preset: EndpointPreset | undefined,
	address: Address,
	directory: ConfiguredModels,
): Promise<string | undefined> {
	const used = directory.statuses.map(({ endpoint }) => endpoint);
	const suggestion = uniqueName(preset?.name ?? new URL(address.baseURL).hostname, used);
	if (preset !== undefined) return suggestion;
	return vscode.window.showInputBox({
		title,
		prompt: "The name to show",
		value: suggestion,
		ignoreFocusOut: true,
		validateInput: (text) => {
			if (text.trim() === "") return "Enter a name for the endpoint.";
			const isUsed = used.some(({ id }) => id === endpointId(text));
			return isUsed ? "Another endpoint has this name or a name that is too similar." : undefined;
		},
	});
}

async function checkAndSave(added: NewEndpoint, key: string | undefined, adding: Adding): Promise<void> {
	const { endpoint } = added;
	let listed: readonly ListedModel[];
	try {
		listed = await askForModels(endpoint, key, false);
	} catch (error) {
		const reason = failureReason(error);
		// An endpoint whose models are named in the setting need not list them; it only has to answer and accept the key.
		if (endpoint.models === undefined || reason === "refused" || reason === "unreachable") {
			return decideOnFailure(added, key, adding, error);
		}
		listed = [];
	}
	await save(added, key, adding);
	showModels(endpoint, endpoint.models ?? chattingModels(listed).map(({ name }) => name));
}

/** Nothing is saved unless the user says so; closing the notification says no. */
async function decideOnFailure(
	added: NewEndpoint,
	key: string | undefined,
	adding: Adding,
	error: unknown,
): Promise<void> {
	const isRefused = failureReason(error) === "refused";
	const [setKey, again, change, anyway] = ["Set API Key…", "Try Again", "Change Address…", "Save Anyway"] as const;
	const answer = await showWarning(messageOf(error), ...(isRefused ? [setKey] : [again, change]), anyway);
	if (answer === anyway) return save(added, key, adding);
	if (answer === change) return adding.changeAddress();
	if (answer === undefined) return;
	const given = isRefused ? await askForKey(added.endpoint) : key;
	const isGivenUp = isRefused && given === undefined;
	await (isGivenUp ? undefined : checkAndSave(added, given, adding));
}

async function save(
	{ entry, endpoint }: NewEndpoint,
	key: string | undefined,
	{ directory, keys }: Adding,
): Promise<void> {
	if (key !== undefined) await keys.set(endpoint, key);
	await updateModelsSetting([entry]);
	await directory.refresh();
}
