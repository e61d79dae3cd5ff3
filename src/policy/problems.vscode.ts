import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { ObservedRules, RuleList } from "./rule.ts";

/** Shows what is wrong in the workspace's files of rules on its line, until disposed. */
export function showRuleProblems(rules: ObservedRules): Disposable {
	const store = new DisposableStore();
	const diagnostics = store.add(vscode.languages.createDiagnosticCollection("mcpHost.policy"));
	const show = async (): Promise<void> => {
		const { lists = [] } = rules;
		diagnostics.clear();
		for (const list of lists) {
			const { uri } = list.place;
			if (uri === undefined || list.problems.length === 0) continue;
			const document = await open(vscode.Uri.parse(uri, true));
			// While a file was opened, the rules may have been read again.
			if (store.isDisposed || rules.lists !== lists) return;
			if (document !== undefined) diagnostics.set(document.uri, diagnose(document, list));
		}
	};
	store.add(rules.onDidChange(() => void show()));
	void show();
	return store;
}

async function open(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
	try {
		return await vscode.workspace.openTextDocument(uri);
	} catch {
		return undefined;
	}
}

function diagnose(document: vscode.TextDocument, { problems }: RuleList): readonly vscode.Diagnostic[] {
	const { Error, Warning } = vscode.DiagnosticSeverity;
	return problems.map(({ message, severity, range = { offset: 0, length: 1 } }) => {
		const place = new vscode.Range(document.positionAt(range.offset), document.positionAt(range.offset + range.length));
		const diagnostic = new vscode.Diagnostic(place, message, severity === "error" ? Error : Warning);
		diagnostic.source = "MCP Host";
		return diagnostic;
	});
}
