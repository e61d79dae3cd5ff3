import * as vscode from "vscode";
import { HostError } from "../base/errors.ts";
import { toAbortSignal } from "./cancellation.vscode.ts";
import { fromEditorMessage, fromEditorTools } from "./convert.vscode.ts";
import type { ConfiguredModels } from "./directory.ts";
import type { ChatModel, ModelInfo, ModelRequestOptions } from "./model.ts";

/** Answers for our models in the editor's own picker, in `@mcp` and in every other chat feature. */
export class ModelProvider implements vscode.LanguageModelChatProvider {
	private readonly directory: ConfiguredModels;
	readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

	constructor(directory: ConfiguredModels) {
		this.directory = directory;
		this.onDidChangeLanguageModelChatInformation = directory.onDidChange;
	}

	provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
		return this.directory.models.map(({ info }) => describe(info));
	}

	async provideLanguageModelChatResponse(
		information: vscode.LanguageModelChatInformation,
		messages: readonly vscode.LanguageModelChatRequestMessage[],
		options: vscode.ProvideLanguageModelChatResponseOptions,
		progress: vscode.Progress<vscode.LanguageModelResponsePart>,
		token: vscode.CancellationToken,
	): Promise<void> {
		const model = this.directory.models.find(({ info }) => info.id === information.id);
		if (model === undefined) throw vscode.LanguageModelError.NotFound(`${information.name} is no longer configured.`);
		try {
			await relay(model, messages, options, progress, toAbortSignal(token));
		} catch (error) {
			if (HostError.is(error, "cancelled")) throw new vscode.CancellationError();
			throw error;
		}
	}

	provideTokenCount(
		_information: vscode.LanguageModelChatInformation,
		text: string | vscode.LanguageModelChatRequestMessage,
	): Promise<number> {
		const whole = typeof text === "string" ? text : JSON.stringify(fromEditorMessage(text).content);
		// Endpoints have no common way to count; four characters to a token is the usual estimate.
		return Promise.resolve(Math.ceil(whole.length / 4));
	}
}

function describe(info: ModelInfo): vscode.LanguageModelChatInformation {
	return {
		id: info.id,
		name: info.name,
		family: info.name,
		version: "1",
		detail: info.provider,
		tooltip: vscode.l10n.t("{0} at {1}, through MCP Host", info.name, info.provider),
		maxInputTokens: info.maxInputTokens,
		maxOutputTokens: info.maxOutputTokens,
		capabilities: { toolCalling: info.supportsTools, imageInput: info.supportsImages },
	};
}

/** Streams an answer to the editor. Rejects with what the model rejects with. */
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
		tools: fromEditorTools(options.tools),
		toolChoice: options.toolMode === vscode.LanguageModelChatToolMode.Required ? "required" : "auto",
	};
	for await (const event of model.respond(messages.map(fromEditorMessage), request)) {
		if (event.type === "text") progress.report(new vscode.LanguageModelTextPart(event.text));
		if (event.type !== "tool-call") continue;
		if (event.malformed !== undefined) {
			throw new HostError(
				"model",
				`${model.info.name} called ${event.name} with arguments that are not a JSON object. Ask again.`,
			);
		}
		progress.report(new vscode.LanguageModelToolCallPart(event.callId, event.name, event.arguments));
	}
}

/** The options that callers commonly give; others have no meaning that all endpoints share. */
function readModelOptions(options: Readonly<Record<string, unknown>>): Partial<ModelRequestOptions> {
	const { temperature, max_tokens: maxTokens, stop } = options;
	return {
		...(typeof temperature === "number" ? { temperature } : {}),
		...(typeof maxTokens === "number" ? { maxTokens } : {}),
		...(Array.isArray(stop) ? { stopSequences: stop.filter((text) => typeof text === "string") } : {}),
	};
}
