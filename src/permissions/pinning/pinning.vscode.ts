import * as vscode from "vscode";
import type { ActivityNotes } from "../../records/activity/journal/entry.ts";
import type { Commands } from "../../base/commands.ts";
import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import { notices } from "../../base/notices.vscode.ts";
import { commandsOf, showInformation } from "../../base/notify.vscode.ts";
import { sha256 } from "../../base/hash.ts";
import type { Store } from "../../base/store/store.ts";
import { oneLine } from "../../base/text.ts";
import { withoutIcons } from "../../base/words.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { definitionNamed } from "../catalog/skillTool.ts";
import { Comparisons, definitionScheme, type Changed, type Comparison } from "./comparisons.ts";
import { OwnChanges } from "./ownChanges.ts";
import { type RestartChange, RestartChanges } from "./restartChanges.ts";
import { PinnedDefinitions } from "./pinnedDefinitions.ts";
import { momentOf } from "../../base/shownTime.ts";

/** The dependencies of pinning on the rest of the host. */
export interface DefinitionServices {
	readonly directory: SessionDirectory;
	/** The storage of the user's approvals; not the workspace's own (SEC-05). */
	readonly store: Store;
	readonly notes: ActivityNotes;
}

/** The user's approvals of servers' texts, and how changes are shown and accepted. */
export interface WiredPinning extends Disposable {
	readonly pins: PinnedDefinitions;
	/** The changes by restarts of servers. */
	readonly restarts: RestartChanges;
	/** The servers whose changes the user trusts in this window. */
	readonly ownChanges: OwnChanges;
	readonly commands: Commands<
		"mcpHost.showToolChanges" | "mcpHost.acceptToolChanges" | "mcpHost.trustOwnChanges" | "mcpHost.showRestartChanges"
	>;
}

/** How long the status bar says that something was accepted, in milliseconds. */
const saidMs = 8000;

const over = "This comparison is closed. Show the changes again from the Servers view.\n";

/**
 * Creates it, until it is disposed. `showToolChanges` takes `{server, tool?}`, ids and names as in rows and links of
 * the chat; without them the user chooses. `acceptToolChanges` takes the URI of the comparison; without it the active
 * one counts. Exactly the content of the comparison is accepted.
 */
export function wirePinning({ directory, store: shared, notes }: DefinitionServices): WiredPinning {
	const store = new DisposableStore();
	const pins = store.add(new PinnedDefinitions(directory, shared));
	const comparisons = new Comparisons(pins);
	const restarts = store.add(new RestartChanges(directory));
	const noteAccepted = ({ definition: { id, name } }: Session, names: readonly string[]): void => {
		const list = names.map((one) => oneLine(one, 60)).join(", ");
		const subject = `changes of ${list} of ${oneLine(name, 60)} accepted, since you trust your changes`;
		notes.note({ kind: "permission", event: "definition", subject, server: name, serverId: id });
	};
	const ownChanges = store.add(new OwnChanges({ directory, pins, onAccepted: noteAccepted }));
	store.add(
		vscode.workspace.registerTextDocumentContentProvider(definitionScheme, {
			provideTextDocumentContent: ({ query }) => {
				const { id, side } = readQuery(query);
				const restarted = directory.sessions.flatMap((session) => restarts.of(session) ?? []);
				const change = restarted.find((one) => restartId(one) === id);
				if (change !== undefined) return change[side];
				return comparisons.get(id)?.[side] ?? over;
			},
		}),
	);

	const choose = async (argument: unknown): Promise<Comparison | undefined> => {
		const { server, tool } = referenceOf(argument);
		const session = server === undefined ? undefined : directory.get(server);
		if (server !== undefined && session === undefined) throw new HostError("invalid", "This server no longer exists.");
		if (session !== undefined && tool !== undefined) return comparisonOf(session, tool);
		const sessions = session === undefined ? directory.sessions : [session];
		const all = sessions.flatMap((one) => comparisons.ofServer(one));
		if (all.length === 0) void showInformation(`No tool of ${nameOf(session)} has changed since you approved it.`);
		return (all.length > 1 ? await pickChange(all) : all[0])?.compare();
	};
	const comparisonOf = (session: Session, name: string): Comparison | undefined => {
		const shown = `The tool "${oneLine(name, 100)}" of "${oneLine(session.definition.name, 100)}"`;
		const tool = definitionNamed(session, name);
		if (tool === undefined) throw new HostError("invalid", `${shown} is no longer offered.`);
		const comparison = comparisons.ofTool(session, tool);
		if (comparison !== undefined) return comparison;
		const isNew = pins.stateOf(session, tool).kind === "new";
		void showInformation(`${shown} ${isNew ? "has not been approved yet" : "has not changed since you approved it"}.`);
		return undefined;
	};
	const show = async (argument: unknown): Promise<void> => {
		const comparison = await choose(argument);
		if (comparison !== undefined) await showComparison(comparison);
	};
	const accept = async (argument: unknown): Promise<void> => {
		const uri = argument instanceof vscode.Uri ? argument : frontComparison();
		const id = uri?.scheme === definitionScheme ? readQuery(uri.query).id : "";
		const comparison = comparisons.get(id);
		if (comparison === undefined) throw new HostError("invalid", over.trim());
		await comparison.accept();
		const { definition } = comparison.session;
		const subject = `changes of ${comparison.name} of ${oneLine(definition.name, 60)} accepted`;
		notes.note({ kind: "permission", event: "definition", subject, server: definition.name, serverId: definition.id });
		await vscode.window.tabGroups.close(tabsOf(id));
		const consequence =
			comparison.tool === undefined
				? "Models now receive the new instructions."
				: "Grants for earlier definitions stay revoked.";
		void vscode.window.setStatusBarMessage(`Changes accepted. ${consequence}`, saidMs);
		await showNewer(comparison);
	};
	const showNewer = async ({ session, tool, name }: Comparison): Promise<void> => {
		const current = (): Comparison | undefined => {
			if (tool === undefined) return comparisons.ofInstructions(session);
			const now = definitionNamed(session, tool.name);
			return now === undefined ? undefined : comparisons.ofTool(session, now);
		};
		if (current() === undefined) return;
		const message = `"${name}" of "${oneLine(session.definition.name, 100)}" changed again while you reviewed it. You accepted only the version that was shown. Review the new changes.`;
		const over = (): string | undefined => (current() === undefined ? "There is no change left to review." : undefined);
		const key = `changes/${session.definition.id}/${name}`;
		const answer = await notices.ask(key, over, () => showInformation(message, "Show Changes"));
		const newer = current();
		if (answer !== undefined && newer !== undefined) await showComparison(newer);
	};
	const trust = async (argument: unknown): Promise<void> => {
		const session = sessionOf(directory, argument);
		const { name } = session.definition;
		if (ownChanges.has(session)) {
			ownChanges.end(session);
			void showInformation(`Changes of "${oneLine(name, 100)}" need your review again.`);
			return;
		}
		ownChanges.trust(session);
		const message = `Models receive changed tools and instructions of "${oneLine(name, 100)}" without your review, until this window closes.`;
		const over = (): string | undefined =>
			ownChanges.has(session) ? undefined : "Your changes are not trusted any more.";
		const key = `trust/${session.definition.id}`;
		if ((await notices.ask(key, over, () => showInformation(message, "Undo"))) !== undefined) ownChanges.end(session);
	};
	const showRestart = async (argument: unknown): Promise<void> => {
		const session = sessionOf(directory, argument);
		const { name } = session.definition;
		const change = restarts.of(session);
		if (change === undefined) {
			void showInformation(`"${oneLine(name, 100)}" offers the same as before its last start in this window.`);
			return;
		}
		const [before, after] = (["before", "after"] as const).map((side) =>
			vscode.Uri.from({ scheme: definitionScheme, path: `/${side}.txt`, query: `${side}=${restartId(change)}` }),
		);
		const title = `${oneLine(name, 60)} (Before Restart ↔ Now)`;
		await vscode.commands.executeCommand("vscode.diff", before, after, title, { preview: true });
	};
	return {
		pins,
		restarts,
		ownChanges,
		commands: commandsOf({
			"mcpHost.showToolChanges": show,
			"mcpHost.acceptToolChanges": accept,
			"mcpHost.trustOwnChanges": trust,
			"mcpHost.showRestartChanges": showRestart,
		}),
		dispose: () => store.dispose(),
	};
}

