/** What every field of a form has. All texts may come from a server; the view shows them as plain text. */
interface FieldFrame {
	readonly label: string;
	readonly description?: string;
	readonly isRequired: boolean;
	/** A caution of ours, such as that the field looks like a secret. */
	readonly warning?: string;
	/** Whether the host can suggest values for what is typed. Texts and numbers only. */
	readonly suggests?: boolean;
	/** What the person entered here before, newest first: the first group of the suggestions. Texts and numbers only. */
	readonly recent?: readonly string[];
	/** From where the field can be filled instead of typing. Texts and numbers only. */
	readonly fills?: readonly FillSource[];
}

/** A place from which a field can be filled, such as the selection or the clipboard. */
export interface FillSource {
	readonly id: string;
	/** What follows "Fill from", in our words, such as `Clipboard`. */
	readonly label: string;
}

/** A value to choose. */
export interface FieldOption {
	readonly value: string;
	readonly label: string;
}

/** One field with the control that suits it. */
export type FormField = FieldFrame &
	(
		| {
				readonly kind: "text";
				readonly format?: "email" | "uri" | "date" | "date-time";
				readonly isLong: boolean;
				/** One value per line: suggestions are for the line of the caret. Only with `isLong`. */
				readonly isList?: boolean;
		  }
		| { readonly kind: "number" }
		| { readonly kind: "boolean" }
		| {
				readonly kind: "choice";
				readonly options: readonly FieldOption[];
				/** What stands for no choice; in our words. */
				readonly nothing?: string;
		  }
		| { readonly kind: "choices"; readonly options: readonly FieldOption[] }
	);

/** What a control holds: text as typed, a tick, or the values ticked. */
export type FieldInput = string | boolean | readonly string[];

/** What a form asks for. */
export type FormBody =
	| { readonly kind: "fields"; readonly fields: readonly FormField[] }
	| { readonly kind: "url"; readonly url: UrlView };

/** A URL in full, cut so that the host can be set off. The three parts joined are the URL that is opened. */
export interface UrlView {
	readonly before: string;
	readonly host: string;
	readonly after: string;
	readonly warnings: readonly string[];
}

/** What the person has entered: the controls' values in the order of the fields. */
export type FormInput = { readonly kind: "fields"; readonly values: readonly FieldInput[] } | { readonly kind: "url" };

/** Something wrong with what was entered: in the field of that index, or as a whole. */
export interface FormProblem {
	readonly field?: number;
	readonly message: string;
}

/** What changes while a form is open. */
export interface FormState {
	readonly problems: readonly FormProblem[];
	/** How often the person tried to submit; the view then goes to the first problem. */
	readonly attempts: number;
	/** How the question ended; the controls are then dead. */
	readonly end?: string;
	/** What the input makes, as one line below the fields, such as the URI of a template. */
	readonly preview?: string;
	/** What became of the last "Fill From", said below its field. */
	readonly fill?: FillState;
	/** What else can be done now, as further buttons. */
	readonly actions?: readonly FormAction[];
}

/** A further button of a form. Its label is in our words. */
export interface FormAction {
	readonly id: string;
	readonly label: string;
}

/** What became of filling a field. The message is in our words. */
export interface FillState {
	readonly field: number;
	readonly step: "running" | "done" | "failed";
	readonly message: string;
}

/** A value that can be taken into a field. */
export interface Suggestion {
	readonly value: string;
	/** The value fit to show: hidden characters written as escapes, on one line, not endless. */
	readonly label: string;
}

/** The suggestions for a field whose list is open. Each message of this kind replaces the one before. */
export interface FieldSuggestions {
	readonly field: number;
	readonly groups: readonly { readonly label: string; readonly rows: readonly Suggestion[] }[];
	/** Said when not all of them are shown. */
	readonly note?: string;
	/** Whether an answer is still waited for. */
	readonly isBusy: boolean;
}

/** Everything that the view shows, whenever it is loaded. */
export interface FormDocument {
	/** Who opened the form: a server that asks, or the person, in which case nobody waits for it. */
	readonly asker: "server" | "person";
	/** The question in our words, with the server's configured name. */
	readonly heading: string;
	readonly server: string;
	readonly during?: string;
	/** What the server says about it: shown as a quotation. */
	readonly quote?: string;
	readonly body: FormBody;
	readonly submitLabel: string;
	/** Whether the person may decline, which a server is told apart from a cancelled question. */
	readonly canDecline: boolean;
	/** What the preview is, such as `URI`. */
	readonly previewLabel: string;
	readonly input: FormInput;
	/** What the controls held at first, for Reset. */
	readonly initial: FormInput;
	readonly state: FormState;
}

/** What the view may ask of the host. */
export interface FormHostApi {
	ready: () => FormDocument;
	/** Keeps what was entered, so that hiding the panel loses nothing, and checks it. */
	change: (input: FormInput) => void;
	submit: (input: FormInput) => void;
	decline: () => void;
	cancel: () => void;
	/** Asks for suggestions for a field, or one line of it, with all that is entered as their context. */
	complete: (field: number, input: FormInput, line: number) => void;
	/** Fills a field from one of its sources. */
	fill: (field: number, source: string) => void;
	/** Presses one of the further buttons. */
	act: (action: string) => void;
}

/** What the host tells the view. */
export interface FormViewApi {
	show: (state: FormState) => void;
	suggest: (suggestions: FieldSuggestions) => void;
	/** Puts a text into a field in place of what is there. The host's input has it already. */
	fill: (field: number, text: string) => void;
}
