import { isJsonObject } from "../base/json.ts";
import type { RecordedEndKind, SamplingEntry } from "./samplingRecord.ts";

/** The version of the form of the lines; lines of another one are left alone. */
const version = 1;

/** An entry as a journal holds it: whole as of one moment, so that every line can be read by itself. */
export interface EntryLine {
	/** The window in which it is reviewed. */
	readonly window: string;
	readonly entry: SamplingEntry;
	/** How many bytes the line takes. */
	readonly bytes: number;
}

/** An entry as a line of a journal. */
export function toLine(window: string, entry: SamplingEntry): string {
	return `${JSON.stringify({ version, window, entry })}\n`;
}

/** A line of a journal; undefined when it is damaged, unfinished or none of ours. */
export function readLine(text: string): EntryLine | undefined {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isJsonObject(value) || value["version"] !== version) return undefined;
	const { window, entry } = value as Readonly<Record<string, unknown>>;
	return typeof window === "string" && isEntry(entry)
		? { window, entry, bytes: Buffer.byteLength(text) + 1 }
		: undefined;
}

/** Whether a value of unknown origin has the shape of an entry. */
export function isEntry(value: unknown): value is SamplingEntry {
	if (!isJsonObject(value)) return false;
	const { id, at, server, serverId, during, request, media, attempts, end, moreTexts } = value;
	return (
		[id, server, serverId].every(isText) &&
		isNumber(at) &&
		optional(during, isText) &&
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
