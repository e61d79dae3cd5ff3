import { Emitter, type Event } from "../base/event.ts";
import { isJsonObject } from "../base/json.ts";
import { Decision, type DecisionSubject } from "../decisions/decision.ts";
import { describeLapse } from "../decisions/lapse.ts";
import type {
	FieldInput,
	FormBody,
	FormDocument,
	FormField,
	FormInput,
	FormProblem,
	FormState,
} from "./formProtocol.ts";

/** What a form asks and how the answer is checked. */
export interface FormQuestion {
	readonly subject: DecisionSubject;
	/** The question in our words. */
	readonly heading: string;
	/** What the server says about it, shown as a quotation. */
	readonly quote?: string;
	readonly body: FormBody;
	/** What the controls hold at first. */
	readonly initial: FormInput;
	readonly submitLabel: string;
	readonly canDecline: boolean;
	/** What is wrong with an input; empty when it may be submitted. */
	validate(input: FormInput): Promise<readonly FormProblem[]>;
}

/** How the person answered a form. An accepted input has passed the form's validation. */
export type FormAnswer =
	| { readonly action: "accept"; readonly input: FormInput }
	| { readonly action: "decline" }
	| { readonly action: "cancel" };

const endings: Readonly<Record<FormAnswer["action"], string>> = {
	accept: "You answered.",
	decline: "You declined.",
	cancel: "You cancelled.",
};

/** The most characters that an input may have; beyond it a message of the view is not an input. */
const inputLimit = 10_000_000;

/** One form before the person: keeps what was entered, checks it as it changes, and settles once. */
export class FormSession {
	readonly decision: Decision<FormAnswer>;
	readonly question: FormQuestion;
	private input: FormInput;
	private problems: readonly FormProblem[] = [];
	private attempts = 0;
	private revision = 0;
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(question: FormQuestion) {
		this.question = question;
		this.decision = new Decision(question.subject);
		this.input = question.initial;
		void this.decision.settled.then(() => this.changed.fire());
		void this.check(this.input);
	}

	get state(): FormState {
		const end = this.end();
		return { problems: this.problems, attempts: this.attempts, ...(end === undefined ? {} : { end }) };
	}

	get document(): FormDocument {
		const { subject, heading, quote, body, submitLabel, canDecline } = this.question;
		return {
			heading,
			server: subject.server,
			...(subject.during === undefined ? {} : { during: subject.during }),
			...(quote === undefined ? {} : { quote }),
			body,
			submitLabel,
			canDecline,
			input: this.input,
			state: this.state,
		};
	}

	/** Keeps what the view sends and checks it. What is not an input of this form is ignored. */
	async change(raw: unknown): Promise<void> {
		const input = parseInput(raw, this.question.body);
		if (input === undefined || this.decision.outcome !== undefined) return;
		this.input = input;
		await this.check(input);
	}

	/** Accepts the form with this very input if it is valid; otherwise the problems are shown. */
	async submit(raw: unknown): Promise<void> {
		const input = parseInput(raw, this.question.body);
		if (input === undefined || this.decision.outcome !== undefined) return;
		this.input = input;
		this.attempts++;
		const problems = await this.check(input);
		if (problems.length === 0) this.decision.answer({ action: "accept", input });
	}

	decline(): void {
		if (this.question.canDecline) this.decision.answer({ action: "decline" });
	}

	cancel(): void {
		this.decision.answer({ action: "cancel" });
	}

	private async check(input: FormInput): Promise<readonly FormProblem[]> {
		const revision = ++this.revision;
		const problems = await this.question.validate(input);
		// A check that a later input overtook says nothing about what is on the screen.
		if (revision === this.revision) {
			this.problems = problems;
			this.changed.fire();
		}
		return problems;
	}

	private end(): string | undefined {
		const outcome = this.decision.outcome;
		if (outcome === undefined) return undefined;
		if (outcome.by === "lapse") return describeLapse(outcome.reason, this.question.subject.server);
		return endings[outcome.answer.action];
	}
}

/** What the view sent as the input of a form, or undefined when it does not fit the form (security.md UI-06). */
function parseInput(raw: unknown, body: FormBody): FormInput | undefined {
	if (!isJsonObject(raw) || raw["kind"] !== body.kind) return undefined;
	if (body.kind === "url") return { kind: "url" };
	if (body.kind === "json") {
		const text = raw["text"];
		return typeof text === "string" && text.length <= inputLimit ? { kind: "json", text } : undefined;
	}
	const values: unknown = raw["values"];
	if (!Array.isArray(values) || values.length !== body.fields.length) return undefined;
	const parsed = body.fields.map(({ kind }, index) => parseFieldInput(kind, values[index]));
	return parsed.every((value) => value !== undefined) ? { kind: "fields", values: parsed } : undefined;
}

function parseFieldInput(kind: FormField["kind"], value: unknown): FieldInput | undefined {
	if (kind === "boolean") return typeof value === "boolean" ? value : undefined;
	if (kind !== "choices") return typeof value === "string" && value.length <= inputLimit ? value : undefined;
	return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}
