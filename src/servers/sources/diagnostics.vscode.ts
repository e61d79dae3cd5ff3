import * as vscode from "vscode";
import type { Event } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { inputsSetting, serversSetting } from "../definitions/parseConfig.ts";
import type { ConfigProblem } from "../definitions/config.ts";
import { locate } from "../../base/configText.ts";

/** The problems in the configuration, as last read. */
export interface ObservedProblems {
	readonly current: readonly ConfigProblem[];
	readonly onDidChange: Event<unknown>;
}

/**
 * Shows each problem of the configuration on its line, until disposed; all are logged, because user settings have no
 * file.
 */
export function showProblems(problems: ObservedProblems, log: Log): Disposable {
	const store = new DisposableStore();
	const diagnostics = store.add(vscode.languages.createDiagnosticCollection("mcpHost"));
	const show = async (): Promise<void> => {
		const shown = problems.current;
		const byFile = Map.groupBy(shown, ({ origin }) => origin.file);
		diagnostics.clear();
		for (const { message, path, origin } of shown) log.warn(`${origin.label}: ${path.join(".")}: ${message}`);
		for (const [file, group] of byFile) {
			const document = file === undefined ? undefined : await open(file);
			// While a file was opened, the configuration may have been read again.
			if (store.isDisposed || problems.current !== shown) return;
			if (document !== undefined) {
				const found = group.map((problem) => diagnose(document, problem));
				diagnostics.set(document.uri, found);
			}
		}
	};
	store.add(problems.onDidChange(() => void show()));
	void show();
	return store;
}

/** The text of a file; undefined when it is gone. */
async function open(file: string): Promise<vscode.TextDocument | undefined> {
	try {
		return await vscode.workspace.openTextDocument(vscode.Uri.file(file));
	} catch {
		return undefined;
	}
}

function diagnose(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
	const { message, severity } = problem;
	const { offset, length } = problem.range ?? find(document, problem) ?? { offset: 0, length: 1 };
	const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
	const { Error, Warning } = vscode.DiagnosticSeverity;
	const diagnostic = new vscode.Diagnostic(range, message, severity === "error" ? Error : Warning);
	diagnostic.source = "MCP Host";
	return diagnostic;
}

/** The place of a problem in its file, if it was found in a value without a known place. */
function find(document: vscode.TextDocument, { origin, path }: ConfigProblem) {
	const isSetting = origin.kind.endsWith("settings");
	const isWhole = path[0] === inputsSetting;
	return locate(document.getText(), isSetting && !isWhole ? [serversSetting, ...path] : path);
}
