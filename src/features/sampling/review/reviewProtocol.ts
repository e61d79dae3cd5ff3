import type { RedactionMark } from "../redaction/redaction.ts";

/** The place of a part of a request or a completion, such as `system`, `message.0.part.1`, `maxTokens`, `tools`. */
export type ReviewPlace = string;

/** A text that the user may change, at any place. */
export interface ReviewField {
	readonly place: ReviewPlace;
	/** `line` is a single line; `json` must parse; `choice` is one of `choices`. */
	readonly kind: "text" | "json" | "line" | "choice";
	readonly label: string;
	/** The text as the server, or the model, sent it, with redacted parts as marks. */
	readonly original: string;
	/** The permitted values, in our words. */
	readonly hint?: string;
	readonly choices?: readonly string[];
	/** The original with its invisible characters as escapes, when it has any. */
	readonly escaped?: string;
}

/** A part of a message. Texts, arguments and results are edited; images and sounds can only be taken out. */
export type PartView =
	| { readonly kind: "field"; readonly field: ReviewField }
	| {
			readonly kind: "image" | "audio";
			readonly place: ReviewPlace;
			readonly mimeType: string;
			readonly size: string;
			/** A `data:` URL; absent for a type that is not shown or played. */
			readonly url?: string;
			/** Why no model can receive it, and what to do. */
			readonly problem?: string;
	  };

/** A message as it arrived. */
export interface MessageView {
	readonly place: ReviewPlace;
	readonly role: "user" | "assistant";
	readonly parts: readonly PartView[];
}

/** Which context of servers goes along: none unless the user ticks it (SMP-04). */
export type ContextChoice = "none" | "thisServer" | "allServers";

/** The user's draft of the request: the differences from its received form. */
export interface RequestDraft {
	/**
	 * Which version of the texts it is for: a draft of texts that were replaced since (a secret shown, a context chosen)
	 * is kept but not sent, because sent texts must have been shown.
	 */
	readonly revision: number;
	/** The texts that were changed, by place. */
	readonly changes: Readonly<Record<ReviewPlace, string>>;
	/** The places of messages and parts that were taken out. */
	readonly removed: readonly ReviewPlace[];
	/** The id of the model that the view shows as chosen; empty when there is none. */
	readonly modelId: string;
	/** The user chose the model in the list. Until then the host's choice, `ReviewState.chosen`, is shown and follows. */
	readonly isModelByHand: boolean;
	readonly context: ContextChoice;
	/** Whether the metadata is sent to the provider. */
	readonly sendsMetadata: boolean;
}

/** The user's draft of a completion: the differences from the model's text. */
export interface CompletionDraft {
	/** Which completion it is about: see {@link CompletionView}. */
	readonly attempt: number;
	readonly changes: Readonly<Record<ReviewPlace, string>>;
	/** The places of tool calls that were taken out. */
	readonly removed: readonly ReviewPlace[];
}

/** A completion under review. */
export interface CompletionView {
	/** Counts the completions of this review from 1. */
	readonly attempt: number;
	/** The model's name, or undefined for an answer by hand. */
	readonly model: string | undefined;
	/** Its text, at the place `text`, and the tool calls, at `call.N`. */
	readonly fields: readonly ReviewField[];
	readonly draft: CompletionDraft;
	/** The model's thoughts, for the user alone: nothing of them is returned. Absent if it reported none. */
	readonly thoughts?: string;
	/** Why the model stopped, for users. */
	readonly note: string;
	/** Its cost, in our words, such as `312 tokens in, 85 out · $0.0012 · 2.1 s`. */
	readonly used?: string;
}

/** The step of a review. */
export type ReviewStep =
	| { readonly kind: "request" }
	| { readonly kind: "generating"; readonly text: string; readonly model: string; readonly note?: string }
	| { readonly kind: "completion"; readonly completion: CompletionView }
	/** With the completion that was under review last, so that it can still be read. */
	| { readonly kind: "done"; readonly end: string; readonly completion?: CompletionView };

