import { posix } from "node:path";
import * as vscode from "vscode";
import { Emitter } from "../../base/event.ts";
import { isJsonObject } from "../../base/json.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import type { Log } from "../../base/log.ts";
import { ownSetting } from "../../base/ownSettings.vscode.ts";
import { watchFiles, type WatchedFiles } from "../../base/watchedFiles.vscode.ts";
import { refreshMachinePolicy, watchMachinePolicy } from "../../servers/sources/editorSettings.vscode.ts";
import { parseMachineRules, parsePolicyFile, parseRules, unreadable } from "./parseRules.ts";
import { type ObservedRules, policyFile, type RuleList, type RulePlace } from "./rule.ts";

const section = "mcpHost";
/** The key of the user's own rules in the section `mcpHost` of the settings. */
export const rulesKey = "policy.rules";
/** How long changes are gathered, in milliseconds. */
const settleMs = 100;
/** Largest file that is read; the parser's limit counts characters. */
const maxBytes = 4_000_000;

/** The file of a folder that holds its rules. */
export function policyFileOf(folder: vscode.WorkspaceFolder): vscode.Uri {
	return vscode.Uri.joinPath(folder.uri, policyFile);
}

/** The rules as the user's settings have them; not the effective value, which a workspace could change. */
export function ownRules(): unknown {
	return ownSetting(`${section}.${rulesKey}`);
}

/** Reads the rules of the organization, the setting and every open folder, trusted or not, and keeps them current. */
export class RuleFiles implements ObservedRules, Disposable {
	private readonly log: Log;
	private readonly files: WatchedFiles;
	private readonly machine: Disposable;
	private current: readonly RuleList[] | undefined;
	/** The last read rules, so that only changes are reported. */
	private lastRead = "";
	private readonly changed = new Emitter<void>();
	readonly onDidChange = this.changed.event;

	constructor(log: Log) {
		this.log = log;
		this.files = watchFiles({
			setting: `${section}.${rulesKey}`,
			folders: () => vscode.workspace.workspaceFolders ?? [],
			pattern: `{${posix.dirname(policyFile)},${policyFile}}`,
			settleMs,
			read: () => this.read(),
			log,
		});
		this.machine = watchMachinePolicy(() => this.files.schedule());
		void this.refresh();
	}

	get lists(): readonly RuleList[] | undefined {
		return this.current;
	}

	/** Reads everything again. Two reads never overlap. */
	refresh(): Promise<void> {
		return this.files.refresh();
	}

	dispose(): void {
		this.machine.dispose();
		this.files.dispose();
		this.changed.dispose();
	}

	private async read(): Promise<void> {
		const machine = await refreshMachinePolicy();
		const own = ownRules();
		const files: { readonly place: RulePlace; readonly file: ReadFile }[] = [];
		for (const folder of vscode.workspace.workspaceFolders ?? []) {
			const uri = policyFileOf(folder);
			const place = { kind: "folder", label: `${policyFile} in ${folder.name}`, uri: uri.toString() } as const;
			const file = await readFile(uri);
			if (file !== undefined) files.push({ place, file });
		}
		const read = JSON.stringify([machine?.fault, machine?.rules, own, files]);
		if (read === this.lastRead) return;
		const library = await import("../../base/glob.ts");
		const managed = parseMachineRules(machine, library);
		const lists = managed === undefined ? [] : [managed];
		lists.push(parseRules(own, { kind: "user", label: "User Settings" }, library));
		for (const { place, file } of files) {
			if ("text" in file) lists.push(parsePolicyFile(file.text, place, library));
			else lists.push(unreadable(place, file.fault));
		}
		for (const { place, problems } of lists)
			for (const { message } of problems) this.log.warn(`${place.label}: ${message}`);
		this.lastRead = read;
		this.current = lists;
		this.changed.fire();
	}
}

type ReadFile = { readonly text: string } | { readonly fault: string };

/** A missing file has no rules; an unreadable one is different. */
async function readFile(uri: vscode.Uri): Promise<ReadFile | undefined> {
	try {
		const { size } = await vscode.workspace.fs.stat(uri);
		if (size > maxBytes) return { fault: "the file is too large" };
		return { text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)) };
	} catch (error) {
		const code: unknown = isJsonObject(error) ? error["code"] : undefined;
		const isMissing = code === "FileNotFound" || code === "FileNotADirectory";
		return isMissing ? undefined : { fault: "the file cannot be read" };
	}
}

/** Shows the problems in the workspace's files of rules on their lines, until disposed. */
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
