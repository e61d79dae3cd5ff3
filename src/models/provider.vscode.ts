import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import { estimateTokens } from "./tokens.ts";
import { toAbortSignal, fromEditorMessage, fromEditorTools, toKeptPart } from "./convert.vscode.ts";
import { failureReason, ModelFailure, type ModelFailureReason } from "./failure.ts";
import type { ChatModel, ModelDirectory, ModelInfo, ModelRequestOptions } from "./model.ts";
import { noModelInfo, noModelMessage } from "./noModel.ts";
import { countMessageTokens } from "./tokenCount.ts";

/** The models that the provider answers for. */
export interface ProvidedModels {
	/** Our own models. */
	readonly own: ModelDirectory;
	/** Ours and those that others bring into VS Code. */
	readonly all: ModelDirectory;
	/** Whether the endpoints are asked for the first time in this window. */
	readonly isStarting: boolean;
	/** Resolves when the endpoints that are being asked have answered, or have had time enough. */
	settled(): Promise<void>;
	/** The ids of the models that VS Code may show since the last session. */
	readonly kept: readonly string[];
	/** Receives the ids of the models whenever VS Code does; returns the removed ones that it may still show. */
	noteOffer(ids: readonly string[]): readonly string[];
}

/** Answers for our models in VS Code's own picker, in `@mcp` and in every other chat feature. */
export class ModelProvider implements vscode.LanguageModelChatProvider {
	private readonly models: ProvidedModels;
	readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

	constructor(models: ProvidedModels) {
		this.models = models;
		this.onDidChangeLanguageModelChatInformation = models.all.onDidChange;
	}

	/**
	 * Our models; while there is none at all, the placeholder that helps to add one (noModel.ts). VS Code does not call
	 * `@mcp` with a model that it does not find, so those that a chat may still show are offered too.
	 */
	async provideLanguageModelChatInformation(): Promise<vscode.LanguageModelChatInformation[]> {
		const { own, all } = this.models;
		if (own.models.length === 0) {
			const { kept, isStarting } = this.models;
			if (isStarting && kept.length > 0) return kept.map((id) => standIn(id, true));
			await this.models.settled();
		}
		const offered = all.models.length === 0 ? [placeholder] : own.models.map(({ info }) => describe(info));
		const gone = this.models.noteOffer(offered.map(({ id }) => id));
		return [...offered, ...gone.map((id) => standIn(id, false))];
	}

	async provideLanguageModelChatResponse(
		information: vscode.LanguageModelChatInformation,
		messages: readonly vscode.LanguageModelChatRequestMessage[],
		options: vscode.ProvideLanguageModelChatResponseOptions,
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		token: vscode.CancellationToken,
	): Promise<void> {
		if (information.id === noModelInfo.id) throw vscode.LanguageModelError.NotFound(noModelMessage);
		const model = this.models.own.models.find(({ info }) => info.id === information.id);
		if (model === undefined) throw vscode.LanguageModelError.NotFound(goneMessage(information.name));
		try {
			await relay(model, messages, options, progress, toAbortSignal(token));
		} catch (error) {
			throw toEditorError(error);
		}
	}

	provideTokenCount(
		_information: vscode.LanguageModelChatInformation,
		text: string | vscode.LanguageModelChatRequestMessage,
	): Promise<number> {
		return Promise.resolve(
			typeof text === "string" ? estimateTokens(text) : countMessageTokens(fromEditorMessage(text)),
		);
	}
}

const placeholder: vscode.LanguageModelChatInformation = {
	id: noModelInfo.id,
	name: noModelInfo.name,
	family: noModelInfo.id,
	version: "1",
	detail: noModelInfo.detail,
	tooltip: noModelMessage,
	maxInputTokens: 1,
	maxOutputTokens: 1,
	// Without it VS Code leaves the entry out in its agent mode, and with it `@mcp`.
	capabilities: { toolCalling: true, imageInput: false },
};

