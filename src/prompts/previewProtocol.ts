/** A piece of a message as the preview shows it. Every text is the server's, its hidden characters made visible. */
export type PreviewPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "image"; /** A `data:` URL of a raster image. */ readonly source: string; readonly label: string }
	| { readonly kind: "attachment"; readonly label: string; readonly text: string | undefined }
	| { readonly kind: "note"; readonly text: string };

/** One message of the previewed prompt. */
export interface PreviewMessage {
	readonly role: "user" | "assistant";
	readonly parts: readonly PreviewPart[];
}

/** Everything that the preview shows. */
export interface PromptPreview {
	/** The server's configured name. */
	readonly server: string;
	readonly title: string;
	/** What is typed in the chat to run it: server and name. */
	readonly id: string;
	readonly description: string | undefined;
	readonly arguments: readonly { readonly name: string; readonly value: string }[];
	readonly messages: readonly PreviewMessage[];
	/** Whether escapes of hidden characters stand in the texts. */
	readonly hasHidden: boolean;
}

/** What the person may do with the messages. Nothing else leaves the preview. */
export type PreviewAction = "chat" | "document" | "insert" | "copy";

/** What the extension offers the view. */
export interface PreviewHostApi {
	ready(): PromptPreview;
	/** Does what was chosen and tells the outcome in a sentence. Fails with a sentence that can be shown. */
	choose(action: PreviewAction): string;
	close(): void;
}

/** What the view offers the extension. */
export interface PreviewViewApi {
	show(preview: PromptPreview): void;
}
