import type { Event } from "../base/event.ts";
import type { Json, JsonObject } from "../base/json.ts";

/** The vendor under which the manifest contributes our models to VS Code. */
export const vendor = "mcphost";

/** A piece of a message to or from a model. `data` is base64. */
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

/** The text for a model of a tool result without any content, which some endpoints refuse. */
export const emptyResult = "(the result is empty)";

/**
 * Data that a model needs back unchanged, and that nobody else reads: signatures of its thoughts, the thoughts
 * themselves, encrypted or not. Shown to no server, written into no log (MDL-02).
 */
export interface KeptFields {
	/** Whose it is (`keeperOf`): no other model is sent it. */
	readonly by: string;
	/** Fields of the message. */
	readonly message: JsonObject;
	/** Fields of its tool calls, of those that have any. */
	readonly calls: readonly { readonly callId: string; readonly fields: JsonObject }[];
}

/** One message of a conversation with a model. Tool results are in messages of the user role. */
export interface ModelMessage {
	readonly role: "system" | "user" | "assistant";
	readonly content: readonly ModelPart[];
	/** For an answer. */
	readonly kept?: KeptFields;
}

/** A tool in the form for models. The name is valid for every provider: `[a-zA-Z0-9_-]{1,64}`. */
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

/** The options of a request to a model beside the messages. Absent fields use the model's defaults. */
export interface ModelRequestOptions {
	readonly signal: AbortSignal;
	/** A user, or a budget, allowed it once: it is repeated only after a refusal that certainly used nothing (SMP-15). */
	readonly isApprovedOnce?: boolean;
	readonly tools?: readonly ModelTool[];
	readonly toolChoice?: "auto" | "required" | "none";
	/** The most tokens that the answer may have. */
	readonly maxTokens?: number;
	readonly temperature?: number;
	readonly stopSequences?: readonly string[];
	readonly metadata?: Json;
	/**
	 * The source of the messages if they cannot include the data of earlier answers: data of an answer within the same
	 * scope is added to it again.
	 */
	readonly scope?: string;
	/** Receives each piece of a tool call that is being written, if the model's endpoint streams it. */
	readonly onCallPart?: (part: CallPart) => void;
}

/** A tool call while a model writes it. The final call is an event: it may differ, or never arrive. */
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

/** The events of a model's answer. Tool calls are complete. `done` is last and arrives exactly once. */
export type ModelEvent =
	/** Nothing was received yet, and the request is repeated after a pause; `reason` is in our words, fit to show. */
	| { readonly type: "waiting"; readonly reason: string; readonly afterMs: number; readonly attempt: number }
	| { readonly type: "text"; readonly text: string }
	/** The model's thoughts, if its endpoint reports them: not part of the answer. */
	| {
			readonly type: "reasoning";
			readonly text: string;
			/** All texts of this answer so far were thoughts as well, and not part of it: their mark followed them. */
			readonly isLate?: true;
	  }
	| {
			readonly type: "tool-call";
			readonly callId: string;
			readonly name: string;
			readonly arguments: JsonObject;
			/** The model's text if it is not a JSON object; `arguments` is then empty and must not be used. */
			readonly malformed?: string;
			/** The problem of it, if known: a sentence of ours for the model. */
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
			/** The data that must accompany this answer when it is sent again. */
			readonly kept?: KeptFields;
	  };

/** A context that a model can have. */
export interface LongerContext {
	readonly tokens: number;
	/** The server that runs the model, and limits its context. */
	readonly by: "ollama" | "lm-studio" | "llama.cpp";
}

/** A model in the form for lists. */
export interface ModelInfo {
	/** Unique within the host, such as `ollama/qwen3:8b` or `demo/scripted`. */
	readonly id: string;
	/** The name shown, such as `qwen3:8b`. */
	readonly name: string;
	/** Its source, such as `Ollama (127.0.0.1:11434)`, `Demo (scripted, not a real model)` or `Editor`. */
	readonly provider: string;
	readonly maxInputTokens: number;
	readonly maxOutputTokens: number;
	readonly supportsTools: boolean;
	readonly supportsImages: boolean;
	/** The maximum context, if its endpoint gives it less unless configured otherwise. */
	readonly longerContext?: LongerContext;
	/** Its endpoint is on this machine or in the user's own network, as far as its address shows. */
	readonly isLocal?: true;
}

/** A language model that answers, with any implementation: an endpoint, VS Code, the demo's script. */
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
