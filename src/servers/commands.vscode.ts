import * as vscode from "vscode";
import type { ActivityNotes } from "../records/activity/journal/entry.ts";
import { trustedMeanwhile } from "../base/notices.ts";
import { notices } from "../base/notices.vscode.ts";
import { leftState } from "./sessions/stateNotice.ts";
import { commandsOf, showFailure, showInformation, showWarning } from "../base/notify.vscode.ts";
import { RpcEndpoint } from "../base/rpc.ts";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../base/words.ts";
import { Decision } from "../questions/decisions/decision.ts";
import { openPanel, type Panel } from "../questions/webview/panel.vscode.ts";
import { startAllServers } from "./allServers.ts";
import { isStoppable } from "./status/contextKeys.ts";
import type { ServerDefinition } from "./definitions/config.ts";
import { serverOf } from "./approval/approvals.ts";
import type { StartDependencies } from "./approval/dependencies.ts";
import type { Configuration } from "./sources/config.vscode.ts";
import { describeState, stateWord } from "./sessions/describeState.ts";
import type { McpHost } from "./host.ts";
import type { ServerLogs } from "./sessions/logs.vscode.ts";
import { reportFailedStarts } from "./review/failedStarts.vscode.ts";
import { chooseRunner, remarkOn } from "./otherHosts/remarks.ts";
import type { SharedFiles } from "./otherHosts/sharedFiles.ts";
import { notePutOff } from "./serverNotes.ts";
import { pickServer } from "./pick.vscode.ts";
import { reviewServer } from "./review/review.ts";
import type { ServerReviewHostApi, ServerReviewState, ServerReviewViewApi } from "./review/reviewProtocol.ts";
import type { ServerSession } from "./sessions/serverSession.ts";
import { definitionKey, namesOf, needsTrust } from "./review/waiting.ts";
import { isWaitingForTrust } from "./definitions/trustWait.ts";
import { manageTrust, warnOfTrust } from "./review/workspaceTrust.vscode.ts";
import { startsWithWindow } from "./review/waiting.vscode.ts";
import { momentOf } from "../base/shownTime.ts";

/** The services that the server commands use. */
export interface ServerCommandServices {
	readonly host: McpHost;
	readonly sharedFiles: SharedFiles;
	readonly configuration: Configuration;
	readonly logs: ServerLogs;
	readonly notes: ActivityNotes;
	readonly extensionUri: vscode.Uri;
	readonly extensionId: string;
	/** Notes on where a server comes from, in our sentences. */
	readonly remarksOn: (definition: ServerDefinition) => Promise<readonly string[]>;
	/** Has the chat offer the demo's model, as soon as its server runs. */
	readonly offerDemoModel: () => Promise<void>;
}

/** The commands that start, stop, review and explain servers. */
export function serverCommands(services: ServerCommandServices) {
	const { host, configuration, logs } = services;
	const isIdle = ({ kind }: { kind: string }): boolean => kind !== "running" && kind !== "starting";
	const commands = {
		"mcpHost.startServer": async (argument: unknown) => {
			const session = await pickServer(host, argument, "Start which server?", isIdle);
			if (session !== undefined) await startServer(services, session);
		},
		"mcpHost.stopServer": async (argument: unknown) => {
			const session = await pickServer(host, argument, "Stop which server?", isStoppable);
			await session?.stop();
		},
		"mcpHost.startAllServers": () => startAll(host),
		"mcpHost.stopAllServers": () => host.registry.stopAll(),
		"mcpHost.restartServer": async (argument: unknown) => {
			const session = await pickServer(host, argument, "Restart which server?");
			if (session !== undefined) await startServer(services, session, true);
		},
		"mcpHost.reviewServer": async (argument: unknown) => {
			const session = await pickServer(host, argument, "Review which server?");
			if (session !== undefined) await reviewAndStart(services, session);
		},
		"mcpHost.showLog": async (argument: unknown) => {
			const session = await pickServer(host, argument, "Show the log of which server?");
			if (session !== undefined) showLog(logs, session);
		},
		"mcpHost.refresh": async () => {
			await configuration.refresh();
			for (const session of host.registry.sessions) {
				const { tools, prompts, resources, resourceTemplates, skills } = session;
				for (const list of [tools, prompts, resources, resourceTemplates, skills]) void list.refresh();
			}
		},
		"mcpHost.revokeApprovals": () => revokeApprovals(host),
		"mcpHost.tryDemo": () => tryDemo(services),
		"mcpHost.getStarted": async () =>
			vscode.commands.executeCommand("workbench.action.openWalkthrough", `${services.extensionId}#start`, false),
		"mcpHost.openChat": async () => openChat("@mcp "),
	};
	return commandsOf(commands);
}

