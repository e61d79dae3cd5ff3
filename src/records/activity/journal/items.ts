import { oneLine } from "../../../base/text.ts";
import { type SamplingEntry, samplingOf } from "../samplingRecord.ts";
import { summaryOf } from "../samplingWords.ts";
import type { ActivityRecord } from "./activityJournal.ts";
import type { ActivityGroup, ActivityQuery, ActivityRow, ActivityStanding } from "./activityProtocol.ts";
import type { ActivityEntry } from "./entry.ts";
import { deciderOf, eventOf, subjectOf } from "./words.ts";

/**
 * Entries that belong together: all steps of one call, question, sampling request or turn; each other entry is alone.
 */
export interface ActivityItem {
	readonly id: string;
	readonly group: ActivityGroup;
	/** At least one; the oldest first. */
	readonly records: readonly ActivityRecord[];
	/** The contents of a sampling request, if they are kept. */
	readonly sampling?: SamplingEntry | undefined;
}

/** A query that everything fits. */
export const everyActivity: ActivityQuery = {
	text: "",
	group: "",
	server: "",
	standing: "",
	model: "",
	by: "",
	turn: "",
	isUnasked: false,
};

/** Entries of windows that are only for verifying, and that nobody looks for. */
const hidden: ReadonlySet<string> = new Set(["opened", "closed", "witnessed"]);

/** The journal id of an entry that has one. */
export function itemId(group: ActivityGroup, id: string): string {
	return `${group} ${id}`;
}

/** Records as items; the newest first. */
export function itemsOf(records: readonly ActivityRecord[]): readonly ActivityItem[] {
	const found = new Map<string, { readonly group: ActivityGroup; readonly records: ActivityRecord[] }>();
	for (const record of records) {
		const { window, n, entry } = record;
		if (entry.kind === "journal" && hidden.has(entry.event)) continue;
		const id = "id" in entry ? itemId(entry.kind, entry.id) : `${window} ${n}`;
		const known = found.get(id);
		if (known === undefined) found.set(id, { group: entry.kind, records: [record] });
		else known.records.push(record);
	}
	return [...found]
		.map(([id, { group, records: own }]) => ({ id, group, records: own, sampling: contentsOf(own) }))
		.toReversed();
}

/** The contents of a sampling request; undefined for anything else. */
function contentsOf(records: readonly ActivityRecord[]): SamplingEntry | undefined {
	return samplingOf(records.flatMap(({ entry }) => (entry.kind === "sampling" ? (entry.contents ?? []) : [])));
}

/** All that was noted of items, the oldest first. */
export function recordsOf(items: readonly ActivityItem[]): readonly ActivityRecord[] {
	return items.flatMap(({ records }) => records).toSorted((a, b) => a.at - b.at || a.n - b.n);
}

/** The items that fit a query, in their order. */
export function findItems(items: readonly ActivityItem[], query: ActivityQuery): readonly ActivityItem[] {
	const { group, server, standing, model, by, turn, isUnasked, from = -Infinity, to = Infinity } = query;
	const wanted = query.text.trim();
	// `RegExp` finds without a copy of every text in lower case.
	const pattern = wanted === "" ? undefined : new RegExp(patternOf(wanted), "iu");
	return items.filter((item) => {
		const { at, entry } = firstOf(item);
		return (
			(group === "" || item.group === group) &&
			(server === "" || serverOf(entry).id === server) &&
			(standing === "" || standingOf(item) === standing) &&
			(model === "" || modelsOf(item).includes(model)) &&
			(by === "" || decidersOf(item).includes(by)) &&
			(turn === "" || turnOf(item) === turn) &&
			(!isUnasked || isUnaskedOf(item)) &&
			at >= from &&
			at < to &&
			(pattern === undefined || isSaid(item, pattern))
		);
	});
}

/** An item in a line or two. */
export function rowOf(item: ActivityItem): ActivityRow {
	const { at, entry } = firstOf(item);
	return {
		id: item.id,
		at,
		group: item.group,
		server: oneLine(serverOf(entry).name, 60),
		subject: subjectOf(entry),
		standing: standingOf(item),
		event: outcomeOf(item),
		isUnasked: isUnaskedOf(item),
		...(item.sampling === undefined ? { excerpt: "", details: "" } : summaryOf(item.sampling)),
	};
}

/** The step with which an item began. */
export function firstOf({ records: [first] }: ActivityItem): ActivityRecord {
	if (first === undefined) throw new Error("An item has at least one step.");
	return first;
}

