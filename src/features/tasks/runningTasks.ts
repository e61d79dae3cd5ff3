import type { CallToolResult } from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { oneLine } from "../../base/text.ts";
import type { FollowedTask, TaskReference } from "../../protocol/followedTask.ts";
import type { ServerId } from "../../servers/definitions/config.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { KeptTask, KeptTasks } from "./keptTasks.ts";

/** How long a task is left alone whose following failed although its server runs, in milliseconds. */
const pauseMs = 5000;

/** How a task ended whose call was over by then. */
export type TaskEnd =
	| { readonly kind: "result"; readonly result: CallToolResult }
	| { readonly kind: "failed"; readonly message: string };

/** A task of this workspace, as lists show it. */
export interface TaskRow {
	/** Opaque and unique; nothing that its server gave. */
	readonly key: string;
	readonly server: ServerId;
	readonly reference: Pick<TaskReference, "tool" | "arguments" | "createdAt">;
	/** `called`: the call that became it waits for the result. `waiting`: it is followed once its server runs. */
	readonly state: "called" | "followed" | "waiting" | "ended";
	/** The server's latest word on it; untrusted text. */
	readonly statusMessage: string | undefined;
	readonly end: TaskEnd | undefined;
}

/** The inputs of the list of tasks. */
export interface RunningTasksServices {
	readonly directory: SessionDirectory;
	readonly kept: KeptTasks;
	/** Which account is signed in at a server; empty without one. */
	readonly accountOf: (server: ServerId) => string;
	readonly onDidChangeAccount: Event<unknown>;
	readonly log: Log;
}

/**
 * The tasks of this workspace. Where a call waits for one, it shows it. The others are followed here: those that outlived their
 * call, and those of an earlier window or an earlier run of their server, once the same definition runs with the same account.
 */
export class RunningTasks implements Disposable {
	private readonly services: RunningTasksServices;
	private readonly tasks = new Map<string, Task>();
	private readonly changed = new Emitter<TaskRow | undefined>();
	private readonly ended = new Emitter<TaskRow>();
	private readonly listening: readonly Disposable[];
	/** A row has other texts; with undefined, there are other rows. */
	readonly onDidChange: Event<TaskRow | undefined> = this.changed.event;
	/** A task that was followed here has ended. */
	readonly onDidEnd: Event<TaskRow> = this.ended.event;

	constructor(services: RunningTasksServices) {
		this.services = services;
		const consider = (): void => this.consider();
		this.listening = [services.directory.onDidChange(consider), services.onDidChangeAccount(consider)];
	}

	/** All of them, the oldest first. */
	get all(): readonly TaskRow[] {
		return [...this.tasks.values()];
	}

	/** A task by its key; undefined for one that is gone. */
	get(key: string): TaskRow | undefined {
		return this.tasks.get(key);
	}

	/** Takes up the tasks of earlier windows. */
	async restore(): Promise<void> {
		for (const kept of await this.services.kept.all())
			if (!this.tasks.has(kept.key)) this.tasks.set(kept.key, new Task(kept));
		this.changed.fire(undefined);
		this.consider();
	}

	/** Takes note of a task that is followed from now on; see `UserRequests.onTask`. */
	readonly onTask = ({ definition }: Session, followed: FollowedTask): void => {
		const { reference } = followed;
		const { id: server, hash } = definition;
		const known = [...this.tasks.values()].find(
			({ kept }) => kept.taskId === reference.taskId && kept.server === server && kept.hash === hash,
		);
		if (known !== undefined) return this.attach(known, followed);
		// It ended before anybody could ask for it.
		if (followed.end === "over") return;
		const account = this.services.accountOf(server);
		const task = new Task({ ...reference, key: crypto.randomUUID(), server, hash, account });
		this.tasks.set(task.key, task);
		this.services.kept.keep(task.kept).catch((error: unknown) => this.services.log.warn(notKept(error)));
		this.attach(task, followed);
		this.changed.fire(undefined);
	};

	/** Asks the server to cancel a task; false for one that nobody follows now. */
	cancel(key: string): boolean {
		const followed = this.tasks.get(key)?.followed;
		followed?.cancel();
		return followed !== undefined;
	}

