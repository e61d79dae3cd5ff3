import { isFlag, isNumber, isText, listOf, shape } from "../../base/shape.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Line } from "../../base/store/line.ts";
import type { RecordedEndKind, SamplingEntry } from "./samplingRecord.ts";

/** The state of an entry in a line: complete as of one moment, so that every line can be read alone. */
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

const kinds: ReadonlySet<unknown> = new Set<RecordedEndKind>([
	"returned",
	"rejected",
	"refused",
	"lapsed",
	"interrupted",
]);
const isWhole = shape({ length: isNumber }, { sha256: isText });
const isTexts = listOf(
	shape(
		{ place: isText, original: isText },
		{
			role: (role) => role === "user" || role === "assistant",
			label: isText,
			edited: (text) => text === null || isText(text),
			originalWhole: isWhole,
			editedWhole: isWhole,
		},
	),
);
const isMedium = shape(
	{ place: isText, kind: (kind) => kind === "image" || kind === "audio", mimeType: isText, bytes: isNumber },
	{ sha256: isText },
);
const isAttempt = shape(
	{ at: isNumber, request: isTexts },
	{
		model: shape({ id: isText, name: isText }),
		why: isText,
		completion: isTexts,
		inputTokens: isNumber,
		outputTokens: isNumber,
		isEstimated: isFlag,
		cost: isNumber,
		durationMs: isNumber,
		stopReason: isText,
		failure: isText,
	},
);
const isEnd = shape(
	{ at: isNumber, kind: (kind) => kinds.has(kind), by: isText },
	{ reason: isText, returned: isTexts },
);
const isKept = shape(
	{
		id: isText,
		at: isNumber,
		server: isText,
		serverId: isText,
		request: isTexts,
		parameters: (value) => value !== undefined,
		attempts: listOf(isAttempt),
	},
	{ during: isText, exchange: isText, media: listOf(isMedium), end: isEnd, moreTexts: isNumber },
);

/** Whether a value of unknown origin has the shape of an entry. */
export function isEntry(value: unknown): value is SamplingEntry {
	return isKept(value);
}
