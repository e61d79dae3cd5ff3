import { oneLine } from "../../base/text.ts";
import type { ActivityRecord } from "./activityJournal.ts";
import type { ActivityGroup, ActivityQuery, ActivityRow, ActivityStanding } from "./activityProtocol.ts";
import type { ActivityEntry } from "./entry.ts";
import { eventOf, subjectOf } from "./words.ts";

/** What belongs together: all steps of one call, question, sampling request or turn; each other entry is alone. */
export interface ActivityItem {
	readonly id: string;
	readonly group: ActivityGroup;
	/** The oldest first. */
	readonly records: readonly ActivityRecord[];
}

/** A query that everything fits. */
export const everyActivity: ActivityQuery = {
	text: "",
	group: "",
	server: "",
	standing: "",
	turn: "",
	isUnasked: false,
};

/** What windows note for verifying alone, which nobody looks for. */
const hidden: ReadonlySet<string> = new Set(["opened", "closed", "witnessed"]);

/** Records as what belongs together, the newest first. */
export function itemsOf(records: readonly ActivityRecord[]): readonly ActivityItem[] {
	const found = new Map<string, { readonly group: ActivityGroup; readonly records: ActivityRecord[] }>();
	for (const record of records) {
		const { window, n, entry } = record;
		if (entry.kind === "journal" && hidden.has(entry.event)) continue;
		const id = "id" in entry ? `${entry.kind} ${entry.id}` : `${window} ${n}`;
		const known = found.get(id);
		if (known === undefined) found.set(id, { group: entry.kind, records: [record] });
		else known.records.push(record);
	}
	return [...found].map(([id, { group, records: own }]) => ({ id, group, records: own })).toReversed();
}

/** The items that fit a query, in their order. */
export function findItems(items: readonly ActivityItem[], query: ActivityQuery): readonly ActivityItem[] {
	const { group, server, standing, turn, isUnasked, from = -Infinity, to = Infinity } = query;
	const wanted = query.text.trim().toLowerCase();
	return items.filter((item) => {
		const { at, entry } = firstOf(item);
		return (
			(group === "" || item.group === group) &&
			(server === "" || serverOf(entry).id === server) &&
			(standing === "" || standingOf(item) === standing) &&
			(turn === "" || turnOf(item) === turn) &&
			(!isUnasked || isUnaskedOf(item)) &&
			at >= from &&
			at < to &&
			(wanted === "" || textOf(item).toLowerCase().includes(wanted))
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
	};
}

/** The entry with which an item began. */
export function firstOf({ records }: ActivityItem): ActivityRecord {
	const [first] = records;
	if (first === undefined) throw new Error("An item has at least one record.");
	return first;
}

/** The turn of the chat that an item belongs to, or is. */
export function turnOf({ records }: ActivityItem): string | undefined {
	for (const { entry } of records) {
		if (entry.kind === "turn") return entry.id;
		if ("turn" in entry && entry.turn !== undefined) return entry.turn;
	}
	return undefined;
}

/** Whether something went on without anybody being asked: by a rule or a grant. */
export function isUnaskedOf({ records }: ActivityItem): boolean {
	const steps = records.map(({ entry }) => entry);
	if (steps.some((step) => step.kind === "call" && step.phase === "asked")) return false;
	return steps.some(
		(step) =>
			(step.kind === "call" && step.phase === "allowed" && step.by !== "person") ||
			(step.kind === "sampling" && step.phase === "returned" && step.by === "rule"),
	);
}

/** The server that an entry is about. */
export function serverOf(entry: ActivityEntry): { readonly id: string; readonly name: string } {
	const { serverId = "", server = "" } = entry as { readonly serverId?: string; readonly server?: string };
	return { id: serverId, name: server };
}

/** How an item stands: by its last step. */
export function standingOf({ records }: ActivityItem): ActivityStanding {
	const entry = records.at(-1)?.entry;
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
function outcomeOf({ records }: ActivityItem): string {
	const last = records.at(-1)?.entry;
	if (last === undefined) return "";
	const words = eventOf(last);
	if (last.kind !== "call" || last.phase === "denied") return words;
	const decided = records
		.map(({ entry }) => entry)
		.findLast((step) => {
			return step.kind === "call" && (step.phase === "allowed" || step.phase === "edited");
		});
	return decided === undefined || decided === last ? words : `${words} · ${eventOf(decided)}`;
}

/** Everything that can be read in an item. */
function textOf({ records }: ActivityItem): string {
	return records
		.map(({ entry }) => `${subjectOf(entry)} ${serverOf(entry).name} ${eventOf(entry)} ${JSON.stringify(entry)}`)
		.join(" ");
}
