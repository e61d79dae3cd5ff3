import { HostError, messageOf } from "../../../base/errors.ts";
import { exactJson } from "../../../base/exactJson.ts";
import { isJsonObject, type Json } from "../../../base/json.ts";
import { jsonObjectOf, oneOf } from "../../../base/guards.ts";
import { DisposableStore, type Disposable } from "../../../base/lifecycle.ts";
import { RpcEndpoint, type MessagePort } from "../../../base/rpc.ts";
import { oneLine, showHidden } from "../../../base/text.ts";
import { throttle } from "../../../base/throttle.ts";
import { samplingDetailOf } from "../samplingDetail.ts";
import type { Fact } from "../samplingProtocol.ts";
import { tookOf } from "../samplingWords.ts";
import type { ActivityRecord } from "./activityJournal.ts";
import type {
	ActivityDetail,
	ActivityGroup,
	ActivityHostApi,
	ActivityList,
	ActivityQuery,
	ActivityStanding,
	ActivityStep,
	ActivityViewApi,
	Choice,
} from "./activityProtocol.ts";
import { findWanted, type Wanted } from "./activityRequest.ts";
import {
	type ActivityItem,
	decidersOf,
	everyActivity,
	exchangeOf,
	findItems,
	firstOf,
	itemsOf,
	modelsOf,
	rowOf,
	serverOf,
	standingOf,
	turnOf,
} from "./items.ts";
import { eventOf } from "./words.ts";

/** The services that the connection uses. */
export interface ActivityPortServices {
	/** All entries, the oldest first. Rejects when the files cannot be read. */
	read(): Promise<readonly ActivityRecord[]>;
	/** Reports changes, by this window or another one. */
	watch(changed: () => void): Disposable;
	/** Notes for the user about the recording of a group, in our sentences. */
	notices(group: ActivityQuery["group"]): readonly string[];
	/** Whether an exchange is in the trace of this window, by its name. */
	isTraced(exchange: string): boolean;
	/** Each resolves with a sentence about the outcome, empty when the user left. Items are the newest first. */
	readonly actions: {
		trace(exchange: string): Promise<void>;
		copy(item: ActivityItem): Promise<string>;
		save(items: readonly ActivityItem[]): Promise<string>;
		clear(items: readonly ActivityItem[], isAll: boolean): Promise<string>;
		verify(): Promise<string>;
		chooseContents(): Promise<void>;
	};
}

/** How often a changing activity is shown again, at most, in milliseconds. */
const showingMs = 300;
/** Most rows that the view gets. */
const mostRows = 1000;
/** The maximum length of a search text. */
const mostText = 10_000;

const groups: ReadonlySet<ActivityGroup | ""> = new Set<ActivityGroup | "">([
	"",
	"call",
	"question",
	"sampling",
	"server",
	"account",
	"permission",
	"configuration",
	"prompt",
	"turn",
	"journal",
]);
const standings: ReadonlySet<ActivityStanding | ""> = new Set<ActivityStanding | "">([
	"",
	"done",
	"open",
	"denied",
	"failed",
	"unknown",
	"noted",
]);

/**
 * Connects the activity with the view that shows it. Every message of the view is checked (UI-06); the query is kept
 * here, so that the view may be closed and reopened (UI-07).
 */
export class ActivityPort implements Disposable {
	private readonly services: ActivityPortServices;
	private readonly view: RpcEndpoint<ActivityViewApi, ActivityHostApi>;
	private readonly store = new DisposableStore();
	private query = everyActivity;
	private items: readonly ActivityItem[] = [];
	/** Why it could not be read, in a sentence. */
	private trouble: string | undefined;
	/** The item to reveal to the user, until the view has it. */
	private wanted: Wanted | undefined;

	constructor(port: MessagePort, services: ActivityPortServices) {
		this.services = services;
		const { actions } = services;
		this.view = new RpcEndpoint<ActivityViewApi, ActivityHostApi>(port, {
			ready: async () => {
				await this.load();
				return this.list();
			},
			find: (query) => {
				const read = readActivityQuery(query);
				if (read === undefined) throw new HostError("invalid", "The panel does not support this search.");
				this.query = read;
				this.wanted = undefined;
				return this.list();
			},
			detail: (id) => {
				this.wanted = undefined;
				return this.detail(this.named(id));
			},
			trace: async (id) => {
				const exchange = exchangeOf(this.named(id));
				if (exchange !== undefined) await actions.trace(exchange);
			},
			copy: (id) => actions.copy(this.named(id)),
			export: (scope) => actions.save(this.scoped(scope)),
			clear: (scope) => actions.clear(this.scoped(scope), scope === "all"),
			verify: () => actions.verify(),
			chooseContents: () => actions.chooseContents(),
		});
		this.store.add(this.view);
		const showing = this.store.add(throttle(() => void this.reload(), showingMs));
		this.store.add(services.watch(() => showing.run()));
	}

	/** Starts another search in the view, and reveals `wanted`, if that is given. */
	ask(query: ActivityQuery, wanted?: Wanted): void {
		this.query = query;
		this.wanted = wanted;
		void this.reload();
	}

	dispose(): void {
		this.store.dispose();
	}

	private async reload(): Promise<void> {
		await this.load();
		this.view.notify("show", this.list());
	}

	private async load(): Promise<void> {
		try {
			this.items = itemsOf(await this.services.read());
			this.trouble = undefined;
		} catch (error) {
			this.items = [];
			this.trouble = `The activity cannot be read: ${messageOf(error)}`;
		}
	}

