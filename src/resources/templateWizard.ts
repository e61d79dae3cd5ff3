import { oneLine } from "../base/text.ts";
import type { ArgumentStep } from "../prompts/arguments.ts";
import type { ResourceTemplate } from "../servers/session.ts";
import { expandTemplate, parseTemplate, previewTemplate, type TemplateValue, type UriTemplate } from "./template.ts";

/** What became of an entered value. */
export type TemplateAdvance =
	| { readonly kind: "refused"; readonly message: string }
	| { readonly kind: "step" }
	| { readonly kind: "done"; readonly uri: string };

/** Asks for a template's variables one after the other and makes the URI. It knows no user interface. */
export class TemplateWizard {
	readonly steps: readonly ArgumentStep[];
	private readonly name: string;
	private readonly template: UriTemplate;
	private readonly texts = new Map<string, string>();
	private position = 0;

	/** @throws HostError `invalid` when the server's template is malformed. */
	constructor(template: ResourceTemplate) {
		this.name = oneLine(template.title ?? template.name, 100);
		this.template = parseTemplate(template.uriTemplate);
		this.steps = this.template.variables.map(({ name, isList, isOptional }) => ({
			name,
			label: oneLine(name, 100),
			description: isList ? "Several values are separated by commas." : "",
			isRequired: !isOptional,
		}));
	}

	/** The variable that is asked for now; undefined when the template has none. */
	get step(): ArgumentStep | undefined {
		return this.steps[this.position];
	}

	get canGoBack(): boolean {
		return this.position > 0;
	}

	/** What was entered for the current variable before, or an empty text. */
	get value(): string {
		return this.texts.get(this.step?.name ?? "") ?? "";
	}

	/** The other variables that have a value, as context for completing the current one (spec.md C1). */
	get known(): Readonly<Record<string, string>> {
		return Object.fromEntries([...this.texts].filter(([name, text]) => name !== this.step?.name && text !== ""));
	}

	/** What is asked and what it makes of the URI, such as `Forecast (1/2): weather://forecast/Paris/{date}`. */
	titleWith(draft: string): string {
		const texts = this.step === undefined ? this.texts : new Map([...this.texts, [this.step.name, draft]]);
		const asked = new Set(this.steps.slice(0, this.position).map(({ name }) => name));
		if (this.step !== undefined && draft !== "") asked.add(this.step.name);
		const uri = oneLine(previewTemplate(this.template, this.valuesOf(texts), asked), 300);
		return `${this.name} (${this.position + 1}/${this.steps.length}): ${uri}`;
	}

	/** Takes a value for the current variable. An empty one leaves the variable out where the URI is whole without it. */
	next(text: string): TemplateAdvance {
		const { step } = this;
		if (step !== undefined) {
			if (step.isRequired && text === "") return { kind: "refused", message: `${step.label} is required` };
			this.texts.set(step.name, text);
		}
		if (this.position < this.steps.length - 1) {
			this.position++;
			return { kind: "step" };
		}
		return { kind: "done", uri: expandTemplate(this.template, this.valuesOf(this.texts)) };
	}

	/** Returns to the variable before and keeps what was typed so far. False on the first one. */
	back(draft: string): boolean {
		if (this.step === undefined || !this.canGoBack) return false;
		this.texts.set(this.step.name, draft);
		this.position--;
		return true;
	}

	private valuesOf(texts: ReadonlyMap<string, string>): ReadonlyMap<string, TemplateValue> {
		const lists = new Set(this.template.variables.filter(({ isList }) => isList).map(({ name }) => name));
		const values = new Map<string, TemplateValue>();
		for (const [name, text] of texts) {
			if (text !== "") values.set(name, lists.has(name) ? text.split(",").map((item) => item.trim()) : text);
		}
		return values;
	}
}
