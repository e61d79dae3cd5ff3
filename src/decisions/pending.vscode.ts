import * as vscode from "vscode";
import { guarded, type Commands } from "../base/commands.ts";
import { messageOf } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import { showError, showInformation } from "../base/notify.vscode.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../completion/rows.ts";
import { selectedNode } from "../tree/selectedNode.ts";
import { Announcer } from "./announcer.ts";
import { askerOf, type PendingDecision, type PendingDecisions } from "./decision.ts";
import { contextOf, pendingIcons, tooltipOf } from "./pendingRows.ts";
import type { DecisionQueue } from "./queue.ts";
import { rejectAll, type RejectAllServices } from "./rejectAll.vscode.ts";

/** Of the rows of the view alone. */
const chooseCommand = "_mcpHost.choosePending";

/** What the list of pending decisions shows and does. */
export interface PendingServices extends RejectAllServices {
	readonly queue: DecisionQueue;
}

type PendingCommand =
	| "mcpHost.rejectAllPending"
	| "mcpHost.rejectPending"
	| "mcpHost.rejectServer"
	| "mcpHost.rejectServerForNow"
	| "mcpHost.reviewPending"
	| "mcpHost.showPending";

/** The Pending view, its commands, and the notification of what waits. Showing a question never answers it. */
export interface PendingRoom extends Disposable {
	readonly commands: Commands<PendingCommand>;
}

/** Opens the Pending view's room. */
export function pendingRoom(services: PendingServices): PendingRoom {
	const { pending, repetition } = services;
	const store = new DisposableStore();
	const view = store.add(vscode.window.createTreeView("mcpHost.pending", { treeDataProvider: providerOf(pending) }));
	const updateBadge = (): void => {
		const count = pending.all.length;
		view.badge = count === 0 ? undefined : { value: count, tooltip: `${count} waiting for you` };
	};
	updateBadge();
	store.add(pending.onDidChange(updateBadge));
	store.add(vscode.commands.registerCommand(chooseCommand, async () => (await selectedNode(view))?.reveal()));
	store.add(announce(services.queue));
	/** The decision of a row, by its id: other extensions and key bindings may name one too. */
	const find = (argument: unknown): PendingDecision | undefined => {
		const id: unknown = isJsonObject(argument) ? argument["id"] : undefined;
		return pending.all.find((decision) => decision.id === id);
	};
	const refuseServer = (argument: unknown): PendingDecision | undefined => {
		const decision = find(argument);
		if (decision !== undefined) pending.refuseServer(askerOf(decision.subject));
		else tellEnded();
		return decision;
	};
	const commands = guarded<PendingCommand>(
		{
			"mcpHost.showPending": async (argument) => (find(argument) ?? (await pick(pending.all)))?.reveal(),
			"mcpHost.reviewPending": async (argument) => (find(argument) ?? tellEnded())?.reveal(),
			"mcpHost.rejectPending": async (argument) => {
				if (find(argument)?.refuse() !== true) tellEnded();
			},
			"mcpHost.rejectServer": async (argument) => void refuseServer(argument),
			"mcpHost.rejectServerForNow": async (argument) => {
				const decision = refuseServer(argument);
				if (decision !== undefined) repetition.mute(askerOf(decision.subject));
			},
			"mcpHost.rejectAllPending": async () => rejectAll(services),
		},
		(error) => showError(messageOf(error)),
	);
	return { commands, dispose: () => store.dispose() };
}

function providerOf(pending: PendingDecisions): vscode.TreeDataProvider<PendingDecision> {
	return {
		onDidChangeTreeData: (listener) => pending.onDidChange(() => listener(undefined)),
		getChildren: (element) => (element === undefined ? [...pending.all] : []),
		getTreeItem: (decision) => {
			const { server, title, kind } = decision.subject;
			const item = new vscode.TreeItem(oneLine(server, 60));
			item.id = decision.id;
			item.description = oneLine(title);
			item.tooltip = tooltipOf(decision);
			item.iconPath = new vscode.ThemeIcon(pendingIcons[kind]);
			item.contextValue = contextOf(decision);
			item.command = { command: chooseCommand, title: "Review" };
			return item;
		},
	};
}

/** Tells of what waits, until it is disposed. */
function announce(queue: DecisionQueue): Disposable {
	const review = vscode.l10n.t("Review");
	const list = vscode.l10n.t("Show Pending");
	const announcer = new Announcer({
		queue,
		async notify(text, isForSeveral) {
			const choice = await showInformation(text, ...(isForSeveral ? [review, list] : [review]));
			return choice === review ? "review" : choice === list ? "list" : undefined;
		},
		hasFocus: () => vscode.window.state.focused,
		showList: () => vscode.commands.executeCommand("mcpHost.pending.focus"),
		tellEnded,
	});
	const focus = vscode.window.onDidChangeWindowState(({ focused }) => (focused ? announcer.noteFocus() : undefined));
	return vscode.Disposable.from(announcer, focus);
}

/** Says that what was chosen is over. */
function tellEnded(): undefined {
	void showInformation(vscode.l10n.t("This request has ended in the meantime."));
}

async function pick(all: readonly PendingDecision[]): Promise<PendingDecision | undefined> {
	if (all.length === 0) void showInformation("Nothing waits for you.");
	if (all.length <= 1) return all[0];
	const picked = await vscode.window.showQuickPick(
		all.map((decision) => ({
			label: `$(${pendingIcons[decision.subject.kind]}) ${withoutIcons(oneLine(decision.subject.server, 60))}`,
			description: withoutIcons(oneLine(decision.subject.title)),
			decision,
		})),
		{ placeHolder: "Waiting for you, oldest first" },
	);
	return picked?.decision;
}