/** The server that a command of its row is about. */
function sessionOf(directory: SessionDirectory, argument: unknown): Session {
	const { server } = referenceOf(argument);
	const session = server === undefined ? undefined : directory.get(server);
	if (session === undefined) throw new HostError("invalid", "Choose a server in the Servers view.");
	return session;
}

/** By what documents name the comparison of a restart; none of a tool has that form. */
function restartId({ before, after }: RestartChange): string {
	return `restart-${sha256(JSON.stringify([before, after]))}`;
}

/** The server's id and the tool's name in a command's argument: a row of the tree has the tool itself. */
function referenceOf(argument: unknown): { readonly server?: string; readonly tool?: string } {
	if (!isJsonObject(argument)) return {};
	const { server, tool } = argument as Readonly<Partial<Record<string, unknown>>>;
	const name = isJsonObject(tool) ? tool["name"] : tool;
	return {
		...(typeof server === "string" ? { server } : {}),
		...(typeof name === "string" ? { tool: name } : {}),
	};
}

async function pickChange(all: readonly Changed[]): Promise<Changed | undefined> {
	const items = all.map((changed) => ({
		label: withoutIcons(changed.name),
		description: withoutIcons(oneLine(changed.session.definition.name, 100)),
		changed,
	}));
	const options = { ignoreFocusOut: true, title: "Show Tool Changes", placeHolder: "Changed since you approved it" };
	return (await vscode.window.showQuickPick(items, options))?.changed;
}

async function showComparison(comparison: Comparison): Promise<void> {
	const { id, name, session, approvedAt } = comparison;
	const uriOf = (side: Side): vscode.Uri =>
		vscode.Uri.from({
			scheme: definitionScheme,
			// The ending prevents VS Code from guessing a language by a name that the server chose.
			path: `/${name.replace(/[/\\]/g, "_")}.txt`,
			query: `${side}=${id}`,
		});
	const approved = momentOf(approvedAt);
	const title = `${name} of ${oneLine(session.definition.name, 60)} (Approved ${approved} ↔ Changed)`;
	await vscode.commands.executeCommand("vscode.diff", uriOf("before"), uriOf("after"), title, { preview: true });
}

type Side = "before" | "after";

function readQuery(query: string): { readonly side: Side; readonly id: string } {
	const [side, id = ""] = query.split("=");
	return { side: side === "before" ? "before" : "after", id };
}

function nameOf(session: Session | undefined): string {
	return session === undefined ? "a running server" : `"${oneLine(session.definition.name, 100)}"`;
}

/** The comparison that the user looks at. */
function frontComparison(): vscode.Uri | undefined {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

function tabsOf(id: string): readonly vscode.Tab[] {
	return vscode.window.tabGroups.all
		.flatMap(({ tabs }) => tabs)
		.filter(({ input }) => {
			if (!(input instanceof vscode.TabInputTextDiff)) return false;
			return input.modified.scheme === definitionScheme && readQuery(input.modified.query).id === id;
		});
}
