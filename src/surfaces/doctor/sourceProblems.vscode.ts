import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { isEditable } from "../../setup/entries/editable.ts";
import type { CheckedServers, PlacedFinding } from "./checkedServers.ts";
import type { Finding } from "./finding.ts";
import { kindOf } from "./ignored.ts";

/** The command behind the quick fix. */
const ignoreCommand = "_mcpHost.ignoreFinding";

/** The dependencies of the problems on sources. */
export interface ProblemServices {
	/** Takes secrets out of a text. */
	readonly redactor: Redactor;
	/** Has the entry of a server ignore findings of the kind of one from now on. */
	readonly ignore: (server: ServerDefinition, finding: Finding) => Promise<void>;
}

/** Shows the findings of the last checks as problems on the source where what they are about is defined. */
export function showProblems(checked: CheckedServers, { redactor, ignore }: ProblemServices) {
	const store = new DisposableStore();
	const diagnostics = store.add(vscode.languages.createDiagnosticCollection("mcpHostSource"));
	const shown = new Map<vscode.Diagnostic, PlacedFinding>();
	const show = (): void => {
		shown.clear();
		const ofFiles = new Map<string, vscode.Diagnostic[]>();
		for (const one of checked.placed) {
			const diagnostic = diagnose(one, redactor);
			shown.set(diagnostic, one);
			const { file } = one.place;
			ofFiles.set(file, [...(ofFiles.get(file) ?? []), diagnostic]);
		}
		diagnostics.clear();
		diagnostics.set([...ofFiles].map(([file, all]) => [vscode.Uri.file(file), all]));
	};
	store.add(checked.onDidChange(show));
	const provider: vscode.CodeActionProvider = {
		provideCodeActions: (document, range) =>
			[...shown].flatMap(([diagnostic, { finding, server, place }], index) => {
				const isHere = place.file === document.uri.fsPath && diagnostic.range.intersection(range) !== undefined;
				if (!isHere || !isEditable(server.origin)) return [];
				const title = `Ignore “${kindOf(finding)}” for ${oneLine(server.name, 60)}`;
				const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
				action.diagnostics = [diagnostic];
				action.command = { command: ignoreCommand, title, arguments: [index] };
				return [action];
			}),
	};
	const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
	store.add(vscode.languages.registerCodeActionsProvider({ scheme: "file" }, provider, kinds));
	return {
		commands: {
			[ignoreCommand]: async (index: unknown): Promise<void> => {
				const one = [...shown.values()].find((_one, at) => at === index);
				if (one !== undefined) await ignore(one.server, one.finding);
			},
		},
		dispose: () => store.dispose(),
	} satisfies Disposable & { readonly commands: object };
}

function diagnose({ place, finding, server }: PlacedFinding, redactor: Redactor): vscode.Diagnostic {
	const { line, character, length } = place;
	const { weight, what, why, clause } = finding;
	const words = [what, why].filter((part) => part !== undefined).join(" ");
	const message = showHidden(new SafeWriter(redactor).text(words));
	const { Warning, Information } = vscode.DiagnosticSeverity;
	const range = new vscode.Range(line, character, line, character + length);
	const diagnostic = new vscode.Diagnostic(range, message, weight === "note" ? Information : Warning);
	diagnostic.source = `MCP Host: ${oneLine(server.name, 60)}`;
	diagnostic.code =
		clause === undefined ? kindOf(finding) : { value: kindOf(finding), target: vscode.Uri.parse(clause.url) };
	return diagnostic;
}
