import { isJsonObject } from "../base/json.ts";
import type { LogQuery, LogStanding } from "./logProtocol.ts";
import type { RecordedText, SamplingEntry } from "./samplingRecord.ts";

/** A query that every entry fits. */
export const everything: LogQuery = { text: "", server: "", model: "", standing: "", by: "" };

const standings: ReadonlySet<unknown> = new Set<LogQuery["standing"]>([
	"",
	"open",
	"returned",
	"rejected",
	"refused",
	"lapsed",
	"interrupted",
]);

/** The longest text that is looked for. */
const textLimit = 10_000;

/** The query that a view sent; undefined for anything else that it may send (UI-06). */
export function readQuery(value: unknown): LogQuery | undefined {
	if (!isJsonObject(value)) return undefined;
	const { text, server, model, standing, by, from, to } = value;
	if (!isShort(text) || !isShort(server) || !isShort(model) || !isShort(by)) return undefined;
	if (!standings.has(standing) || !isTime(from) || !isTime(to)) return undefined;
	return {
		text,
		server,
		model,
		standing: standing as LogQuery["standing"],
		by,
		...(from === undefined ? {} : { from }),
		...(to === undefined ? {} : { to }),
	};
}

function isShort(value: unknown): value is string {
	return typeof value === "string" && value.length <= textLimit;
}

function isTime(value: unknown): value is number | undefined {
	return value === undefined || (typeof value === "number" && Number.isFinite(value));
}

/** The entries that fit a query, in their order. */
export function findEntries(entries: readonly SamplingEntry[], query: LogQuery): readonly SamplingEntry[] {
	const { server, model, standing, by, from = -Infinity, to = Infinity } = query;
	const wanted = query.text.trim();
	// `RegExp` finds without a copy of every text in lower case.
	const pattern = wanted === "" ? undefined : new RegExp(patternOf(wanted), "iu");
	return entries.filter(
		(entry) =>
			(server === "" || entry.serverId === server) &&
			(model === "" || entry.attempts.some((attempt) => modelOf(attempt.model) === model)) &&
			(standing === "" || standingOf(entry) === standing) &&
			(by === "" || entry.end?.by === by) &&
			entry.at >= from &&
			entry.at < to &&
			(pattern === undefined || textsOf(entry).some((text) => pattern.test(text))),
	);
}

/** How an entry stands. */
export function standingOf({ end }: SamplingEntry): LogStanding {
	return end?.kind ?? "open";
}

/** The name by which a model is found; an answer by hand has one as well. */
export function modelOf(model: { readonly name: string } | undefined): string {
	return model?.name ?? "by hand";
}

/** Everything that can be read in an entry. */
function textsOf(entry: SamplingEntry): readonly string[] {
	const { server, during = "", request, media = [], parameters, attempts, end } = entry;
	const recorded = [
		request,
		...attempts.flatMap((attempt) => [attempt.request, attempt.completion ?? []]),
		end?.returned ?? [],
	].flat();
	return [
		server,
		during,
		...recorded.flatMap(({ original, edited }: RecordedText) => [original, edited ?? ""]),
		...media.flatMap(({ mimeType, sha256 = "" }) => [mimeType, sha256]),
		JSON.stringify(parameters),
		...attempts.flatMap(({ model, why = "", failure = "" }) => [modelOf(model), why, failure]),
		end?.by ?? "",
		end?.reason ?? "",
	];
}

/** The text as a pattern of itself. */
function patternOf(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Entries as JSON Lines, one in each line, the oldest first. */
export function toJsonLines(entries: readonly SamplingEntry[]): string {
	return entries
		.toReversed()
		.map((entry) => `${JSON.stringify(entry)}\n`)
		.join("");
}

/** The name of a file for an export: `mcp-sampling-log-2026-11-22.jsonl`. */
export function exportName(now: Date): string {
	return `mcp-sampling-log-${now.toISOString().slice(0, 10)}.jsonl`;
}
