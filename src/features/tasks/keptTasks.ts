import { isJsonObject, parseJson } from "../../base/json.ts";
import { stringOf } from "../../base/guards.ts";
import type { KeyValue, Secrets } from "../../base/storage.ts";
import type { SignedIn } from "../../protocol/authorization.ts";
import type { TaskReference } from "../../protocol/followedTask.ts";
import type { ServerId } from "../../servers/definitions/config.ts";

/** A task that can be followed again, bound to what its id was given to. */
export interface KeptTask extends TaskReference {
	/** Opaque and unique; nothing that its server gave. */
	readonly key: string;
	readonly server: ServerId;
	/** The hash of the definition. */
	readonly hash: string;
	/** The account that was signed in; empty without one. */
	readonly account: string;
}

/** The account that a task is bound to, of those who are signed in; empty without one. */
export function accountKey(signedIn: SignedIn | undefined): string {
	return signedIn === undefined ? "" : `${signedIn.issuer} ${signedIn.account ?? ""}`;
}

/** The keys of this workspace's tasks. Two windows never have the same workspace open, so one window follows each. */
const indexName = "mcpHost.tasks";
/** How the names of tasks in the key store begin. */
const secretName = "mcpHost.task/";
/** How many are kept; the oldest are forgotten first. */
const most = 50;
/** How long one is kept at most, in milliseconds. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
/** Up to which length the arguments of its call are kept, in characters of JSON. */
const longestArguments = 8192;

/**
 * The tasks of this workspace across windows and restarts. All of them is secret, since the id of a task may be all that is needed
 * to read and steer it: it is in the operating system's key store only. The editor's state has opaque keys alone.
 */
export class KeptTasks {
	private readonly state: KeyValue;
	private readonly secrets: Secrets;
	/** Changes follow each other, so that none is lost. */
	private last: Promise<unknown> = Promise.resolve();

	constructor(state: KeyValue, secrets: Secrets) {
		this.state = state;
		this.secrets = secrets;
	}

	/** All that are kept, the oldest first. One that cannot be read is left out. */
	async all(now = Date.now()): Promise<readonly KeptTask[]> {
		await this.last.catch(() => undefined);
		const read = await Promise.all(
			this.keys.map(async (key) => readTask(key, (await this.secrets.get(secretName + key)) ?? "")),
		);
		const tasks = read.filter((task) => task !== undefined);
		return tasks.filter(({ createdAt }) => createdAt > now - keptMs);
	}

	keep({ key, ...task }: KeptTask): Promise<void> {
		const isLong = JSON.stringify(task.arguments).length > longestArguments;
		const text = JSON.stringify(isLong ? { ...task, arguments: {} } : task);
		return this.change(async () => {
			// First the task: a key without one would be of no use.
			await this.secrets.store(secretName + key, text);
			const keys = [...this.keys.filter((one) => one !== key), key];
			await this.state.update(indexName, keys.slice(-most));
			for (const old of keys.slice(0, -most)) await this.secrets.delete(secretName + old);
		});
	}

	forget(key: string): Promise<void> {
		return this.change(async () => {
			await this.state.update(
				indexName,
				this.keys.filter((one) => one !== key),
			);
			await this.secrets.delete(secretName + key);
		});
	}

	private get keys(): readonly string[] {
		const kept = this.state.get<unknown>(indexName);
		return Array.isArray(kept) ? kept.filter((key) => typeof key === "string") : [];
	}

	private change(run: () => Promise<void>): Promise<void> {
		const done = this.last.then(run, run);
		this.last = done;
		return done;
	}
}

function readTask(key: string, text: string): KeptTask | undefined {
	const kept = parseJson(text);
	if (!isJsonObject(kept)) return undefined;
	const { kind, createdAt, ttlMs, arguments: sent } = kept;
	const [taskId, tool, server, hash, account] = [
		stringOf(kept["taskId"]),
		stringOf(kept["tool"]),
		stringOf(kept["server"]),
		stringOf(kept["hash"]),
		stringOf(kept["account"]),
	];
	if (kind !== "2025-11-25" && kind !== "extension") return undefined;
	if ([taskId, tool, server, hash].includes("") || typeof createdAt !== "number") return undefined;
	const args = isJsonObject(sent) ? sent : {};
	const ttl = typeof ttlMs === "number" ? { ttlMs } : {};
	return { key, taskId, kind, tool, arguments: args, createdAt, ...ttl, server, hash, account };
}
