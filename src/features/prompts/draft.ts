import { HostError } from "../../base/errors.ts";
import { showHidden } from "../../base/text.ts";
import type { PromptMessage } from "./content.ts";
import type { PreviewChange } from "./previewProtocol.ts";

/** The longest text that a message may be given, in characters. */
const textLimit = 1_000_000;

/**
 * A prompt's messages with the user's changes: some texts changed, some messages removed. Everything that is shown,
 * sent, opened and copied is made of it, so that the user sees exactly what is used. Roles and order stay the server's.
 */
export class PromptDraft {
	private readonly given: readonly PromptMessage[];
	/** Changed texts by message and part. */
	private readonly edits = new Map<string, string>();
	private readonly removed = new Set<number>();

	/** Takes checked messages; hidden characters in their texts become escapes for good (TOL-08). */
	constructor(messages: readonly PromptMessage[]) {
		this.given = messages.map(({ role, parts }) => ({
			role,
			parts: parts.map((part) => ("text" in part ? { ...part, text: showHidden(part.text) } : part)),
		}));
	}

	/** The messages as the server gave them. */
	get original(): readonly PromptMessage[] {
		return this.given;
	}

	/** The messages that are sent. */
	get messages(): readonly PromptMessage[] {
		return this.given.flatMap(({ role, parts }, index) => {
			if (this.removed.has(index)) return [];
			return {
				role,
				parts: parts.map((part, place) => {
					const text = this.edits.get(`${index} ${place}`);
					return part.kind === "text" && text !== undefined ? { ...part, text: showHidden(text) } : part;
				}),
			};
		});
	}

	/** Whether anything is other than the server gave it. */
	get isChanged(): boolean {
		return this.edits.size > 0 || this.removed.size > 0;
	}

	isRemoved(message: number): boolean {
		return this.removed.has(message);
	}

	/** The text of a part as the user typed it; undefined when they did not change it. */
	editedText(message: number, part: number): string | undefined {
		return this.edits.get(`${message} ${part}`);
	}

	/** The URI of the link at a place, if it is one that can be read from the server. */
	linkAt(message: unknown, part: unknown): string | undefined {
		if (typeof message !== "number" || typeof part !== "number") return undefined;
		const link = this.given[message]?.parts[part];
		return link?.kind === "link" && link.isExact ? link.uri : undefined;
	}

	/** Makes a change. Throws a HostError `invalid` for a place that is not a text, or a text that is too long. */
	apply(change: PreviewChange): void {
		const message = this.given[change.message];
		if (message === undefined) throw noPlace();
		switch (change.kind) {
			case "remove":
				this.removed.add(change.message);
				break;
			case "restore":
				this.removed.delete(change.message);
				break;
			case "edit": {
				const part = message.parts[change.part];
				if (part?.kind !== "text") throw noPlace();
				if (change.text.length > textLimit) throw new HostError("invalid", "The text is too long.");
				const place = `${change.message} ${change.part}`;
				if (change.text === part.text) this.edits.delete(place);
				else this.edits.set(place, change.text);
			}
		}
	}
}

function noPlace(): HostError {
	return new HostError("invalid", "The preview does not contain this text.");
}
