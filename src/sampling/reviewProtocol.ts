/** A part of a message as the review shows it. Texts are edited; everything else is only seen. */
export type PartView =
	| { readonly kind: "text" }
	| {
			readonly kind: "image";
			readonly mimeType: string;
			readonly size: string;
			/** A `data:` URL; absent for a type that is not shown. */
			readonly url?: string;
	  }
	| { readonly kind: "audio"; readonly mimeType: string; readonly size: string }
	| { readonly kind: "note"; readonly label: string; readonly text: string };

/** A message as it arrived. */
export interface MessageView {
	readonly role: "user" | "assistant";
	readonly parts: readonly PartView[];
}

/** What the person may change before the request goes to a model. Texts are in the order of the parts that are texts. */
export interface RequestDraft {
	/** Absent when the request has no system prompt. */
	readonly systemPrompt?: string;
	readonly texts: readonly string[];
	/** The numbers as typed. */
	readonly maxTokens: string;
	/** Empty: left to the model. */
	readonly temperature: string;
	/** JSON strings with commas between them, because stop sequences are often line breaks. */
	readonly stopSequences: string;
	/** The id of the chosen model; empty when there is none. */
	readonly modelId: string;
}

/** A model to choose. */
export interface ModelOption {
	readonly id: string;
	/** Name and provider, such as `qwen3:8b · Ollama`. */
	readonly label: string;
}

/** Where a review stands. */
export type ReviewStep =
	| { readonly kind: "request" }
	| { readonly kind: "generating"; readonly text: string; readonly model: string }
	| {
			readonly kind: "completion";
			/** What the model wrote. */
			readonly original: string;
			/** What the person has made of it so far. */
			readonly text: string;
			readonly model: string;
			/** Why the model stopped, for people. */
			readonly note: string;
			/** The text with its invisible characters as escapes, when it has any. */
			readonly escaped?: string;
			/** Counts the completions of this review, so that the view can tell a new one from its own edits. */
			readonly attempt: number;
	  }
	| { readonly kind: "done"; readonly end: string };

/** What changes while a review is open. */
export interface ReviewState {
	readonly step: ReviewStep;
	/** Why the request was not sent, or how the model failed, the last time. */
	readonly problem?: string;
	readonly models: readonly ModelOption[];
	/** The model that the host chose, and why. */
	readonly chosen?: { readonly id: string; readonly reason: string };
}

/** Everything that the view shows, whenever it is loaded. */
export interface ReviewDocument {
	/** The question in our words, with the server's configured name. */
	readonly heading: string;
	readonly server: string;
	readonly during?: string;
	readonly messages: readonly MessageView[];
	/** The request as the server sent it, for telling what was edited. */
	readonly original: RequestDraft;
	readonly draft: RequestDraft;
	/** The most tokens that may be asked for. */
	readonly maxTokens: number;
	/** What the person should know, in our words. */
	readonly notices: readonly string[];
	/** Texts with their invisible characters as escapes, by their place: `system` or the index of the text. */
	readonly escaped: Readonly<Record<string, string>>;
	readonly state: ReviewState;
}

/** What the view may ask of the host. */
export interface ReviewHostApi {
	ready: () => ReviewDocument;
	/** Keeps the edited request, so that hiding the panel loses nothing. */
	edit: (draft: RequestDraft) => void;
	/** Sends exactly this to the model: at first, again after a failure, or for another completion. */
	approve: (draft: RequestDraft) => void;
	/** Ends the model's answer here and keeps what has come. */
	stop: () => void;
	/** Keeps the edited completion. */
	editCompletion: (text: string) => void;
	/** Returns exactly this text to the server. */
	returnToServer: (text: string) => void;
	reject: () => void;
	manageModels: () => void;
}

/** What the host tells the view. */
export interface ReviewViewApi {
	show: (state: ReviewState) => void;
}
