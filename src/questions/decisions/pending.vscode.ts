import * as vscode from "vscode";
import { guarded, type Commands } from "../../base/commands.ts";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { showError, showInformation } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import { Announcer } from "./announcer.ts";
import { askerOf, type PendingDecision, type PendingDecisions } from "./pendingDecisions.ts";
import { askedIn, contextOf, descriptionOf, labelOf, pendingIcons, tooltipOf, waitingServers } from "./pendingRows.ts";
import type { DecisionQueue } from "./queue.ts";
import { choosePending, type PendingRows } from "./registration.vscode.ts";
import type { Repetition } from "./repetition.ts";
import { SteadyList } from "./steadyList.ts";
import { timeOfDay } from "../../base/shownTime.ts";

/** The data and actions of the list of pending decisions. */
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

/** The rows of the Pending view, its commands, and the notification of what waits. Showing a question never answers it. */
export interface WiredPending extends Disposable {
	readonly pendingRows: PendingRows;
	/** Which questions have been unchanged long enough to be decided by a key. */
	readonly steady: SteadyList;
	/** The question of the row that has the focus of the keyboard in the view; undefined when none has. */
	readonly focusedRow: () => Promise<PendingDecision | undefined>;
	/** Shows the view, with the focus. */
	readonly showList: () => unknown;
	readonly commands: Commands<PendingCommand>;
}

