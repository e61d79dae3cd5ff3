import * as vscode from "vscode";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import { guarded, type Commands } from "../../base/commands.ts";
import { messageOf } from "../../base/errors.ts";
import { DisposableStore, toDisposable, type Disposable } from "../../base/lifecycle.ts";
import { showError, showInformation, showWarning } from "../../base/notify.vscode.ts";
import { RpcEndpoint } from "../../base/rpc.ts";
import type { KeyValue } from "../../base/storage.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import type { StartDependencies } from "../approval/dependencies.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { McpHost } from "../host.ts";
import { isToBeAsked } from "../otherHosts/choosing.ts";
import { remarkOn } from "../otherHosts/remarks.ts";
import type { SharedFiles } from "../otherHosts/sharedFiles.ts";
import { reviewServer } from "./review.ts";
import { notePutOff } from "../serverNotes.ts";
import type { ServerSession } from "../sessions/serverSession.ts";
import { BatchReview, type ShownServer } from "./batch.ts";
import type { BatchHostApi } from "./batchProtocol.ts";
import { WaitingNotices } from "./notice.ts";
import { definitionKey, namesOf, waitingServers } from "./waiting.ts";

/** What leading people to servers that wait needs. */
interface WaitingServices {
	readonly host: McpHost;
	readonly sharedFiles: SharedFiles;
	readonly notes: ActivityNotes;
	/** What is kept for this workspace alone. */
	readonly state: KeyValue;
	readonly extensionUri: vscode.Uri;
	/** What is known of where a server comes from, in sentences of ours. */
	readonly remarksOn: (definition: ServerDefinition) => Promise<readonly string[]>;
}

/** What is known of a server that waits. */
interface Known {
	readonly remarks: readonly string[];
	readonly dependencies: StartDependencies;
}

/** What leads people to servers that wait. */
interface WiredWaiting extends Disposable {
	readonly commands: Commands<"mcpHost.reviewWaiting">;
}

/** How long servers that come are gathered before they are told of, in milliseconds: one file brings several. */
const gatherMs = 1000;

/** Longer than VS Code shows a note, in milliseconds: a second one would stand above the first. */
const shownMs = 12_000;

/** Tells of servers that wait for approval, once for each set of them, and has the command that reviews them together. */
export function wireWaiting({
	host,
	sharedFiles,
	notes,
	state,
	extensionUri,
	remarksOn,
}: WaitingServices): WiredWaiting {
	const store = new DisposableStore();
	const notices = new WaitingNotices(state);
	const batches = store.add(new BatchPanels({ host, sharedFiles, notes, extensionUri }));
	const waiting = (): readonly ServerSession[] => waitingServers(host.registry, vscode.workspace.isTrusted);

	let shownUntil = 0;
	const tell = (): void => {
		const { sessions } = host.registry;
		void notices.forget(sessions.filter(({ state }) => state.kind === "running" || state.kind === "stopped"));
		const origins = sessions.map(({ definition }) => definition.origin);
		// One question at a time: who runs the servers of a file comes before whether they may start.
		if (store.isDisposed || isToBeAsked(sharedFiles, origins, vscode.workspace.isTrusted)) return;
		// Of what somebody looks at, nobody needs to be told.
		const asked = new Set(host.pending.all.map(({ subject }) => subject.serverId));
		void notices.note(waiting().filter(({ definition }) => asked.has(definition.id) || batches.shows(definition)));
		const notice = notices.noticeOf(waiting());
		if (notice === undefined) return;
		const left = shownUntil - performance.now();
		if (left > 0) return soon(left);
		void notices.note(notice.sessions);
		shownUntil = performance.now() + shownMs;
		void showInformation(notice.message, "Review…").then((answer) => {
			shownUntil = 0;
			return answer === undefined ? undefined : commands["mcpHost.reviewWaiting"]();
		});
	};
	let due: NodeJS.Timeout | undefined;
	const soon = (ms = gatherMs): void => {
		clearTimeout(due);
		due = setTimeout(tell, ms);
	};
	store.add(toDisposable(() => clearTimeout(due)));
	store.add(host.registry.onDidChange(() => soon()));
	store.add(sharedFiles.onDidChange(() => soon()));
	store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => soon()));
	soon();

	const review = async (): Promise<void> => {
		const sessions = waiting();
		const [only] = sessions;
		if (only === undefined) return explainNone(host);
		void notices.note(sessions);
		if (sessions.length > 1) {
			const known = await Promise.all(
				sessions.map(async ({ definition }): Promise<readonly [ServerDefinition, Known]> => {
					const [remarks, dependencies] = await Promise.all([remarksOn(definition), host.dependencies(definition)]);
					return [definition, { remarks, dependencies }];
				}),
			);
			batches.open(sessions, new Map(known));
		} else await vscode.commands.executeCommand("mcpHost.reviewServer", { server: only.definition.id });
	};
	const commands = guarded({ "mcpHost.reviewWaiting": review }, (error) => void showError(messageOf(error)));
	return { commands, dispose: () => store.dispose() };
}

