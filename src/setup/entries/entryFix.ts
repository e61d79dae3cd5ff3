import type { JsonPath } from "../../base/configText.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { type Json, isJsonObject } from "../../base/json.ts";

/** Fixes a finding by one click. All but `edit` are about a server by its key. */
export type EntryFix =
	/** Makes another text of the configuration, without a question. */
	| { readonly kind: "edit"; readonly title: string; readonly edit: (text: string) => string }
	/** Sets members of an entry. With `ask`, `${input}` in them becomes a value that the user is asked for. */
	| {
			readonly kind: "set";
			readonly title: string;
			readonly server: string;
			readonly set: Members;
			readonly ask?: string;
	  }
	/** Has the value at a place kept in the secret store, as an input of the server. */
	| { readonly kind: "keep-secret"; readonly title: string; readonly place: SecretPlace }
	/** Asks for the value of a variable, which becomes an input of the server. */
	| { readonly kind: "set-variable"; readonly title: string; readonly server: string; readonly variable: string }
	/** Has a package of an entry bound to its latest version, which its registry is asked for. */
	| { readonly kind: "bind-version"; readonly title: string; readonly server: string };

/** Values of an entry by their places in it. */
export type Members = readonly { readonly path: JsonPath; readonly value: Json }[];

/** A value of an entry that looks secret, by its place and name. */
export interface SecretPlace {
	readonly path: JsonPath;
	readonly label: string;
	readonly server: string;
}

/** Whether a value is a fix that does more than edit the text, as the command behind it gets it. */
export function isEntryFix(value: unknown): value is EntryFix {
	const { kind, place, server, variable } = jsonObjectOf(value);
	if (kind === "keep-secret") return isJsonObject(place) && typeof place["server"] === "string";
	if (kind === "set-variable" && typeof variable !== "string") return false;
	return (kind === "set-variable" || kind === "bind-version") && typeof server === "string";
}
