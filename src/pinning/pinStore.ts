import { isJsonObject } from "../base/json.ts";
import type { KeyValue } from "../base/storage.ts";
import { isKeptText, keep, sizeOfKept, type KeptText } from "./keptText.ts";
import { toolFields, type ToolField } from "./toolFields.ts";

/** A tool as the person approved it. */
export interface ToolPin {
	/** Of the whole definition (`toolHash`). */
	readonly hash: string;
	/** When, in milliseconds since the epoch. */
	readonly at: number;
	readonly fields: Readonly<Partial<Record<ToolField, KeptText>>>;
}

/** A server's instructions as the person approved them with the server; empty when it had none. */
export interface InstructionsPin {
	readonly at: number;
	readonly text: KeptText;
}

/** What is pinned of one server. */
export interface ServerPins {
	readonly tools: ReadonlyMap<string, ToolPin>;
	readonly instructions?: InstructionsPin | undefined;
}

const storageKey = "mcpHost.pinnedDefinitions";

/** How many tools and instructions are pinned; what was pinned first makes room for others, and counts as new again. */
const mostPins = 2000;
/** How many characters of texts are kept in all; of what was pinned first only the hashes stay beyond that. */
const mostText = 1_000_000;

const nothing: ServerPins = { tools: new Map() };

/**
 * What was approved of servers' words, by the ids of the servers. Kept for all workspaces and out of them, bounded in
 * number and size. A damaged store, or a damaged pin in it, counts as nothing approved.
 */
export class PinStore {
	private readonly state: KeyValue;
	/** What was read of stored objects: an editor gives the same ones until something is stored. */
	private readonly read = new WeakMap<object, ServerPins>();

	constructor(state: KeyValue) {
		this.state = state;
	}

	/** What is pinned of a server. */
	of(server: string): ServerPins {
		const stored = this.stored();
		return Object.hasOwn(stored, server) ? this.readServer(stored[server]) : nothing;
	}

	/** Pins a tool in place of what was pinned under its name. In the store before this returns, kept when it resolves. */
	async saveTool(server: string, name: string, pin: ToolPin): Promise<void> {
		const before = this.of(server);
		await this.save(server, { ...before, tools: new Map([...before.tools, [name, pin]]) });
	}

	/** Pins the instructions of a server likewise. */
	async saveInstructions(server: string, instructions: InstructionsPin): Promise<void> {
		await this.save(server, { ...this.of(server), instructions });
	}

	private async save(server: string, pins: ServerPins): Promise<void> {
		// Another window may have pinned something since.
		const others = Object.entries(this.stored()).filter(([id]) => id !== server);
		const all = new Map([
			...others.map(([id, value]): [string, ServerPins] => [id, this.readServer(value)]),
			[server, pins],
		]);
		const kept = [...bounded(all)].map(([id, { tools, instructions }]) => [
			id,
			{ tools: Object.fromEntries(tools), ...(instructions === undefined ? {} : { instructions }) },
		]);
		await this.state.update(storageKey, Object.fromEntries(kept));
	}

	private stored(): Readonly<Record<string, unknown>> {
		const stored = this.state.get<unknown>(storageKey);
		return isJsonObject(stored) ? stored : {};
	}

	private readServer(stored: unknown): ServerPins {
		if (!isJsonObject(stored)) return nothing;
		const known = this.read.get(stored);
		if (known !== undefined) return known;
		const { tools, instructions } = stored as Readonly<Partial<Record<string, unknown>>>;
		const entries = isJsonObject(tools) ? Object.entries(tools as Readonly<Record<string, unknown>>) : [];
		const pins: ServerPins = {
			tools: new Map(entries.flatMap(([name, pin]) => (isToolPin(pin) ? [[name, pin]] : []))),
			...(isInstructionsPin(instructions) ? { instructions } : {}),
		};
		this.read.set(stored, pins);
		return pins;
	}
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

/** One pin, wherever it belongs. */
interface Placed {
	readonly server: string;
	/** Undefined for instructions. */
	readonly tool?: string;
	readonly pin: ToolPin | InstructionsPin;
}

/** The pins that there is room for, the latest first in all; their texts as far as there is room for those. */
function bounded(all: ReadonlyMap<string, ServerPins>): ReadonlyMap<string, ServerPins> {
	const placed: Placed[] = [];
	for (const [server, { tools, instructions }] of all) {
		for (const [tool, pin] of tools) placed.push({ server, tool, pin });
		if (instructions !== undefined) placed.push({ server, pin: instructions });
	}
	const total = placed.reduce((sum, one) => sum + sizeOf(one), 0);
	if (placed.length <= mostPins && total <= mostText) return all;
	const kept = new Map<string, { tools: Map<string, ToolPin>; instructions?: InstructionsPin }>();
	let size = 0;
	for (const one of placed.toSorted((a, b) => b.pin.at - a.pin.at).slice(0, mostPins)) {
		size += sizeOf(one);
		const pin = size > mostText ? withoutTexts(one.pin) : one.pin;
		const pins = kept.get(one.server) ?? { tools: new Map<string, ToolPin>() };
		if ("fields" in pin) pins.tools.set(one.tool ?? "", pin);
		else pins.instructions = pin;
		kept.set(one.server, pins);
	}
	return kept;
}

function sizeOf({ pin, tool = "" }: Placed): number {
	const texts = "fields" in pin ? Object.values(pin.fields) : [pin.text];
	return texts.reduce((sum, text) => sum + sizeOfKept(text), tool.length);
}

function withoutTexts(pin: ToolPin | InstructionsPin): ToolPin | InstructionsPin {
	const hashed = (text: KeptText): KeptText => (typeof text === "string" ? keep(text, 0) : text);
	if (!("fields" in pin)) return { ...pin, text: hashed(pin.text) };
	const fields = Object.entries(pin.fields).map(([field, text]) => [field, hashed(text)]);
	return { ...pin, fields: Object.fromEntries(fields) as ToolPin["fields"] };
}
