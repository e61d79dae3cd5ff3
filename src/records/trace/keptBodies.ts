import { createHash } from "node:crypto";
import { ownText } from "../../base/ownText.ts";
import { cap } from "../../base/text.ts";
import type { WireForm } from "../../protocol/wireTap.ts";

/** A message larger than this, in bytes, is kept by its head: a resource of 50 MB must not live on in the trace. */
const largestWhole = 256 * 1024;
/** How much of a large message is kept, in characters. */
const headLength = 4096;
/** A larger message is not serialized for its hash, which would block VS Code's extension host. */
const largestHashed = 8 * 1024 * 1024;
/** The assumed maximum size of a value with unknown size, so that it is not measured for long. */
const mostMeasured = 2 * largestWhole;

/** A held message, until there is no room for it any more. */
export interface HeldBody {
	/**
	 * The message: its text, if that was available, or itself; the head of a large one. Undefined when it was dropped. A
	 * text is one piece of memory, while a message is dozens, all of which the garbage collector visits.
	 */
	content:
		| string
		| { readonly kind: "whole"; readonly message: unknown }
		| { readonly kind: "head"; readonly text: string; readonly length: number; readonly sha256: string | undefined }
		| undefined;
	/** Its counted size. */
	bytes: number;
}

/** Takes a message as it passes. */
export function heldBody(message: unknown, { bytes, json }: WireForm): HeldBody {
	const size = bytes > 0 ? bytes : measure(message, mostMeasured);
	if (size <= largestWhole && json !== undefined) return { content: json, bytes: size };
	if (size <= largestWhole) return { content: { kind: "whole", message }, bytes: size };
	if (size > largestHashed) {
		const text = ownText(headOf(message, headLength));
		return { content: { kind: "head", text, length: size, sha256: undefined }, bytes: headLength };
	}
	const whole = JSON.stringify(message);
	const sha256 = createHash("sha256").update(whole).digest("hex");
	const text = ownText(whole.slice(0, headLength));
	return { content: { kind: "head", text, length: whole.length, sha256 }, bytes: headLength };
}

/** The approximate length of a value's JSON, in characters; at most `limit` is measured. */
function measure(value: unknown, limit: number): number {
	if (typeof value === "string") return value.length + 2;
	if (typeof value !== "object" || value === null) return 6;
	let size = 2;
	for (const [key, part] of Object.entries(value)) {
		size += key.length + 4 + measure(part, limit - size);
		if (size > limit) break;
	}
	return size;
}

/** The beginning of a value's JSON, without writing the rest. */
function headOf(value: unknown, limit: number): string {
	if (typeof value === "string") return JSON.stringify(cap(value, limit)).slice(0, limit);
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
	const isList = Array.isArray(value);
	let text = isList ? "[" : "{";
	for (const [key, part] of Object.entries(value)) {
		if (text.length >= limit) return text.slice(0, limit);
		if (text.length > 1) text += ",";
		text += isList ? headOf(part, limit - text.length) : `${JSON.stringify(key)}:${headOf(part, limit - text.length)}`;
	}
	return `${text}${isList ? "]" : "}"}`.slice(0, limit);
}

/** Bodies in the order of their arrival, of at most this number of bytes. */
export class BodyRing {
	private readonly held = new Set<HeldBody>();
	private total = 0;
	private most: number;

	constructor(most: number) {
		this.most = most;
	}

	/** Holds at most so many bytes from now on. */
	limit(most: number): void {
		this.most = most;
		this.dropExcess();
	}

	/** The bytes that are held. */
	get bytes(): number {
		return this.total;
	}

	/** Holds a body, and drops the oldest ones that do not fit beside it. */
	add(body: HeldBody): void {
		this.held.add(body);
		this.total += body.bytes;
		this.dropExcess();
	}

	private dropExcess(): void {
		while (this.total > this.most && this.held.size > 1) this.dropOldest();
	}

	/** Makes a held body represent the message of another one, as the last of a burst does. */
	replace(held: HeldBody, { content, bytes }: HeldBody): void {
		this.total += bytes - held.bytes;
		held.content = content;
		held.bytes = bytes;
	}

	/** Drops a body that no view can show any more. */
	release(body: HeldBody): void {
		if (!this.held.delete(body)) return;
		body.content = undefined;
		this.total -= body.bytes;
	}

	/** Lets go of the oldest body; false when none is left. */
	dropOldest(): boolean {
		const [oldest] = this.held;
		if (oldest !== undefined) this.release(oldest);
		return oldest !== undefined;
	}

	clear(): void {
		while (this.dropOldest());
	}
}
