/** What every field of a form has. All texts may come from a server; the view shows them as plain text. */
interface FieldFrame {
	readonly label: string;
	readonly description?: string;
	readonly isRequired: boolean;
	/** A caution of ours, such as that the field looks like a secret. */
	readonly warning?: string;
}

/** A value to choose. */
export interface FieldOption {
	readonly value: string;
	readonly label: string;
}

/** One field with the control that suits it. */
export type FormField = FieldFrame &
	(
		| { readonly kind: "text"; readonly format?: "email" | "uri" | "date" | "date-time"; readonly isLong: boolean }
		| { readonly kind: "number" }
		| { readonly kind: "boolean" }
		| { readonly kind: "choice"; readonly options: readonly FieldOption[] }
		| { readonly kind: "choices"; readonly options: readonly FieldOption[] }
	);

/** What a control holds: text as typed, a tick, or the values ticked. */
export type FieldInput = string | boolean | readonly string[];

/** What a form asks for. */
export type FormBody =
	| { readonly kind: "fields"; readonly fields: readonly FormField[] }
	| { readonly kind: "json"; readonly schemaText?: string }
	| { readonly kind: "url"; readonly url: UrlView };

/** A URL in full, cut so that the host can be set off. The three parts joined are the URL that is opened. */
export interface UrlView {
	readonly before: string;
	readonly host: string;
	readonly after: string;
	readonly warnings: readonly string[];
}

/** What the person has entered: the controls' values in the order of the fields, or the JSON text. */
export type FormInput =
	| { readonly kind: "fields"; readonly values: readonly FieldInput[] }
	| { readonly kind: "json"; readonly text: string }
	| { readonly kind: "url" };

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
}

/** Everything that the view shows, whenever it is loaded. */
export interface FormDocument {
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
	readonly input: FormInput;
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
}

/** What the host tells the view. */
export interface FormViewApi {
	show: (state: FormState) => void;
}
