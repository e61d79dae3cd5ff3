/** Windows that share their servers: one in the process of the test, others in their own. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { processesOf, readReceived } from "../servers/received.ts";
import { isAlive, smallConfig } from "./fixtures.ts";
import { SharingWindow, type Sight, type Wish } from "./sharingWindow.ts";

const secret = "ab".repeat(32);
/** How long a test waits for a condition. */
export const patience = { timeout: 60_000 };

/** A second window, in a process of its own. */
export class OtherWindow {
	readonly child: ChildProcess;
	private lastId = 0;

	constructor(child: ChildProcess) {
		this.child = child.setMaxListeners(0);
	}

	ask(wish: Wish): Promise<unknown> {
		const id = ++this.lastId;
		const answered = new Promise((resolve, reject) => {
			const take = (message: { readonly id?: number; readonly answer?: unknown; readonly problem?: string }): void => {
				if (message.id !== id) return;
				this.child.off("message", take);
				if (message.problem === undefined) resolve(message.answer);
				else reject(new Error(message.problem));
			};
			this.child.on("message", take);
		});
		this.child.send({ id, wish });
		return answered;
	}

	start(name = "small"): Promise<Sight> {
		return this.ask({ kind: "start", name }) as Promise<Sight>;
	}

	state(name = "small"): Promise<Sight> {
		return this.ask({ kind: "state", name }) as Promise<Sight>;
	}

	call(tool: string, args: Record<string, string | number>): Promise<CallToolResult> {
		return this.ask({ kind: "call", name: "small", tool, args }) as Promise<CallToolResult>;
	}
}

/** The windows of a test, and the folders and servers that they have in common. */
export class WindowsScene implements AsyncDisposable {
	readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-host-windows-")));
	readonly meeting = path.join(this.folder, "meeting");
	readonly log = path.join(this.folder, "small.log");
	private readonly own: SharingWindow[] = [];
	private readonly others: OtherWindow[] = [];
	wasKilled = false;
	/** The names of the servers. */
	names: readonly string[] = ["small"];

	work(name = "work"): string {
		const folder = path.join(this.folder, name);
		mkdirSync(folder, { recursive: true });
		return folder;
	}

	/** Opens a window in this process, of which there can be one. */
	async open(era: Era, folder = this.work()): Promise<SharingWindow> {
		const window = await SharingWindow.open(this.meeting, secret);
		this.own.push(window);
		await window.configure(this.servers(era), folder);
		return window;
	}

	async openOther(era: Era, folder = this.work(), { key = secret, env = {} } = {}): Promise<OtherWindow> {
		const script = fileURLToPath(new URL("./sharingWindow.ts", import.meta.url));
		const child = fork(script, [this.meeting, key], { env: { ...process.env, ...env } });
		const window = new OtherWindow(child);
		this.others.push(window);
		await once(child, "message");
		await window.ask({ kind: "configure", servers: this.servers(era), folder });
		return window;
	}

	private servers(era: Era): JsonObject {
		return Object.fromEntries(
			this.names.map((name) => [name, smallConfig(era, this.log, "--page-size", pageOf(name))]),
		);
	}

	get processes(): readonly number[] {
		return processesOf(readReceived(this.log));
	}

	/** The windows end, and leave no process and no file. */
	async [Symbol.asyncDispose](): Promise<void> {
		for (const { child } of this.others) {
			if (child.exitCode !== null || child.signalCode !== null) continue;
			const exited = once(child, "exit");
			child.disconnect();
			await exited;
		}
		for (const window of this.own) await window[Symbol.asyncDispose]();
		await vi.waitUntil(() => this.processes.every((pid) => !isAlive(pid)), patience);
		// A window that was killed left its files to the next one that opens.
		const left = (): readonly string[] => (existsSync(this.meeting) ? readdirSync(this.meeting) : []);
		if (!this.wasKilled) await expect.poll(left, patience).toEqual([]);
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
	}
}

/** Another page size for each server, so that their definitions differ. */
function pageOf(name: string): string {
	return String(100 + Number(name.replace(/\D/g, "")));
}

/** How the servers of a test can be spoken to. */
export type Era = "legacy" | "modern" | "both";
