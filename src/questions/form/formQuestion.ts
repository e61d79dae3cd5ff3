import type { JsonObject } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import type { SchemaProblem } from "../../base/schema/schema.ts";
import { cap, showHidden } from "../../base/text.ts";
import type { UrlView } from "../../base/urlView.ts";
import type { Completions } from "../completion/feed.ts";
import type { DecisionSubject } from "../decisions/decision.ts";
import type { FormAction, FormField } from "./formProtocol.ts";

/** How much of the server's text is shown, in characters. */
const quoteLimit = 10_000;

/** A field that is asked for separately; its content is a member of the form's value under its name. */
export type QuestionField = FormField & { readonly name: string };

/** The subject of a form. */
export type FormContent =
	/**
	 * Fields, without a choice of how to show them. An empty text, number or choice is not a member of the value, nor is
	 * an optional choice of several without a selection; a box is true or false. Names are not repeated.
	 */
	| { readonly kind: "fields"; readonly fields: readonly QuestionField[] }
	/** An object by a JSON Schema of the server, which is untrusted. Parts that a form cannot show are edited as JSON. */
	| { readonly kind: "schema"; readonly schema: JsonObject }
	/** Nothing but consent to open a page. */
	| { readonly kind: "page"; readonly url: UrlView };

/**
 * The subject of a form and how its answer is checked. The kind `form` in the subject makes it the user's own form:
 * nobody waits for it, and `FormPanels.ask` opens it.
 */
export interface FormQuestion {
	readonly subject: DecisionSubject;
	/** The question in our words. */
	readonly heading: string;
	/** The title of the tab, if the heading is too long to be distinguished from others there. */
	readonly tabTitle?: string;
	/** The server's text about it, shown as a quotation. */
	readonly quote?: string;
	/** Notes for the user, in our words, above the form. */
	readonly notes?: readonly string[];
	/** Whether the safe answer has the focus when there is nothing to fill in; true by default. */
	readonly isRisky?: boolean;
	readonly content: FormContent;
	/** The initial content of the form. */
	readonly initial: JsonObject;
	readonly submitLabel: string;
	readonly canDecline: boolean;
	/** The label for declining, if it differs from that of an elicitation. */
	readonly declineLabel?: string;
	/** The problems of a value, with the place; empty when it may be submitted. Must not throw. */
	validate(value: JsonObject): Promise<readonly SchemaProblem[]>;
	/** The result of the value, such as a URI: shown as one line below the fields and updated with each change. */
	preview?(value: JsonObject): string | undefined;
	/** The label of the preview, such as `URI`; `Preview` by default. */
	readonly previewLabel?: string;
	/**
	 * Suggestions for the field of a name that has `suggests`, with all values as context; `text` is the text to
	 * complete: the line of the caret in a field with `isList`, otherwise all of the field. Requested after a pause in
	 * typing; may be slow or throw, which means no suggestions. Empty and repeated values are left out, and at most 100
	 * are shown.
	 */
	complete?(name: string, value: JsonObject, signal: AbortSignal, text: string): Promise<Completions>;
	/**
	 * The text of a source of the field of a name; undefined when the user gave none. A HostError's message is shown
	 * below the field.
	 */
	fill?(name: string, sourceId: string, signal: AbortSignal): Promise<string | undefined>;
	/** Further actions, as buttons; read again whenever the form's state changes. */
	actions?(): readonly FormAction[];
	/** Runs the action of a displayed button; the form's state is shown again afterwards. Must not throw. */
	act?(id: string): void | Promise<void>;
	/** Where failed completions are noted. */
	readonly log?: Log;
}

/** How the user answered a form. An accepted value has passed the form's validation unchanged. */
export type FormAnswer =
	| { readonly action: "accept"; readonly value: JsonObject }
	| { readonly action: "decline" }
	| { readonly action: "cancel" };

/** An object for the user to edit by its schema, such as the arguments of a tool call. */
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
 * Lets the user edit an object in a form made from its schema, or as JSON in the other tab. Returns exactly the
 * displayed value, which is `initial` itself when nothing was edited; undefined when they cancelled or closed the form,
 * or the signal was aborted.
 */
export type EditObject = (request: ObjectEditRequest) => Promise<JsonObject | undefined>;

/** The form in which an object is edited. */
export function editQuestion({ schema, signal: _signal, quote, subject, ...request }: ObjectEditRequest): FormQuestion {
	// The question of the edit may be in a chat; the edit itself is only in its panel.
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
