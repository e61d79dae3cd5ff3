import type { Log } from "../../base/log.ts";
import { cap, showHidden } from "../../base/text.ts";
import type { CompletionSource } from "../../questions/completion/feed.ts";
import type { FillSources } from "../../questions/completion/fills.ts";
import type { RecentValues } from "../../questions/completion/recentValues.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { SchemaProblem } from "../../base/schema/schema.ts";
import type { FormQuestion, QuestionField } from "../../questions/form/formQuestion.ts";
import { valueAt } from "../../questions/form/jsonPath.ts";
import { argumentSteps, type PromptArguments, refusalOf, withoutEmpty } from "./arguments.ts";
import { type PromptEntry, promptTitle } from "./catalog.ts";

/** How much of a prompt's description is shown, in characters. */
const descriptionLimit = 2000;

/** The dependencies of a form of a prompt's arguments. */
export interface ArgumentFormServices {
	readonly log: Log;
	readonly complete: CompletionSource;
	readonly fills: FillSources;
	readonly recent: RecentValues;
}

/** A form and how to read its values. */
export interface ArgumentForm {
	readonly question: FormQuestion;
	/** The arguments in an accepted value. Typed values are remembered, values from other sources are not. */
	read(value: JsonObject): PromptArguments;
}

/** All arguments of a prompt on one page, with the values so far. */
export function argumentForm(
	{ prompt, session }: PromptEntry,
	entered: PromptArguments,
	{ log, complete, fills, recent }: ArgumentFormServices,
): ArgumentForm {
	const steps = argumentSteps(prompt);
	const server = session.definition.name;
	const title = promptTitle(prompt);
	const filled = new Map<string, string>();
	const valuesOf = (value: JsonObject): ReadonlyMap<string, string> =>
		new Map(steps.map(({ name }) => [name, textOf(valueAt(value, [name]))]));
	const question: FormQuestion = {
		subject: { kind: "form", server, title },
		heading: `Arguments of ${title}`,
		...(prompt.description === undefined ? {} : { quote: cap(showHidden(prompt.description), descriptionLimit) }),
		content: {
			kind: "fields",
			fields: steps.map(({ name, label, description, isRequired }): QuestionField => ({
				name,
				kind: "text",
				isLong: false,
				label,
				...(description === "" ? {} : { description }),
				isRequired,
				suggests: true,
				recent: recent.of(name),
				fills: Object.entries(fillLabels).map(([id, text]) => ({ id, label: text })),
			})),
		},
		initial: Object.fromEntries(
			steps.flatMap(({ name }) => (Object.hasOwn(entered, name) && entered[name] ? [[name, entered[name]]] : [])),
		),
		submitLabel: "Preview",
		canDecline: false,
		log,
		validate: (value) => {
			const values = valuesOf(value);
			const problems = steps.flatMap((step): readonly SchemaProblem[] => {
				const message = refusalOf(step, values.get(step.name) ?? "");
				return message === undefined ? [] : [{ path: [step.name], message }];
			});
			return Promise.resolve(problems);
		},
		complete: (name, value, signal) => {
			const values = valuesOf(value);
			const known = [...values].filter(([other, value]) => other !== name && value !== "");
			return complete({ name, value: values.get(name) ?? "", known: Object.fromEntries(known) }, signal);
		},
		fill: async (name, source, signal) => {
			const text = await fills.read(source, signal);
			if (text !== undefined) filled.set(name, text);
			return text;
		},
	};
	return {
		question,
		read(value) {
			const values = valuesOf(value);
			for (const [name, text] of values) if (filled.get(name) !== text) recent.remember(name, text);
			return withoutEmpty(Object.fromEntries(values));
		},
	};
}

function textOf(value: Json | undefined): string {
	return typeof value === "string" ? value : "";
}

/** Where an argument's value can be taken from besides typing, in our words. */
export const fillLabels = {
	selection: "Editor Selection",
	file: "Current File",
	clipboard: "Clipboard",
	command: "Output of a Command…",
} as const;

/** One of those places. */
export type FillId = keyof typeof fillLabels;
