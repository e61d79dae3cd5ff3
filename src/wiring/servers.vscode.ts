import * as vscode from "vscode";
import { EditorUris } from "../base/editorUris.vscode.ts";
import { DisposableStore } from "../base/lifecycle.ts";
import { EditorSignIn } from "../protocol/authorization/signIn.vscode.ts";
import { approvalsName } from "../servers/approval/approvals.ts";
import { rootsCommands } from "../servers/chooseRoots.vscode.ts";
import { serverCommands } from "../servers/commands.vscode.ts";
import { wireDevelopment } from "../servers/development.vscode.ts";
import type { ServerDefinition } from "../servers/definitions/config.ts";
import { startTrusted } from "../servers/definitions/trustWait.ts";
import { showProblems } from "../servers/sources/diagnostics.vscode.ts";
import { showEntryLenses } from "../servers/entryLenses.vscode.ts";
import { logFindings } from "../servers/status/findings.ts";
import { wireSharedFiles } from "../servers/otherHosts/sharedFiles.vscode.ts";
import { wireWaiting } from "../servers/review/waiting.vscode.ts";
import { noteServers } from "../servers/serverNotes.ts";
import { authorizationCommands } from "../servers/signIn.vscode.ts";
import { registerStatus } from "../servers/status/status.vscode.ts";
import type { Records } from "./records.vscode.ts";
import type { Window } from "./window.vscode.ts";

/** The parts of higher storeys that a review of servers uses. */
export interface ServersNeeds {
	/** Notes on where a server comes from. */
	readonly remarksOn: (definition: ServerDefinition) => Promise<readonly string[]>;
	/** Offers the demo's model once the demo server was added. */
	readonly offerDemoModel: () => Promise<void>;
}

/** The views of the servers and the questions about them, until it is disposed. */
export type Servers = ReturnType<typeof wireServers>;

/** Makes what the status bar, the review, and the editor of the configuration say of the servers. */
export function wireServers(window: Window, { notes }: Records, needs: ServersNeeds) {
	const { host, shared, configuration, log, logs, context } = window;
	const { registry: directory } = host;
	const { extensionUri, workspaceState: state } = context;
	const { remarksOn } = needs;
	const store = new DisposableStore();
	store.add(registerStatus(host));
	store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => startTrusted(directory.sessions)));
	store.add(logFindings(directory, configuration.problems.onDidChange, log));
	store.add(showProblems(configuration.problems, log));
	const development = store.add(wireDevelopment({ host, logs }));
	const otherHost = store.add(wireSharedFiles({ host, configuration, notes, state }));
	const { sharedFiles } = otherHost;
	const waiting = store.add(wireWaiting({ host, sharedFiles, notes, extensionUri, remarksOn }));
	store.add(showEntryLenses(host, sharedFiles));
	const uris = store.add(new EditorUris());
	const browser = new EditorSignIn(context.extension.id, uris);
	store.add(
		noteServers({
			directory,
			approvals: host.approvals,
			approvalsJournal: shared.journal(approvalsName),
			accounts: host.signIns.accounts,
			roots: host.roots,
			onDidAskSignIn: browser.onDidDecide,
			notes,
		}),
	);
	const extensionId = context.extension.id;
	const own = { host, sharedFiles, configuration, logs, notes, extensionUri, extensionId };
	return {
		sharedFiles,
		sources: development.sources,
		forgetRunner: otherHost.forget,
		uris,
		browser,
		commands: {
			...serverCommands({ ...own, ...needs }),
			...otherHost.commands,
			...development.commands,
			...waiting.commands,
			...authorizationCommands(host),
			...rootsCommands(host),
		},
		dispose: () => store.dispose(),
	};
}
