import { homedir } from "node:os";
import { Emitter, type Event } from "../../base/event.ts";
import { isJsonObject } from "../../base/json.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import type { KeyValue } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import { realPath } from "../../protocol/stdio/insideFolders.ts";
import type { Approvals } from "../approval/approvals.ts";
import type { ConfigOrigin, ConfigProblem, ServerDefinition, ServerId } from "../definitions/config.ts";
import { entriesFor, namesOf } from "../definitions/serverNames.ts";
import type { Root, Session } from "../sessions/session.ts";
import { offer, type RootsOffer, type RootsWorld } from "./offer.ts";
import { parseRoots } from "../definitions/parseRoots.ts";
import { type OpenFolder, type OpenFolders, type Roots, type RootsRemark, isSameRoots } from "./roots.ts";
import type { RootsChoice, RootsRule } from "../definitions/rootsRule.ts";

type MatchesAny = (name: string, patterns: readonly string[]) => boolean;

/** The rules for the roots. */
export interface RootsServices {
	readonly folders: OpenFolders;
	/** Stores the user's choices in this workspace. */
	readonly workspaceState: KeyValue;
	readonly approvals: Pick<Approvals, "of" | "onDidChange">;
	/** Loads the patterns' library, when a pattern is configured. */
	readonly loadGlob: () => Promise<{ readonly matchesAny: MatchesAny }>;
	/** The machine, unless it is this one. */
	readonly machine?: { readonly isWindows: boolean; readonly home: string };
}

const settingOrigin: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };
export const settingKey = "mcpHost.roots";

