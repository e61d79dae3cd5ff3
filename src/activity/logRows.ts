import { oneLine } from "../base/text.ts";
import { formatCost } from "../base/amounts.ts";
import type { LogChoice, LogList, LogQuery, LogRow, LogStanding, LogTotals } from "./logProtocol.ts";
import { findEntries, modelOf, standingOf } from "./logQuery.ts";
import type { RecordedAttempt, RecordedText, SamplingEntry } from "./samplingRecord.ts";

const words: Readonly<Record<LogStanding, string>> = {
	open: "Under review",
	returned: "Returned",
	rejected: "Rejected",
	refused: "Refused",
	lapsed: "Lapsed",
	interrupted: "Interrupted",
};

/** What the attempts of some entries took. */
interface Taken {
	readonly attempts: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** The sum of those that are known. */
	readonly cost: number;
	/** How many attempts took tokens whose price is not known. */
	readonly unpriced: number;
	readonly isEstimated: boolean;
}

/** What a list shows of the entries that fit a query. */
export function listOf(entries: readonly SamplingEntry[], query: LogQuery, notices: readonly string[]): LogList {
	const found = findEntries(entries, query);
	return {
		query,
		rows: found.map(rowOf),
		totals: totalsOf(found),
		all: entries.length,
		...choicesOf(entries),
		notices,
	};
}

/** An entry in a line or two. */
export function rowOf(entry: SamplingEntry): LogRow {
	const { attempts, request } = entry;
	const last = attempts.at(-1);
	const isEdited = attempts.some(({ request: sent }) => sent.length > 0) || isReturnEdited(entry);
	const taken = takenBy(entry.attempts);
	return {
		id: entry.id,
		at: entry.at,
		server: oneLine(entry.server, 60),
		standing: standingOf(entry),
		decision: decisionOf(entry),
		excerpt: oneLine(lastSaid(request), 140),
		details: [
			...(last === undefined ? [] : [oneLine(modelOf(last.model), 60)]),
			...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
			...(isEdited ? ["edited"] : []),
			...(taken.attempts === 0 ? [] : [usageOf(taken)]),
		].join(" · "),
	};
}

/** What the server has the user say last, or anybody, by which one request is told from another. */
function lastSaid(request: readonly RecordedText[]): string {
	const said = request.filter(({ place, original }) => place.startsWith("message.") && original !== "");
	return (said.findLast(({ role }) => role === "user") ?? said.at(-1))?.original ?? "";
}

/** How an entry stands and who decided it, in words of ours. */
export function decisionOf(entry: SamplingEntry): string {
	const standing = standingOf(entry);
	const { end } = entry;
	// Nobody decides that something lapses.
	if (end === undefined || standing === "lapsed" || standing === "interrupted") return words[standing];
	return `${words[standing]} by ${oneLine(end.by, 100)}`;
}

/** What attempts took together, in words of ours; empty when none took anything. */
export function tookOf(attempts: readonly RecordedAttempt[]): string {
	const taken = takenBy(attempts);
	return taken.attempts === 0 ? "" : usageOf(taken);
}

function totalsOf(entries: readonly SamplingEntry[]): LogTotals {
	const requests = entries.length;
	const taken = takenBy(entries.flatMap(({ attempts }) => attempts));
	const count = `${requests.toLocaleString("en-US")} ${requests === 1 ? "request" : "requests"}`;
	return { requests, sentence: taken.attempts === 0 ? count : `${count} · ${usageOf(taken)}` };
}

function takenBy(attempts: readonly RecordedAttempt[]): Taken {
	let taken: Taken = { attempts: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpriced: 0, isEstimated: false };
	for (const { inputTokens, outputTokens, cost, isEstimated = false } of attempts) {
		if (inputTokens === undefined && outputTokens === undefined) continue;
		taken = {
			attempts: taken.attempts + 1,
			inputTokens: taken.inputTokens + (inputTokens ?? 0),
			outputTokens: taken.outputTokens + (outputTokens ?? 0),
			cost: taken.cost + (cost ?? 0),
			unpriced: taken.unpriced + (cost === undefined ? 1 : 0),
			isEstimated: taken.isEstimated || isEstimated,
		};
	}
	return taken;
}

function usageOf({ attempts, inputTokens, outputTokens, cost, unpriced, isEstimated }: Taken): string {
	const about = isEstimated ? "about " : "";
	const tokens = `${about}${inputTokens.toLocaleString("en-US")} tokens in, ${outputTokens.toLocaleString("en-US")} out`;
	if (unpriced === attempts) return `${tokens} · ${formatCost(undefined)}`;
	return `${tokens} · ${formatCost(cost)}${unpriced === 0 ? "" : " and more, of which the price is unknown"}`;
}

function isReturnEdited({ end }: SamplingEntry): boolean {
	return (end?.returned ?? []).some(({ original, edited }) => edited !== undefined && edited !== original);
}

function choicesOf(entries: readonly SamplingEntry[]): Pick<LogList, "servers" | "models" | "deciders"> {
	const servers = new Map(entries.map(({ serverId, server }) => [serverId, oneLine(server, 60)]));
	const names = [...servers.values()];
	const models = entries.flatMap(({ attempts }) => attempts.map(({ model }) => modelOf(model)));
	const deciders = entries.flatMap(({ end }) => (end === undefined ? [] : [end.by]));
	return {
		servers: sorted(
			[...servers].map(([value, label]) => ({
				value,
				// Two servers may be configured under one name.
				label: names.filter((name) => name === label).length > 1 ? `${label} (${oneLine(value, 80)})` : label,
			})),
		),
		models: sorted([...new Set(models)].map((value) => ({ value, label: oneLine(value, 60) }))),
		deciders: sorted([...new Set(deciders)].map((value) => ({ value, label: oneLine(value, 100) }))),
	};
}

function sorted(choices: readonly LogChoice[]): readonly LogChoice[] {
	return choices.toSorted((one, other) => one.label.localeCompare(other.label, "en"));
}