/** Starts a server for a user: asks for approval first where it is needed, and says why when it fails. */
async function startServer(services: ServerCommandServices, session: ServerSession, isRestart = false): Promise<void> {
	session.reconsider();
	if (session.state.kind === "off") {
		const over = leftState("off", () => [services.host.registry.get(session.definition.id)]);
		const answer = await notices.ask(`off/${session.definition.id}`, over, () =>
			showInformation(`"${session.definition.name}" is switched off.`, "Switch On"),
		);
		if (answer !== undefined)
			await vscode.commands.executeCommand("mcpHost.switchOn", { server: session.definition.id });
		return;
	}
	if (session.state.kind === "needs-approval" || session.state.kind === "left-to-editor") {
		await reviewAndStart(services, session);
		return;
	}
	const state = await services.host.start(session.definition.id, isRestart);
	// Its start's dependencies changed after it was approved, maybe while the user read it.
	if (state.kind === "needs-approval") return reviewAndStart(services, session);
	if (state.kind !== "failed") return;
	const check = "Check Server";
	const { message, exchange } = state;
	const failed = leftState("failed", () => [services.host.registry.get(session.definition.id)]);
	// The log and the configuration are there in any state.
	const over = (answer: string): string | undefined => (answer === check ? failed(answer) : undefined);
	const trust = "Manage Workspace Trust";
	const answer = await notices.ask(`start/${session.definition.id}`, over, () =>
		showFailure(
			`The server "${session.definition.name}" did not start. ${message}`,
			exchange,
			// The reason is known, and the way to end it.
			isWaitingForTrust(session.definition.id) ? trust : check,
			"Show Log",
			// A notice has room for three buttons. A server that received a request could be started by its configuration.
			...(exchange === undefined ? (["Open Configuration"] as const) : []),
		),
	);
	if (answer === check) await vscode.commands.executeCommand("mcpHost.whyNotStart", { server: session.definition.id });
	else if (answer === trust) manageTrust();
	else if (answer === "Show Log") showLog(services.logs, session);
	else if (answer === "Open Configuration") await openDefinition(session);
}

/** Starts all servers that are approved, and leads to the review of those that are not. */
async function startAll(host: McpHost): Promise<void> {
	if (host.registry.sessions.length === 0) {
		if ((await showInformation("No MCP server is configured.", "Add Servers…")) !== undefined)
			await vscode.commands.executeCommand("mcpHost.addServer");
		return;
	}
	const { started, failed, isApprovalNeeded, signIn } = await startAllServers(host);
	if (isApprovalNeeded) void vscode.commands.executeCommand("mcpHost.reviewWaiting");
	if (failed.length > 0) await reportFailedStarts(failed, { get: (id) => host.registry.get(id) });
	else if (signIn.length > 0)
		void showInformation(`${namesOf(signIn.map((definition) => ({ definition })))} not started: sign in first.`);
	else if (started.length === 0 && !isApprovalNeeded) void showInformation("No other server can be started now.");
}

function showLog(logs: ServerLogs, { definition, state }: ServerSession): void {
	logs.show(definition.name, `The log is empty. State of the server: ${stateWord(state)}.`);
}

async function reviewAndStart(services: ServerCommandServices, session: ServerSession): Promise<void> {
	const { host, sharedFiles } = services;
	const { definition } = session;
	const { origin } = definition;
	if (sharedFiles.isLeft(origin)) {
		const message = `You left "${definition.name}" to VS Code. MCP Host does not run it.`;
		if ((await showInformation(message, "Change…")) !== undefined) {
			await vscode.commands.executeCommand(chooseRunner.id);
		}
		return;
	}
	if (needsTrust(definition) && !vscode.workspace.isTrusted) {
		const reason = origin.isWorkspace ? "is defined by this workspace" : "uses files from this workspace";
		const over = trustedMeanwhile(() => vscode.workspace.isTrusted);
		const answer = await notices.ask("trust", over, () =>
			showWarning(
				`"${definition.name}" ${reason}, which is not trusted. Nothing was started.`,
				"Manage Workspace Trust",
			),
		);
		if (answer !== undefined) await vscode.commands.executeCommand("workbench.trust.manage");
		return;
	}
	const approved = await reviewServerStart(services, definition);
	if (approved === undefined) return;
	// Exactly the displayed definition is approved; if a file changed meanwhile, its new content is not.
	await host.approve(definition, approved.dependencies, approved.isAutomatic);
	const current = host.registry.get(definition.id);
	if (current !== undefined && current.definition.hash === definition.hash) await startServer(services, current);
}

/** Opens the file in which a server is defined. */
async function openDefinition({ definition }: ServerSession): Promise<void> {
	const { file } = definition.origin;
	if (file !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(file));
	else await vscode.commands.executeCommand("workbench.action.openSettings", "mcpHost.servers");
}

