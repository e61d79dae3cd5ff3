import * as vscode from "vscode";
import type { Deciding } from "../../features/tools/deciding.ts";
import { type Commands, guarded } from "../../base/commands.ts";
import { exchangeIn, messageOf } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { showFailure, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { ToolRun } from "../runner/toolRun.ts";
import type { McpHost } from "../../servers/host.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { ToolEntry } from "../../permissions/catalog/catalog.ts";
import { CallFiles } from "./callFiles.vscode.ts";
import { CallTests } from "./callTests.vscode.ts";
import { callsFile, type NamedCall, targetWords } from "./namedCall.ts";
import { saveCall } from "./saveCall.vscode.ts";
import { RpcEndpoint } from "../../base/rpc.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import { CallReview, type CallReviewServices } from "./callReview.ts";
import type { CallReviewHostApi } from "./callReviewProtocol.ts";
import type { CallRunServices } from "./callRun.ts";
import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import type { InputDefinition, ServerDefinition } from "../../servers/definitions/config.ts";
import { prefilled } from "../../servers/definitions/inputValues.ts";

/** The dependencies of named calls on the window and the rest of the host. */
export interface NamedCallsServices extends Required<Omit<Deciding, "directory">> {
	readonly host: McpHost;
	/** Allows a call with exactly these arguments from now on, in this workspace. */
	readonly grantArguments: (entry: ToolEntry, args: JsonObject) => Promise<void>;
	readonly extensionUri: vscode.Uri;
	readonly log: Log;
}

/** The functions of named calls for the rest of the host. */
export interface WiredNamedCalls extends Disposable {
	readonly commands: Commands<"mcpHost.runNamedCall" | "mcpHost.showNamedCallInTrace">;
	/** Saves a run as a named call; see `saveCall`. */
	readonly save: (run: ToolRun) => Promise<string>;
}

/** Makes the named calls of the workspace: in the Test Explorer, from the palette, and saved from runs. */
export function wireNamedCalls(services: NamedCallsServices): WiredNamedCalls {
	const { host, policy, refreshRules, grantArguments, pins, notes, extensionUri, log } = services;
	const { registry: directory, secretsInUse } = host;
	const store = new DisposableStore();
	const files = store.add(new CallFiles(log));
	const updateContext = (): void => {
		const hasCalls = files.all.some(({ file }) => file.calls.length > 0);
		void vscode.commands.executeCommand("setContext", "mcpHost.hasNamedCalls", hasCalls);
	};
	store.add(files.onDidChange(updateContext));
	const inputs = new CallInputs(secretsInUse);
	const tests = store.add(
		new CallTests(
			files,
			{
				isTrusted: () => vscode.workspace.isTrusted,
				directory,
				policy,
				refreshRules,
				pins,
				notes,
				start: (id) => host.start(id),
				inputValue: (input, place, { definition }) => inputs.get(input, place, definition),
				redactor: secretsInUse,
				consent: askAboutCalls(extensionUri, {
					pins,
					redact: secretsInUse.redact,
					grant: ({ entry, arguments: args }) => grantArguments(entry, args),
				}),
			},
			() => inputs.clear(),
		),
	);
	return {
		commands: guarded(
			{
				"mcpHost.runNamedCall": async (argument) => {
					await files.refresh();
					const call = readCallRequest(argument) ?? (await pickCall(files, isAbout(argument, directory)));
					return call === undefined ? undefined : tests.run(call.place, call.name);
				},
				"mcpHost.showNamedCallInTrace": async (argument) => {
					const exchange = tests.exchangeOf(argument);
					if (exchange === undefined) {
						void showInformation(
							"There is no exchange to show: the last run of this call sent nothing, or did not fail.",
						);
					} else await vscode.commands.executeCommand("mcpHost.showInTrace", exchange);
				},
			},
			(error) => void showFailure(messageOf(error), exchangeIn(error)),
		),
		save: (run) => saveCall(run, files),
		dispose: () => store.dispose(),
	};
}

/** A call by its file and its name. */
interface CallRequest {
	readonly place: string;
	readonly name: string;
}

/** The request of the command: `{place, name}` from a key binding or a row of the tree. */
function readCallRequest(value: unknown): CallRequest | undefined {
	const { place, name } = isJsonObject(value) ? value : {};
	return typeof place === "string" && typeof name === "string" ? { place, name } : undefined;
}

/** Which calls are about a row of the tree; all of them without one. */
function isAbout(row: unknown, directory: SessionDirectory): (call: NamedCall) => boolean {
	const { kind, server, tool, prompt, uri } = isJsonObject(row) ? row : {};
	const session = typeof server === "string" ? directory.get(server) : undefined;
	if (session === undefined) return () => true;
	const { names } = namesOf(session.definition);
	const wanted = isJsonObject(tool) ? tool["name"] : (prompt ?? uri);
	return ({ server: named, target }) => {
		const asked = target.kind === "resource" ? target.uri : target.name;
		return names.includes(named) && (wanted === undefined || (target.kind === kind && asked === wanted));
	};
}

async function pickCall({ all }: CallFiles, isShown: (call: NamedCall) => boolean): Promise<CallRequest | undefined> {
	const rows = all.flatMap(({ place, file }) => {
		const shown = file.calls.filter(isShown);
		if (shown.length === 0) return [];
		return [
			{ label: withoutIcons(oneLine(place, 100)), kind: vscode.QuickPickItemKind.Separator },
			...shown.map(({ name, server, target }) => ({
				label: withoutIcons(oneLine(name, 100)),
				description: withoutIcons(oneLine(`${server} · ${targetWords(target)}`, 120)),
				request: { place, name },
			})),
		];
	});
	if (rows.length === 0 && all.some(({ file }) => file.calls.length > 0)) {
		void showInformation(
			"No named call uses this. Choose “Save as Named Call…” in the panel of a tool run to create one.",
		);
		return undefined;
	}
	if (rows.length === 0) {
		void showInformation(
			`There is no file of named calls in this workspace. Choose “Save as Named Call…” in the panel of a tool run to create one, in ${callsFile} by default.`,
		);
		return undefined;
	}
	const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly request?: CallRequest }>(rows, {
		ignoreFocusOut: true,
		title: "Run Named Call",
		placeHolder: "Search by name, server or tool",
		matchOnDescription: true,
	});
	return picked?.request;
}

