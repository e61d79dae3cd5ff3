import { wordsWithoutSecrets } from "../../base/secrets/judge.ts";
import { leftAsWritten, leftWords } from "../formats/leftAsWritten.ts";
import type { RequestId } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { RequestRefusal } from "../../base/refusal.ts";
import type { Authorization } from "../../protocol/authorization.ts";
import type { ConnectionHandlers, ConnectRequest } from "../../protocol/connection.ts";
import { noteDepartures } from "../../protocol/departure.ts";
import type { Launch } from "../../protocol/launch.ts";
import { signInExtensions } from "../../protocol/signInExtensions.ts";
import { skillsExtension } from "../../protocol/skill.ts";
import { LineBudget } from "../../protocol/messages/lineBudget.ts";
import { logMessages } from "./logMessages.ts";
import { RunOutput } from "./runOutput.ts";
import type { UserRequests, ServerRequestContext } from "./session.ts";
import { SessionCalls } from "./sessionCalls.ts";
import type { SessionRun } from "./sessionRun.ts";
import { stderrLines } from "./stderrLines.ts";
import type { SignInAsks } from "./sessionServices.ts";
import type { Log } from "../../base/log.ts";
import { withoutTerminal } from "../../base/terminal.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";

/**
 * The target and the options of a connection, for a run: who answers the server's requests, and who receives its
 * notifications.
 * @throws HostError `cancelled` when the server may not start any more.
 */
export async function connectRequest(run: SessionRun, launch: Launch): Promise<ConnectRequest> {
	const { services, session } = run.owner;
	const { definition } = session;
	const extensions = services.extensions?.();
	const calls = new SessionCalls(definition.name, session.requestLog, services.timeouts, run.tap);
	run.calls = calls;
	// A user may have taken minutes to give an input, in which the approval was revoked in another window.
	if (services.whyNot(definition) !== undefined)
		throw new HostError("cancelled", `Server "${definition.name}" is no longer allowed to start.`);
	const sharing = launch.kind === "stdio" ? await sharingOf(run) : undefined;
	const asks: SignInAsks = {
		isInteractive: () => run.isAwaited || calls.during !== undefined,
		// A sign-in knows its own waiters, including later calls.
		whileAsking: (question, asked) => calls.pausedWhile(() => question(AbortSignal.any([asked, run.signal]))),
	};
	const authorization =
		launch.kind === "stdio" ? undefined : await services.authorization(definition, launch.oauth ?? {}, asks);
	return {
		launch,
		protocol: definition.config.protocol,
		verdict: services.verdict.get(definition.hash),
		client: services.client,
		// Where apps are shown or could be, skills are shown too.
		...(extensions === undefined
			? {}
			: { extensions: { ...extensions, [skillsExtension]: {}, ...(await declaredFor(authorization)) } }),
		canSample: services.canSample !== false,
		limits: services.limits,
		network: services.network,
		...(authorization === undefined ? {} : { authorization }),
		logLevel: () => services.logLevel(),
		handshakeTimeoutMs: services.timeouts.handshakeMs,
		...(services.timeouts.probeMs === undefined ? {} : { probeTimeoutMs: services.timeouts.probeMs }),
		signal: run.signal,
		handlers: handlers(run, calls, launch),
		tap: run.tap,
		sharing,
		isAnew: run.cause === "anew",
	};
}

/** Decides with which windows a server shares its process; undefined where this window shares none. */
async function sharingOf({ owner: { services, session } }: SessionRun): Promise<ConnectRequest["sharing"]> {
	const { roots } = services;
	const windows = roots && (await services.sharing?.());
	if (roots === undefined || windows === undefined) return undefined;
	const { hash } = session.definition;
	return { windows, hash, roots: () => roots.of(session.definition), onDidChangeRoots: roots.onDidChange };
}

/** The extensions of authorization that this server could use: declared is only what would work. */
async function declaredFor(authorization: Authorization | undefined): Promise<ConnectRequest["extensions"]> {
	if (authorization === undefined) return {};
	const { config, identityProvider } = authorization;
	const { grant, enterpriseManaged } = config;
	if (grant?.kind === "client_credentials") return { [signInExtensions.clientCredentials]: {} };
	const isManaged =
		grant?.kind === "cross_app_access" ||
		((grant ?? { kind: "authorization_code" }).kind === "authorization_code" &&
			enterpriseManaged !== false &&
			// A setting that cannot be read is reported when a sign-in is needed.
			(await identityProvider?.().catch(() => undefined)) !== undefined);
	return isManaged ? { [signInExtensions.enterpriseManaged]: {} } : {};
}

