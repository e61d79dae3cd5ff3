import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf, isTextObject } from "../../base/guards.ts";
import type { ForeignServer, OptionalValue } from "../../servers/formats/foreignServer.ts";
import { readTarget } from "../../servers/formats/targetText.ts";
import type { NewServer } from "../newServer.ts";
import type { FolderFit } from "./localFolder.ts";
import { freeName } from "./serverName.ts";
import {
	argumentAsSecret,
	optionalValue,
	ownValue,
	targetValues,
	type TextPath,
	type ValueContext,
	type ValueKind,
	type ValueRow,
	valuesOf,
} from "./valueRows.ts";

/** The user's change of a value. */
export interface RowChange {
	readonly name?: string;
	readonly text?: string;
	readonly kind?: ValueKind;
	readonly variable?: string;
}

/** A row with its number in the view. */
export interface CandidateRow extends ValueRow {
	readonly id: number;
}

/**
 * A server that may be added, with the user's decisions so far. It contains the secrets of its source text, and returns
 * them only as values for the secret store.
 */
export class Candidate {
	readonly id: string;
	/** The description in the text. */
	readonly source: ForeignServer;
	name: string;
	isChosen: boolean;
	/** The user's input for the command or URL, while it is invalid. */
	fault: { readonly text: string; readonly reason: string } | undefined;
	/** Sentences about how the user's input was read. */
	notes: readonly string[] = [];
	/** The open folder that its command line belongs to, as far as that is known. */
	fit: FolderFit | undefined;
	private entry: JsonObject;
	private values: readonly CandidateRow[];
	private lastRow = 0;
	private readonly context: ValueContext;

	constructor(id: string, source: ForeignServer, name: string, hasVariable: ValueContext["hasVariable"]) {
		this.id = id;
		this.source = source;
		this.name = name;
		this.isChosen = !source.isOff && source.isDoubtful !== true;
		this.entry = source.entry;
		this.context = { inputs: source.inputs, hasVariable };
		const rows = valuesOf(source.entry, this.context);
		const isThere = (own: OptionalValue): boolean =>
			rows.some(({ holder }) => holder.kind === own.kind && holder.name === own.name);
		const offered = (source.optional ?? []).filter((own) => !isThere(own));
		this.values = this.numbered([...rows, ...offered.map((own) => optionalValue(own, this.context))]);
	}

	/** The values that the user decides about. */
	get rows(): readonly CandidateRow[] {
		return this.values;
	}

	/** The entry with all values as the text has them; not to be shown. */
	get written(): JsonObject {
		return this.entry;
	}

	/** The command or URL for the user to edit: secrets that are kept elsewhere are variables in it. */
	get target(): JsonObject {
		return this.compose().entry;
	}

	/** Whether it is reached by a URL. */
	get isRemote(): boolean {
		return typeof this.entry["url"] === "string";
	}

	/**
	 * Takes the user's input for the command and its arguments, or the URL. An invalid one is kept as a fault with its
	 * reason, and the candidate cannot be added until it is fixed.
	 */
	retarget(text: string): void {
		const read = readTarget(text);
		if ("reason" in read) {
			this.fault = { text, reason: read.reason };
			return;
		}
		this.fault = undefined;
		this.notes = read.remarks;
		const { type: _type, command: _command, args: _args, url: _url, env: _env, ...rest } = this.entry;
		const { env, ...target } = this.withValues(read.entry);
		const wasRemote = this.isRemote;
		this.entry = { ...rest, ...target };
		const kind = this.isRemote ? "header" : "env";
		const own = this.values.filter(({ holder }) => holder.kind === kind);
		const decided = wasRemote === this.isRemote ? this.values.filter((row) => !isOfRest(row)) : [];
		const fresh = this.numbered([
			...Object.entries(isTextObject(env) ? env : {}).map(([name, value]) =>
				ownValue({ kind: "env", name }, value, this.context),
			),
			...targetValues(this.entry, this.context),
		]);
		// The user's earlier decisions about the same value still count.
		const kept = fresh.map((row) => {
			const before = decided.find(
				({ label, text: own }) => label === row.label && (own === row.text || row.text === ""),
			);
			if (before === undefined) return row;
			const { text: own, kind: decision, variable } = before;
			return Object.assign(row, { text: own, kind: decision, variable });
		});
		const args = argumentsOf(this.entry);
		const marked = decided.flatMap(({ label, text: own, kind: decision, variable }) => {
			const index = args.findIndex((word, at) => word === own && !kept.some((row) => isArgument(row, at)));
			if (index === -1 || kept.some((row) => row.label === label)) return [];
			return [{ ...argumentAsSecret(args, index), kind: decision, variable }];
		});
		this.values = [
			...own.filter((row) => !kept.some(({ label }) => label === row.label)),
			...kept,
			...this.numbered(marked),
			...this.values.filter((row) => isOfRest(row)),
		];
	}

