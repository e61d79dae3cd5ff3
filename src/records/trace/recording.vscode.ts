import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { wantedLevel } from "./levels.ts";
import { Recorder } from "./recorder.ts";
import type { Redactor } from "../../base/secrets/writer.ts";

/** The recorder of this window, by the setting `mcpHost.trace`. */
export function openTrace(redactor: Redactor): { readonly recorder: Recorder } & Disposable {
	const store = new DisposableStore();
	const read = (): unknown => vscode.workspace.getConfiguration("mcpHost").get("trace");
	let setting = read();
	const recorder = store.add(new Recorder({ wanted: (name) => wantedLevel(setting, name), redactor }));
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (!event.affectsConfiguration("mcpHost.trace")) return;
			setting = read();
			recorder.reconsider();
		}),
	);
	return { recorder, dispose: () => store.dispose() };
}
