import type { UrlView } from "../../base/urlView.ts";

/** The members of every field of a form. All texts may come from a server; the view shows them as plain text. */
interface FieldFrame {
	readonly label: string;
	readonly description?: string;
	readonly isRequired: boolean;
	/** A caution of ours, such as that the field looks like a secret. */
	readonly warning?: string;
	/** Whether the host can suggest values for typed text. Texts and numbers only. */
	readonly suggests?: boolean;
	/** The user's earlier values here, newest first: the first group of the suggestions. Texts and numbers only. */
	readonly recent?: readonly string[];
	/** From where the field can be filled instead of typing. Texts and numbers only. */
	readonly fills?: readonly FillSource[];
}

/** A place from which a field can be filled, such as the selection or the clipboard. */
export interface FillSource {
	readonly id: string;
	/** The words after "Fill from", in our words, such as `Clipboard`. */
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
				/** The label for no choice; in our words. */
				readonly nothing?: string;
		  }
		| { readonly kind: "choices"; readonly options: readonly FieldOption[] }
	);

/** The content of a control: text as typed, a check, or the checked values. */
export type FieldInput = string | boolean | readonly string[];

/** The actions on a node besides typing into it. */
export type NodeAction =
	/** Puts an absent member there. */
	| "add"
	/** Puts an empty list there. */
	| "empty"
	/** Takes a member or an item away: absent is neither an empty text nor null. */
	| "remove"
	/** Sets the value to null. */
	| "null"
	/** Puts a value of the kind that the schema asks for in place of one that is of another. */
	| "replace"
	/** Restores the initial content. */
	| "reset"
	| "up"
	| "down";

/** The members of every node of a form. All texts may come from a server; the view shows them as plain text. */
interface NodeFrame {
	/** Stays the same for the same place. */
	readonly id: number;
	readonly label: string;
	readonly description?: string;
	readonly isRequired: boolean;
	/** Whether there is a value at all. */
	readonly isPresent: boolean;
	/** Whether it differs from the initial content, in a form that was not empty then. */
	readonly isEdited: boolean;
	readonly problem?: string;
	readonly actions: readonly NodeAction[];
	/** The kinds of value that the schema allows; `chosen` is -1 when the value is none of them. */
	readonly variants?: { readonly labels: readonly string[]; readonly chosen: number };
}

/** How a member is added to an object: one of those that the schema names, or one of any name. */
export interface MemberAdding {
	readonly names: readonly { readonly value: string; readonly label: string }[];
	/** How many more the schema names. */
	readonly left: number;
	readonly takesAnyName: boolean;
}

/** An object or a list with its contents. */
export type GroupNode = NodeFrame & {
	readonly kind: "group";
	readonly isList: boolean;
	readonly isOpen: boolean;
	/** How much is in it, in our words. */
	readonly size: string;
	/** Empty while it is closed. */
	readonly children: readonly FormNode[];
	readonly canAddItem: boolean;
	readonly adding?: MemberAdding;
};

/** One value, with the control that suits it. */
export type FormNode =
	| (NodeFrame & {
			readonly kind: "field";
			/** Left out of a state while the view knows it: a choice may have hundreds of options. */
			readonly field?: FormField;
			readonly input: FieldInput;
	  })
	| (NodeFrame & { readonly kind: "null" })
	/** Edited as JSON: a part that the form cannot show faithfully, with the reason in our words. */
	| (NodeFrame & { readonly kind: "json"; readonly text: string; readonly why: string })
	/** Not there, and more than one control would be needed for it. */
	| (NodeFrame & { readonly kind: "absent" })
	| GroupNode;

/** The view's reports of the user's actions; numbers are the ids of nodes. */
export type FormChange =
	| { readonly kind: "input"; readonly id: number; readonly input: FieldInput }
	| { readonly kind: "action"; readonly id: number; readonly action: NodeAction }
	| { readonly kind: "variant"; readonly id: number; readonly index: number }
	| { readonly kind: "toggle"; readonly id: number }
	| { readonly kind: "addItem"; readonly id: number }
	| { readonly kind: "addMember"; readonly id: number; readonly name: string }
	| { readonly kind: "tab"; readonly tab: FormTab }
	| { readonly kind: "json"; readonly text: string }
	/** Everything as it was at first, or that taken back. */
	| { readonly kind: "reset" };

/** How an object is shown. */
export type FormTab = "form" | "json";

/** The state that changes while a form is open. */
export interface FormState {
	readonly tab: FormTab;
	/** Why there is no form, only JSON. */
	readonly noForm?: string;
	/** The fields, while their tab is shown. */
	readonly root?: FormNode;
	/** The JSON text, while its tab is shown. */
	readonly text?: string;
	/** The problem as a whole, or of the JSON text. */
	readonly problems: readonly string[];
	/** How often submitting or leaving the JSON failed; the view then goes to the first problem. */
	readonly failures: number;
	readonly isEdited: boolean;
	readonly canUndoReset: boolean;
	/** The number of the last change of the view that this state knows of. */
	readonly seen: number;
	/** How the question ended; the controls are then dead. */
	readonly end?: string;
	/** The result of the value, as one line below the fields, such as the URI of a template. */
	readonly preview?: string;
	/** The result of the last "Fill From", shown below its field. */
	readonly fill?: FillState;
	/** Further actions, as buttons. */
	readonly actions?: readonly FormAction[];
}

/** A further button of a form. Its label is in our words. */
export interface FormAction {
	readonly id: string;
	readonly label: string;
}

/** The result of filling a field, which is identified by the id of its node. The message is in our words. */
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
	/** Shown when not all of them are. */
	readonly note?: string;
	/** Whether an answer is still waited for. */
	readonly isBusy: boolean;
}

/** Everything that the view shows, whenever it is loaded. */
export interface FormDocument {
	/** Who opened the form: a server that asks, or the user, in which case nobody waits for it. */
	readonly asker: "server" | "user";
	/** The question in our words, with the server's configured name. */
	readonly heading: string;
	readonly server: string;
	readonly during?: string;
	/** The server's text about it: shown as a quotation. */
	readonly quote?: string;
	/** Notes for the user, in our words. */
	readonly notes: readonly string[];
	/** Whether the safe answer has the focus when there is nothing to fill in. */
	readonly isRisky: boolean;
	readonly submitLabel: string;
	/** Whether the user may decline, which is different from cancelling for a server. */
	readonly canDecline: boolean;
	/** The label of its button. */
	readonly declineLabel: string;
	/** The label of the preview, such as `URI`. */
	readonly previewLabel: string;
	/** The page that is to be opened, in place of fields. */
	readonly page?: UrlView;
	/** The schema of an object that can also be edited as JSON; absent where there are only fields. */
	readonly schemaText?: string;
	readonly state: FormState;
}

/** The requests of the view to the host. Fields are identified by the ids of their nodes. */
export interface FormHostApi {
	ready: () => FormDocument;
	/** `number` counts the changes of this view, so that a state says which of them it includes. */
	change: (change: FormChange, number: number) => void;
	submit: () => void;
	decline: () => void;
	cancel: () => void;
	/** Asks for suggestions for a field, or one line of it, with its current text. */
	complete: (field: number, line: number) => void;
	/** Fills a field from one of its sources. */
	fill: (field: number, source: string) => void;
	/** Presses one of the further buttons. */
	act: (action: string) => void;
}

/** The messages of the host to the view. */
export interface FormViewApi {
	show: (state: FormState) => void;
	suggest: (suggestions: FieldSuggestions) => void;
	/** Replaces the text of a field. The host's value has it already. */
	fill: (field: number, text: string) => void;
}