	/** Takes an argument for a secret, because the user says that it is one. */
	keepArgument(index: number): void {
		const args = argumentsOf(this.entry);
		if (args[index] === undefined || this.values.some((row) => isArgument(row, index))) return;
		this.values = [...this.values, ...this.numbered([argumentAsSecret(args, index)])];
	}

	/** The arguments that need no decision of the user yet, by their indices. */
	get plainArguments(): readonly number[] {
		return argumentsOf(this.entry).flatMap((_word, index) =>
			this.values.some((row) => isArgument(row, index)) ? [] : [index],
		);
	}

	/** Adds an empty variable, or header, for the user to fill in. */
	addRow(): void {
		const kind = this.isRemote ? "header" : "env";
		const row = { ...ownValue({ kind, name: "" }, "", this.context), kind: "plain" as const };
		this.values = [...this.values, ...this.numbered([row])];
	}

	/** Removes a variable or a header; an argument goes with the command. */
	removeRow(id: number): void {
		this.values = this.values.filter((row) => row.id !== id || row.holder.kind === "text");
	}

	/** Takes a decision of the user about a value. */
	change(id: number, { name, text, kind, variable }: RowChange): void {
		this.values = this.values.map((row): CandidateRow => {
			if (row.id !== id) return row;
			const { holder } = row;
			const isOwn = holder.kind === "env" || holder.kind === "header";
			let changed: CandidateRow = {
				...row,
				...(text === undefined ? {} : { text }),
				...(variable === undefined ? {} : { variable }),
				...(kind === undefined ? {} : { kind }),
			};
			if (name !== undefined && isOwn) {
				const { variable: ownVariable } = ownValue({ kind: holder.kind, name }, "", this.context);
				const isOfName = row.variable === ownValue({ kind: holder.kind, name: row.label }, "", this.context).variable;
				changed = { ...changed, holder: { ...holder, name }, label: name };
				if (isOfName) changed = { ...changed, variable: ownVariable };
			}
			return changed;
		});
	}

