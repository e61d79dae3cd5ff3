import { RequestRefusal } from "../decisions/refusal.ts";
import type { Calls } from "./calls.ts";
import type { Connection, ConnectionHandlers, ConnectRequest, ListKind } from "../connection/connection.ts";
import { LineBudget } from "../messages/lineBudget.ts";
import { logServerMessage } from "./serverLog.ts";
import type { ServerFacts, ServerRequestContext, Session } from "./session.ts";
import type { SessionServices, SignInAsks } from "./sessionServices.ts";
import type { StderrTail } from "../stdio/stderrTail.ts";
import type { Launch } from "./variables.ts";

/** A server's life from one start to its end, as its connection sees it. */
export interface RunView {
	readonly session: Session;
	readonly services: SessionServices;
	readonly calls: Calls;
	readonly stderr: StderrTail;
	/** Aborted when the run ends. */
	readonly signal: AbortSignal;
	/** Whether a person waits for it, who can be asked to sign in. */
	isAwaited(): boolean;
	/** Undefined until the handshake is finished. */
	connection(): Connection | undefined;
	/** Whether the run is still the session's; what a former one says is dropped. */
	isCurrent(): boolean;
	onListChanged(kind: ListKind): void;
	onRenewed(facts: ServerFacts): void;
	onResourceUpdated(uri: string): void;
	onResourceSubscribed(uri: string): void;
	/** The server went away by itself. */
	onGone(reason: string): void;
}

/** What to connect to and how, for one run. */
export function connectRequestOf(run: RunView, launch: Launch): ConnectRequest {
	const { services, calls, signal } = run;
	const { definition } = run.session;
	const asks: SignInAsks = {
		isInteractive: () => run.isAwaited() || calls.during !== undefined,
		// A sign-in knows by itself who waits for it, calls that came later among them.
		whileAsking: (question, asked) => calls.pausedWhile(() => question(AbortSignal.any([asked, signal]))),
	};
	const authorization =
		launch.kind === "stdio" ? undefined : services.authorization(definition, launch.oauth ?? {}, asks);
	return {
		launch,
		protocol: definition.config.protocol,
		verdict: services.verdict.get(definition.hash),
		client: services.client,
		limits: services.limits,
		network: services.network,
		...(authorization === undefined ? {} : { authorization }),
		logLevel: () => services.logLevel(),
		handshakeTimeoutMs: services.timeouts.handshakeMs,
		signal,
		handlers: handlersOf(run),
	};
}

/** What the connection of one run tells and asks. */
function handlersOf(run: RunView): ConnectionHandlers {
	const { session } = run;
	const { requests, log } = run.services;
	const troubles = new LineBudget((count) => log.warn(`${count} more faults of the server were not logged.`));
	return {
		listRoots: () => requests.listRoots(session),
		createMessage: (params, signal) => ask(run, signal, (context) => requests.createMessage(session, params, context)),
		elicit: (params, signal) => ask(run, signal, (context) => requests.elicit(session, params, context)),
		onVisited: (elicitationId) => {
			if (run.isCurrent()) requests.onVisited?.(session, elicitationId);
		},
		onListChanged: (kind) => {
			if (run.isCurrent()) run.onListChanged(kind);
		},
		onRenewed: (facts) => {
			if (run.isCurrent()) run.onRenewed(facts);
		},
		onResourceUpdated: (uri) => {
			if (run.isCurrent()) run.onResourceUpdated(uri);
		},
		onResourceSubscribed: (uri) => {
			if (run.isCurrent()) run.onResourceSubscribed(uri);
		},
		onLog: (level, logger, data) => {
			const line = logServerMessage(log, level, logger, data);
			if (level !== "debug") run.calls.ledger.log(line);
		},
		onStderr: (text) => run.stderr.write(text),
		onRetry: (why) => {
			log.warn(why);
			run.stderr.clear();
		},
		onTrouble: (message) => {
			if (troubles.take()) log.warn(message);
		},
		onClosed: (reason) => {
			if (run.isCurrent()) run.onGone(reason);
		},
	};
}

/** Lets the server ask a person something. */
async function ask<T>(
	run: RunView,
	signal: AbortSignal,
	question: (context: ServerRequestContext) => Promise<T>,
): Promise<T> {
	run.signal.throwIfAborted();
	const connection = run.connection();
	// Before the handshake a server may only ping (specification, "Lifecycle"; security.md TRN-14).
	if (connection === undefined) throw new RequestRefusal(-32603, "denied", "The handshake is not finished.");
	const { protocolVersion } = connection.facts;
	const { during, underWay } = run.calls;
	return run.calls.pausedWhile((orphaned) =>
		question({ signal: AbortSignal.any([signal, run.signal, orphaned]), protocolVersion, during, calls: underWay }),
	);
}
