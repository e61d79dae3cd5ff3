import type { FormField } from "./formProtocol.ts";

/** What can be done with a node besides typing into it. */
export type NodeAction =
	/** Puts an absent member there. */
	| "add"
	/** Takes a member or an item away: absent is neither an empty text nor null. */
	| "remove"
	/** Sets the value to null. */
	| "null"
	/** Puts a value of the kind that the schema asks for in place of one that is of another. */
	| "replace"
	/** Puts back what was there at first. */
	| "reset"
	| "up"
	| "down";

/** What every node of an object that is edited has. All texts may come from a server; the view shows them as plain text. */
interface NodeFrame {
	/** Stays the same for the same place. */
	readonly id: number;
	readonly label: string;
	readonly description?: string;
	readonly isRequired: boolean;
	/** Whether there is a value at all. */
	readonly isPresent: boolean;
	/** Whether it differs from what was there at first. */
	readonly isEdited: boolean;
	readonly problem?: string;
	readonly actions: readonly NodeAction[];
	/** The kinds of value among which the schema lets one choose; `chosen` is -1 when the value is of none of them. */
	readonly variants?: { readonly labels: readonly string[]; readonly chosen: number };
}

/** How a member is added to an object: one of those that the schema names, or one of any name. */
export interface MemberAdding {
	readonly names: readonly { readonly value: string; readonly label: string }[];
	/** How many more the schema names. */
	readonly left: number;
	readonly takesAnyName: boolean;
}

/** An object or a list with what is in it. */
export type GroupNode = NodeFrame & {
	readonly kind: "group";
	readonly isList: boolean;
	readonly isOpen: boolean;
	/** How much is in it, in our words. */
	readonly size: string;
	/** Empty while it is closed. */
	readonly children: readonly ObjectNode[];
	readonly canAddItem: boolean;
	readonly adding?: MemberAdding;
};

/** One value, with the control that suits it. */
export type ObjectNode =
	| (NodeFrame & { readonly kind: "field"; readonly field: FormField; readonly input: string })
	| (NodeFrame & { readonly kind: "null" })
	/** Edited as JSON: what the form cannot show faithfully, with the reason in our words. */
	| (NodeFrame & { readonly kind: "json"; readonly text: string; readonly why: string })
	/** Not there, and more than one control would be needed for it. */
	| (NodeFrame & { readonly kind: "absent" })
	| GroupNode;

/** What the view tells of what the person does; numbers are the ids of nodes. */
export type ObjectChange =
	| { readonly kind: "input"; readonly id: number; readonly input: string }
	| { readonly kind: "action"; readonly id: number; readonly action: NodeAction }
	| { readonly kind: "variant"; readonly id: number; readonly index: number }
	| { readonly kind: "toggle"; readonly id: number }
	| { readonly kind: "addItem"; readonly id: number }
	| { readonly kind: "addMember"; readonly id: number; readonly name: string }
	| { readonly kind: "tab"; readonly tab: ObjectTab }
	| { readonly kind: "json"; readonly text: string }
	/** Everything as it was at first, or that taken back. */
	| { readonly kind: "reset" };

/** How an object is shown. */
export type ObjectTab = "form" | "json";

/** What changes while an object is edited. */
export interface ObjectState {
	readonly tab: ObjectTab;
	/** Why there is no form, only JSON. */
	readonly noForm?: string;
	/** The form, while its tab is shown. */
	readonly root?: ObjectNode;
	/** The JSON text, while its tab is shown. */
	readonly text?: string;
	/** What is wrong as a whole, or with the JSON text. */
	readonly problems: readonly string[];
	/** How often submitting or leaving the JSON failed; the view then goes to the first problem. */
	readonly failures: number;
	readonly isEdited: boolean;
	readonly canUndoReset: boolean;
	/** The number of the last change of the view that this state knows of. */
	readonly seen: number;
	/** How the edit ended; the controls are then dead. */
	readonly end?: string;
}

/** Everything that the view shows, whenever it is loaded. */
export interface ObjectDocument {
	readonly heading: string;
	readonly server: string;
	readonly during?: string;
	/** What the server says about it: shown as a quotation. */
	readonly quote?: string;
	/** What the person should know, in our words. */
	readonly notes: readonly string[];
	/** Whether the safe answer has the focus when there is nothing to fill in. */
	readonly isRisky: boolean;
	readonly submitLabel: string;
	readonly schemaText: string;
	readonly state: ObjectState;
}

/** What the view may ask of the host. */
export interface ObjectHostApi {
	ready: () => ObjectDocument;
	/** `number` counts the changes of this view, so that a state tells which of them it knows of. */
	change: (change: ObjectChange, number: number) => void;
	submit: () => void;
	cancel: () => void;
}

/** What the host tells the view. */
export interface ObjectViewApi {
	show: (state: ObjectState) => void;
}