	/**
	 * The entry as it is written, with its inputs and their values. Contains no secrets except those that the user chose
	 * to keep as plain text. `taken` are the ids of inputs that others use.
	 */
	compose(taken: ReadonlySet<string> = new Set()): Omit<NewServer, "name"> {
		const ids = new Set(taken);
		const inputs = new Map<string, JsonObject>();
		const values = new Map<string, string>();
		const entry: Record<string, Json | undefined> = { ...this.entry };
		const texts = (own: "env" | "header"): JsonObject =>
			Object.fromEntries(
				this.values.flatMap((row) =>
					row.holder.kind === own && row.label.trim() !== "" && !isLeftOut(row)
						? [[row.label.trim(), row.before + write(row)]]
						: [],
				),
			);
		const write = (row: ValueRow): string => {
			if (row.kind === "plain") return row.text;
			if (row.kind === "environment") return `\${env:${row.variable.trim()}}`;
			const known = typeof row.input?.["id"] === "string" ? row.input["id"] : undefined;
			const id = known ?? freeName(inputId(this.name, row.label), ids);
			ids.add(id);
			inputs.set(
				id,
				row.input ?? { id, type: "promptString", description: `${row.label} of ${this.name}`, password: true },
			);
			if (row.text !== "") values.set(id, row.text);
			return `\${input:${id}}`;
		};
		delete entry["env"];
		delete entry["headers"];
		const [env, headers] = [texts("env"), texts("header")];
		if (Object.keys(env).length > 0) entry["env"] = env;
		if (Object.keys(headers).length > 0) entry["headers"] = headers;
		let whole: JsonObject = entry;
		// From the end on, so that the places of the others stay.
		for (const row of this.values.toReversed()) {
			const { holder } = row;
			if (holder.kind !== "text") continue;
			const written = write(row);
			whole = jsonObjectOf(changedAt(whole, holder.path, (text) => spliced(text, row, written)));
		}
		const used = JSON.stringify(whole);
		for (const input of this.source.inputs) {
			const { id } = input;
			if (typeof id === "string" && used.includes(`\${input:${id}}`) && !inputs.has(id)) inputs.set(id, input);
		}
		return { entry: whole, inputs: [...inputs.values()], values };
	}

	/** An entry in which inputs with values of this one are replaced by these values. */
	private withValues(entry: JsonObject): JsonObject {
		const { inputs, values } = this.compose();
		const own = inputs.filter((input) => !this.source.inputs.includes(input)).map(({ id }) => textOf(id));
		const replaced = (value: Json | undefined): Json | undefined => {
			if (Array.isArray(value)) return value.map((part: Json) => replaced(part) ?? null);
			if (typeof value !== "string") return value;
			return own.reduce((text, id) => text.replaceAll(`\${input:${id}}`, () => values.get(id) ?? ""), value);
		};
		return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, replaced(value)]));
	}

	private numbered(rows: readonly ValueRow[]): readonly CandidateRow[] {
		return rows.map((row) => ({ ...row, id: ++this.lastRow }));
	}
}

/** Whether a value may be left out, and nobody gave it. */
export function isLeftOut({ isOptional, kind, text }: ValueRow): boolean {
	return isOptional === true && kind !== "environment" && text === "";
}

/** A value with the text at a path changed; unchanged if there is none. */
function changedAt(
	value: Json | undefined,
	[key, ...rest]: TextPath,
	change: (text: string) => string,
): Json | undefined {
	if (key === undefined) return typeof value === "string" ? change(value) : value;
	if (Array.isArray(value)) {
		return value.map((part: Json, index) => (index === key ? (changedAt(part, rest, change) ?? null) : part));
	}
	if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
	return { ...value, [key]: changedAt(value[key], rest, change) };
}

function argumentsOf({ args }: JsonObject): readonly string[] {
	return Array.isArray(args) ? args.map(textOf) : [];
}

function isArgument({ holder }: ValueRow, index: number): boolean {
	return holder.kind === "text" && holder.path[0] === "args" && holder.path[1] === index;
}

/** Whether a value belongs neither to the command, the URL, nor to what is passed along with them. */
function isOfRest({ holder }: ValueRow): boolean {
	return holder.kind === "text" && holder.path[0] !== "args" && holder.path[0] !== "url";
}

function textOf(value: Json | undefined): string {
	return typeof value === "string" ? value : "";
}

function spliced(text: string, { start, end }: ValueRow, value: string): string {
	return text.slice(0, start) + value + text.slice(end);
}

/** The id of an input: the server's name and the value's, as `github-api-key`. */
function inputId(server: string, label: string): string {
	return `${server}-${label}`
		.toLowerCase()
		.replace(/[^a-z\d]+/g, "-")
		.replace(/^-+|-+$/g, "");
}
