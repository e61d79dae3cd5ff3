import type { Event } from "../base/event.ts";
import type { Json, JsonObject } from "../base/json.ts";

/** The vendor under which the manifest contributes our models to the editor. */
export const vendor = "mcphost";

/** A piece of what is said to a model or by it. `data` is base64. */
export type ModelPart =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "image"; readonly data: string; readonly mimeType: string }
	| { readonly type: "audio"; readonly data: string; readonly mimeType: string }
	| { readonly type: "tool-call"; readonly callId: string; readonly name: string; readonly arguments: JsonObject }
	| {
			readonly type: "tool-result";
			readonly callId: string;
			readonly content: readonly ModelPart[];
			readonly isError: boolean;
	  };

/** What a model reads of a tool result without any content, which some endpoints refuse. */
export const emptyResult = "(the result is empty)";

/**
 * What a model wants back exactly as it came, and nobody else reads: signatures of its thoughts, the thoughts themselves,
 * encrypted or not. Shown to no server, written into no log (MDL-02).
 */
export interface KeptFields {
	/** Whose it is (`keeperOf`): no other model is sent it. */
	readonly by: string;
	/** Fields of the message. */
	readonly message: JsonObject;
	/** Fields of its tool calls, of those that have any. */
	readonly calls: readonly { readonly callId: string; readonly fields: JsonObject }[];
}

/** One message of a conversation with a model. Tool results are said by the user's side. */
export interface ModelMessage {
	readonly role: "system" | "user" | "assistant";
	readonly content: readonly ModelPart[];
	/** Of an answer. */
	readonly kept?: KeptFields;
}

/** A tool as a model is told of it. The name is legal for every provider: `[a-zA-Z0-9_-]{1,64}`. */
export interface ModelTool {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
}

/** Tokens of a request and its answer. */
export interface TokenUse {
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** How many of the input the provider had in its cache, where it says so. */
	readonly cachedTokens?: number;
}

/** What a request asks of a model beside the messages. Absent fields are left to the model's defaults. */
export interface ModelRequestOptions {
	readonly signal: AbortSignal;
	/** A user, or a budget, let it go once: it is repeated only after a refusal that surely used nothing (SMP-15). */
	readonly isApprovedOnce?: boolean;
	readonly tools?: readonly ModelTool[];
	readonly toolChoice?: "auto" | "required" | "none";
	/** The most tokens that the answer may have. */
	readonly maxTokens?: number;
	readonly temperature?: number;
	readonly stopSequences?: readonly string[];
	readonly metadata?: Json;
	/**
	 * Where the messages come from when they cannot bring what was kept of earlier answers: what was kept of one that was
	 * given within the same scope is added to it again.
	 */
	readonly scope?: string;
	/** Told of each piece of a tool call that is being written, where the model's endpoint streams it. */
	readonly onCallPart?: (part: CallPart) => void;
}

/** A tool call while a model writes it. What comes of it is an event: it may be another one, or never come. */
export interface CallPart {
	readonly callId: string;
	readonly name: string;
	/** All that is written of its arguments. */
	readonly text: string;
}

/**
 * Why a model stopped; `toolUse` when it waits for tool results, `writtenCall` when it wrote a tool call as text, which is
 * not made.
 */
export type ModelStopReason =
	| "endTurn"
	| "stopSequence"
	| "maxTokens"
	| "toolUse"
	| "refusal"
	| "writtenCall"
	| (string & {});

/** What comes from a model while it answers. Tool calls come whole. `done` comes last and exactly once. */
export type ModelEvent =
	/** Nothing was said yet, and it is asked once more after a pause; `reason` is in words of ours, fit to show. */
	| { readonly type: "waiting"; readonly reason: string; readonly afterMs: number; readonly attempt: number }
	| { readonly type: "text"; readonly text: string }
	/** What the model thinks, where its endpoint tells: no part of the answer. */
	| {
			readonly type: "reasoning";
			readonly text: string;
			/** All texts of this answer so far were thoughts as well, and are no part of it: their mark came after them. */
			readonly isLate?: true;
	  }
	| {
			readonly type: "tool-call";
			readonly callId: string;
			readonly name: string;
			readonly arguments: JsonObject;
			/** What the model wrote when that is not a JSON object; `arguments` is then empty and must not be used. */
			readonly malformed?: string;
			/** What is wrong with it, where that is known: a sentence of ours for the model. */
			readonly problem?: string;
	  }
	| {
			readonly type: "done";
			readonly stopReason: ModelStopReason;
			/** The name of the model that answered, as the endpoint reports it. */
			readonly model: string;
			readonly usage?: TokenUse;
			/** Parameters that the model does not take, by the names in the request to it: it was asked without them. */
			readonly without?: readonly string[];
			/** What has to go with this answer when it is said again. */
			readonly kept?: KeptFields;
	  };

/** A context that a model can have. */
export interface LongerContext {
	readonly tokens: number;
	/** What runs the model, and gives it less. */
	readonly by: "ollama" | "lm-studio" | "llama.cpp";
}

/** A model as people see it in a list. */
export interface ModelInfo {
	/** Unique within the host, such as `ollama/qwen3:8b` or `demo/scripted`. */
	readonly id: string;
	/** The name shown, such as `qwen3:8b`. */
	readonly name: string;
	/** Where it comes from, such as `Ollama (127.0.0.1:11434)`, `Demo (scripted, not a real model)` or `Editor`. */
	readonly provider: string;
	readonly maxInputTokens: number;
	readonly maxOutputTokens: number;
	readonly supportsTools: boolean;
	readonly supportsImages: boolean;
	/** The context that it can have, where its endpoint gives it less unless it is told to give more. */
	readonly longerContext?: LongerContext;
	/** Its endpoint is on this machine or in one's own network, as far as its address tells. */
	readonly isLocal?: true;
}

/** A language model that answers, whatever stands behind it: an endpoint, the editor, the demo's script. */
export interface ChatModel {
	readonly info: ModelInfo;
	/** Answers the messages. The iteration rejects with a HostError `model` (endpoint, key, answer) or `cancelled`. */
	respond(messages: readonly ModelMessage[], options: ModelRequestOptions): AsyncIterable<ModelEvent>;
}

/** The models that can answer now. */
export interface ModelDirectory {
	readonly models: readonly ChatModel[];
	readonly onDidChange: Event<void>;
}
