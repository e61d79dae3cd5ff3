import { Emitter, type Event } from "../base/event.ts";
import type { JsonObject } from "../base/json.ts";
import { cap, showHidden } from "../base/text.ts";
import { Decision } from "../decisions/decision.ts";
import { describeLapse } from "../decisions/lapse.ts";
import { exactJson } from "../tools/exactJson.ts";
import { problemSentence, type SchemaProblem } from "../schema/schema.ts";
import { parseChange } from "./objectChange.ts";
import { ObjectEditor } from "./objectEditor.ts";
import type { ObjectEditRequest } from "./objectEdit.ts";
import type { ObjectDocument, ObjectState } from "./objectProtocol.ts";

/** How the edit of an object ended when the person ended it. */
export type ObjectAnswer = { readonly action: "accept"; readonly value: JsonObject } | { readonly action: "cancel" };

/** How much of what the server says is shown, in characters. */
const quoteLimit = 10_000;

/** How much of a schema is shown beside the JSON, in characters. */
const schemaLimit = 200_000;

/**
 * One object before the person: keeps all state, so that a view may come and go (security.md UI-07), checks the value as it
 * changes, and settles once, with a value that has passed the check as it stands (TOL-10).
 */
export class ObjectSession {
	readonly decision: Decision<ObjectAnswer>;
	/** What is edited. */
	readonly heading: string;
	private readonly request: ObjectEditRequest;
	private readonly editor: ObjectEditor;
	private problems: readonly SchemaProblem[] = [];
	private checked: JsonObject | undefined;
	private isChecking = false;
	private failures = 0;
	private seen = 0;
	private readonly changed = new Emitter<void>();
	/** Fired when `state` changed. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(request: ObjectEditRequest) {
		this.request = request;
		this.heading = request.heading;
		// The question that the edit belongs to may stand in a chat; the edit itself stands in its panel alone.
		const { isInline: _isInline, ...subject } = request.subject;
		this.decision = new Decision(subject);
		this.decision.lapseOn(request.signal);
		this.editor = new ObjectEditor(request.schema, request.initial);
		void this.decision.settled.then(() => this.changed.fire());
		void this.check();
	}

	get state(): ObjectState {
		const { editor, failures, seen } = this;
		const { tab, noForm, isEdited, canUndoReset } = editor;
		const end = this.end();
		const common = {
			tab,
			...(noForm === undefined ? {} : { noForm }),
			failures,
			isEdited,
			canUndoReset,
			seen,
			...(end === undefined ? {} : { end }),
		};
		const { root } = editor;
		if (root === undefined) return { ...common, text: editor.text, problems: this.jsonProblems };
		const { problem, ...rest } = root;
		return { ...common, root: rest, problems: problem === undefined ? [] : [problem] };
	}

	get document(): ObjectDocument {
		const { subject, quote, submitLabel, schema, notes = [], isRisky = false } = this.request;
		return {
			heading: this.heading,
			server: subject.server,
			...(subject.during === undefined ? {} : { during: subject.during }),
			...(quote === undefined ? {} : { quote: cap(showHidden(quote), quoteLimit) }),
			notes,
			isRisky,
			submitLabel,
			schemaText: cap(exactJson(schema), schemaLimit),
			state: this.state,
		};
	}

	/** Makes a change that the view asks for. What is none, or does not fit the form, changes nothing (UI-06). */
	change(raw: unknown, number: unknown): void {
		if (this.decision.outcome !== undefined) return;
		const change = parseChange(raw);
		if (typeof number === "number") this.seen = number;
		if (change !== undefined && !this.editor.apply(change) && change.kind === "tab") this.fail();
		this.changed.fire();
		void this.check();
	}

	/** Hands back the very value that is shown, if it is valid; otherwise the problems are shown. */
	async submit(): Promise<void> {
		const { editor } = this;
		if (this.decision.outcome !== undefined) return;
		const { value } = editor;
		const problems = editor.slip === undefined ? await this.request.validate(value) : undefined;
		// Whoever goes on typing while it is checked has not submitted that.
		if (value !== editor.value) return;
		if (problems?.length === 0 && editor.slip === undefined) {
			this.decision.answer({ action: "accept", value });
			return;
		}
		this.problems = problems ?? this.problems;
		this.fail();
		this.changed.fire();
	}

	cancel(): void {
		this.decision.answer({ action: "cancel" });
	}

	private get jsonProblems(): readonly string[] {
		const { jsonProblems } = this.editor;
		return jsonProblems.length > 0 ? jsonProblems : this.problems.map(problemSentence);
	}

	/** Shows every problem, wherever it is. */
	private fail(): void {
		this.failures++;
		this.editor.setProblems(this.problems, true);
		this.editor.openProblems();
	}

	/** Checks one value at a time, and of those that come meanwhile only the last: a schema may take long to apply. */
	private async check(): Promise<void> {
		if (this.isChecking) return;
		this.isChecking = true;
		while (this.checked !== this.editor.value && this.decision.outcome === undefined) {
			const { value } = this.editor;
			const problems = await this.request.validate(value);
			this.checked = value;
			if (value === this.editor.value) {
				this.problems = problems;
				this.editor.setProblems(problems, this.failures > 0);
				this.changed.fire();
			}
			// What the person does comes before the next check.
			await new Promise((resolve) => setImmediate(resolve));
		}
		this.isChecking = false;
	}

	private end(): string | undefined {
		const { outcome } = this.decision;
		if (outcome === undefined) return undefined;
		if (outcome.by === "lapse") return describeLapse(outcome.reason, this.request.subject.server);
		return outcome.answer.action === "accept" ? "You submitted this." : "You cancelled.";
	}
}

/** The object that an edit ended with, or undefined when it ended without one. */
export async function editedObject({ decision }: ObjectSession): Promise<JsonObject | undefined> {
	const settled = await decision.settled;
	return settled.by === "person" && settled.answer.action === "accept" ? settled.answer.value : undefined;
}
