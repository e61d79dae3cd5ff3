import type { Socket } from "node:net";
import type { Event } from "../../../base/event.ts";
import type { Disposable } from "../../../base/lifecycle.ts";
import type { Log } from "../../../base/log.ts";
import type { Secrets } from "../../../base/storage.ts";
import { Turns } from "../../../base/turns.ts";
import { defaultConnectionLimits } from "../../../protocol/limits.ts";
import { LineBudget } from "../../../protocol/messages/lineBudget.ts";
import { serveGuest } from "../../../protocol/shared/guestStream.ts";
import type { GuestClaim, OwnClaim, SharedProcess, SharingWindows } from "../../../protocol/shared/sharing.ts";
import { readWindows } from "../meetingPlace.ts";
import { askWindow, greetWindow, type Wanted, type WindowHello } from "./greeting.ts";
import type { Lines } from "./lines.ts";
import { WindowKey } from "./windowKey.ts";

/** How many connections there may be with windows, and how many windows are greeted at once. */
const mostSockets = 256;
const mostGreetings = 4;
/** How long a window that does not answer is not asked again, in milliseconds. */
const silenceMs = 10_000;
/** A use of another window's process that is over so soon, in milliseconds, so often in a row, is not tried again. */
const briefMs = 5000;
const mostBrief = 3;
/** How often a window asks again because another one goes first. */
const mostRounds = 3;
/** Refusals worth a line each. */
const refusalRate = { burst: 5, perSecond: 0.1 };

/** The dependencies of shared processes. */
export interface SharedProcessesServices {
	readonly folder: string;
	readonly secrets: Pick<Secrets, "get" | "store" | "onDidChange">;
	/** The version of the extension: only windows of the same one share processes. */
	readonly version: string;
	readonly log: Pick<Log, "info" | "error">;
}

/** A process that this window runs, or may be about to start. */
interface Claimed {
	/** Other windows are being asked: one of a lower rank goes first. */
	isAsking: boolean;
	isOutranked: boolean;
	process: SharedProcess | undefined;
	/** Resolves when it runs, or is not going to. */
	readonly settled: PromiseWithResolvers<void>;
}

/**
 * The processes that windows of the user share (GST-16). A window asks all others before it starts one. It answers for
 * its own processes only, so that no chain of windows comes about, and it waits for a lower rank only, so that no two
 * wait for each other.
 */
export class SharedProcesses implements SharingWindows, Disposable {
	private readonly services: SharedProcessesServices;
	private readonly key: WindowKey;
	private readonly rank = crypto.randomUUID();
	private readonly claimed = new Map<string, Claimed>();
	private readonly refusals: LineBudget;
	/** The connections with other windows: those that use a process here, and those whose process is used here. */
	private readonly sockets = new Set<{ destroy(): unknown }>();
	/** How often in a row the use of a process was brief. */
	private readonly brief = new Map<string, number>();
	private readonly turns = new Turns(mostGreetings);
	/** When windows did not answer, in milliseconds of the monotonic clock. */
	private readonly silent = new Map<string, number>();
	private isDisposed = false;
	/** Windows that share processes with this one have another mark. */
	readonly onDidChangeApplication: Event<void>;

	constructor(services: SharedProcessesServices) {
		this.services = services;
		this.key = new WindowKey(services.secrets);
		this.onDidChangeApplication = this.key.onDidChange;
		const onMore = (count: number): void =>
			services.log.error(`${count} more programs that claimed to be a window were refused.`);
		this.refusals = new LineBudget(onMore, refusalRate);
	}

	/** Marks the windows that can share processes with this one: a digest that says nothing else. */
	application(): Promise<string> {
		return this.key.sign("application", this.services.version);
	}

	async claim(identity: string, signal: AbortSignal): Promise<OwnClaim | GuestClaim> {
		const name = await this.nameOf(identity);
		if (name === undefined || this.claimed.has(name)) return unshared;
		const rounds = (this.brief.get(name) ?? 0) < mostBrief ? mostRounds : 0;
		const claimed = this.begin(name, rounds > 0);
		for (let round = 0; round < rounds; round++) {
			claimed.isOutranked = false;
			const guest = await this.ask({ process: name, rank: this.rank }, signal);
			if (guest !== undefined) {
				this.end(name, claimed);
				this.follow(name, guest);
				return guest;
			}
			if (!claimed.isOutranked) break;
		}
		claimed.isAsking = false;
		this.brief.delete(name);
		return this.ownClaim(name, claimed);
	}

	async own(identity: string): Promise<OwnClaim> {
		const name = await this.nameOf(identity);
		if (name === undefined || this.claimed.has(name)) return unshared;
		return this.ownClaim(name, this.begin(name, false));
	}