/**
 * Replaces a model that is not known yet, or was removed. VS Code does not list one without tools in its agent mode.
 */
function standIn(id: string, toolCalling: boolean): vscode.LanguageModelChatInformation {
	const capabilities = { toolCalling, imageInput: false };
	if (id === noModelInfo.id) return { ...placeholder, capabilities };
	const name = id.slice(id.indexOf("/") + 1);
	return { ...placeholder, id, name, family: name, detail: "not available", tooltip: goneMessage(name), capabilities };
}

function goneMessage(name: string): string {
	return `${name} is no longer configured. Choose another model.`;
}

function describe(info: ModelInfo): vscode.LanguageModelChatInformation {
	return {
		id: info.id,
		name: info.name,
		family: info.name,
		version: "1",
		detail: info.provider,
		tooltip: `${info.name} at ${info.provider}, through MCP Host`,
		maxInputTokens: info.maxInputTokens,
		maxOutputTokens: info.maxOutputTokens,
		capabilities: { toolCalling: info.supportsTools, imageInput: info.supportsImages },
	};
}

/** Streams an answer to VS Code. Rejects with the model's error. */
async function relay(
	model: ChatModel,
	messages: readonly vscode.LanguageModelChatRequestMessage[],
	options: vscode.ProvideLanguageModelChatResponseOptions,
	progress: vscode.Progress<vscode.LanguageModelResponsePart>,
	signal: AbortSignal,
): Promise<void> {
	const request: ModelRequestOptions = {
		...readModelOptions(options.modelOptions ?? {}),
		signal,
		// Callers that leave out the parts that they do not know are helped all the same.
		scope: "editor",
		tools: fromEditorTools(options.tools),
		toolChoice: options.toolMode === vscode.LanguageModelChatToolMode.Required ? "required" : "auto",
	};
	let isSilent = true;
	for await (const event of model.respond(messages.map(fromEditorMessage), request)) {
		// The stable API has no part for thoughts.
		if (event.type === "waiting" || event.type === "reasoning") continue;
		if (event.type === "done") {
			if (event.kept !== undefined) progress.report(toKeptPart(event.kept));
			if (isSilent && event.stopReason === "refusal") {
				throw new ModelFailure("blocked", `${model.info.name}, or a filter at its endpoint, refused to answer.`);
			}
			continue;
		}
		isSilent = false;
		if (event.type === "text") progress.report(new vscode.LanguageModelTextPart(event.text));
		else if (event.malformed === undefined) {
			progress.report(new vscode.LanguageModelToolCallPart(event.callId, event.name, event.arguments));
		} else {
			const text = `${model.info.name} called ${event.name} with arguments that are not a JSON object. Ask again.`;
			throw new ModelFailure("other", text);
		}
	}
}

/** The documented kinds of error for callers of a model; all others keep their message. */
const kinds: Partial<Record<ModelFailureReason, (message: string) => vscode.LanguageModelError>> = {
	refused: (message) => vscode.LanguageModelError.NoPermissions(message),
	blocked: (message) => vscode.LanguageModelError.Blocked(message),
	"not-found": (message) => vscode.LanguageModelError.NotFound(message),
};

function toEditorError(error: unknown): unknown {
	if (HostError.is(error, "cancelled")) return new vscode.CancellationError();
	if (!HostError.is(error, "model")) return error;
	return kinds[failureReason(error)]?.(error.message) ?? error;
}

/** The common options of callers; others have no meaning that all endpoints share. */
function readModelOptions(options: Readonly<Record<string, unknown>>): Partial<ModelRequestOptions> {
	const { temperature, max_tokens: maxTokens, stop } = options;
	const stops = typeof stop === "string" ? [stop] : stop;
	return {
		...(typeof temperature === "number" ? { temperature } : {}),
		...(typeof maxTokens === "number" ? { maxTokens } : {}),
		...(Array.isArray(stops) ? { stopSequences: stops.filter((text) => typeof text === "string") } : {}),
	};
}