function handlers(run: SessionRun, calls: SessionCalls, launch: Launch): ConnectionHandlers {
	const { owner } = run;
	const { session } = owner;
	const { listRoots, requests, log, secrets } = owner.services;
	const { config } = session.definition;
	const redact = (text: string): string => wordsWithoutSecrets(secrets.redact(text));
	const output = new RunOutput({
		launch,
		left: leftAsWritten(config).map(leftWords),
		onLine: (line) => {
			log.info(`[stderr] ${line}`);
			run.tap?.stderr(line);
			stderrLines(session).fire(redact(line));
		},
		redact,
		onWaiting: (note) => {
			if (!run.signal.aborted && run.connection === undefined) owner.onWaiting(note);
		},
		signal: run.signal,
	});
	run.output = output;
	session.departures?.splice(0);
	const troubles = new LineBudget((count) => log.warn(`${count} more problems of the server were not logged.`));
	/** Output of a run that has ended is dropped. */
	const whileCurrent =
		<A extends readonly unknown[]>(report: (...news: A) => void) =>
		(...news: A): void => {
			if (!run.signal.aborted) report(...news);
		};
	return {
		listRoots: () => listRoots(session),
		createMessage: (params, signal, id) =>
			ask(run, calls, { signal, id }, (user, context) => user.createMessage(session, params, context)),
		elicit: (params, signal, id) =>
			ask(run, calls, { signal, id }, (user, context) => user.elicit(session, params, context)),
		onTask: (task) => {
			const { taskId } = task.reference;
			void requests().then(({ onTask }) => onTask?.(session, task));
			// A shorter one, or one of words, would hide texts that say something.
			if (/^[\w.:~-]{16,}$/.test(taskId))
				void secrets.add([
					{ value: taskId, name: "task id", label: `task id of ${oneLine(session.definition.name, 80)}` },
				]);
		},
		wantsTask: async (tool) => (await requests()).wantsTask?.(session, tool) === true,
		onVisited: whileCurrent((id) => void requests().then(({ onVisited }) => onVisited(session, id))),
		onListChanged: whileCurrent((kind) => owner.onListChanged(kind)),
		onRenewed: whileCurrent((facts) => owner.onRenewed(facts)),
		onResourceUpdated: whileCurrent((uri) => owner.onResourceUpdated(uri)),
		onResourceSubscribed: whileCurrent((uri) => owner.onResourceSubscribed(uri)),
		onClosed: whileCurrent((reason) => owner.onGone(reason)),
		onLog: (level, logger, data) => {
			const line = redact(logServerMessage(log, level, logger, data));
			if (level !== "debug") session.requestLog.log(line);
			logMessages(session).fire({ level, line });
		},
		onStderr: (text) => output.write(text),
		onNoise: (line) => output.addNoise(line),
		onRetry: (why) => {
			log.warn(why);
			output.clear();
		},
		onTrouble: (message, departures = [{ rule: "trouble", what: message }]) => {
			if (session.departures !== undefined) noteDepartures(session.departures, departures, redact);
			if (troubles.take()) log.warn(message);
		},
	};
}

/** Lets the server ask the user something, unless it withdraws the request before the answering module is loaded. */
async function ask<T>(
	run: SessionRun,
	calls: SessionCalls,
	{ signal, id }: { readonly signal: AbortSignal; readonly id: RequestId | undefined },
	question: (user: UserRequests, context: ServerRequestContext) => Promise<T>,
): Promise<T> {
	run.signal.throwIfAborted();
	// Before the handshake a server may only ping (specification, "Lifecycle"; TRN-14).
	if (run.connection === undefined) throw new RequestRefusal(-32603, "denied", "The handshake is not finished.");
	const { protocolVersion } = run.connection.facts;
	const { during, isForUser, underWay } = calls;
	const exchange = run.tap?.exchangeOf(id);
	return calls.pausedWhile(async (orphaned) => {
		const asked = AbortSignal.any([signal, run.signal, orphaned]);
		const user = await run.owner.services.requests();
		asked.throwIfAborted();
		const context = { signal: asked, protocolVersion, during, isForUser, calls: underWay };
		return question(user, { ...context, ...(exchange === undefined ? {} : { exchange }) });
	});
}

/** Longest message of a server that its log takes, in characters. */
const maxLength = 4000;

/** Writes a `notifications/message` of a server into its log, at the nearest level. Returns the line. */
export function logServerMessage(log: Log, level: string, logger: string | undefined, data: unknown): string {
	const text = showHidden(cap(typeof data === "string" ? withoutTerminal(data) : jsonOf(data), maxLength));
	// Each further line is marked, so that none can pass for one of the log's own (TRN-28).
	const line = `${logger === undefined ? "" : `${oneLine(logger, 60)}: `}${text.replaceAll("\n", "\n  | ")}`;
	if (level === "debug") log.debug(line);
	else if (level === "info" || level === "notice") log.info(line);
	else if (level === "warning") log.warn(line);
	else log.error(line);
	return line;
}

/** Data of any size as JSON, not much longer than the log takes. */
function jsonOf(data: unknown): string {
	let left = maxLength;
	const json = JSON.stringify(data, (_key, value: unknown) => {
		if (left <= 0) return undefined;
		left -= typeof value === "string" ? value.length : 4;
		if (typeof value === "string") return cap(withoutTerminal(value), maxLength);
		// For an array every item is requested, and missing values are written as `null`.
		return Array.isArray(value) ? value.slice(0, maxLength) : value;
	}) as string | undefined;
	return json ?? "";
}