	/** Answers another window, which says so by its first message. `address` is that of the socket. Never rejects. */
	async take(socket: Socket, hello: WindowHello, address: string): Promise<void> {
		if (this.isDisposed || this.sockets.size >= mostSockets) {
			socket.destroy();
			return;
		}
		this.keep(socket);
		const greeted = await greetWindow(socket, hello, address, this.key, () => this.refused());
		if (greeted !== undefined) await this.answer(greeted.lines, greeted.wanted);
	}

	dispose(): void {
		this.isDisposed = true;
		for (const { process, settled } of this.claimed.values()) {
			process?.hub.endGuests("is no longer shared by the window that runs it");
			settled.resolve();
		}
		this.claimed.clear();
		for (const socket of this.sockets) socket.destroy();
		this.refusals.flush();
		this.key.dispose();
	}

	private async answer(lines: Lines, { process: name, rank }: Wanted): Promise<void> {
		const claimed = this.claimed.get(name);
		if (claimed?.isAsking === true && rank < this.rank) {
			claimed.isOutranked = true;
			return lines.close({ none: true });
		}
		if (claimed !== undefined && claimed.process === undefined) {
			lines.send({ wait: true });
			// A window that went away, or says anything now, waits no longer.
			await Promise.race([claimed.settled.promise, lines.next()]);
		}
		const { process } = claimed ?? {};
		if (process === undefined || this.claimed.get(name) !== claimed) return lines.close({ none: true });
		const { hub, revision } = process;
		lines.send({ found: { pid: process.pid, ...revision } });
		serveGuest(hub, lines.release(), defaultConnectionLimits, () => undefined);
		this.services.log.info(`Another window uses process ${process.pid} of this one.`);
	}

	/** Asks all other windows; the first that has the process counts. */
	private async ask(wanted: Wanted, signal: AbortSignal): Promise<GuestClaim | undefined> {
		const application = await this.application().catch(() => undefined);
		if (application === undefined) return undefined;
		const windows = await readWindows(this.services.folder).catch(() => []);
		const now = performance.now();
		const isSilent = (address: string): boolean =>
			now - (this.silent.get(address) ?? Number.NEGATIVE_INFINITY) < silenceMs;
		const others = windows.filter((one) => one.application === application && !isSilent(one.socket));
		const found = new AbortController();
		const until = AbortSignal.any([signal, found.signal]);
		let guest: GuestClaim | undefined;
		const asked = others.map(async (window) => {
			const asking = {
				key: this.key,
				turns: this.turns,
				onFalse: () => this.refused(),
				onSilent: () => void (until.aborted || this.silent.set(window.socket, performance.now())),
			};
			const one = await askWindow(window, wanted, asking, until);
			if (one === undefined) return;
			if (guest !== undefined || this.isDisposed || signal.aborted) return void one.stream.destroy();
			guest = one;
			this.keep(one.stream);
			found.abort();
		});
		await Promise.all(asked);
		return guest;
	}

	/** The name of a process for other windows; undefined where none can be shared. Never rejects. */
	private async nameOf(identity: string): Promise<string | undefined> {
		if (this.isDisposed) return undefined;
		// The secret store may be locked.
		return this.key.sign("process", identity).catch(() => undefined);
	}

	private begin(name: string, isAsking: boolean): Claimed {
		const settled = Promise.withResolvers<void>();
		const claimed: Claimed = { isAsking, isOutranked: false, process: undefined, settled };
		this.claimed.set(name, claimed);
		return claimed;
	}

	private end(name: string, claimed: Claimed): void {
		if (this.claimed.get(name) === claimed) this.claimed.delete(name);
		claimed.settled.resolve();
	}

	private ownClaim(name: string, claimed: Claimed): OwnClaim {
		return {
			kind: "own",
			offer: (process) => {
				claimed.process = process;
				claimed.settled.resolve();
				void process.hub.ended.then(() => this.end(name, claimed));
			},
			end: () => this.end(name, claimed),
		};
	}

	/** Notes how long another window's process is of use. */
	private follow(name: string, { stream }: GuestClaim): void {
		const since = performance.now();
		stream.once("close", () => {
			const isBrief = performance.now() - since < briefMs;
			this.brief.set(name, isBrief ? (this.brief.get(name) ?? 0) + 1 : 0);
		});
	}

	private keep(socket: { destroy(): unknown; once(event: "close", listener: () => void): unknown }): void {
		this.sockets.add(socket);
		socket.once("close", () => this.sockets.delete(socket));
	}

	private refused(): void {
		const line = "A program that claims to be a window of VS Code did not prove it, and was refused.";
		if (this.refusals.take()) this.services.log.error(line);
	}
}

/** A process that no other window gets to. */
const unshared: OwnClaim = { kind: "own", offer: () => undefined, end: () => undefined };
