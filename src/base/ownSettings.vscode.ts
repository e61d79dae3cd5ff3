import * as vscode from "vscode";
import type { GlobLibrary } from "./globs.ts";
import { type Disposable, DisposableStore } from "./lifecycle.ts";
import type { Log } from "./log.ts";
import { warnOfSetting } from "./notices.vscode.ts";

/** A setting as the user has it: not the effective value, which a workspace could change (BLT-16). */
export function ownSetting(name: string): unknown {
	return vscode.workspace.getConfiguration().inspect<unknown>(name)?.globalValue;
}

/** Settings with one reader, and what to do about their problems. */
export interface OwnSettings {
	/** A setting, or the beginning of several; the first one names them to the user. */
	readonly names: readonly string[];
	/** Whether the library of patterns is needed; never, unless given. */
	readonly needsLibrary?: () => boolean;
	/** Takes the current values. Without `library` it is not loaded yet: what needs it then counts as the strictest. */
	readonly read: (library: GlobLibrary | undefined) => void;
	/** The problems of the values that were read last, a sentence each. */
	readonly problems: () => readonly string[];
	/** Opens the setting that a problem is about. */
	readonly open: (problem: string) => unknown;
	readonly log?: Log;
}

/** Reads settings now and after each change, until disposed. Each problem is reported once, as long as it stays. */
export function followSettings({ names, needsLibrary, read, problems, open, log }: OwnSettings): Disposable {
	const store = new DisposableStore();
	let library: GlobLibrary | undefined;
	let reported: readonly string[] = [];
	const refresh = (): void => {
		read(library);
		if (library === undefined && needsLibrary?.() === true) return void load();
		const found = problems();
		const news = found.filter((problem) => !reported.includes(problem));
		reported = found;
		for (const problem of news) log?.warn(problem);
		void warnOfSetting(names[0] ?? "", news, problems, open);
	};
	const load = async (): Promise<void> => {
		library = await import("./glob.ts");
		if (!store.isDisposed) refresh();
	};
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (names.some((name) => event.affectsConfiguration(name))) refresh();
		}),
	);
	refresh();
	return store;
}