	private list(): ActivityList {
		const { query, items, wanted } = this;
		const found = findItems(items, query);
		const more = found.length - mostRows;
		const turn = query.turn === "" ? undefined : items.find((item) => item.id === `turn ${query.turn}`);
		const chosen = wanted === undefined ? undefined : findWanted(items, wanted);
		return {
			query,
			rows: found.slice(0, mostRows).map(rowOf),
			found: found.length,
			all: items.length,
			took: tookOf(found.flatMap(({ sampling }) => sampling?.attempts ?? [])),
			servers: serversOf(items),
			models: choicesOf(items.flatMap(modelsOf)),
			deciders: choicesOf(items.flatMap(decidersOf)),
			turn: turn === undefined ? (query.turn === "" ? "" : "a chat turn") : `the chat turn that ${rowOf(turn).event}`,
			notices: [
				...this.services.notices(query.group),
				...(this.trouble === undefined ? [] : [this.trouble]),
				...(wanted !== undefined && chosen === undefined ? ["No entry exists for this, or it has been deleted."] : []),
				...(more > 0 ? [`The newest ${mostRows} are shown. Narrow the search to see the other ${more}.`] : []),
			],
			...(chosen === undefined ? {} : { chosen: chosen.id }),
		};
	}

	private detail(item: ActivityItem): ActivityDetail {
		const { entry } = firstOf(item);
		const turn = turnOf(item);
		const story = entry.kind !== "turn" ? [] : this.items.filter((one) => one !== item && turnOf(one) === entry.id);
		const steps = item.records.map(shownStep);
		return {
			...rowOf(item),
			steps,
			isUnkept: item.group === "call" && steps.every(({ contents }) => contents === undefined),
			facts: factsOf(item),
			...(turn === undefined ? {} : { turn }),
			story: story.toReversed().map(rowOf),
			isTraced: this.services.isTraced(exchangeOf(item) ?? ""),
			...(item.sampling === undefined ? {} : { sampling: samplingDetailOf(item.sampling) }),
		};
	}

	private named(id: unknown): ActivityItem {
		const item = this.items.find((one) => one.id === id);
		if (item === undefined) throw new HostError("invalid", "This entry is no longer in the activity.");
		return item;
	}

	private scoped(scope: unknown): readonly ActivityItem[] {
		if (scope === "all") return this.items;
		if (scope === "found") return findItems(this.items, this.query);
		throw new HostError("invalid", "The panel does not support this selection.");
	}
}

/** The query that a view sent; undefined for any other message. */
export function readActivityQuery(value: unknown): ActivityQuery | undefined {
	if (!isJsonObject(value)) return undefined;
	const { text, server, model, by, turn, isUnasked, from, to } = value;
	if (!isShort(text) || !isShort(server) || !isShort(model) || !isShort(by) || !isShort(turn)) return undefined;
	const group = oneOf(groups, value["group"]);
	const standing = oneOf(standings, value["standing"]);
	if (group === undefined || standing === undefined || typeof isUnasked !== "boolean") return undefined;
	if (!isTime(from) || !isTime(to)) return undefined;
	return {
		text,
		group,
		server,
		standing,
		model,
		by,
		turn,
		isUnasked,
		...(from === undefined ? {} : { from }),
		...(to === undefined ? {} : { to }),
	};
}

function isShort(value: unknown): value is string {
	return typeof value === "string" && value.length <= mostText;
}

function isTime(value: unknown): value is number | undefined {
	return value === undefined || (typeof value === "number" && Number.isFinite(value));
}

function serversOf(items: readonly ActivityItem[]): readonly Choice[] {
	const names = new Map<string, string>();
	for (const item of items) {
		const { id, name } = serverOf(firstOf(item).entry);
		if (id !== "") names.set(id, oneLine(name, 60));
	}
	const labels = [...names.values()];
	return [...names]
		.map(([value, label]) => ({
			value,
			// Two servers may be configured under one name.
			label: labels.filter((one) => one === label).length > 1 ? `${label} (${oneLine(value, 80)})` : label,
		}))
		.toSorted((a, b) => a.label.localeCompare(b.label, "en"));
}

function choicesOf(values: readonly string[]): readonly Choice[] {
	return [...new Set(values)]
		.map((value) => ({ value, label: oneLine(value, 100) }))
		.toSorted((a, b) => a.label.localeCompare(b.label, "en"));
}

function factsOf(item: ActivityItem): readonly Fact[] {
	const { entry, n, window } = firstOf(item);
	const open = standingOf(item) === "open" ? ", not finished yet" : "";
	const { serverId, origin, app, client, scopes, byLabel } = jsonObjectOf(entry);
	const fact = (name: string, value: unknown, isCode = false): readonly Fact[] =>
		typeof value === "string" && value !== "" ? [{ name, value: oneLine(value, 300), isCode }] : [];
	return [
		...fact("Requested by", wantedBy(origin, app, client)),
		...fact("Decided by", byLabel),
		...fact("Scopes", Array.isArray(scopes) ? scopes.join(", ") : undefined),
		...fact("Server", serverId, true),
		...fact("Trace", exchangeOf(item), true),
		...fact("Entry", `${n} of window ${window}${open}`, true),
	];
}

/** Who requested a call, in words; undefined if nobody did. */
function wantedBy(origin: unknown, app: unknown, client: unknown): string | undefined {
	if (typeof client === "string") return client;
	if (origin === "agent") return "VS Code's agent";
	if (origin === "app") return typeof app === "string" ? app : "an app";
	return origin === "model" ? "a model" : origin === "user" ? "you" : undefined;
}

function shownStep({ at, entry }: ActivityRecord): ActivityStep {
	const contents = entry.kind === "call" ? entry.contents : undefined;
	return { at, event: eventOf(entry), ...(contents === undefined ? {} : { contents: shown(contents) }) };
}

/** Contents are JSON; too long ones are stored as a text with their beginning. */
function shown(contents: Json): string {
	return typeof contents === "string" ? showHidden(contents) : exactJson(contents);
}
