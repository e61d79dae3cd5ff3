import { isJsonObject } from "../../base/json.ts";
import type { Line } from "../../base/store/line.ts";
import type { RecordedEndKind, SamplingEntry } from "./samplingRecord.ts";

/** An entry as a line holds it: whole as of one moment, so that every line can be read by itself. */
export interface EntryLine {
	/** The window in which it is reviewed. */
	readonly window: string;
	readonly entry: SamplingEntry;
	/** How many bytes the line takes. */
	readonly bytes: number;
}

const known = new WeakMap<Line, EntryLine>();

/** The entry of a line; undefined when it holds none. */
export function readEntry(line: Line): EntryLine | undefined {
	const before = known.get(line);
	if (before !== undefined) return before;
	if (!isJsonObject(line.value)) return undefined;
	const { window, entry } = line.value as Readonly<Record<string, unknown>>;
	if (typeof window !== "string" || !isEntry(entry) || entry.id !== line.key) return undefined;
	const read = { window, entry, bytes: Buffer.byteLength(line.text) + 1 };
	known.set(line, read);
	return read;
}

/** Whether a value of unknown origin has the shape of an entry. */
export function isEntry(value: unknown): value is SamplingEntry {
	if (!isJsonObject(value)) return false;
	const { id, at, server, serverId, during, exchange, request, media, attempts, end, moreTexts } = value;
	return (
		[id, server, serverId].every(isText) &&
		isNumber(at) &&
		optional(during, isText) &&
		optional(exchange, isText) &&
		isTexts(request) &&
		optional(media, isMedia) &&
		value["parameters"] !== undefined &&
		Array.isArray(attempts) &&
		attempts.every(isAttempt) &&
		optional(end, isEnd) &&
		optional(moreTexts, isNumber)
	);
}

const kinds: ReadonlySet<unknown> = new Set<RecordedEndKind>([
	"returned",
	"rejected",
	"refused",
	"lapsed",
	"interrupted",
]);

function isEnd(value: unknown): boolean {
	if (!isJsonObject(value)) return false;
	const { at, kind, by, reason, returned } = value;
	return isNumber(at) && kinds.has(kind) && isText(by) && optional(reason, isText) && optional(returned, isTexts);
}

function isAttempt(value: unknown): boolean {
	if (!isJsonObject(value)) return false;
	const { at, model, why, request, completion, stopReason, failure, isEstimated } = value;
	const { inputTokens, outputTokens, cost, durationMs } = value;
	return (
		isNumber(at) &&
		optional(model, isModel) &&
		isTexts(request) &&
		optional(completion, isTexts) &&
		[why, stopReason, failure].every((text) => optional(text, isText)) &&
		[inputTokens, outputTokens, cost, durationMs].every((number) => optional(number, isNumber)) &&
		optional(isEstimated, (flag) => typeof flag === "boolean")
	);
}

function isModel(value: unknown): boolean {
	return isJsonObject(value) && isText(value["id"]) && isText(value["name"]);
}

function isTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every(isRecordedText);
}

function isRecordedText(value: unknown): boolean {
	if (!isJsonObject(value)) return false;
	const { place, role, label, original, edited, originalWhole, editedWhole } = value;
	return (
		isText(place) &&
		isText(original) &&
		optional(role, (name) => name === "user" || name === "assistant") &&
		optional(label, isText) &&
		optional(edited, (text) => text === null || isText(text)) &&
		optional(originalWhole, isWhole) &&
		optional(editedWhole, isWhole)
	);
}

function isWhole(value: unknown): boolean {
	return isJsonObject(value) && isNumber(value["length"]) && optional(value["sha256"], isText);
}

function isMedia(value: unknown): boolean {
	return Array.isArray(value) && value.every(isMedium);
}

function isMedium(value: unknown): boolean {
	if (!isJsonObject(value)) return false;
	const { place, kind, mimeType, bytes, sha256 } = value;
	return (
		isText(place) &&
		(kind === "image" || kind === "audio") &&
		isText(mimeType) &&
		isNumber(bytes) &&
		optional(sha256, isText)
	);
}

function optional(value: unknown, fits: (value: unknown) => boolean): boolean {
	return value === undefined || fits(value);
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

function isNumber(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value);
}
