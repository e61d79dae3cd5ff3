import type { FieldSuggestions, Suggestion } from "../../src/questions/form/formProtocol.ts";

/** How far Page Up and Page Down go. */
const pageSize = 10;

/**
 * The list below its field. A row is active only when the user moved to it, so that nothing is taken by accident; a
 * late answer changes neither that row nor the text.
 */
export class SuggestionList {
	private readonly ask: (field: number, line: number) => void;
	private readonly changed: () => void;
	private field: number | undefined;
	private line = 0;
	private answer: FieldSuggestions | undefined;
	private wasAskedFor = false;
	private isHeld = false;
	private activeValue: string | undefined;

	/**
	 * `ask` requests suggestions for a line of a field with its current text; `changed` is called whenever the view must
	 * change.
	 */
	constructor(ask: (field: number, line: number) => void, changed: () => void) {
		this.ask = ask;
		this.changed = changed;
	}

	/** Opens the list, by a key or a button of its own; it then also says when there is nothing in it. */
	open(field: number, line: number): void {
		this.field = field;
		this.wasAskedFor = true;
		this.renew(field, line);
	}

	/** Follows the typing in a field. */
	follow(field: number, line: number): void {
		if (this.isHeld) return;
		if (this.field !== field) this.wasAskedFor = false;
		this.field = field;
		this.renew(field, line);
	}

	/** Closes the list and keeps it so while a text is put into its field other than by typing. */
	hold(change: () => void): void {
		this.isHeld = true;
		try {
			change();
		} finally {
			this.isHeld = false;
		}
		this.close();
	}

	/** Closes the list once the caret has left the line that it is for. */
	leave(line: number): void {
		if (line !== this.line) this.close();
	}

	close(): void {
		if (this.field === undefined) return;
		this.field = undefined;
		this.activeValue = undefined;
		this.changed();
	}

	receive(answer: FieldSuggestions): void {
		if (answer.field !== this.field) return;
		this.answer = answer;
		if (!this.rows.some(({ value }) => value === this.activeValue)) this.activeValue = undefined;
		this.changed();
	}

	/** The visible list of a field; undefined when it is closed. */
	of(field: number): FieldSuggestions | undefined {
		return field === this.field && this.answer?.field === field ? this.answer : undefined;
	}

	/** Whether the list of a field is in sight. */
	isShown(field: number): boolean {
		return (this.of(field)?.groups.length ?? 0) > 0;
	}

	/** Whether the list of a field is to be announced as empty. */
	isEmpty(field: number): boolean {
		const answer = this.of(field);
		return this.wasAskedFor && answer?.groups.length === 0 && !answer.isBusy;
	}

	/** All rows in their order. */
	get rows(): readonly Suggestion[] {
		return this.answer?.groups.flatMap(({ rows }) => rows) ?? [];
	}

	get active(): Suggestion | undefined {
		return this.rows.find(({ value }) => value === this.activeValue);
	}

	/** Moves the active row by a key; the text precedes the first row and follows the last one. False for other keys. */
	move(key: string): boolean {
		const { rows } = this;
		const index = rows.findIndex(({ value }) => value === this.activeValue);
		const last = rows.length - 1;
		const targets: Readonly<Record<string, number>> = {
			ArrowDown: index === last ? -1 : index + 1,
			ArrowUp: index === -1 ? last : index - 1,
			PageDown: Math.min(index + pageSize, last),
			PageUp: Math.max(index - pageSize, 0),
		};
		const target = targets[key];
		if (target === undefined) return false;
		this.activeValue = rows[target]?.value;
		this.changed();
		return true;
	}

	private renew(field: number, line: number): void {
		if (this.answer?.field !== field) this.answer = undefined;
		this.activeValue = undefined;
		this.line = line;
		this.ask(field, line);
		this.changed();
	}
}
