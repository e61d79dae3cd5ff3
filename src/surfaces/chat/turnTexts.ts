import { Emitter, type Event } from "../../base/event.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import type { ChatPart } from "./parts.ts";

/** How much is kept of one text, in characters, and of how many texts: links in the chat lead to the latest ones. */
const longestText = 1_000_000;
const mostTexts = 60;

/** The text of an editor whose text is no longer kept. */
const gone = "This text is no longer kept.";

/** A growing text. */
export interface TurnText {
	/** The id in links. Opaque. */
	readonly id: string;
	append(piece: string): void;
}

/** A link to a text by its id, in our words. */
export interface TurnTextLink {
	readonly label: string;
	readonly detail: string;
	readonly hint: string;
}

/** A row of links to texts of a turn. */
export function turnTextLinks(...links: readonly TurnTextLink[]): ChatPart {
	return {
		kind: "links",
		id: "turn",
		links: links.map(({ label, detail, hint }) => ({ label, detail, hint, action: "turn-text" })),
	};
}

/**
 * Texts of turns that the chat shows folded, behind a link: a model's thoughts, and the usage of a turn. Kept in memory
 * only, the latest ones; an open text grows.
 */
export class TurnTexts {
	private readonly texts = new Map<string, { readonly title: string; text: string }>();
	private readonly changed = new Emitter<string>();
	/** Fired with the id of a text that went on. */
	readonly onDidChange: Event<string> = this.changed.event;

	/** Begins a text. `title` is that of its editor. */
	begin(title: string): TurnText {
		const id = crypto.randomUUID();
		const kept = { title: oneLine(title, 60), text: "" };
		this.texts.set(id, kept);
		const [oldest] = this.texts.keys();
		if (this.texts.size > mostTexts && oldest !== undefined) this.texts.delete(oldest);
		return {
			id,
			append: (piece) => {
				if (kept.text.length >= longestText) return;
				kept.text = cap(kept.text + piece, longestText);
				this.changed.fire(id);
			},
		};
	}

	/** The title of a text's editor; undefined if it is no longer kept. */
	titleOf(id: string): string | undefined {
		return this.texts.get(id)?.title;
	}

	/** The display form of a text: every character is visible, because a model or a server may have chosen them. */
	textOf(id: string): string {
		const kept = this.texts.get(id);
		return kept === undefined ? gone : showHidden(kept.text.replaceAll("\r\n", "\n"));
	}
}
