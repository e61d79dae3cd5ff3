import type { CompletionSource } from "../completion/feed.ts";
import type { FillSources } from "../completion/fills.ts";
import type { RecentValues } from "../completion/recentValues.ts";
import type { Log } from "../base/log.ts";
import { cap, showHidden } from "../base/text.ts";
import type { FormField, FormInput, FormProblem } from "../form/formProtocol.ts";
import type { FormQuestion } from "../form/formSession.ts";
import { argumentSteps, refusalOf, withoutEmpty, type PromptArguments } from "./arguments.ts";
import { promptTitle, type PromptEntry } from "./catalog.ts";
import { fillLabels } from "./fillLabels.ts";

/** How much of a prompt's description is shown, in characters. */
const descriptionLimit = 2000;

/** What a form of a prompt's arguments needs. */
export interface ArgumentFormServices {
	readonly log: Log;
	readonly complete: CompletionSource;
	readonly fills: FillSources;
	readonly recent: RecentValues;
}

/** A form and how to read what was entered in it. */
export interface ArgumentForm {
	readonly question: FormQuestion;
	/** The arguments that an accepted input holds. What was typed is remembered, what came from elsewhere is not. */
	read(input: FormInput): PromptArguments;
}

/** All arguments of a prompt on one page, with what was entered so far. */
export function argumentForm(
	{ prompt, session }: PromptEntry,
	entered: PromptArguments,
	{ log, complete, fills, recent }: ArgumentFormServices,
): ArgumentForm {
	const steps = argumentSteps(prompt);
	const server = session.definition.name;
	const title = promptTitle(prompt);
	const filled = new Map<string, string>();
	const valuesOf = (input: FormInput): ReadonlyMap<string, string> => {
		const values = input.kind === "fields" ? input.values : [];
		return new Map(steps.map(({ name }, index) => [name, textOf(values[index])]));
	};
	const question: FormQuestion = {
		subject: { kind: "form", server, title },
		heading: `Arguments of ${title}`,
		...(prompt.description === undefined ? {} : { quote: cap(showHidden(prompt.description), descriptionLimit) }),
		body: {
			kind: "fields",
			fields: steps.map(({ name, label, description, isRequired }): FormField => ({
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
		initial: {
			kind: "fields",
			values: steps.map(({ name }) => (Object.hasOwn(entered, name) ? (entered[name] ?? "") : "")),
		},
		submitLabel: "Preview",
		canDecline: false,
		log,
		validate: (input) => {
			const values = valuesOf(input);
			const problems = steps.flatMap((step, field): readonly FormProblem[] => {
				const message = refusalOf(step, values.get(step.name) ?? "");
				return message === undefined ? [] : [{ field, message }];
			});
			return Promise.resolve(problems);
		},
		complete: (field, input, signal) => {
			const values = valuesOf(input);
			const name = steps[field]?.name ?? "";
			const known = [...values].filter(([other, value]) => other !== name && value !== "");
			return complete({ name, value: values.get(name) ?? "", known: Object.fromEntries(known) }, signal);
		},
		fill: async (field, source, signal) => {
			const text = await fills.read(source, signal);
			if (text !== undefined) filled.set(steps[field]?.name ?? "", text);
			return text;
		},
	};
	return {
		question,
		read(input) {
			const values = valuesOf(input);
			for (const [name, value] of values) if (filled.get(name) !== value) recent.remember(name, value);
			return withoutEmpty(Object.fromEntries(values));
		},
	};
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
