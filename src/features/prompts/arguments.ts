import { HostError } from "../../base/errors.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { exactName } from "../../base/exactJson.ts";
import { oneLine } from "../../base/text.ts";
import { type ArgumentStep, Wizard } from "../../questions/completion/wizard.ts";
import type { Prompt } from "../../servers/sessions/session.ts";
import { promptTitle } from "./catalog.ts";

/** Argument values by name. All are texts (specification, "Prompts"). */
export type PromptArguments = Readonly<Record<string, string>>;

/** The longest value that is sent, in characters (PRM-04). */
const valueLimit = 1_000_000;

/** Asks for a prompt's arguments. An empty value skips an optional one and is refused for a required one. */
export class ArgumentWizard extends Wizard<PromptArguments> {
	private readonly prompt: Prompt;

	constructor(prompt: Prompt, given: PromptArguments = {}) {
		super(argumentSteps(prompt), given);
		this.prompt = prompt;
	}

	/** The title of the question, such as `Plan a Vacation (2/4)`. */
	override title(): string {
		return `${promptTitle(this.prompt)} ${this.progress}`;
	}

	protected override refusalOf(step: ArgumentStep, value: string): string | undefined {
		return refusalOf(step, value);
	}

	protected override result(): PromptArguments {
		return withoutEmpty(Object.fromEntries(this.values));
	}
}

/** The arguments of a prompt in the server's order; one that is declared twice is asked for once. */
export function argumentSteps(prompt: Prompt): readonly ArgumentStep[] {
	const steps = new Map<string, ArgumentStep>();
	for (const { name, description, required } of prompt.arguments ?? []) {
		if (steps.has(name)) continue;
		steps.set(name, {
			name,
			label: exactName(name, 100),
			description: oneLine(description ?? "", 500),
			isRequired: required === true,
		});
	}
	return [...steps.values()];
}

/** Whether an argument's name or description says that its value is a secret. */
export function isSecretArgument(prompt: Prompt, name: string): boolean {
	const description = prompt.arguments?.find((argument) => argument.name === name)?.description ?? "";
	return [name, description].some((text) => isSecret(text, undefined, "asked"));
}

/** Why a value cannot be that of an argument; undefined when it can. */
export function refusalOf(step: ArgumentStep, value: string): string | undefined {
	if (step.isRequired && value.trim() === "") return `${step.label} is required`;
	return value.length > valueLimit ? tooLong(step) : undefined;
}

/** The required arguments that have no value. */
export function missingArguments(prompt: Prompt, given: PromptArguments): readonly string[] {
	return argumentSteps(prompt)
		.filter(({ name, isRequired }) => isRequired && (!Object.hasOwn(given, name) || given[name]?.trim() === ""))
		.map(({ name }) => name);
}

/** Throws a HostError `invalid` for arguments that the prompt does not take or that are too long to send. */
export function checkArguments(prompt: Prompt, given: PromptArguments): void {
	const steps = argumentSteps(prompt);
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

/** Required arguments of a prompt have no value. */
export class MissingArguments extends HostError {}

/** Throws MissingArguments that names the required arguments without a value and says how to give them. */
export function requireArguments(prompt: Prompt, given: PromptArguments): void {
	const missing = missingArguments(prompt, given).map((name) => oneLine(name));
	if (missing.length === 0) return;
	const noun = missing.length === 1 ? "argument" : "arguments";
	const example = missing.map((name) => `${name}="…"`).join(" ");
	throw new MissingArguments(
		"invalid",
		`The prompt "${oneLine(prompt.name)}" needs the ${noun} ${missing.join(", ")}. Write ${example} after it.`,
	);
}

/** The values that are sent: an optional argument without a value is left out. */
export function withoutEmpty(given: PromptArguments): PromptArguments {
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

/** A value for each argument, so that asking begins at the first one: those that were left out are empty. */
export function withAll(prompt: Prompt, given: PromptArguments): PromptArguments {
	return Object.fromEntries(
		argumentSteps(prompt).map(({ name }) => [name, Object.hasOwn(given, name) ? (given[name] ?? "") : ""]),
	);
}

function tooLong(step: ArgumentStep): string {
	return `${step.label} is longer than ${valueLimit.toLocaleString("en-US")} characters`;
}
