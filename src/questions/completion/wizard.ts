/** One value that is asked for: such as a prompt's argument. The texts are fit for one line. */
export interface ArgumentStep {
	readonly name: string;
	readonly label: string;
	/** Empty when the server says nothing about it. */
	readonly description: string;
	readonly isRequired: boolean;
}

/** The result of an entered value; `done` contains the result of all of them. */
export type Advance<Result> =
	| { readonly kind: "refused"; readonly message: string }
	| { readonly kind: "step" }
	| { readonly kind: "done"; readonly result: Result };

/** Asks for several values one after the other, with a way back. It is independent of a user interface. */
export abstract class Wizard<Result> {
	readonly steps: readonly ArgumentStep[];
	/** The values so far, by name. */
	protected readonly values: Map<string, string>;
	protected position: number;

	/** `given` are values known in advance; asking starts at the first step without one. */
	constructor(steps: readonly ArgumentStep[], given: Readonly<Record<string, string>> = {}) {
		this.steps = steps;
		this.values = new Map(Object.entries(given));
		this.position = Math.max(
			0,
			steps.findIndex(({ name }) => !this.values.has(name)),
		);
	}

	/** The current question; undefined when there is none. */
	get step(): ArgumentStep | undefined {
		return this.steps[this.position];
	}

	get canGoBack(): boolean {
		return this.position > 0;
	}

	/** The earlier value of the current step, or an empty text. */
	get value(): string {
		return this.values.get(this.step?.name ?? "") ?? "";
	}

	/**
	 * The other steps that have a value, as context for completing the current one (specification, "Completion":
	 * `context.arguments`).
	 */
	get known(): Readonly<Record<string, string>> {
		return Object.fromEntries([...this.values].filter(([name, value]) => name !== this.step?.name && value !== ""));
	}

	/** All values so far, with `draft` as that of the current step; for asking for the rest in another way. */
	entered(draft: string): Readonly<Record<string, string>> {
		const values = new Map(this.values);
		if (this.step !== undefined) values.set(this.step.name, draft);
		return Object.fromEntries(values);
	}

	/** Takes a value for the current step, unless it is refused, and goes on. */
	next(value: string): Advance<Result> {
		const { step } = this;
		if (step !== undefined) {
			const message = this.refusalOf(step, value);
			if (message !== undefined) return { kind: "refused", message };
			this.values.set(step.name, value);
		}
		if (this.position < this.steps.length - 1) {
			this.position++;
			return { kind: "step" };
		}
		return { kind: "done", result: this.result() };
	}

	/** Returns to the step before and keeps what was typed so far. False on the first one. */
	back(draft: string): boolean {
		if (this.step === undefined || !this.canGoBack) return false;
		this.values.set(this.step.name, draft);
		this.position--;
		return true;
	}

	/** The question, and the current position. */
	abstract title(): string;

	/** Why a value cannot be taken for a step; undefined when it can. */
	protected abstract refusalOf(step: ArgumentStep, value: string): string | undefined;

	/** The result of the values, once all steps are done. */
	protected abstract result(): Result;

	/** Where the asking is, such as `(2/4)`. */
	protected get progress(): string {
		return `(${this.position + 1}/${this.steps.length})`;
	}
}
