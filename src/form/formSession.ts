import { Emitter, type Event } from "../base/event.ts";
import type { Log } from "../base/log.ts";
import { cap, showHidden } from "../base/text.ts";
import type { Completions } from "../completion/feed.ts";
import { Decision, type DecisionSubject } from "../decisions/decision.ts";
import { describeLapse } from "../decisions/lapse.ts";
import { FormFill, type Filling } from "./formFill.ts";
import { parseInput, roomFor } from "./formInput.ts";
import type {
	FieldSuggestions,
	FormAction,
	FormBody,
	FormDocument,
	FormInput,
	FormProblem,
	FormState,
} from "./formProtocol.ts";
import { FormSuggestions } from "./formSuggestions.ts";

/**
 * What a form asks and how the answer is checked. The kind `form` in the subject makes it the person's own form: nobody
 * waits for it, and `FormPanels.ask` opens it.
 */
export interface FormQuestion {
	readonly subject: DecisionSubject;
	/** The question in our words. */
	readonly heading: string;
	/** What the editor tab says, where the heading is too long to be told from others there. */
	readonly tabTitle?: string;
	/** What the server says about it, shown as a quotation. */
	readonly quote?: string;
	readonly body: FormBody;
	/** What the controls hold at first. */
	readonly initial: FormInput;
	readonly submitLabel: string;
	readonly canDecline: boolean;
	/** What is wrong with an input; empty when it may be submitted. Must not throw. */
	validate(input: FormInput): Promise<readonly FormProblem[]>;
	/** What the input makes, such as a URI: shown as one line below the fields and updated with each change. */
	preview?(input: FormInput): string | undefined;
	/** What the preview is, such as `URI`; `Preview` unless given. */
	readonly previewLabel?: string;
	/**
	 * Suggestions for a field with `suggests`, all that is entered being their context; `text` is what to complete: the
	 * line of the caret in a field with `isList`, otherwise all of the field. Asked after a pause in typing; may be slow
	 * or throw, which means no suggestions. Empty and repeated values are left out, and at most 100 are shown.
	 */
	complete?(field: number, input: FormInput, signal: AbortSignal, text: string): Promise<Completions>;
	/**
	 * The text of a source of a field with `fills`; undefined when the person gave none. A HostError's message is shown
	 * below the field.
	 */
	fill?(field: number, sourceId: string, signal: AbortSignal): Promise<string | undefined>;
	/** What else can be done now, as further buttons; read anew whenever the form's state changes. */
	actions?(): readonly FormAction[];
	/** Does what one of the buttons that are shown stands for; the form's state is shown anew afterwards. Must not throw. */
	act?(id: string): void | Promise<void>;
	/** Where failed completions are noted. */
	readonly log?: Log;
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

/** How much of a preview is shown, in characters. */
const previewLimit = 5000;

/** One form before the person: keeps what was entered, checks it as it changes, and settles once. */
export class FormSession {
	readonly decision: Decision<FormAnswer>;
	readonly question: FormQuestion;
	private input: FormInput;
	private problems: readonly FormProblem[] = [];
	private attempts = 0;
	private revision = 0;
	private readonly filling: FormFill;
	private readonly suggestions: FormSuggestions;
	private readonly changed = new Emitter<void>();
	/** Fired when `state` changed. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** Fired with the suggestions for the field whose list is open. */
	readonly onDidSuggest: Event<FieldSuggestions>;
	/** Fired with a text that a field is to hold in place of what is there. */
	readonly onDidFill: Event<Filling>;

	constructor(question: FormQuestion) {
		this.question = question;
		this.decision = new Decision<FormAnswer>(question.subject, { action: question.canDecline ? "decline" : "cancel" });
		this.input = question.initial;
		this.suggestions = new FormSuggestions(question);
		this.onDidSuggest = this.suggestions.onDidChange;
		this.filling = new FormFill(question, (field) => roomFor(this.input, field));
		this.onDidFill = this.filling.onDidFill;
		this.filling.onDidChange(() => this.changed.fire());
		this.filling.onDidFill((filling) => this.take(filling));
		void this.decision.settled.then(() => this.finish());
		void this.check(this.input);
	}

	get state(): FormState {
		const end = this.end();
		const preview = this.question.preview?.(this.input);
		const fill = this.filling.state;
		const actions = end === undefined ? this.question.actions?.() : undefined;
		return {
			problems: this.problems,
			attempts: this.attempts,
			...(end === undefined ? {} : { end }),
			...(preview === undefined ? {} : { preview: cap(showHidden(preview), previewLimit) }),
			...(fill === undefined ? {} : { fill }),
			...(actions === undefined ? {} : { actions }),
		};
	}

	get document(): FormDocument {
		const { subject, heading, quote, body, submitLabel, canDecline, initial, previewLabel = "Preview" } = this.question;
		return {
			asker: subject.kind === "elicitation" || subject.kind === "url" ? "server" : "person",
			heading,
			server: subject.server,
			...(subject.during === undefined ? {} : { during: subject.during }),
			...(quote === undefined ? {} : { quote }),
			body,
			submitLabel,
			canDecline,
			previewLabel,
			input: this.input,
			initial,
			state: this.state,
		};
	}

	/** Keeps what the view sends and checks it. What is not an input of this form is ignored. */
	async change(raw: unknown): Promise<void> {
		const input = this.keep(raw);
		if (input !== undefined) await this.check(input);
	}

	/** Accepts the form with this very input if it is valid; otherwise the problems are shown. */
	async submit(raw: unknown): Promise<void> {
		const input = this.keep(raw);
		if (input === undefined) return;
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

	/** Asks for suggestions for a field, with this input as their context. What does not fit the form is ignored. */
	complete(field: unknown, raw: unknown, line: unknown): void {
		const input = parseInput(raw, this.question.body);
		if (input !== undefined && this.decision.outcome === undefined) this.suggestions.request(field, input, line);
	}

	/** Fills a field from one of its sources. What is not one of them is ignored. */
	async fill(field: unknown, source: unknown): Promise<void> {
		if (this.decision.outcome === undefined) await this.filling.request(field, source);
	}

	/** Does what a further button stands for. What is not one of those shown is ignored. */
	async act(id: unknown): Promise<void> {
		const action = this.state.actions?.find((offered) => offered.id === id);
		if (action === undefined) return;
		await this.question.act?.(action.id);
		this.changed.fire();
	}

	/** Keeps the view's input, unless it does not fit the form or comes too late. */
	private keep(raw: unknown): FormInput | undefined {
		const input = parseInput(raw, this.question.body);
		if (input === undefined || this.decision.outcome !== undefined) return undefined;
		const { input: former } = this;
		this.input = input;
		const filled = this.filling.state?.field;
		if (filled !== undefined && valueAt(former, filled) !== valueAt(input, filled)) this.filling.forget(filled);
		return input;
	}

	private take({ field, text }: Filling): void {
		if (this.input.kind !== "fields") return;
		this.input = { kind: "fields", values: this.input.values.with(field, text) };
		void this.check(this.input);
	}

	private finish(): void {
		this.suggestions.dispose();
		this.filling.dispose();
		this.changed.fire();
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

/** The input that a form was submitted with, or undefined when it ended without one. */
export async function acceptedInput({ decision }: FormSession): Promise<FormInput | undefined> {
	const settled = await decision.settled;
	return settled.by === "person" && settled.answer.action === "accept" ? settled.answer.input : undefined;
}

function valueAt(input: FormInput, field: number): unknown {
	return input.kind === "fields" ? input.values[field] : undefined;
}
