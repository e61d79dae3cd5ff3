import { Seal } from "../../../../../src/records/activity/journal/seal.ts";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ActivityJournal } from "../../../../../src/records/activity/journal/activityJournal.ts";
import { chainFileOf } from "../../../../../src/records/activity/journal/chainFile.ts";
import type { ContentsMode } from "../../../../../src/records/activity/journal/contents.ts";
import type { ActivityEntry, CallActivity, ServerActivity } from "../../../../../src/records/activity/journal/entry.ts";
import type { ActivityBounds } from "../../../../../src/records/activity/journal/removal.ts";
import { verify, type Anchor, type Verified } from "../../../../../src/records/activity/journal/verify.ts";

/** A folder on a real disk with windows that come and go. */
export class JournalScene implements AsyncDisposable {
	readonly folder: string;
	bounds: ActivityBounds = { days: 90, bytes: 20_000_000 };
	contents: ContentsMode = "none";
	secrets: readonly string[] = [];
	readonly seal = new Seal("key");
	now = Date.UTC(2026, 10, 22, 9);
	/** The notifications to the user. */
	readonly told: string[] = [];
	private readonly living = new Set<string>();
	private last = 0;

	private constructor(folder: string) {
		this.folder = folder;
	}

	static async begin(): Promise<JournalScene> {
		return new JournalScene(await mkdtemp(path.join(tmpdir(), "activity-")));
	}

	/** Opens a window, which has recorded nothing so far. */
	window(): ActivityJournal & { readonly name: string } {
		const name = `w${++this.last}`;
		this.living.add(name);
		const redact = (text: string): string =>
			this.secrets.reduce((result, secret) => result.replaceAll(secret, "⟦secret⟧"), text);
		const journal = new ActivityJournal({
			folder: this.folder,
			window: name,
			isGone: (window) => !this.living.has(window),
			bounds: () => this.bounds,
			contents: () => this.contents,
			redactor: { redact },
			seal: async () => this.seal,
			now: () => ++this.now,
			version: "1.0.0",
			onFault: (message) => this.told.push(message),
		});
		return Object.assign(journal, { name });
	}

	/** Kills a window. */
	kill({ name }: { readonly name: string }): void {
		this.living.delete(name);
	}

	fileOf({ name }: { readonly name: string }): string {
		return chainFileOf(this.folder, name);
	}

	linesOf(window: { readonly name: string }): readonly string[] {
		return readFileSync(this.fileOf(window), "utf8").split("\n").slice(0, -1);
	}

	/** Writes a window's file as another program does. */
	tamper(window: { readonly name: string }, change: (lines: string[]) => readonly string[]): void {
		const lines = change([...this.linesOf(window)]);
		writeFileSync(this.fileOf(window), lines.map((line) => `${line}\n`).join(""));
	}

	get files(): readonly string[] {
		return readdirSync(this.folder);
	}

	/** The whole content of the files. */
	get bytes(): string {
		return this.files.map((name) => readFileSync(path.join(this.folder, name), "utf8")).join("");
	}

	async verify(
		journal: ActivityJournal,
		anchors: readonly Anchor[] = [],
		own?: ActivityJournal & { readonly name: string },
	): Promise<Verified> {
		return verify({
			chains: await journal.look(),
			anchors,
			seal: this.seal,
			...(own === undefined ? {} : { own: { window: own.name, head: own.head } }),
		});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.folder, { recursive: true, force: true });
	}
}

/** A server that started. */
export function started(server: string): ServerActivity {
	return { kind: "server", server, serverId: `user:${server}`, event: "started" };
}

/** A step of a call. */
export function call(phase: CallActivity["phase"], more: Partial<CallActivity> = {}): CallActivity {
	const of = { server: "travel", serverId: "user:travel", target: "bookHotel", origin: "model" } as const;
	return { kind: "call", id: "call-1", phase, ...of, ...more };
}

/** The entries of users and servers, without those about the journal itself. */
export async function entriesOf(journal: ActivityJournal): Promise<readonly ActivityEntry[]> {
	return (await journal.read()).map(({ entry }) => entry).filter(({ kind }) => kind !== "journal");
}
