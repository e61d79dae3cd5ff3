import * as vscode from "vscode";
import { Emitter } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { warnOfSetting } from "../../base/notices.vscode.ts";
import type { GlobLibrary } from "../../base/globs.ts";
import { type ObservedLimits, type SamplingLimits, hasPatterns, parseLimits } from "./limits.ts";

/** The setting of limits, within the section `mcpHost`. */
export const limitsKey = "sampling.limits";

/**
 * Reads the user's limits and keeps them current; not the effective value, which a workspace could change (BLT-16).
 * Each fault is reported to the user once.
 */
export class LimitsSetting implements ObservedLimits, Disposable {
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<void>());
	readonly onDidChange = this.changed.event;
	private library: GlobLibrary | undefined;
	private parsed: SamplingLimits;
	private reported = "";

	constructor() {
		this.parsed = this.read();
		this.store.add(
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration(`mcpHost.${limitsKey}`)) this.refresh();
			}),
		);
		this.refresh();
	}

	get current(): SamplingLimits {
		return this.parsed;
	}

	dispose(): void {
		this.store.dispose();
	}

	private refresh(): void {
		// Until the library of patterns is there, each pattern is about every server.
		if (this.library === undefined && hasPatterns(ownLimits())) void this.load();
		this.parsed = this.read();
		this.changed.fire();
		if (this.library !== undefined || !hasPatterns(ownLimits())) this.report();
	}

	private async load(): Promise<void> {
		this.library = await import("../../base/glob.ts");
		if (!this.store.isDisposed) this.refresh();
	}

	private read(): SamplingLimits {
		return parseLimits(ownLimits(), this.library);
	}

	private report(): void {
		const text = this.parsed.problems.join(" ");
		if (text === this.reported) return;
		this.reported = text;
		if (text === "") return;
		void warnOfSetting("mcpHost.sampling.limits", [text], () => [this.parsed.problems.join(" ")], openLimits);
	}
}

/** Opens the user's settings at the limits. */
export async function openLimits(): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.openSettings", `mcpHost.${limitsKey}`);
}

function ownLimits(): unknown {
	return vscode.workspace.getConfiguration("mcpHost").inspect<unknown>(limitsKey)?.globalValue;
}
