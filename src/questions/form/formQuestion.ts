import type { JsonObject } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import type { SchemaProblem } from "../../base/schema/schema.ts";
import { cap, showHidden } from "../../base/text.ts";
import type { UrlView } from "../../base/urlView.ts";
import type { Completions } from "../completion/feed.ts";
import type { DecisionSubject } from "../decisions/decision.ts";
import type { FormAction, FormField } from "./formProtocol.ts";

/** How much of what the server says is shown, in characters. */
const quoteLimit = 10_000;

/** A field that is asked for on its own; what it holds is a member of the form's value under its name. */
export type QuestionField = FormField & { readonly name: string };

/** What a form asks for. */
export type FormContent =
	/**
	 * Fields, without a choice of how to show them. A text, number or choice that is left empty is no member of the value,
	 * nor is an optional choice of several of which none is ticked; a box is true or false. Names are not repeated.
	 */
	| { readonly kind: "fields"; readonly fields: readonly QuestionField[] }
	/** An object by a JSON Schema of the server, which is untrusted. What a form cannot show of it is edited as JSON. */
	| { readonly kind: "schema"; readonly schema: JsonObject }
	/** Nothing but consent to open a page. */
	| { readonly kind: "page"; readonly url: UrlView };

/**
 * What a form asks and how the answer is checked. The kind `form` in the subject makes it the user's own form: nobody
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
	/** What the user should know, in our words, above the form. */
	readonly notes?: readonly string[];
	/** Whether the safe answer has the focus when there is nothing to fill in; it has unless told otherwise. */
	readonly isRisky?: boolean;
	readonly content: FormContent;
	/** What the form starts with. */
	readonly initial: JsonObject;
	readonly submitLabel: string;
	readonly canDecline: boolean;
	/** What declining is called where it is another word than that of an elicitation. */
	readonly declineLabel?: string;
	/** What is wrong with a value, with the place; empty when it may be submitted. Must not throw. */
	validate(value: JsonObject): Promise<readonly SchemaProblem[]>;
	/** What the value makes, such as a URI: shown as one line below the fields and updated with each change. */
	preview?(value: JsonObject): string | undefined;
	/** What the preview is, such as `URI`; `Preview` unless given. */
	readonly previewLabel?: string;
	/**
	 * Suggestions for the field of a name that has `suggests`, all that is entered being their context; `text` is what to
	 * complete: the line of the caret in a field with `isList`, otherwise all of the field. Asked after a pause in typing;
	 * may be slow or throw, which means no suggestions. Empty and repeated values are left out, and at most 100 are shown.
	 */
	complete?(name: string, value: JsonObject, signal: AbortSignal, text: string): Promise<Completions>;
	/**
	 * The text of a source of the field of a name; undefined when the user gave none. A HostError's message is shown
	 * below the field.
	 */
	fill?(name: string, sourceId: string, signal: AbortSignal): Promise<string | undefined>;
	/** What else can be done now, as further buttons; read anew whenever the form's state changes. */
	actions?(): readonly FormAction[];
	/** Does what one of the buttons that are shown stands for; the form's state is shown anew afterwards. Must not throw. */
	act?(id: string): void | Promise<void>;
	/** Where failed completions are noted. */
	readonly log?: Log;
}

/** How the user answered a form. An accepted value has passed the form's validation as it stands. */
export type FormAnswer =
	| { readonly action: "accept"; readonly value: JsonObject }
	| { readonly action: "decline" }
	| { readonly action: "cancel" };

/** An object for the user to edit by the schema that it has to fit, such as the arguments of a tool call. */
export interface ObjectEditRequest extends Pick<
	FormQuestion,
	"subject" | "heading" | "quote" | "notes" | "isRisky" | "initial" | "submitLabel" | "validate"
> {
	/** A JSON Schema of the server: untrusted. */
	readonly schema: JsonObject;
	/** Ends the edit, as when the turn that waits for it is cancelled. */
	readonly signal: AbortSignal;
}

/**
 * Lets the user edit an object in a form made from its schema, or as JSON in the other tab. Gives exactly what was on
 * the screen, which is `initial` itself when nothing was edited; undefined when they cancelled or closed the form, or the
 * signal was aborted.
 */
export type EditObject = (request: ObjectEditRequest) => Promise<JsonObject | undefined>;

/** The form in which an object is edited. */
export function editQuestion({ schema, signal: _signal, quote, subject, ...request }: ObjectEditRequest): FormQuestion {
	// The question that the edit belongs to may stand in a chat; the edit itself stands in its panel alone.
	const { isInline: _isInline, ...own } = subject;
	return {
		...request,
		subject: own,
		...(quote === undefined ? {} : { quote: cap(showHidden(quote), quoteLimit) }),
		isRisky: request.isRisky ?? false,
		content: { kind: "schema", schema },
		canDecline: false,
	};
}
