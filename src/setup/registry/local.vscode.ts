import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { Emitter, type Event } from "../../base/event.ts";
import type { CandidateSource } from "../entries/candidateSource.ts";
import { otherHosts } from "../entries/import.vscode.ts";
import type { ExistingServer } from "../entries/sameServer.ts";
import type { LocalRow } from "./localRows.ts";

/** Most files of bundles that are looked into. */
const mostBundles = 30;

/** The local servers: those of other hosts, and bundles in the workspace and among downloads. */
export class LocalServers {
	private readonly changed = new Emitter<void>();
	/** More of them are known. */
	readonly onDidChange: Event<void> = this.changed.event;
	private hostRows: readonly LocalRow<CandidateSource>[] = [];
	private bundleRows: readonly LocalRow<string>[] = [];
	private reading = 2;

	/** Starts to look for them. `existing` are the servers that are configured already. */
	constructor(globalStorageUri: vscode.Uri, existing: readonly ExistingServer[]) {
		void this.read(async () => {
			const { hostRows } = await import("./localRows.ts");
			const hasVariable = (name: string): boolean => process.env[name] !== undefined;
			this.hostRows = hostRows(await otherHosts(globalStorageUri), existing, hasVariable);
		});
		void this.read(async () => {
			const { bundleRows } = await import("./localRows.ts");
			this.bundleRows = await bundleRows(await bundleFiles(), process.platform);
		});
	}

	get hosts(): readonly LocalRow<CandidateSource>[] {
		return this.hostRows;
	}

	get bundles(): readonly LocalRow<string>[] {
		return this.bundleRows;
	}

	get isBusy(): boolean {
		return this.reading > 0;
	}

	/** An unreadable source leaves the others. */
	private async read(look: () => Promise<void>): Promise<void> {
		await look().catch(() => undefined);
		this.reading--;
		this.changed.fire();
	}
}

/** The bundles in the folders that are open, and in the folder of downloads. */
async function bundleFiles(): Promise<readonly string[]> {
	const downloads = join(homedir(), "Downloads");
	const [inWorkspace, downloaded] = await Promise.all([
		vscode.workspace.findFiles("**/*.{mcpb,dxt}", "**/node_modules", mostBundles),
		readdir(downloads).catch(() => []),
	]);
	const paths = [
		...inWorkspace.flatMap(({ scheme, fsPath }) => (scheme === "file" ? [fsPath] : [])),
		...downloaded.filter((name) => /\.(?:mcpb|dxt)$/i.test(name)).map((name) => join(downloads, name)),
	];
	return [...new Set(paths)].slice(0, mostBundles);
}
