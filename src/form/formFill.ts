import { messageOf } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import type { Disposable } from "../base/lifecycle.ts";
import { typedField } from "./formInput.ts";
import type { FillSource, FillState } from "./formProtocol.ts";
import type { FormQuestion } from "./formSession.ts";

/** A text for a field, from one of its sources. */
export interface Filling {
	readonly field: number;
	readonly text: string;
}

/** Fills fields from their sources, one at a time: a later request takes the place of one that still runs. */
export class FormFill implements Disposable {
	private readonly question: FormQuestion;
	private readonly roomFor: (field: number) => number;
	private running: AbortController | undefined;
	private current: FillState | undefined;
	private readonly changed = new Emitter<void>();
	private readonly filled = new Emitter<Filling>();
	/** Fired when `state` changed. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** Fired with the text that a field is to hold, right before `state` says so. */
	readonly onDidFill: Event<Filling> = this.filled.event;

	/** `roomFor` tells how many characters a field may hold now. */
	constructor(question: FormQuestion, roomFor: (field: number) => number) {
		this.question = question;
		this.roomFor = roomFor;
	}

	/** What became of the last request; undefined when nothing is to be said. */
	get state(): FillState | undefined {
		return this.current;
	}

	/** Gets the text of a source. Ignored unless the field has that source. */
	async request(field: unknown, sourceId: unknown): Promise<void> {
		const source = typedField(this.question.body, field)?.fills?.find(({ id }) => id === sourceId);
		if (typeof field !== "number" || source === undefined || this.question.fill === undefined) return;
		this.running?.abort();
		const controller = new AbortController();
		this.running = controller;
		this.show({ field, step: "running", message: `Filling from ${source.label}…` });
		const result = await this.read(field, source, controller.signal);
		if (this.running !== controller) return;
		this.running = undefined;
		if (typeof result === "string") this.filled.fire({ field, text: result });
		this.show(typeof result === "string" ? { field, step: "done", message: `Filled from ${source.label}.` } : result);
	}

	/** Takes back what is said about a field, once something else stands in it. */
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

	/** The text, or what to say instead: undefined when the person gave none. */
	private async read(
		field: number,
		{ id, label }: FillSource,
		signal: AbortSignal,
	): Promise<string | FillState | undefined> {
		const failed = (message: string): FillState => ({ field, step: "failed", message });
		try {
			const text = await this.question.fill?.(field, id, signal);
			if (text === "") return failed(`${label}: there is no text.`);
			if (text !== undefined && text.length > this.roomFor(field)) return failed(`${label}: the text is too long.`);
			return text;
		} catch (error) {
			return failed(messageOf(error));
		}
	}

	private show(state: FillState | undefined): void {
		this.current = state;
		this.changed.fire();
	}
}