async function revokeApprovals(host: McpHost): Promise<void> {
	const names = new Map(host.registry.sessions.map(({ definition }) => [definition.id, definition]));
	// One row for a server that is approved in several folders: it is revoked in all.
	const approvals = new Map([...host.approvals.all].map(([placed, approval]) => [serverOf(placed), approval]));
	const items = [...approvals].map(([id, approval]) => ({
		label: withoutIcons(oneLine(names.get(id)?.name ?? id)),
		description: `approved ${momentOf(Date.parse(approval.at))}`,
		detail: withoutIcons(oneLine(names.get(id)?.origin.label ?? id)),
		id,
	}));
	if (items.length === 0) {
		void showInformation("No server has been approved.");
		return;
	}
	const picked = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		canPickMany: true,
		title: "Revoke Server Approvals",
		placeHolder: "The selected servers stop now, and need your approval to start again",
	});
	for (const { id } of picked ?? []) await host.revoke(id);
}

/**
 * The shortest way to a working demo: offers the demo server, starts it, and puts a first question into the chat, which
 * the user sends. No notification mentions it, because it would cover the chat.
 */
async function tryDemo({ host, configuration, offerDemoModel }: ServerCommandServices): Promise<void> {
	await vscode.workspace.getConfiguration("mcpHost").update("demoServer", true, vscode.ConfigurationTarget.Global);
	await configuration.refresh();
	await vscode.commands.executeCommand("mcpHost.servers.focus");
	const demo = host.registry.sessions.find(({ definition }) => definition.origin.kind === "demo");
	if (demo === undefined)
		throw new Error("The demo server is not available. Check whether a policy turns off mcpHost.demoServer.");
	const state = await host.start(demo.definition.id);
	if (state.kind !== "running")
		throw new Error(`The demo server is ${describeState(state)}. See its log for the reason.`);
	await offerDemoModel();
	await openChat("@mcp Plan a long weekend in Barcelona for two");
}

/** Puts words into the chat's input; the user sends them. */
async function openChat(query: string): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
}

/** The open reviews by their content: a second request for the same shows the open one. */
const open = new Map<string, { readonly panel: Panel; readonly answer: Promise<ApprovedStart | undefined> }>();

/** The definition that the user approved in a review. */
interface ApprovedStart {
	/** The start's dependencies, as they were shown. */
	readonly dependencies: StartDependencies;
	/** Whether the server also starts whenever a window opens. */
	readonly isAutomatic: boolean;
}

/**
 * Shows everything that a server would start and waits for the user: returns the approved definition; undefined when
 * they decline or close the panel. The user always opens this panel, so it takes the focus.
 */
async function reviewServerStart(
	{ host, sharedFiles, extensionUri, remarksOn, notes }: ServerCommandServices,
	definition: ServerDefinition,
): Promise<ApprovedStart | undefined> {
	const [remarks, trust, dependencies] = await Promise.all([
		remarksOn(definition),
		warnOfTrust(definition),
		host.dependencies(definition),
	]);
	const key = definitionKey(definition);
	const existing = open.get(key);
	if (existing !== undefined) {
		existing.panel.reveal();
		return existing.answer;
	}
	const otherHost = remarkOn(sharedFiles, definition.origin);
	const review = reviewServer(
		definition,
		host.approvals.former(definition),
		otherHost === undefined ? remarks : [...remarks, otherHost],
		dependencies,
	);
	const { name: server, id: serverId } = definition;
	const decision = new Decision<boolean>(
		{ kind: "start", server, serverId, title: "needs your approval to start" },
		false,
	);
	const panel = openPanel({ extensionUri, view: "server", title: `Review: ${definition.name}` });
	const state = (): ServerReviewState => {
		const { outcome } = decision;
		const stillUntrusted = trust === undefined || vscode.workspace.isTrusted ? {} : { trust };
		const shown = { review, startsWithWindow: startsWithWindow(), ...stillUntrusted };
		if (outcome === undefined) return shown;
		return { ...shown, outcome: outcome.by === "lapse" ? "lapsed" : outcome.answer ? "approved" : "declined" };
	};
	let isAutomatic = true;
	const view = new RpcEndpoint<ServerReviewViewApi, ServerReviewHostApi>(panel.port, {
		ready: state,
		approve: (chosen) => {
			isAutomatic = chosen === true;
			decision.answer(true);
		},
		decline: () => void decision.answer(false),
		manageTrust,
	});
	const trusted = vscode.workspace.onDidGrantWorkspaceTrust(() => void view.call("show", state()));
	host.pending.add(decision, () => panel.reveal());
	panel.onDidClose(() => decision.lapse("closed"));
	const answer = decision.settled.then((settled) => {
		open.delete(key);
		trusted.dispose();
		view.dispose();
		panel.dispose();
		if (settled.by === "user" && settled.answer) return { dependencies, isAutomatic };
		if (settled.by === "user" || settled.reason === "closed") notePutOff(notes, [definition]);
		return undefined;
	});
	open.set(key, { panel, answer });
	return answer;
}