/** The turn of the chat that an item belongs to, or is. */
export function turnOf(item: ActivityItem): string | undefined {
	for (const { entry } of item.records) {
		if (entry.kind === "turn") return entry.id;
		if ("turn" in entry && entry.turn !== undefined) return entry.turn;
	}
	return undefined;
}

/** The reference of an item's exchange in the trace of its window. */
export function exchangeOf(item: ActivityItem): string | undefined {
	for (const { entry } of item.records) if ("exchange" in entry && entry.exchange !== undefined) return entry.exchange;
	return undefined;
}

/** The models that took part in an item, by their names. */
export function modelsOf(item: ActivityItem): readonly string[] {
	return item.records.flatMap(({ entry }) => ("model" in entry ? (entry.model ?? []) : []));
}

/** Who settled an item, in words; never the requesting server. */
export function decidersOf(item: ActivityItem): readonly string[] {
	return item.records.flatMap(({ entry }) => {
		const decider = "by" in entry && entry.by !== "server" ? deciderOf(entry) : "";
		return decider === "" ? [] : [decider];
	});
}

/** Whether something went on without anybody being asked: by a rule or a grant. */
export function isUnaskedOf(item: ActivityItem): boolean {
	const steps = item.records.map(({ entry }) => entry);
	if (steps.some((step) => step.kind === "call" && step.phase === "asked")) return false;
	return steps.some(
		(step) =>
			(step.kind === "call" && step.phase === "allowed" && step.by !== "user") ||
			(step.kind === "sampling" && step.phase === "returned" && step.by === "rule"),
	);
}

/** The server that an entry is about. */
export function serverOf(entry: ActivityEntry): { readonly id: string; readonly name: string } {
	const id = "serverId" in entry ? entry.serverId : "";
	const name = "server" in entry ? entry.server : "";
	return { id, name };
}

/** The state of an item: by its last step. */
export function standingOf(item: ActivityItem): ActivityStanding {
	const entry = item.records.at(-1)?.entry;
	if (entry === undefined) return "noted";
	switch (entry.kind) {
		case "call":
			return standings[entry.phase === "answered" && entry.isError === true ? "failed" : entry.phase] ?? "noted";
		case "question":
		case "sampling":
			return standings[entry.phase] ?? "noted";
		case "turn":
			return entry.phase === "began" ? "open" : entry.ending === "complete" ? "done" : "failed";
		case "server":
			return entry.event === "failed" || entry.event === "crashed" ? "failed" : "noted";
		case "account":
		case "configuration":
		case "journal":
		case "permission":
		case "prompt":
			return "noted";
	}
	// Of a later version.
	return "noted";
}

const standings: Readonly<Record<string, ActivityStanding>> = {
	asked: "open",
	allowed: "open",
	edited: "open",
	sent: "open",
	answered: "done",
	opened: "done",
	returned: "done",
	denied: "denied",
	declined: "denied",
	dismissed: "denied",
	rejected: "denied",
	refused: "denied",
	invalid: "failed",
	failed: "failed",
	lapsed: "failed",
	cancelled: "failed",
	interrupted: "failed",
	unknown: "unknown",
};

/** How an item ended, with who let it. */
function outcomeOf(item: ActivityItem): string {
	const steps = item.records;
	const last = steps.at(-1)?.entry;
	if (last === undefined) return "";
	const words = eventOf(last);
	if (last.kind !== "call" || last.phase === "denied") return words;
	const decided = steps
		.map(({ entry }) => entry)
		.findLast((step) => {
			return step.kind === "call" && (step.phase === "allowed" || step.phase === "edited");
		});
	return decided === undefined || decided === last ? words : `${words} · ${eventOf(decided)}`;
}

/** Whether a text occurs in the readable parts of an item. */
function isSaid({ records }: ActivityItem, pattern: RegExp): boolean {
	return records.some(({ entry }) => {
		const { contents, ...rest } = { contents: undefined, ...entry };
		return (
			pattern.test(`${subjectOf(entry)} ${serverOf(entry).name} ${eventOf(entry)} ${JSON.stringify(rest)}`) ||
			isIn(contents, pattern)
		);
	});
}

/** Whether a text occurs in a value: in its texts as they are, and in its names and numbers. */
function isIn(value: unknown, pattern: RegExp): boolean {
	if (typeof value === "string") return pattern.test(value);
	if (typeof value !== "object" || value === null) return value !== undefined && pattern.test(JSON.stringify(value));
	return Object.entries(value).some(([name, inner]) => pattern.test(name) || isIn(inner, pattern));
}

function patternOf(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
