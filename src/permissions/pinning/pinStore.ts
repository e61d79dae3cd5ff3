import { isJsonObject } from "../../base/json.ts";
import { keysOf } from "../../base/guards.ts";
import type { Event } from "../../base/event.ts";
import type { Change, Journal } from "../../base/store/journal.ts";
import { makeKey, readKey } from "../../base/store/line.ts";
import type { Store } from "../../base/store/store.ts";
import { isKeptText, keep, sizeOfKept, type KeptText } from "./keptText.ts";
import { toolFields, type ToolField } from "./toolFields.ts";

/** A tool as the user approved it. */
export interface ToolPin {
	/** Of the whole definition (`toolHash`). */
	readonly hash: string;
	/** When, in milliseconds since the epoch. */
	readonly at: number;
	readonly fields: Readonly<Partial<Record<ToolField, KeptText>>>;
}

/** A server's instructions as the user approved them with the server; empty when it had none. */
export interface InstructionsPin {
	readonly at: number;
	readonly text: KeptText;
}

/** The pins of one server. */
export interface ServerPins {
	readonly tools: ReadonlyMap<string, ToolPin>;
	readonly instructions?: InstructionsPin | undefined;
}

interface Pins {
	readonly tools: Map<string, ToolPin>;
	instructions?: InstructionsPin;
}

/**
 * How many tools and instructions are pinned; beyond that the oldest pins of the servers with most of them are removed,
 * and count as new again.
 */
const mostPins = 2000;
/**
 * The maximum total length of the stored texts, in characters; beyond that only the hashes of the oldest pins are kept.
 */
const mostText = 1_000_000;

const nothing: ServerPins = { tools: new Map() };

/**
 * The approved texts of servers, by the ids of the servers. Kept for all workspaces and outside of them, bounded in
 * number and size. A damaged pin counts as not approved.
 */
export class PinStore {
	private readonly journal: Journal;
	private known: { readonly version: number; readonly pins: ReadonlyMap<string, ServerPins> } | undefined;
	/** Fired when this window or another one pinned something. */
	readonly onDidChange: Event<void>;

	constructor(store: Store) {
		this.journal = store.journal("pins");
		this.onDidChange = this.journal.onDidChange;
	}

	/** The pins of a server. */
	of(server: string): ServerPins {
		return this.all.get(server) ?? nothing;
	}

	/** Reads the pins of other windows since the last read. */
	refresh(): void {
		this.journal.refresh();
	}

	/** Pins a tool, replacing the pin under its name. On the disk when it resolves. */
	async saveTool(server: string, name: string, pin: ToolPin): Promise<void> {
		this.save({ key: keyOf(server, name), value: pin });
	}

	/** Pins the instructions of a server in place of those that were pinned. */
	async saveInstructions(server: string, instructions: InstructionsPin): Promise<void> {
		this.save({ key: keyOf(server), value: instructions });
	}

	private get all(): ReadonlyMap<string, ServerPins> {
		const { version } = this.journal;
		if (this.known?.version !== version) {
			const pins = new Map<string, Pins>();
			// Read only here: the journal puts its lines in order each time, and each tool of a server asks for its pin.
			for (const { key, value } of this.journal.lines) {
				const [kind, server, name] = readKey(key);
				if (server === undefined || kind !== (name === undefined ? "instructions" : "tool")) continue;
				const own: Pins = pins.get(server) ?? { tools: new Map() };
				if (name !== undefined && isToolPin(value)) own.tools.set(name, value);
				if (name === undefined && isInstructionsPin(value)) own.instructions = value;
				pins.set(server, own);
			}
			this.known = { version, pins };
		}
		return this.known.pins;
	}

	private save(change: Change): void {
		this.journal.write([change]);
		const { all } = this;
		const kept = new Map(linesOf(bounded(all)).map(({ key, value }) => [key, value]));
		const changes = linesOf(all).filter(({ key, value }) => kept.get(key) !== value);
		this.journal.write(changes.map(({ key }) => ({ key, value: kept.get(key) })));
	}
}

function keyOf(server: string, tool?: string): string {
	return tool === undefined ? makeKey("instructions", server) : makeKey("tool", server, tool);
}