/** Which roots each server receives, kept current. A lazy part. */
export class ServerRoots implements Roots, Disposable {
	private readonly services: RootsServices;
	private readonly store = new DisposableStore();
	private readonly choices: RootsChoices;
	private readonly changed = new Emitter<void>();
	private readonly announcements: Announcements;
	/** The paths of folders behind links, by their paths as written. */
	private realPaths: ReadonlyMap<string, string> = new Map();
	/** The user's setting: rules by server name or by a pattern for names, in order. */
	private rules: ReadonlyMap<string, RootsRule> = new Map();
	private matchesAny: MatchesAny = () => false;
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: RootsServices) {
		this.services = services;
		this.choices = new RootsChoices(services.workspaceState);
		this.announcements = new Announcements((definition) => this.of(definition));
		const { folders, approvals } = services;
		this.store.add(
			folders.onDidChange(() => {
				// A folder that was closed is gone at once; one that was opened comes when it is known where it leads.
				this.refresh();
				void this.resolvePaths().then(() => this.refresh());
			}),
		);
		this.store.add(approvals.onDidChange(() => this.refresh()));
		this.store.add(this.choices.onDidChange(() => this.refresh()));
	}

	of(definition: ServerDefinition): readonly Root[] {
		return this.offerOf(definition).roots;
	}

	remark(definition: ServerDefinition): RootsRemark | undefined {
		return remarkOn(this.offerOf(definition), definition.origin);
	}

	/** Answers a server that asks for its roots. */
	list(session: Session): readonly Root[] {
		return this.announcements.answer(session);
	}

	/** When the server last asked since it runs, in milliseconds since the epoch; undefined when it did not. */
	askedAt(session: Session): number | undefined {
		return this.announcements.askedAt(session);
	}

	/** The window and the machine as the rules see them. */
	get world(): RootsWorld {
		const { folders, machine = { isWindows: process.platform === "win32", home: homedir() } } = this.services;
		const matches = (subject: string, pattern: string): boolean => this.matchesAny(subject, [pattern]);
		const real = (path: string): string => this.realPaths.get(path) ?? path;
		const known = folders.current.filter((folder) => !isResolved(folder) || this.realPaths.has(folder.path));
		return { ...machine, folders: known, matches, real };
	}

	/** The roots of a server, and why; `hasChoice` false: as if the user had chosen nothing. */
	offerOf(definition: ServerDefinition, hasChoice = true): RootsOffer {
		const { id, origin, roots: asked } = definition;
		const approved = this.services.approvals.of(definition)?.roots;
		const choice = hasChoice ? this.choices.get(id) : undefined;
		const [own, ...others] = this.ownRules(definition);
		const offered = offer({ origin, asked, approved, own, choice }, this.world);
		if (choice !== undefined || others.length === 0) return offered;
		const reached = others.map((other) => offer({ origin, asked, approved, own: other, choice }, this.world).roots);
		const isInAll = ({ uri }: Root): boolean => reached.every((roots) => roots.some((root) => root.uri === uri));
		return { ...offered, roots: offered.roots.filter(isInAll) };
	}

	/** Stores the user's choice for a server in this workspace; undefined: the configuration applies again. */
	choose(id: ServerId, choice: RootsChoice | undefined): Promise<void> {
		return this.choices.set(id, choice);
	}

	/** See `HostRoots.configure`. */
	async configure(setting: unknown, definitions: readonly ServerDefinition[]): Promise<readonly ConfigProblem[]> {
		const problems: ConfigProblem[] = [];
		const rules = new Map<string, RootsRule>();
		const entries = isJsonObject(setting) ? Object.entries(setting) : [];
		for (const [name, value] of entries) {
			const rule = parseRoots(value, settingOrigin, (path, message, severity) =>
				problems.push({ origin: settingOrigin, path: [settingKey, name, ...path], message, severity }),
			);
			if (rule !== undefined) rules.set(name, rule);
		}
		const hasPatterns = [...rules.values(), ...definitions.map(({ roots }) => roots)].some(
			(rule) => (rule?.folders ?? []).length > 0,
		);
		if (hasPatterns || rules.size > 0) this.matchesAny = (await this.services.loadGlob()).matchesAny;
		this.rules = rules;
		await this.resolvePaths();
		return problems;
	}

	/** Finds what is behind the paths of the home folder and the open ones. */
	private async resolvePaths(): Promise<void> {
		const { folders, machine } = this.services;
		const paths = [machine?.home ?? homedir(), ...folders.current.filter(isResolved).map(({ path }) => path)];
		this.realPaths = new Map(await Promise.all(paths.map(async (path) => [path, await realPath(path)] as const)));
	}

	/** Notifies those of all sessions whose servers would see other roots than they know. */
	announce(sessions: readonly Announced[]): void {
		if (!this.store.isDisposed) this.announcements.update(sessions);
	}

	/** Looks at everything again. */
	refresh(): void {
		if (!this.store.isDisposed) this.changed.fire();
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}

	/**
	 * The setting's rule for a server: under its exact name, otherwise under the first matching pattern. A workspace's
	 * server, which may have any name, receives only the roots that every matching rule includes (CFG-35).
	 */
	private ownRules(definition: ServerDefinition): readonly RootsRule[] {
		const server = namesOf(definition);
		const entries = [...this.rules].map(([pattern, rule]) => ({
			pattern,
			rule,
			fits: (name: string) => this.matchesAny(name, [pattern]),
		}));
		const fitting = entriesFor(server, entries).map(({ rule }) => rule);
		return server.isOfWorkspace ? fitting : fitting.slice(0, 1);
	}
}

/**
 * Whether links in the path of a folder are followed. Not of network folders: the home folder is not there, and a server
 * that does not answer holds everything up.
 */
function isResolved({ scheme, path }: OpenFolder): boolean {
	return scheme === "file" && !/^[\\/]{2}/.test(path);
}

/**
 * Why a server sees these roots, in a few words beside their number; undefined if nothing is special. The part that a
 * user may want to act on comes first: a narrow side bar cuts the rest.
 */
