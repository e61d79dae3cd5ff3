import * as vscode from "vscode";
import type { Command, Commands } from "./commands.ts";
import type { Lazy } from "./lazy.ts";
import { DisposableStore, type Disposable } from "./lifecycle.ts";

/** The part of a manifest that names commands. */
interface Manifest {
	readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/**
 * Registers the functions of the extension's commands: immediately for those in the manifest, each of which waits for
 * its function to be loaded; for those behind links, which are not in the manifest, when they are loaded.
 */
export function registerCommands(
	{ extension }: Pick<vscode.ExtensionContext, "extension">,
	wired: Lazy<{ readonly commands: Commands<string> }>,
): Disposable {
	const store = new DisposableStore();
	const register = (id: string, run: Command): void => void store.add(vscode.commands.registerCommand(id, run));
	const { contributes }: Manifest = extension.packageJSON;
	const named = new Set(contributes.commands.map(({ command }) => command));
	for (const id of named) {
		register(id, async (...args) => {
			const run = (await wired.get()).commands[id];
			if (run === undefined) throw new Error(`The command ${id} has no function.`);
			return run(...args);
		});
	}
	store.add(
		wired.onDidMake(({ commands }) => {
			for (const [id, run] of Object.entries(commands)) if (!named.has(id)) register(id, run);
		}),
	);
	return store;
}