function linesOf(all: ReadonlyMap<string, ServerPins>): readonly Required<Change>[] {
	const lines: Required<Change>[] = [];
	for (const [server, { tools, instructions }] of all) {
		if (instructions !== undefined) lines.push({ key: keyOf(server), value: instructions });
		for (const [name, pin] of tools) lines.push({ key: keyOf(server, name), value: pin });
	}
	return lines;
}

function isToolPin(value: unknown): value is ToolPin {
	if (!isJsonObject(value)) return false;
	const { hash, at, fields } = value as { readonly [key in keyof ToolPin]?: unknown };
	if (typeof hash !== "string" || typeof at !== "number" || !isJsonObject(fields)) return false;
	return toolFields.every((field) => !Object.hasOwn(fields, field) || isKeptText(fields[field]));
}

function isInstructionsPin(value: unknown): value is InstructionsPin {
	if (!isJsonObject(value)) return false;
	const { at, text } = value as { readonly [key in keyof InstructionsPin]?: unknown };
	return typeof at === "number" && isKeptText(text);
}

/** The pins that there is room for. Each server has the same share of it, so that none can crowd out another's pins. */
function bounded(all: ReadonlyMap<string, ServerPins>): ReadonlyMap<string, ServerPins> {
	const most = fairShare([...all.values()].map(countOf), mostPins);
	const fewer = new Map([...all].map(([server, pins]) => [server, countOf(pins) > most ? latest(pins, most) : pins]));
	const longest = fairShare([...fewer.values()].map(sizeOf), mostText);
	return new Map(
		[...fewer].map(([server, pins]) => [server, sizeOf(pins) > longest ? shortened(pins, longest) : pins]),
	);
}

/**
 * The maximum share of each, so that all together do not exceed the total: those that need less leave more to others.
 */
function fairShare(needs: readonly number[], total: number): number {
	let left = total;
	for (const [index, need] of needs.toSorted((a, b) => a - b).entries()) {
		const share = left / (needs.length - index);
		if (need > share) return share;
		left -= need;
	}
	return Infinity;
}

/** Instructions stay: otherwise changed ones would be sent to models. */
function latest({ tools, instructions }: ServerPins, most: number): ServerPins {
	const room = Math.max(0, Math.floor(most) - (instructions === undefined ? 0 : 1));
	return { tools: new Map(latestFirst(tools).slice(0, room)), instructions };
}

/** The texts of the latest pins, as many as fit, and the hashes of the others. */
function shortened({ tools, instructions }: ServerPins, longest: number): ServerPins {
	let size = 0;
	const fit = <T extends ToolPin | InstructionsPin>(pin: T, name: string, reduce: (pin: T) => T): T => {
		size += name.length + sizeOfPin(pin);
		return size > longest ? reduce(pin) : pin;
	};
	const first =
		instructions === undefined ? undefined : fit(instructions, "", (pin) => ({ ...pin, text: hashed(pin.text) }));
	const others = latestFirst(tools).map(([name, pin]): [string, ToolPin] => [name, fit(pin, name, withoutTexts)]);
	return { tools: new Map(others), instructions: first };
}

function latestFirst(tools: ServerPins["tools"]): readonly (readonly [string, ToolPin])[] {
	return [...tools].toSorted(([, a], [, b]) => b.at - a.at);
}

function countOf({ tools, instructions }: ServerPins): number {
	return tools.size + (instructions === undefined ? 0 : 1);
}

function sizeOf({ tools, instructions }: ServerPins): number {
	const own = instructions === undefined ? 0 : sizeOfPin(instructions);
	return [...tools].reduce((sum, [name, pin]) => sum + name.length + sizeOfPin(pin), own);
}

function sizeOfPin(pin: ToolPin | InstructionsPin): number {
	const texts = "fields" in pin ? Object.values(pin.fields) : [pin.text];
	return texts.reduce((sum, text) => sum + sizeOfKept(text), 0);
}

function withoutTexts(pin: ToolPin): ToolPin {
	const fields: Partial<Record<ToolField, KeptText>> = {};
	for (const field of keysOf(pin.fields)) {
		const text = pin.fields[field];
		if (text !== undefined) fields[field] = hashed(text);
	}
	return { ...pin, fields };
}

function hashed(text: KeptText): KeptText {
	return typeof text === "string" ? keep(text, 0) : text;
}