async function explainNone({ registry }: McpHost): Promise<void> {
	const untrusted = registry.sessions.filter(({ state }) => state.kind === "needs-approval");
	if (untrusted.length === 0) {
		void showInformation("No server is waiting for your approval.");
		return;
	}
	const message = `${namesOf(untrusted)} cannot start, because the workspace that defines it is not trusted.`;
	const trust = "Manage Workspace Trust";
	if ((await showWarning(message, trust)) === trust) await vscode.commands.executeCommand("workbench.trust.manage");
}

/** The one panel in which servers that wait are reviewed together. Closing it approves none. */
class BatchPanels implements Disposable {
	private readonly services: Omit<WaitingServices, "state" | "remarksOn">;
	private shown: { readonly panel: Panel; readonly keys: readonly string[] } | undefined;

	constructor(services: Omit<WaitingServices, "state" | "remarksOn">) {
		this.services = services;
	}

	/** Whether the open panel shows a definition. */
	shows(definition: ServerDefinition): boolean {
		return this.shown?.keys.includes(definitionKey(definition)) === true;
	}

	/** Shows these servers: the panel that is open if it shows just them, else a new one in its place. */
	open(sessions: readonly ServerSession[], known: ReadonlyMap<ServerDefinition, Known>): void {
		const keys = sessions.map(({ definition }) => definitionKey(definition));
		if (this.shown?.keys.join() === keys.join()) {
			this.shown.panel.reveal();
			return;
		}
		this.dispose();
		const { host, sharedFiles, notes, extensionUri } = this.services;
		const dependencies = new Map([...known].map(([definition, one]) => [definition, one.dependencies]));
		const batch = new BatchReview(
			sessions,
			({ definition, dependencies: shown }) => {
				const remark = remarkOn(sharedFiles, definition.origin);
				const remarks = known.get(definition)?.remarks ?? [];
				const all = remark === undefined ? remarks : [...remarks, remark];
				return reviewServer(definition, host.approvals.former(definition), all, shown);
			},
			dependencies,
		);
		const panel = openPanel({
			extensionUri,
			view: "waitingServers",
			style: "waitingServers.css",
			title: "Review Waiting Servers",
			column: vscode.ViewColumn.Active,
			preserveFocus: false,
		});
		const definitions = sessions.map(({ definition }) => definition);
		let approved: readonly ShownServer[] = [];
		const view = new RpcEndpoint<object, BatchHostApi>(panel.port, {
			ready: () => batch.state,
			approve: (chosen) => {
				approved = batch.chosen(chosen);
				panel.dispose();
				void this.start(approved).catch((error: unknown) => showError(messageOf(error)));
			},
			decline: () => panel.dispose(),
		});
		const own = { panel, keys };
		this.shown = own;
		panel.onDidClose(() => {
			view.dispose();
			if (this.shown !== own) return;
			this.shown = undefined;
			notePutOff(
				notes,
				definitions.filter((definition) => !approved.some((one) => one.definition === definition)),
			);
		});
	}

	dispose(): void {
		const { shown } = this;
		// Nobody put off what is closed from here.
		this.shown = undefined;
		shown?.panel.dispose();
	}

	/** Approves exactly these servers and starts them. One that is another by now is not approved. */
	private async start(shown: readonly ShownServer[]): Promise<void> {
		const { registry } = this.services.host;
		const isCurrent = ({ definition }: ShownServer): boolean => {
			const now = registry.get(definition.id)?.definition;
			return now !== undefined && definitionKey(now) === definitionKey(definition);
		};
		const unchanged = shown.filter(isCurrent);
		for (const { definition, dependencies } of unchanged) await this.services.host.approve(definition, dependencies);
		const definitions = shown.map(({ definition }) => definition);
		const current = unchanged.map(({ definition }) => definition);
		const states = await Promise.all(current.map(({ id }) => this.services.host.start(id)));
		const failed = current.filter((_, index) => states[index]?.kind === "failed");
		const changed = definitions.filter((definition) => !current.includes(definition));
		const quote = (some: readonly ServerDefinition[]): string => namesOf(some.map((definition) => ({ definition })));
		if (failed.length > 0) {
			const show = "Show Servers";
			const answer = await showError(`${quote(failed)} did not start. The rows in the Servers view say why.`, show);
			if (answer === show) await vscode.commands.executeCommand("mcpHost.servers.focus");
		}
		if (changed.length > 0) {
			void showWarning(`${quote(changed)} changed while you reviewed it and was not started. Review it again.`);
		}
	}
}
