import { oneLine } from "../base/text.ts";
import { Wizard, type ArgumentStep } from "../completion/wizard.ts";
import type { ResourceTemplate } from "../servers/session.ts";
import { expandTemplate, parseTemplate, previewTemplate, type TemplateValue, type UriTemplate } from "./template.ts";

/** Asks for a template's variables and makes the URI. An empty value leaves a variable out where the URI is whole without. */
export class TemplateWizard extends Wizard<string> {
	private readonly name: string;
	private readonly template: UriTemplate;

	/** @throws HostError `invalid` when the server's template is malformed. */
	constructor({ title, name, uriTemplate }: ResourceTemplate) {
		const template = parseTemplate(uriTemplate);
		super(
			template.variables.map(({ name: variable, isList, isOptional }) => ({
				name: variable,
				label: oneLine(variable, 100),
				description: isList ? "Several values are separated by commas." : "",
				isRequired: !isOptional,
			})),
		);
		this.name = oneLine(title ?? name, 100);
		this.template = template;
	}

	/** What is asked and what it makes of the URI, such as `Forecast (1/2): weather://forecast/Paris/{date}`. */
	override title(draft: string): string {
		const texts = this.step === undefined ? this.values : new Map([...this.values, [this.step.name, draft]]);
		const asked = new Set(this.steps.slice(0, this.position).map(({ name }) => name));
		if (this.step !== undefined && draft !== "") asked.add(this.step.name);
		const uri = oneLine(previewTemplate(this.template, this.valuesOf(texts), asked), 300);
		return `${this.name} ${this.progress}: ${uri}`;
	}

	protected override refusalOf(step: ArgumentStep, value: string): string | undefined {
		return step.isRequired && value === "" ? `${step.label} is required` : undefined;
	}

	protected override result(): string {
		return expandTemplate(this.template, this.valuesOf(this.values));
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
