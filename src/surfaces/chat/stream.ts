import type { Json } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { heldLength, withoutLures } from "./modelLinks.ts";

/**
 * VS Code shows 100,000 characters of one Markdown text and silently drops the rest, and it joins consecutive texts of
 * one kind. So text that must be read needs room (TOL-09).
 */
const mostInOne = 90_000;

/** A piece of the output; `isApart`: it must not be joined with the text before it. */
export interface TextPiece {
	readonly text: string;
	readonly isApart: boolean;
}

/** Counts the text that VS Code joins, and decides where a text must be separate so that all of it is shown. */
export class TextRun {
	private length = 0;
	private readonly limit: number;

	constructor(limit: number = mostInOne) {
		this.limit = limit;
	}

	/** The text in pieces, cut between lines where that is possible. */
	take(text: string): readonly TextPiece[] {
		const pieces: TextPiece[] = [];
		let isApart = false;
		if (this.length + text.length > this.limit && this.length > 0) {
			isApart = true;
			this.length = 0;
		}
		let rest = text;
		while (rest.length > this.limit) {
			const line = rest.lastIndexOf("\n", this.limit);
			const end = line > 0 ? line : this.limit;
			pieces.push({ text: rest.slice(0, end), isApart });
			isApart = true;
			// An indented line at the beginning of a text would be a block of code.
			rest = rest.slice(end).replace(/^\n[ \t]*/, "");
		}
		this.length += rest.length;
		if (rest !== "") pieces.push({ text: rest, isApart });
		return pieces;
	}

	/** Another part was shown, which is joined with nothing. */
	end(): void {
		this.length = 0;
	}
}

/** Addresses that are named to the user, and how much of each. */
const mostNamed = 3;
const longestNamed = 200;

/**
 * Makes a model's streamed Markdown harmless piece by piece. Images would be loaded from any address that the model
 * writes, which could carry the conversation away (UI-01), so an image becomes a link that the user may click. A
 * misleading link becomes text (UI-13). One space does it, which changes no program that contains these characters.
 * Links to commands are dead in untrusted Markdown anyway.
 */
export class ModelTextFilter {
	/** The possible beginning of an image or a link, as far as it has arrived. */
	private held = "";
	private readonly lures = new Set<string>();

	/** The part of the text that can be shown after this piece. */
	push(piece: string): string {
		const text = this.held + piece;
		const end = text.length - heldLength(text);
		this.held = text.slice(end);
		return this.safe(text.slice(0, end));
	}

	/** The remaining text at the end, or before another part, and a warning about removed links. */
	flush(): string {
		const rest = this.safe(this.held);
		this.held = "";
		const named = [...this.lures];
		this.lures.clear();
		if (named.length === 0) return rest;
		const shown = named
			.slice(0, mostNamed)
			.map((address) => `\`${oneLine(address.replaceAll("`", "'"), longestNamed)}\``);
		const more = named.length > shown.length ? ` and ${named.length - shown.length} more` : "";
		return `${rest}\n\n⚠ Not shown as a link, because it may lead to a different place than it shows: ${shown.join(", ")}${more}\n\n`;
	}

	private safe(text: string): string {
		const { text: safe, addresses } = withoutLures(withoutImages(text));
		for (const address of addresses) this.lures.add(address);
		return safe;
	}
}

/** The whole text without images, see ModelTextFilter. */
export function withoutImages(text: string): string {
	return text.replace(/!(?=\[)/g, "! ");
}

/** The pauses between messages of progress in the chat, in milliseconds: each twice as long as the one before. */
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * Decides which progress messages get a line. In a response lines accumulate, so a long call must not fill it. The
 * status bar shows the others.
 */
export class ProgressPace {
	private due = 0;
	private pauseMs = firstPauseMs;

	/** Whether a message at this time, in milliseconds, is to be shown; it counts as shown then. */
	take(now: number): boolean {
		if (now < this.due) return false;
		this.due = now + this.pauseMs;
		this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
		return true;
	}

	/** Another part was shown: the next message is due immediately. */
	reset(): void {
		this.due = 0;
		this.pauseMs = firstPauseMs;
	}
}

/** How often VS Code draws a response, in milliseconds. A shorter wait does not delay the drawing. */
const joinMs = 50;

/**
 * Writes that wait a moment for later ones. VS Code draws a number of words of a response for each second since it drew
 * the last ones: a result after a line of its own is drawn word by word, but together with that line at once.
 */
export class JoinedWrites {
	private readonly writes: (() => void)[] = [];
	private timer: ReturnType<typeof setTimeout> | undefined;

	/** Has a write wait, for a moment at most. */
	hold(write: () => void): void {
		this.writes.push(write);
		this.timer ??= setTimeout(() => this.release(), joinMs);
	}

	/** Has a write wait behind those that do; carries it out if none does. */
	follow(write: () => void): void {
		if (this.writes.length > 0) this.writes.push(write);
		else write();
	}

	/** Carries out, in their order, the writes that wait. */
	release(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		for (const write of this.writes.splice(0)) write();
	}
}

/** How the target of a link to a command begins. */
export function linkTo(command: string): string {
	return `](command:${command}`;
}

/** The words of a link, which a narrow chat breaks between links, not within them. */
export function linkWords(label: string): string {
	return label.length > 30 ? label : label.replaceAll(" ", "\u00A0");
}

/** The arguments of a command as the end of a link's target. Nothing in it has a meaning in Markdown (UI-02). */
export function linkArguments(args: readonly (Json | undefined)[]): string {
	const encoded = encodeURIComponent(JSON.stringify(args));
	return `?${encoded.replace(/[!'()*_~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
