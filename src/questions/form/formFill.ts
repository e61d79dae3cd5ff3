import { messageOf } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { FillSource, FillState, FormField } from "./formProtocol.ts";
import type { FormQuestion } from "./formQuestion.ts";

/** A field to be filled: its id, the name of its value, and its kind. */
export interface FilledField {
	readonly id: number;
	readonly name: string;
	readonly field: FormField;
}

/** A text for a field, from one of its sources. */
export interface Filling {
	readonly field: number;
	readonly text: string;
}

/** Fills fields from their sources, one at a time: a later request takes the place of one that still runs. */
export class FormFill implements Disposable {
	private readonly question: FormQuestion;
	private running: AbortController | undefined;
	private current: FillState | undefined;
	private readonly changed = new Emitter<void>();
	private readonly filled = new Emitter<Filling>();
	/** Fired when `state` changed. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** Fired with the new text of a field, right before `state` contains it. */
	readonly onDidFill: Event<Filling> = this.filled.event;

	constructor(question: FormQuestion) {
		this.question = question;
	}

	/** The result of the last request; undefined when there is nothing to show. */
	get state(): FillState | undefined {
		return this.current;
	}

	/** Gets the text of a source, which may be as long as `room` says then. Ignored unless the field has that source. */
	async request({ id, name, field }: FilledField, sourceId: unknown, room: () => number): Promise<void> {
		const isTyped = field.kind === "text" || field.kind === "number";
		const source = isTyped ? field.fills?.find((offered) => offered.id === sourceId) : undefined;
		if (source === undefined || this.question.fill === undefined) return;
		this.running?.abort();
		const controller = new AbortController();
		this.running = controller;
		this.show({ field: id, step: "running", message: `Filling from ${source.label}…` });
		const text = await this.read(name, source, controller.signal, room);
		if (this.running !== controller) return;
		this.running = undefined;
		if (text === undefined) return this.show(undefined);
		if (typeof text !== "string") return this.show({ field: id, step: "failed", message: text.failure });
		this.filled.fire({ field: id, text });
		this.show({ field: id, step: "done", message: `Filled from ${source.label}.` });
	}

	/** Removes the message about a field, once its content has changed. */
	forget(field: number): void {
		if (this.current?.field === field && this.current.step !== "running") this.show(undefined);
	}

	dispose(): void {
		if (this.running !== undefined) this.current = undefined;
		this.running?.abort();
		this.running = undefined;
		this.changed.dispose();
		this.filled.dispose();
	}

	/** The text, or why there is none; undefined when the user gave none. */
	private async read(
		name: string,
		{ id, label }: FillSource,
		signal: AbortSignal,
		room: () => number,
	): Promise<string | { readonly failure: string } | undefined> {
		try {
			const text = await this.question.fill?.(name, id, signal);
			if (text === "") return { failure: `${label} contains no text.` };
			if (text !== undefined && text.length > room()) return { failure: `The text of ${label} is too long.` };
			return text;
		} catch (error) {
			return { failure: messageOf(error) };
		}
	}

	private show(state: FillState | undefined): void {
		this.current = state;
		this.changed.fire();
	}
}