/** A model to choose. */
export interface ModelOption {
	readonly id: string;
	/** Name and provider, such as `qwen3:8b · Ollama`. */
	readonly label: string;
	/** Why it cannot be chosen for this request, in our words: `not allowed for this server`. */
	readonly unusable?: string;
}

/** A secret that was found in the request: this text replaces it until the user reveals it. */
export interface RedactionView extends RedactionMark {
	/** The user has taken it off: the texts hold the secret itself. */
	readonly isShown: boolean;
}

/** The state that changes while a review is open. */
export interface ReviewState {
	readonly step: ReviewStep;
	/** Why the request was not sent, or how the model failed, the last time; and the field that it is about. */
	readonly problem?: { readonly text: string; readonly place?: ReviewPlace };
	readonly models: readonly ModelOption[];
	/** The model that the host chose, and why. */
	readonly chosen?: { readonly id: string; readonly reason: string };
	/** The maximum cost of sending it, in our words, such as `About 310 tokens in, 400 out at most · $0.002`. */
	readonly estimate: string;
	/** The state of the budgets, a line each: `weather today: 47,860 of 50,000 tokens left`. */
	readonly budget: readonly string[];
	/** The completions there are, for going back to an earlier one. */
	readonly attempts: readonly { readonly attempt: number; readonly label: string }[];
	/** How many other requests of this server wait. */
	readonly alsoWaiting: number;
}

/** Everything that the view shows, whenever it is loaded. */
export interface ReviewDocument {
	/** The question in our words, with the server's configured name. */
	readonly heading: string;
	readonly server: string;
	readonly during?: string;
	readonly system: ReviewField;
	readonly messages: readonly MessageView[];
	/** Max tokens, temperature, stop sequences. */
	readonly parameters: readonly ReviewField[];
	/** Tools and tool choice; empty when the server sent none. */
	readonly tools: readonly ReviewField[];
	/** Hints and priorities: the server's preferences for the model. */
	readonly preferences: readonly ReviewField[];
	/** Absent when the server sent none. */
	readonly metadata?: ReviewField;
	/** The server's requested context, and the text that would be sent, once the user has selected a choice. */
	readonly context: { readonly asked: ContextChoice; readonly field?: ReviewField };
	readonly redactions: readonly RedactionView[];
	readonly draft: RequestDraft;
	/** Notes for the user, in our words. */
	readonly notices: readonly string[];
	/** Which rule let the completion go back unseen, in our words; absent when both stages are reviewed. */
	readonly rule?: string;
	readonly state: ReviewState;
}

/** The requests of the view to the host. */
export interface ReviewHostApi {
	ready: () => ReviewDocument;
	/** Keeps the edited request, so that hiding the panel loses nothing. */
	edit: (draft: RequestDraft) => void;
	/** Sends exactly this to the model: at first, again after a failure, or for another completion. */
	approve: (draft: RequestDraft) => void;
	/** Ends the model's answer here and keeps the received part. */
	stop: () => void;
	/** Lets the user write the completion: an empty one is reviewed. */
	answerByHand: () => void;
	/** Brings an earlier completion back under review. */
	showAttempt: (attempt: number) => void;
	/** Keeps the edited completion. */
	editCompletion: (draft: CompletionDraft) => void;
	/** Returns exactly this to the server. */
	returnToServer: (draft: CompletionDraft) => void;
	/** Refuses at either stage; the reason, if any, is sent to the server. */
	reject: (reason: string) => void;
	/** Reveals a secret in its places, or hides it again; the document is reloaded. */
	showRedacted: (id: string, isShown: boolean) => void;
	/** Rejects every request of this server that waits, this one too. */
	denyAll: () => void;
	/** Opens the rules of this server. */
	openRules: () => void;
	/** Opens the record of this request. */
	openLog: () => void;
	manageModels: () => void;
}

/** The messages of the host to the view. */
export interface ReviewViewApi {
	show: (state: ReviewState) => void;
	/** The texts themselves have changed: a secret was shown or hidden, a context chosen. */
	load: (document: ReviewDocument) => void;
}