/** Makes what the Pending view shows and does, and what announces what waits, until it is disposed. */
export function wirePending(services: PendingServices): WiredPending {
	const { pending, repetition } = services;
	const store = new DisposableStore();
	store.add(announce(services.queue));
	const steady = store.add(new SteadyList(pending));
	store.add(vscode.window.onDidChangeWindowState(({ focused }) => (focused ? steady.noteFocus() : undefined)));
	const update = (): void => {
		const isWaiting = pending.all.some(({ subject }) => subject.kind !== "start");
		void vscode.commands.executeCommand("setContext", "mcpHost.isWaiting", isWaiting);
	};
	update();
	store.add(pending.onDidChange(update));
	const rows = new Rows();
	/** The decision of a row, by its id: other extensions and key bindings may name one too. */
	const find = (argument: unknown): PendingDecision | undefined => {
		const id: unknown = isJsonObject(argument) ? argument["id"] : argument;
		return pending.all.find((decision) => decision.id === id);
	};
	/** The choices of a user: the questions in the exchange that the argument names, otherwise all. */
	const choices = (argument: unknown): readonly PendingDecision[] => {
		const exchange = isJsonObject(argument) ? argument["exchange"] : undefined;
		const asked = typeof exchange === "string" ? askedIn(pending.all, exchange) : [];
		return asked.length > 0 ? asked : pending.all;
	};
	const refuseServer = (argument: unknown): PendingDecision | undefined => {
		const decision = find(argument);
		if (decision !== undefined) pending.refuseServer(askerOf(decision.subject));
		else reportEnded();
		return decision;
	};
	const commands = guarded<PendingCommand>(
		{
			"mcpHost.showPending": async (argument) => (find(argument) ?? (await pick(choices(argument))))?.reveal(),
			"mcpHost.reviewPending": async (argument) => {
				const decision = find(argument);
				if (decision !== undefined) decision.reveal();
				// A button that stays in a chat: the question and its decision are in the activity.
				else if (typeof argument === "string") await showRecord(argument);
				else reportEnded();
			},
			"mcpHost.rejectPending": async (argument) => {
				if (find(argument)?.refuse() !== true) reportEnded();
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
	const focusedRow = async (): Promise<PendingDecision | undefined> => rows.focused();
	return { pendingRows: rows, steady, focusedRow, showList, commands, dispose: () => store.dispose() };
}

/** How long VS Code may take to report the focused row, in milliseconds. */
const focusedMs = 1000;

class Rows implements PendingRows {
	/** Takes the next row that is chosen in place of showing it. */
	private take: ((decision: PendingDecision) => void) | undefined;

	itemOf(decision: PendingDecision): vscode.TreeItem {
		const { server, kind } = decision.subject;
		const item = new vscode.TreeItem(oneLine(server, 60));
		item.id = decision.id;
		item.description = descriptionOf(decision);
		item.tooltip = tooltipOf(decision);
		item.accessibilityInformation = { label: labelOf(decision) };
		item.iconPath = new vscode.ThemeIcon(pendingIcons[kind]);
		item.contextValue = contextOf(decision);
		item.command = { command: choosePending, title: "Review" };
		return item;
	}

	choose(decision: PendingDecision): void {
		if (this.take === undefined) decision.reveal();
		else this.take(decision);
	}

	/**
	 * A key binding does not receive the focused row, and a view knows only the selected one, which the arrow keys do not
	 * change. So the row is selected here, which runs its command.
	 */
	async focused(): Promise<PendingDecision | undefined> {
		const { promise, resolve } = Promise.withResolvers<PendingDecision | undefined>();
		this.take = resolve;
		const timer = setTimeout(() => resolve(undefined), focusedMs);
		try {
			await vscode.commands.executeCommand("list.selectAndPreserveFocus");
			return await promise;
		} finally {
			clearTimeout(timer);
			if (this.take === resolve) this.take = undefined;
		}
	}
}

const showRecord = (id: string): Thenable<unknown> =>
	vscode.commands.executeCommand("mcpHost.showSamplingRequests", { entry: id });

const showList = (): unknown => vscode.commands.executeCommand("mcpHost.pending.focus");

/** Announces waiting questions, until it is disposed. */
function announce(queue: DecisionQueue): Disposable {
	const review = "Review";
	const list = "Show Pending";
	const announcer = new Announcer({
		queue,
		async notify(text, isForSeveral) {
			const choice = await showInformation(text, ...(isForSeveral ? [review, list] : [review]));
			return choice === review ? "review" : choice === list ? "list" : undefined;
		},
		hasFocus: () => vscode.window.state.focused,
		showList,
		reportEnded,
	});
	const focus = vscode.window.onDidChangeWindowState(({ focused }) => (focused ? announcer.noteFocus() : undefined));
	return vscode.Disposable.from(announcer, focus);
}

/** Says that what was chosen is over. */
function reportEnded(): undefined {
	void showInformation("This request has already ended.");
}

async function pick(all: readonly PendingDecision[]): Promise<PendingDecision | undefined> {
	if (all.length === 0) void showInformation("No requests are waiting for you.");
	if (all.length <= 1) return all[0];
	const picked = await vscode.window.showQuickPick(
		all.map((decision) => ({
			label: `$(${pendingIcons[decision.subject.kind]}) ${withoutIcons(oneLine(decision.subject.server, 60))}`,
			description: withoutIcons(oneLine(decision.subject.title)),
			decision,
		})),
		{ ignoreFocusOut: true, placeHolder: "Waiting for you, oldest first" },
	);
	return picked?.decision;
}

/** The dependencies of rejecting all questions of a server. */
interface RejectAllServices {
	readonly pending: PendingDecisions;
	readonly repetition: Repetition;
	/** The configured name of a server, by its id. */
	readonly nameOf: (server: string) => string | undefined;
}

interface Row extends vscode.QuickPickItem {
	run(): unknown;
}

/**
 * Lets the user reject all that a server asks and that waits or that a rule answers, also for a while, and end such a
 * while early. Rejecting is the only thing that can be done to several at once (SMP-13).
 */
async function rejectAll({ pending, repetition, nameOf }: RejectAllServices): Promise<void> {
	const waiting = waitingServers(pending.stoppable).flatMap(({ id, name, count }): Row[] => {
		const label = withoutIcons(name);
		const description = `${count} ${count === 1 ? "request" : "requests"}`;
		return [
			{ label: `$(close-all) ${label}`, description: `reject ${description}`, run: () => pending.refuseServer(id) },
			{
				label: `$(bell-slash) ${label}`,
				description: `reject ${description} and all new requests for ten minutes`,
				run: () => {
					pending.refuseServer(id);
					repetition.mute(id);
				},
			},
		];
	});
	const muted = [...repetition.muted].map(([id, until]): Row => {
		const time = timeOfDay(until, true);
		return {
			label: `$(bell) ${withoutIcons(oneLine(nameOf(id) ?? id, 60))}`,
			description: `allow new requests; they are rejected until ${time}`,
			run: () => repetition.unmute(id),
		};
	});
	if (waiting.length + muted.length === 0) {
		await showInformation("No server is waiting for you.");
		return;
	}
	const picked = await vscode.window.showQuickPick([...waiting, ...muted], {
		ignoreFocusOut: true,
		placeHolder: "Reject all waiting requests of a server",
	});
	picked?.run();
}
