import * as vscode from "vscode";
import { HostError, messageOf } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import { isJsonObject, canonicalJson } from "../base/json.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { untilAborted } from "../base/untilAborted.ts";
import { toTokenSource, toEditorMessages, toEditorTools, toKeptData } from "./convert.vscode.ts";
import { ModelFailure, type ModelFailureReason } from "./failure.ts";
import {
	vendor,
	type ChatModel,
	type ModelDirectory,
	type ModelEvent,
	type ModelMessage,
	type ModelRequestOptions,
} from "./model.ts";
import { withinTokens } from "./tokenLimit.ts";

/**
 * The model behind one of VS Code's: our own models directly, because VS Code would lose system messages, reasons and
 * usage; any other, such as one of Copilot, through VS Code. Undefined for a removed one of ours, and for the
 * placeholder while there is no model (noModel.ts).
 */
export function resolveEditorModel(chat: vscode.LanguageModelChat, directory: ModelDirectory): ChatModel | undefined {
	if (chat.vendor !== vendor) return createEditorModel(chat);
	return directory.models.find(({ info }) => info.id === chat.id);
}

/** A model of VS Code. Its first use may ask the user for consent, so it must follow from their action. */
export function createEditorModel(chat: vscode.LanguageModelChat): ChatModel {
	return {
		info: {
			id: `editor/${chat.vendor}/${chat.id}`,
			name: chat.name,
			provider: `Editor (${chat.vendor})`,
			maxInputTokens: chat.maxInputTokens,
			// The stable API reports neither this nor the model's capabilities.
			maxOutputTokens: 4096,
			supportsTools: true,
			supportsImages: true,
		},
		// The provider of the model may not support the option.
		respond: (messages, options) =>
			withinTokens(respond(chat, messages, options), options.maxTokens, (text) => chat.countTokens(text)),
	};
}

async function* respond(
	chat: vscode.LanguageModelChat,
	messages: readonly ModelMessage[],
	options: ModelRequestOptions,
): AsyncGenerator<ModelEvent> {
	const source = toTokenSource(options.signal);
	const keeper = `editor ${chat.vendor} ${chat.id}`;
	const data: vscode.LanguageModelDataPart[] = [];
	let callCount = 0;
	try {
		const response = await chat.sendRequest(toEditorMessages(messages, keeper), requestOptions(options), source.token);
		// VS Code passes a cancellation on only until an answer has begun; from then on we must stop listening.
		for await (const part of untilAborted(response.stream, options.signal)) {
			if (part instanceof vscode.LanguageModelTextPart) yield { type: "text", text: part.value };
			if (part instanceof vscode.LanguageModelDataPart) data.push(part);
			if (!(part instanceof vscode.LanguageModelToolCallPart)) continue;
			callCount++;
			const input: unknown = part.input;
			yield {
				type: "tool-call",
				callId: part.callId,
				name: part.name,
				...(isJsonObject(input) ? { arguments: input } : { arguments: {}, malformed: JSON.stringify(input) }),
			};
		}
	} catch (error) {
		throw toHostError(error, chat, options.signal);
	} finally {
		source.dispose();
	}
	if (options.signal.aborted) throw toHostError(undefined, chat, options.signal);
	const kept = toKeptData(data, keeper);
	const ending = { stopReason: callCount > 0 ? "toolUse" : "endTurn", model: chat.name };
	yield { type: "done", ...ending, ...(kept === undefined ? {} : { kept }) };
}

function requestOptions(options: ModelRequestOptions): vscode.LanguageModelChatRequestOptions {
	const { Auto, Required } = vscode.LanguageModelChatToolMode;
	const tools = options.toolChoice === "none" ? [] : toEditorTools(options.tools ?? []);
	return {
		justification: "MCP Host sends your messages and the tools of your MCP servers to the model that you chose.",
		modelOptions: {
			...(options.maxTokens === undefined ? {} : { max_tokens: options.maxTokens }),
			...(options.temperature === undefined ? {} : { temperature: options.temperature }),
			...(options.stopSequences === undefined ? {} : { stop: options.stopSequences }),
			...(options.metadata === undefined ? {} : { metadata: options.metadata }),
		},
		...(tools.length === 0 ? {} : { tools, toolMode: options.toolChoice === "required" ? Required : Auto }),
	};
}

/** The messages for the codes of `LanguageModelError`, which are the names of its factories. */
const advices: ReadonlyMap<string, readonly [ModelFailureReason, string]> = new Map([
	[
		"NoPermissions",
		[
			"refused",
			"may not be used by MCP Host, because you did not allow it. Send the message again and allow it, or choose another model.",
		],
	],
	[
		"Blocked",
		["blocked", "rejects requests at the moment, for example because a quota is used up. Choose another model."],
	],
	["NotFound", ["not-found", "is no longer available. Choose another model."]],
] as const);

function toHostError(error: unknown, chat: vscode.LanguageModelChat, signal: AbortSignal): HostError {
	if (signal.aborted) return new HostError("cancelled", `The request to ${chat.name} was cancelled.`, { cause: error });
	if (HostError.is(error)) return error;
	const advice = error instanceof vscode.LanguageModelError ? advices.get(error.code) : undefined;
	if (advice !== undefined) return new ModelFailure(advice[0], `${chat.name} ${advice[1]}`, { cause: error });
	return new ModelFailure("other", `${chat.name} (${chat.vendor}) failed: ${messageOf(error)}`, { cause: error });
}

/**
 * Our own models followed by those of other extensions in VS Code, so that either can answer servers' sampling
 * requests. Listing them needs no consent; VS Code asks for it when one is first used.
 */
export class AllModels implements ModelDirectory, Disposable {
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<void>());
	private readonly own: ModelDirectory;
	private readonly log: Log;
	private others: readonly ChatModel[] = [];
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(own: ModelDirectory, log: Log) {
		this.own = own;
		this.log = log;
		this.store.add(own.onDidChange(() => this.changed.fire()));
		this.store.add(vscode.lm.onDidChangeChatModels(() => void this.read()));
	}

	get models(): readonly ChatModel[] {
		return [...this.own.models, ...this.others];
	}

	dispose(): void {
		this.store.dispose();
	}

	private async read(): Promise<void> {
		try {
			const all = await vscode.lm.selectChatModels();
			if (this.store.isDisposed) return;
			const others = all.filter((model) => model.vendor !== vendor).map(createEditorModel);
			const isSame =
				canonicalJson(others.map(({ info }) => info)) === canonicalJson(this.others.map(({ info }) => info));
			this.others = others;
			if (!isSame) this.changed.fire();
		} catch (error) {
			this.log.warn(`VS Code did not list its models: ${messageOf(error)}`);
		}
	}
}
