/** A piece of a message as the preview shows it. Every text of a server has its hidden characters made visible. */
export type PreviewPart =
	| {
			readonly kind: "text";
			/** The messages that are sent: as received, or with the user's changes. */
			readonly text: string;
			readonly original: string;
	  }
	| { readonly kind: "image"; /** A `data:` URL of a raster image. */ readonly source: string; readonly label: string }
	| { readonly kind: "audio"; /** A `data:` URL of a recording. */ readonly source: string; readonly label: string }
	| {
			readonly kind: "attachment";
			readonly label: string;
			readonly text: string | undefined;
			/** Whether it names a resource that the server can be asked for. */
			readonly isOpenable: boolean;
	  }
	| { readonly kind: "note"; readonly text: string };

/** One message of the previewed prompt. */
export interface PreviewMessage {
	readonly role: "user" | "assistant";
	readonly parts: readonly PreviewPart[];
	/** Whether the user took it out: it does not go anywhere then. */
	readonly isRemoved: boolean;
}

/** Everything that the preview shows. */
export interface PromptPreview {
	/** Distinguishes this run of a prompt from the one that replaces it; the view includes it in all its requests. */
	readonly run: string;
	/** The server's configured name. */
	readonly server: string;
	readonly title: string;
	/** The text that is typed in the chat to run it: server and name. */
	readonly id: string;
	readonly description: string | undefined;
	readonly arguments: readonly { readonly name: string; readonly value: string }[];
	/** Whether the prompt takes arguments, so that they can be changed. */
	readonly takesArguments: boolean;
	readonly messages: readonly PreviewMessage[];
	/** Whether the texts contain escapes of hidden characters. */
	readonly hasHidden: boolean;
}

/** A change of the messages. Indices count from 0. */
export type PreviewChange =
	| { readonly kind: "edit"; readonly message: number; readonly part: number; readonly text: string }
	| { readonly kind: "remove" | "restore"; readonly message: number };

/** The user's actions on the messages. Nothing else leaves the preview. */
export type PreviewAction = "chat" | "document" | "insert" | "copy";

/** The extension's functions for the view. All fail with a sentence that can be shown. */
export interface PreviewHostApi {
	ready(): PromptPreview;
	/** Stores a change, so that hiding the panel loses nothing and the actions work on the visible text. */
	change(run: string, change: PreviewChange): void;
	/** Opens the resource that an attachment names, read from its server. */
	open(run: string, message: number, part: number): void;
	/** Asks for the arguments again, with the former values; the preview stays until another replaces it. */
	changeArguments(run: string): void;
	/** Runs the chosen action and returns the outcome in a sentence. */
	choose(run: string, action: PreviewAction): string;
	close(): void;
}

/** The view's functions for the extension. */
export interface PreviewViewApi {
	show(preview: PromptPreview): void;
}
