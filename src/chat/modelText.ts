/**
 * Makes a model's streamed Markdown harmless piece by piece: images would be loaded from wherever the model says, and
 * the address could carry the conversation away (security.md UI-01), so an image becomes a link that the person may
 * click or not. One space does it, which changes no program that holds these two characters. Links to commands are dead
 * in untrusted Markdown anyway.
 */
export class ModelTextFilter {
	/** An exclamation mark whose successor has not arrived. */
	private held = "";

	/** The part of the text that can be shown after this piece. */
	push(piece: string): string {
		const text = this.held + piece;
		this.held = text.endsWith("!") ? "!" : "";
		return withoutImages(text.slice(0, text.length - this.held.length));
	}

	/** What is left when the text ends, or something else comes in between. */
	flush(): string {
		const rest = this.held;
		this.held = "";
		return rest;
	}
}

/** The whole text without images, see ModelTextFilter. */
export function withoutImages(text: string): string {
	return text.replace(/!(?=\[)/g, "! ");
}
