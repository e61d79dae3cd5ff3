import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { HostError } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { once } from "../../base/once.ts";
import type { Log } from "../../base/log.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import { escapeGlob } from "../../base/globs.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import type { Session, SessionState } from "../sessions/session.ts";
import { isFileThere } from "../../base/files.ts";

/** A session that can be started again. */
export interface RestartableSession extends Session {
	/** Starts it again if it may; a refusal is a state. */
	restart(): Promise<SessionState>;
}

/** The dependencies of `SourceWatch`. */
export interface SourceWatchServices {
	readonly directory: { readonly sessions: readonly RestartableSession[]; readonly onDidChange: Event<void> };
	/** Reports each file below a folder that matches a glob pattern and was created, changed or deleted. */
	readonly watch: (folder: string, pattern: string, onChange: (path: string) => void) => Disposable;
	/** How a server that may start is reached. Asks nobody. */
	readonly resolve: (definition: ServerDefinition) => Promise<Launch>;
	readonly logOf: (name: string) => Pick<Log, "info">;
	/** How long changes are gathered, in milliseconds: editors and compilers write in bursts. */
	readonly settleMs?: number;
}

const defaultSettleMs = 300;
/** As many changed files are named in the log. */
const mostNamed = 5;
/** As many arguments are looked at. */
const mostWords = 50;
/** Files that a server is, and not those that it works on. */
const source = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|sh|jar|dll|wasm)$/i;
/** Folders whose files are installed or versioned, not written. */
const generated = /[\\/](?:node_modules|\.git|__pycache__|\.venv)[\\/]/;

interface Watched {
	readonly session: RestartableSession;
	readonly definition: ServerDefinition;
	readonly store: DisposableStore;
	readonly changed: Set<string>;
	/** The files that the command names, and when they were last changed, in milliseconds since the epoch. */
	readonly named: Map<string, number>;
	/** Whether only the user can start it again: it needs a value that is not kept. */
	needsUser: boolean;
	timer?: NodeJS.Timeout;
}

/**
 * Follows the source files of the servers that run. A server with `dev.watch` is restarted when one of these files changes:
 * only where it ran or failed, and only through its session, which asks whether it may start. Of any other server it is known
 * which of the files that its command names changed since its start.
 */
export class SourceWatch implements Disposable {
	private readonly services: SourceWatchServices;
	private readonly watched = new Map<ServerId, Watched>();
	private readonly subscription: Disposable;
	private readonly changedEmitter = new Emitter<Session>();
	/** `changedFile` of a server returns another file, or none. */
	readonly onDidChange: Event<Session> = this.changedEmitter.event;

	constructor(services: SourceWatchServices) {
		this.services = services;
		this.subscription = services.directory.onDidChange(() => this.follow());
		this.follow();
	}

	/** The name of a file of a running server that changed since its start, if it is for the user to start it again. */
	changedFile({ definition, state }: Pick<Session, "definition" | "state">): string | undefined {
		const one = this.watched.get(definition.id);
		if (one === undefined || state.kind !== "running") return undefined;
		const [first] = definition.watch === undefined || one.needsUser ? one.changed : [];
		return first;
	}

	/**
	 * Has a server run what its files say now: starts it again if a file changed that it is known to read, and resolves when it
	 * has started, or when it is clear that it does not. Unless `isWanted`, a server without `dev.watch` is not started again.
	 */
	async bringUpToDate(session: Session, isWanted: boolean): Promise<void> {
		const one = this.watched.get(session.definition.id);
		if (one === undefined) return;
		while (one.session.state.kind === "starting") await once(one.session.onDidChangeState);
		if (!isWanted && one.definition.watch === undefined) return;
		for (const [path, before] of one.named)
			// The editor may not have reported it yet.
			if ((await changedAt(path)) !== before) one.changed.add(basename(path));
		if (one.changed.size === 0 || one.session.state.kind !== "running") return;
		clearTimeout(one.timer);
		await this.restart(one);
	}

	dispose(): void {
		this.subscription.dispose();
		for (const one of this.watched.values()) leave(one);
		this.watched.clear();
		this.changedEmitter.dispose();
	}

	private follow(): void {
		const { sessions } = this.services.directory;
		const alive = new Set(sessions.filter(isFollowed));
		for (const [id, one] of this.watched) {
			if (alive.has(one.session) && isSameSource(one.definition, one.session.definition)) continue;
			leave(one);
			this.watched.delete(id);
			if (one.changed.size > 0) this.changedEmitter.fire(one.session);
		}
		for (const session of alive) {
			const known = this.watched.get(session.definition.id);
			if (known === undefined) this.begin(session);
			else if (session.state.kind === "starting" && (known.definition.watch === undefined || known.needsUser))
				this.forget(known);
			// A file that changed during the start may have been read before or after.
			else if (session.state.kind === "running" && known.definition.watch !== undefined) this.schedule(known);
		}
	}