/**
 * Asks about calls in a panel, which opens with the focus: the user has just asked for the run. Closing it, or stopping the
 * run, allows nothing.
 */
export function askAboutCalls(extensionUri: vscode.Uri, services: CallReviewServices): CallRunServices["consent"] {
	return async (calls, signal) => {
		const review = new CallReview(calls, services);
		const panel: Panel = openPanel({
			extensionUri,
			view: "callReview",
			style: "callReview.css",
			title: calls.length === 1 ? "Run 1 Call?" : `Run ${calls.length} Calls?`,
		});
		const view = new RpcEndpoint<object, CallReviewHostApi>(panel.port, {
			ready: () => review.state,
			answer: (answer) => void review.answer(answer),
		});
		const stop = (): void => void review.answer("none");
		panel.onDidClose(stop);
		signal.addEventListener("abort", stop, { once: true });
		try {
			return await review.settled;
		} finally {
			signal.removeEventListener("abort", stop);
			view.dispose();
			panel.dispose();
		}
	};
}

/** The values of inputs that the user gave for named calls. They end with the window. */
export class CallInputs {
	private readonly values = new Map<string, string>();
	private readonly secrets: SecretsInUse;

	constructor(secrets: SecretsInUse) {
		this.secrets = secrets;
	}

	/** The value of an input of a file for a server, which is asked for once; undefined when the user gives none. */
	async get(input: InputDefinition, place: string, server: ServerDefinition): Promise<string | undefined> {
		const { id, isPassword, description } = input;
		const key = JSON.stringify([place, id, server.id, server.hash]);
		const known = this.values.get(key);
		if (known !== undefined) return known;
		const value = await ask(input, place, server.name);
		if (value === undefined) return undefined;
		if (isPassword) await this.secrets.add([{ value, name: oneLine(id, 40), label: oneLine(description) }]);
		this.values.set(key, value);
		return value;
	}

	/** Forgets all values, so that they are asked for again. */
	clear(): void {
		this.values.clear();
	}
}

async function ask(input: InputDefinition, place: string, server: string): Promise<string | undefined> {
	const title = `${oneLine(place, 60)} needs, for ${oneLine(server, 60)}: ${oneLine(input.description)}`;
	if (input.options !== undefined) {
		return vscode.window.showQuickPick([...input.options], { title, ignoreFocusOut: true });
	}
	const value = prefilled(input);
	return vscode.window.showInputBox({
		title,
		prompt: `Sent to ${oneLine(server, 60)} as the file says, and kept until this window closes.`,
		password: input.isPassword,
		ignoreFocusOut: true,
		...(value === undefined ? {} : { value }),
	});
}