function remarkOn({ by, waiting, tooWide, unknown }: RootsOffer, origin: ConfigOrigin): RootsRemark | undefined {
	const warnings: string[] = [];
	if (waiting.length > 0) warnings.push(`${waiting.length} ${waiting.length === 1 ? "waits" : "wait"} for approval`);
	if (tooWide.length > 0) warnings.push("your home folder is left out");
	if (unknown.length > 0) warnings.push(`${unknown.map((text) => oneLine(text, 40)).join(", ")} does not exist`);
	if (warnings.length > 0) return { text: warnings.join(", "), isWarning: true };
	if (by === "choice") return { text: "chosen by you", isWarning: false };
	if (by === "setting") return { text: "by your setting mcpHost.roots", isWarning: false };
	return by === "entry" ? { text: `as in ${oneLine(origin.label, 80)}`, isWarning: false } : undefined;
}

const key = "mcpHost.roots";

/**
 * The roots that the user chose for each server, stored with the workspace, because each workspace has its own folders.
 * Bound to the server's id, so that the name alone gives another server nothing (CFG-03).
 */
class RootsChoices {
	private readonly store: KeyValue;
	private readonly changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(store: KeyValue) {
		this.store = store;
	}

	/** The choice for a server; undefined when there is none, or when the stored value is damaged. */
	get(id: ServerId): RootsChoice | undefined {
		const all = this.all;
		const kept = Object.hasOwn(all, id) ? all[id] : undefined;
		return isChoice(kept) ? kept : undefined;
	}

	/** Keeps a choice; undefined forgets it, so that the configuration counts again. */
	async set(id: ServerId, choice: RootsChoice | undefined): Promise<void> {
		const others = Object.entries(this.all).filter(([other]) => other !== id);
		await this.store.update(key, Object.fromEntries(choice === undefined ? others : [...others, [id, choice]]));
		this.changed.fire();
	}

	private get all(): Readonly<Record<string, unknown>> {
		const stored = this.store.get<unknown>(key);
		return isJsonObject(stored) ? stored : {};
	}
}

function isChoice(value: unknown): value is RootsChoice {
	const isUris = (list: unknown): boolean =>
		Array.isArray(list) && list.every((uri) => typeof uri === "string" && URL.canParse(uri));
	return isJsonObject(value) && isUris(value["folders"]) && isUris(value["extra"]);
}

/**
 * A session that is notified of changed roots; revision 2026-07-28 has no such message: a server asks when it needs them.
 */
export type Announced = Pick<Session, "definition" | "state"> & { notifyRootsChanged(): void };

/** Remembers the roots that each running server knows, so that it is notified of changes only. */
class Announcements {
	private readonly rootsOf: (definition: ServerDefinition) => readonly Root[];
	/** The roots that a server received last, or could have requested since it runs. */
	private readonly known = new WeakMap<object, readonly Root[]>();
	private readonly asked = new WeakMap<object, number>();

	constructor(rootsOf: (definition: ServerDefinition) => readonly Root[]) {
		this.rootsOf = rootsOf;
	}

	/** Answers `roots/list`. */
	answer(session: Pick<Session, "definition">): readonly Root[] {
		const roots = this.rootsOf(session.definition);
		this.known.set(session, roots);
		this.asked.set(session, Date.now());
		return roots;
	}

	askedAt(session: object): number | undefined {
		return this.asked.get(session);
	}

	/**
	 * Compares the roots with those that each server knows, after any change. A request of a server before it ran counts
	 * as well. A server that never asked is notified too: it may ask later.
	 */
	update(sessions: readonly Announced[]): void {
		for (const session of sessions) {
			const { kind } = session.state;
			if (kind === "starting") continue;
			if (kind !== "running") {
				this.known.delete(session);
				this.asked.delete(session);
				continue;
			}
			const before = this.known.get(session);
			const now = this.rootsOf(session.definition);
			this.known.set(session, now);
			if (before !== undefined && !isSameRoots(before, now)) session.notifyRootsChanged();
		}
	}
}
