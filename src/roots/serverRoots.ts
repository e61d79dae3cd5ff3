import { homedir } from "node:os";
import { Emitter, type Event } from "../base/event.ts";
import { isJsonObject } from "../base/json.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { KeyValue } from "../base/storage.ts";
import type { Approvals } from "../servers/approvals.ts";
import type { ConfigOrigin, ConfigProblem, ServerDefinition, ServerId } from "../servers/config.ts";
import type { Root, Session, SessionDirectory } from "../servers/session.ts";
import { Announcements, type Announced } from "./announcements.ts";
import { RootsChoices } from "./choices.ts";
import { offer, type RootsOffer, type RootsWorld } from "./offer.ts";
import { parseRoots } from "./parseRoots.ts";
import { remarkOn } from "./remark.ts";
import type { OpenFolders, Roots } from "./roots.ts";
import type { RootsChoice, RootsRule } from "./rule.ts";

/** Whether a name matches one of the glob patterns. */
type MatchesAny = (name: string, patterns: readonly string[]) => boolean;

/** What decides the roots, and who hears of them. */
export interface RootsServices {
	readonly folders: OpenFolders;
	/** Keeps what the person chooses in this workspace. */
	readonly workspaceState: KeyValue;
	readonly approvals: Pick<Approvals, "rootsOf" | "onDidChange">;
	readonly directory: Pick<SessionDirectory, "onDidChange"> & { readonly sessions: readonly Announced[] };
	/** Loads the patterns' library, when a pattern is configured. */
	readonly loadGlob: () => Promise<{ readonly matchesAny: MatchesAny }>;
	/** The machine, unless it is this one. */
	readonly machine?: { readonly isWindows: boolean; readonly home: string };
}

const settingOrigin: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };
export const settingKey = "mcpHost.roots";

/** Which roots each server is told, kept current: servers whose roots changed hear of it, and no others. A lazy part. */
export class ServerRoots implements Roots, Disposable {
	private readonly services: RootsServices;
	private readonly store = new DisposableStore();
	private readonly choices: RootsChoices;
	private readonly changed = new Emitter<void>();
	private readonly announcements: Announcements;
	/** The person's setting: rules by server name or by a pattern for names, in order. */
	private rules: ReadonlyMap<string, RootsRule> = new Map();
	private matchesAny: MatchesAny = () => false;
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: RootsServices) {
		this.services = services;
		this.choices = new RootsChoices(services.workspaceState);
		this.announcements = new Announcements((definition) => this.of(definition));
		const { folders, approvals, directory } = services;
		this.store.add(folders.onDidChange(() => this.refresh()));
		this.store.add(approvals.onDidChange(() => this.refresh()));
		this.store.add(this.choices.onDidChange(() => this.refresh()));
		this.store.add(directory.onDidChange(() => this.announcements.update(directory.sessions)));
	}

	of(definition: ServerDefinition): readonly Root[] {
		return this.offerOf(definition).roots;
	}

	remark(definition: ServerDefinition): string | undefined {
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
		return { ...machine, folders: folders.current, matches };
	}

	/** What a server is told, and why; `hasChoice` false: as if the person had chosen nothing. */
	offerOf(definition: ServerDefinition, hasChoice = true): RootsOffer {
		const { id, origin, roots: asked } = definition;
		const approved = this.services.approvals.rootsOf(id);
		const choice = hasChoice ? this.choices.get(id) : undefined;
		return offer({ origin, asked, approved, own: this.ownRule(definition), choice }, this.world);
	}

	/** Keeps what the person chose for a server in this workspace; undefined: what is configured counts again. */
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
		return problems;
	}

	/** Looks at everything again, and tells who is concerned. */
	refresh(): void {
		if (this.store.isDisposed) return;
		this.announcements.update(this.services.directory.sessions);
		this.changed.fire();
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}

	/**
	 * What the setting says of a server: under its name exactly, else under the first pattern that fits. A server counts
	 * under the name in its file as well, which is not the one shown where two files use it.
	 */
	private ownRule({ id, name, origin }: ServerDefinition): RootsRule | undefined {
		const configured = id.slice(`${origin.kind}:${origin.file ?? origin.folder ?? ""}#`.length);
		const exact = this.rules.get(name) ?? this.rules.get(configured);
		if (exact !== undefined) return exact;
		for (const [pattern, rule] of this.rules) {
			if (this.matchesAny(name, [pattern]) || this.matchesAny(configured, [pattern])) return rule;
		}
		return undefined;
	}
}
