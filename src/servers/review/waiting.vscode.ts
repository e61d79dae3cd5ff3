import * as vscode from "vscode";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import type { Commands } from "../../base/commands.ts";
import { messageOf } from "../../base/errors.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { trustedMeanwhile } from "../../base/notices.ts";
import { notices } from "../../base/notices.vscode.ts";
import { commandsOf, showError, showInformation, showWarning } from "../../base/notify.vscode.ts";
import { RpcEndpoint } from "../../base/rpc.ts";
import { openPanel, type Panel } from "../../questions/webview/panel.vscode.ts";
import type { StartDependencies } from "../approval/dependencies.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { McpHost } from "../host.ts";
import { remarkOn } from "../otherHosts/remarks.ts";
import type { SharedFiles } from "../otherHosts/sharedFiles.ts";
import { reviewServer } from "./review.ts";
import { notePutOff } from "../serverNotes.ts";
import type { ServerSession } from "../sessions/serverSession.ts";
import { manageTrust, warnOfTrust } from "./workspaceTrust.vscode.ts";
import { trustWords } from "../definitions/trustWait.ts";
import { BatchReview, type ShownServer } from "./batch.ts";
import type { BatchHostApi, BatchState, BatchViewApi } from "./batchProtocol.ts";
import { reportFailedStarts } from "./failedStarts.vscode.ts";
import { definitionKey, namesOf, waitingServers } from "./waiting.ts";

/** The dependencies of showing waiting servers to the user. */
interface WaitingServices {
	readonly host: McpHost;
	readonly sharedFiles: SharedFiles;
	readonly notes: ActivityNotes;
	readonly extensionUri: vscode.Uri;
	/** Notes on where a server comes from, in our sentences. */
	readonly remarksOn: (definition: ServerDefinition) => Promise<readonly string[]>;
}

/** The facts about a waiting server. */
interface Known {
	readonly remarks: readonly string[];
	readonly needsTrust: boolean;
	readonly dependencies: StartDependencies;
}

/** The commands and notices that show waiting servers to the user. */
interface WiredWaiting extends Disposable {
	readonly commands: Commands<"mcpHost.reviewWaiting">;
}

/** Has the command that reviews together the servers that wait for approval. */
export function wireWaiting({ host, sharedFiles, notes, extensionUri, remarksOn }: WaitingServices): WiredWaiting {
	const batches = new BatchPanels({ host, sharedFiles, notes, extensionUri });
	const review = async (): Promise<void> => {
		const sessions = waitingServers(host.registry, vscode.workspace.isTrusted);
		const [only] = sessions;
		if (only === undefined) return explainNone(host);
		if (sessions.length > 1) {
			const known = await Promise.all(
				sessions.map(async ({ definition }): Promise<readonly [ServerDefinition, Known]> => {
					const [remarks, trust, dependencies] = await Promise.all([
						remarksOn(definition),
						warnOfTrust(definition),
						host.dependencies(definition),
					]);
					return [definition, { remarks, needsTrust: trust !== undefined, dependencies }];
				}),
			);
			batches.open(sessions, new Map(known));
		} else await vscode.commands.executeCommand("mcpHost.reviewServer", { server: only.definition.id });
	};
	const commands = commandsOf({ "mcpHost.reviewWaiting": review });
	return { commands, dispose: () => batches.dispose() };
}

/** Whether approved servers start whenever a window opens. */
export function startsWithWindow(): boolean {
	return vscode.workspace.getConfiguration("mcpHost").get<boolean>("startApprovedServers") === true;
}

async function explainNone({ registry }: McpHost): Promise<void> {
	const untrusted = registry.sessions.filter(({ state }) => state.kind === "needs-approval");
	if (untrusted.length === 0) {
		void showInformation("No server is waiting for your approval.");
		return;
	}
	const message = `${namesOf(untrusted)} cannot start, because the workspace that defines it is not trusted.`;
	const trust = "Manage Workspace Trust";
	const over = trustedMeanwhile(() => vscode.workspace.isTrusted);
	if ((await notices.ask("trust", over, () => showWarning(message, trust))) === trust)
		await vscode.commands.executeCommand("workbench.trust.manage");
}

/** The one panel in which servers that wait are reviewed together. Closing it approves none. */
class BatchPanels implements Disposable {
	private readonly services: Omit<WaitingServices, "remarksOn">;
	private shown: { readonly panel: Panel; readonly keys: readonly string[] } | undefined;

	constructor(services: Omit<WaitingServices, "remarksOn">) {
		this.services = services;
	}

	/** Shows these servers: in the open panel if it shows exactly them, otherwise in a new one that replaces it. */
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
			startsWithWindow(),
		);
		const panel = openPanel({
			extensionUri,
			view: "waitingServers",
			style: "waitingServers.css",
			title: "Review Waiting Servers",
		});
		const definitions = sessions.map(({ definition }) => definition);
		let approved: readonly ShownServer[] = [];
		const inFolder = definitions.filter((definition) => known.get(definition)?.needsTrust === true);
		const state = (): BatchState => {
			if (inFolder.length === 0 || vscode.workspace.isTrusted) return batch.state;
			const names = namesOf(inFolder.map((definition) => ({ definition })));
			return { ...batch.state, trust: trustWords(`a part of ${names}`, inFolder.length > 1) };
		};
		const view = new RpcEndpoint<BatchViewApi, BatchHostApi>(panel.port, {
			ready: state,
			approve: (chosen, isAutomatic) => {
				approved = batch.chosen(chosen);
				panel.dispose();
				void this.start(approved, isAutomatic === true).catch((error: unknown) => showError(messageOf(error)));
			},
			decline: () => panel.dispose(),
			manageTrust,
		});
		const trusted = vscode.workspace.onDidGrantWorkspaceTrust(() => void view.call("show", state()));
		const own = { panel, keys };
		this.shown = own;
		panel.onDidClose(() => {
			trusted.dispose();
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
	private async start(shown: readonly ShownServer[], isAutomatic: boolean): Promise<void> {
		const { registry } = this.services.host;
		const isCurrent = ({ definition }: ShownServer): boolean => {
			const now = registry.get(definition.id)?.definition;
			return now !== undefined && definitionKey(now) === definitionKey(definition);
		};
		const unchanged = shown.filter(isCurrent);
		for (const { definition, dependencies } of unchanged)
			await this.services.host.approve(definition, dependencies, isAutomatic);
		const definitions = shown.map(({ definition }) => definition);
		const current = unchanged.map(({ definition }) => definition);
		const states = await Promise.all(current.map(({ id }) => this.services.host.start(id)));
		const failed = current.filter((_, index) => states[index]?.kind === "failed");
		const changed = definitions.filter((definition) => !current.includes(definition));
		const quote = (some: readonly ServerDefinition[]): string => namesOf(some.map((definition) => ({ definition })));
		if (failed.length > 0) await reportFailedStarts(failed, { get: (id) => registry.get(id) });
		if (changed.length > 0) {
			void showWarning(`${quote(changed)} changed while you reviewed it and was not started. Review it again.`);
		}
	}
}