	private begin(session: RestartableSession): void {
		const { definition } = session;
		const store = new DisposableStore();
		const one: Watched = { session, definition, store, changed: new Set(), named: new Map(), needsUser: false };
		this.watched.set(definition.id, one);
		const folder = folderOf(definition);
		if (definition.watch !== undefined && folder !== undefined) {
			for (const pattern of definition.watch)
				one.store.add(
					this.services.watch(folder, pattern, (path) => {
						if (!generated.test(path.slice(folder.length)) || generated.test(`/${pattern}`))
							this.note(one, relative(folder, path));
					}),
				);
		}
		void this.watchNamed(one).catch(() => undefined);
	}

	/** Watches the files that a command names. */
	private async watchNamed(one: Watched): Promise<void> {
		const launch = await this.services.resolve(one.definition);
		if (launch.kind !== "stdio") return;
		for (const path of await namedFiles(launch)) {
			if (one.store.isDisposed) return;
			one.named.set(path, await changedAt(path));
			if (one.definition.watch !== undefined) continue;
			one.store.add(
				this.services.watch(dirname(path), escapeGlob(basename(path)), () => this.note(one, basename(path))),
			);
		}
	}

	private note(one: Watched, name: string): void {
		const isNew = !one.changed.has(name);
		one.changed.add(name);
		if (one.definition.watch !== undefined) this.schedule(one);
		else if (one.session.state.kind !== "running") one.changed.clear();
		else if (isNew) this.changedEmitter.fire(one.session);
	}

	private forget(one: Watched): void {
		one.needsUser = false;
		if (one.changed.size === 0) return;
		one.changed.clear();
		this.changedEmitter.fire(one.session);
	}

	private schedule(one: Watched): void {
		if (one.changed.size === 0) return;
		clearTimeout(one.timer);
		one.timer = setTimeout(() => void this.restartUnasked(one), this.services.settleMs ?? defaultSettleMs);
	}

	/** Starts a server again because its files changed, if nobody has to be asked for that; otherwise its row says so. */
	private async restartUnasked(one: Watched): Promise<void> {
		const { definition } = one.session;
		const missing = await this.services.resolve(definition).then(
			() => undefined,
			(error: unknown) => (HostError.is(error, "cancelled") ? error.message : undefined),
		);
		if (one.store.isDisposed) return;
		one.needsUser = missing !== undefined;
		if (missing === undefined) return this.restart(one);
		this.services.logOf(definition.name).info(`Files changed. ${missing}`);
		this.changedEmitter.fire(one.session);
	}

	private async restart(one: Watched): Promise<void> {
		const { session, changed } = one;
		// Until it runs, what it has read is not known: it is restarted then. One that was stopped stays so.
		if (session.state.kind !== "running" && session.state.kind !== "failed") return;
		const names = [...changed].slice(0, mostNamed).map((name) => oneLine(name, 100));
		const more = changed.size - names.length;
		changed.clear();
		const list = [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
		this.services.logOf(session.definition.name).info(`Restarting, because files changed: ${list}`);
		await session.restart();
	}
}

/** Whether changes of a server's files matter now. One that failed may run once its files are corrected. */
function isFollowed({ definition: { config, watch }, state: { kind } }: Session): boolean {
	if (config.kind !== "stdio") return false;
	return kind === "running" || kind === "starting" || (kind === "failed" && watch !== undefined);
}

function isSameSource(one: ServerDefinition, other: ServerDefinition): boolean {
	return one.hash === other.hash && JSON.stringify(one.watch) === JSON.stringify(other.watch);
}

function leave({ store, timer }: Watched): void {
	clearTimeout(timer);
	store.dispose();
}

/** When a file was last changed; 0 where it is not there. */
async function changedAt(path: string): Promise<number> {
	return stat(path).then(
		({ mtimeMs }) => mtimeMs,
		() => 0,
	);
}

/** The folder that `dev.watch` is relative to: the workspace folder, or where a server of the user's own runs. */
function folderOf({ config, origin }: ServerDefinition): string | undefined {
	if (origin.folder !== undefined) return origin.folder;
	const cwd = config.kind === "stdio" ? config.cwd : undefined;
	return cwd !== undefined && isAbsolute(cwd) && !cwd.includes("${") ? cwd : undefined;
}

/** The source files that a command line names, by their absolute paths. */
export async function namedFiles({
	command,
	args,
	cwd,
}: Extract<Launch, { kind: "stdio" }>): Promise<readonly string[]> {
	const words = [...(/[\\/]/.test(command) ? [command] : []), ...args].slice(0, mostWords);
	const files: string[] = [];
	for (const word of words) {
		if (word.startsWith("-") || !source.test(word) || word.includes("\0")) continue;
		const path = resolve(cwd, word);
		if (!generated.test(path) && (await isFileThere(path))) files.push(path);
	}
	return files;
}