	/** Removes a task from the list, and forgets its id. A call that waits for it goes on. */
	async forget(key: string): Promise<void> {
		const task = this.tasks.get(key);
		if (!this.tasks.delete(key)) return;
		if (task?.isFollowedHere === true) task.followed?.leave();
		task?.endPause();
		this.changed.fire(undefined);
		await this.services.kept.forget(key);
	}

	/** Forgets all of them. */
	async clear(): Promise<void> {
		await Promise.all([...this.tasks.keys()].map(async (key) => this.forget(key)));
	}

	dispose(): void {
		for (const one of this.listening) one.dispose();
		for (const task of this.tasks.values()) task.endPause();
		this.changed.dispose();
		this.ended.dispose();
	}

	private attach(task: Task, followed: FollowedTask): void {
		task.followed = followed;
		const look = (): void => {
			if (followed.end === undefined) return this.changed.fire(task);
			subscription.dispose();
			if (task.followed !== followed) return;
			task.lastWords = followed.statusMessage ?? task.lastWords;
			task.followed = undefined;
			// The one who follows it here takes its end.
			if (task.isFollowedHere) return;
			if (followed.end === "over") return void this.forget(task.key);
			this.changed.fire(task);
			this.consider();
		};
		const subscription = followed.onDidChange(look);
		look();
	}

	/** Follows each task that nobody follows and whose server runs as it did then. */
	private consider(): void {
		for (const task of this.tasks.values()) {
			const { server, hash, account } = task.kept;
			const session = this.services.directory.get(server);
			if (session?.state.kind !== "running") {
				task.endPause();
				if (task.state === "waiting") this.changed.fire(task);
				continue;
			}
			if (task.state !== "waiting" || task.timer !== undefined || session.definition.hash !== hash) continue;
			if (this.services.accountOf(server) === account) void this.follow(task, session);
		}
	}

	private async follow(task: Task, session: Session): Promise<void> {
		const { kept } = task;
		task.isFollowedHere = true;
		this.changed.fire(task);
		let followed: FollowedTask | undefined;
		let end: TaskEnd | undefined;
		let isCancelled = false;
		try {
			const result = await session.call?.(
				`tools/call ${kept.tool}`,
				{ onTask: (one) => (followed = one) },
				(connection, control) => connection.followTask(kept, control),
				{ mayHaveEffect: true },
			);
			if (result !== undefined) end = { kind: "result", result };
		} catch (error) {
			const { state } = session;
			if (followed?.end === "over") end = { kind: "failed", message: messageOf(error) };
			else if (state.kind === "running") this.pause(task);
			isCancelled = HostError.is(error, "cancelled");
		} finally {
			task.isFollowedHere = false;
		}
		if (this.tasks.get(kept.key) !== task) return;
		if (end !== undefined && isCancelled) return this.forget(kept.key);
		task.end = end;
		this.changed.fire(task);
		if (end === undefined) this.consider();
		else this.ended.fire(task);
	}

	/** Leaves a task alone for a while. */
	private pause(task: Task): void {
		task.timer = setTimeout(() => {
			task.endPause();
			this.consider();
		}, pauseMs);
		task.timer.unref();
	}
}

/** One task of the list. */
class Task implements TaskRow {
	readonly kept: KeptTask;
	followed: FollowedTask | undefined;
	/** Whether it is followed for the list, and not for a call. */
	isFollowedHere = false;
	lastWords: string | undefined;
	end: TaskEnd | undefined;
	timer: NodeJS.Timeout | undefined;

	constructor(kept: KeptTask) {
		this.kept = kept;
	}

	get key(): string {
		return this.kept.key;
	}

	endPause(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
	}

	get server(): ServerId {
		return this.kept.server;
	}

	get reference(): TaskRow["reference"] {
		return this.kept;
	}

	get statusMessage(): string | undefined {
		return this.followed?.statusMessage ?? this.lastWords;
	}

	get state(): TaskRow["state"] {
		if (this.end !== undefined) return "ended";
		if (this.isFollowedHere) return "followed";
		return this.followed === undefined ? "waiting" : "called";
	}
}

function notKept(error: unknown): string {
	return `A task will not be resumed after a restart: its id was not kept. ${oneLine(messageOf(error))}`;
}
