import * as vscode from "vscode";
import { isJsonObject, parseJson } from "../base/json.ts";
import { readKept, toKept } from "./kept/keptFields.ts";
import type { KeptFields, ModelMessage, ModelPart, ModelTool } from "./model.ts";

/**
 * Opaque data that our models need back with an answer, as a part of it: callers who repeat all parts of an answer
 * return it.
 */
const keptType = "application/vnd.mcp-host.kept+json";

/** The stored data of an answer of ours, as a part of VS Code's. */
export function toKeptPart(kept: KeptFields): vscode.LanguageModelDataPart {
	return vscode.LanguageModelDataPart.json(kept, keptType);
}

/** The messages from VS Code, or from an extension that uses our models through it, for a model. */
export function fromEditorMessage(message: vscode.LanguageModelChatRequestMessage): ModelMessage {
	const isAnswer = message.role === vscode.LanguageModelChatMessageRole.Assistant;
	const kept = isAnswer ? message.content.map(readKeptPart).find((found) => found !== undefined) : undefined;
	return {
		role: isAnswer ? "assistant" : "user",
		content: message.content.flatMap(fromEditorPart),
		...(kept === undefined ? {} : { kept }),
	};
}

function readKeptPart(part: unknown): KeptFields | undefined {
	if (!(part instanceof vscode.LanguageModelDataPart) || part.mimeType !== keptType) return undefined;
	return readKept(parseJson(Buffer.from(part.data).toString("utf8")));
}

/** The tools of a request from VS Code. */
export function fromEditorTools(tools: readonly vscode.LanguageModelChatTool[] | undefined): readonly ModelTool[] {
	return (tools ?? []).map(({ name, description, inputSchema }) => ({
		name,
		description,
		inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: "object", properties: {} },
	}));
}

/**
 * Our messages for a model of VS Code, with the parts that `keeper` returned with its answers. The stable API has no
 * system role: our system messages have the user role.
 */
export function toEditorMessages(messages: readonly ModelMessage[], keeper: string): vscode.LanguageModelChatMessage[] {
	const { User, Assistant } = vscode.LanguageModelChatMessageRole;
	return messages.map(({ role, content, kept }) => {
		const parts = [...content.map(toEditorPart), ...(kept?.by === keeper ? fromKeptData(kept) : [])];
		return new vscode.LanguageModelChatMessage(role === "assistant" ? Assistant : User, parts);
	});
}

/**
 * Parts of an answer that are data for the model's own use, such as its state: they are sent back with it unchanged.
 */
export function toKeptData(parts: readonly vscode.LanguageModelDataPart[], by: string): KeptFields | undefined {
	const kept = parts.map(({ data, mimeType }) => ({ mimeType, data: Buffer.from(data).toString("base64") }));
	return toKept(by, kept.length === 0 ? {} : { parts: kept }, []);
}

function fromKeptData({ message: { parts } }: KeptFields): vscode.LanguageModelDataPart[] {
	if (!Array.isArray(parts)) return [];
	return (parts as readonly unknown[]).flatMap((part) => {
		if (!isJsonObject(part)) return [];
		const { data, mimeType } = part;
		if (typeof data !== "string" || typeof mimeType !== "string") return [];
		return [new vscode.LanguageModelDataPart(Buffer.from(data, "base64"), mimeType)];
	});
}

/** Our tools for a model of VS Code. */
export function toEditorTools(tools: readonly ModelTool[]): vscode.LanguageModelChatTool[] {
	return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

function fromEditorPart(part: unknown): ModelPart[] {
	if (part instanceof vscode.LanguageModelTextPart) return [{ type: "text", text: part.value }];
	if (part instanceof vscode.LanguageModelToolCallPart) {
		const input: unknown = part.input;
		return [{ type: "tool-call", callId: part.callId, name: part.name, arguments: isJsonObject(input) ? input : {} }];
	}
	if (part instanceof vscode.LanguageModelToolResultPart) {
		const content = part.content.flatMap(fromEditorPart);
		return [{ type: "tool-result", callId: part.callId, content, isError: false }];
	}
	if (part instanceof vscode.LanguageModelDataPart) return fromData(part);
	// Parts of later API versions (and VS Code's own marks, such as for caching) contain nothing that we could send.
	return [];
}

function fromData({ data, mimeType }: vscode.LanguageModelDataPart): ModelPart[] {
	if (mimeType === keptType) return [];
	if (mimeType.startsWith("image/")) return [{ type: "image", data: Buffer.from(data).toString("base64"), mimeType }];
	if (mimeType.startsWith("audio/")) return [{ type: "audio", data: Buffer.from(data).toString("base64"), mimeType }];
	const isText = mimeType.startsWith("text/") || /[/+]json$/.test(mimeType);
	return isText ? [{ type: "text", text: Buffer.from(data).toString("utf8") }] : [];
}

function toEditorPart(part: ModelPart): vscode.LanguageModelInputPart {
	switch (part.type) {
		case "text":
			return new vscode.LanguageModelTextPart(part.text);
		case "image":
		case "audio":
			return new vscode.LanguageModelDataPart(Buffer.from(part.data, "base64"), part.mimeType);
		case "tool-call":
			return new vscode.LanguageModelToolCallPart(part.callId, part.name, part.arguments);
		case "tool-result": {
			// VS Code's part cannot mark a result as an error.
			const note = part.isError ? [new vscode.LanguageModelTextPart("Error:")] : [];
			return new vscode.LanguageModelToolResultPart(part.callId, [...note, ...part.content.map(toEditorPart)]);
		}
	}
}

/** VS Code's cancellation as a signal. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
	const controller = new AbortController();
	if (token.isCancellationRequested) controller.abort();
	// VS Code drops the listeners of a token together with its request.
	else token.onCancellationRequested(() => controller.abort());
	return controller.signal;
}

/** A signal as VS Code's cancellation; dispose the source when the request has ended. */
export function toTokenSource(signal: AbortSignal): vscode.CancellationTokenSource {
	const source = new vscode.CancellationTokenSource();
	if (signal.aborted) source.cancel();
	else signal.addEventListener("abort", () => source.cancel(), { once: true });
	return source;
}
