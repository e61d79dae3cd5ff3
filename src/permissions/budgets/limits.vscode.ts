import * as vscode from "vscode";
import { Emitter } from "../../base/event.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { followSettings, ownSetting } from "../../base/ownSettings.vscode.ts";
import { hasPatterns, limitsSetting, type ObservedLimits, parseLimits } from "./limits.ts";

/** The user's limits, kept current until disposed. Until the library of patterns is there, each is about every server. */
export function followLimits(): ObservedLimits & Disposable {
	const store = new DisposableStore();
	const changed = store.add(new Emitter<void>());
	const own = (): unknown => ownSetting(limitsSetting);
	let current = parseLimits(own(), undefined);
	const follow = followSettings({
		names: [limitsSetting],
		needsLibrary: () => hasPatterns(own()),
		read: (library) => {
			current = parseLimits(own(), library);
			changed.fire();
		},
		problems: () => current.problems,
		open: openLimits,
	});
	store.add(follow);
	return {
		get current() {
			return current;
		},
		onDidChange: changed.event,
		dispose: () => store.dispose(),
	};
}

/** Opens the user's settings at the limits. */
export async function openLimits(): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.openSettings", limitsSetting);
}
