import { HostError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import type { Prompt } from "../servers/session.ts";
import { promptTitle } from "./catalog.ts";

/** Argument values by name. All are texts (spec.md PR1). */
export type PromptArguments = Readonly<Record<string, string>>;

/** One argument to ask for. The texts are the server's, made fit for one line. */
export interface ArgumentStep {
	readonly name: string;
	readonly label: string;
	/** Empty when the server says nothing about it. */
	readonly description: string;
	readonly isRequired: boolean;
}

/** What became of an entered value. */
export type Advance =
	| { readonly kind: "refused"; readonly message: string }
	| { readonly kind: "step" }
	| { readonly kind: "done"; readonly arguments: PromptArguments };

/** The longest value that is sent, in characters (security.md PRM-04). */
const valueLimit = 100_000;

/** Asks for a prompt's arguments one after the other. It knows no user interface. */
export class ArgumentWizard {
	readonly steps: readonly ArgumentStep[];
	private readonly prompt: Prompt;
	private readonly values: Map<string, string>;
	private position: number;

	/** `given` are values known in advance; asking starts at the first argument without one. */
	constructor(prompt: Prompt, given: PromptArguments = {}) {
		this.prompt = prompt;
		this.steps = stepsOf(prompt);
		this.values = new Map(Object.entries(given));
		this.position = Math.max(
			0,
			this.steps.findIndex(({ name }) => !this.values.has(name)),
		);
	}

	/** The argument that is asked for now; undefined when the prompt takes none. */
	get step(): ArgumentStep | undefined {
		return this.steps[this.position];
	}

	/** What is asked, such as `Plan a Vacation (2/4)`. */
	get title(): string {
		return `${promptTitle(this.prompt)} (${this.position + 1}/${this.steps.length})`;
	}

	get canGoBack(): boolean {
		return this.position > 0;
	}

	/** What was entered for the current argument before, or an empty text. */
	get value(): string {
		return this.values.get(this.step?.name ?? "") ?? "";
	}

	/** The other arguments that have a value, as context for completing the current one (spec.md C1). */
	get known(): PromptArguments {
		return Object.fromEntries([...this.values].filter(([name, value]) => name !== this.step?.name && value !== ""));
	}

	/** Takes a value for the current argument. An empty one skips an optional argument and is refused for a required one. */
	next(value: string): Advance {
		const { step } = this;
		if (step !== undefined) {
			const message = refusalOf(step, value);
			if (message !== undefined) return { kind: "refused", message };
			this.values.set(step.name, value);
		}
		if (this.position < this.steps.length - 1) {
			this.position++;
			return { kind: "step" };
		}
		return { kind: "done", arguments: withoutEmpty(Object.fromEntries(this.values)) };
	}

	/** Returns to the argument before and keeps what was typed so far. False on the first one. */
	back(draft: string): boolean {
		if (this.step === undefined || !this.canGoBack) return false;
		this.values.set(this.step.name, draft);
		this.position--;
		return true;
	}
}

/** The arguments of a prompt in the server's order; one that is declared twice is asked for once. */
function stepsOf(prompt: Prompt): readonly ArgumentStep[] {
	const steps = new Map<string, ArgumentStep>();
	for (const { name, description, required } of prompt.arguments ?? []) {
		if (steps.has(name)) continue;
		steps.set(name, {
			name,
			label: oneLine(name, 100),
			description: oneLine(description ?? "", 500),
			isRequired: required === true,
		});
	}
	return [...steps.values()];
}

/** The required arguments that have no value. */
export function missingArguments(prompt: Prompt, given: PromptArguments): readonly string[] {
	return stepsOf(prompt)
		.filter(({ name, isRequired }) => isRequired && (!Object.hasOwn(given, name) || given[name]?.trim() === ""))
		.map(({ name }) => name);
}

/** Throws a HostError `invalid` for arguments that the prompt does not take or that are too long to send. */
export function checkArguments(prompt: Prompt, given: PromptArguments): void {
	const steps = stepsOf(prompt);
	const names = steps.map(({ name }) => oneLine(name)).join(", ") || "none";
	for (const [name, value] of Object.entries(given)) {
		const step = steps.find((candidate) => candidate.name === name);
		if (step === undefined) {
			throw new HostError(
				"invalid",
				`The prompt "${oneLine(prompt.name)}" has no argument "${oneLine(name)}". Its arguments: ${names}.`,
			);
		}
		if (value.length > valueLimit) throw new HostError("invalid", tooLong(step));
	}
}

/** Throws a HostError `invalid` that names the required arguments without a value. */
export function requireArguments(prompt: Prompt, given: PromptArguments): void {
	const missing = missingArguments(prompt, given).map((name) => oneLine(name));
	if (missing.length === 0) return;
	const noun = missing.length === 1 ? "argument" : "arguments";
	throw new HostError("invalid", `The prompt "${oneLine(prompt.name)}" needs the ${noun} ${missing.join(", ")}.`);
}

/** The values that are sent: an optional argument without a value is left out. */
export function withoutEmpty(given: PromptArguments): PromptArguments {
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

function refusalOf(step: ArgumentStep, value: string): string | undefined {
	if (step.isRequired && value.trim() === "") return `${step.label} is required`;
	return value.length > valueLimit ? tooLong(step) : undefined;
}

function tooLong(step: ArgumentStep): string {
	return `${step.label} is longer than ${valueLimit.toLocaleString("en-US")} characters`;
}
