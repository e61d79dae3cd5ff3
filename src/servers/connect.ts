import {
	Client,
	ProtocolError,
	SdkError,
	SdkErrorCode,
	type ClientContext,
	type Transport,
} from "@modelcontextprotocol/client";
import { orAborted } from "../base/abort.ts";
import { HostError, messageOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { firstAttempt, nextAttempt, type Attempt } from "./attempts.ts";
import { ClientConnection, type ConnectionEnd } from "./clientConnection.ts";
import { describeFailure } from "./connectFailure.ts";
import type { Connection, ConnectionHandlers, ConnectRequest } from "./connection.ts";
import { makeHttpTransport } from "./httpTransport.ts";
import { longestTimerMs } from "./requestTimer.ts";
import { StdioTransport } from "./stdioTransport.ts";

/**
 * Connects to a server: spawn or dial, negotiate the era, shake hands. The only module that creates SDK clients; it is
 * a bundle of its own, loaded when the first server starts. See `attempts.ts` for what is tried in which order.
 * @throws HostError `start-failed`, `timeout` or `protocol`, fit to show; the signal's reason when aborted.
 */
export async function connect(request: ConnectRequest): Promise<Connection> {
	const timeoutMs = Math.min(request.handshakeTimeoutMs, longestTimerMs);
	const handshake = AbortSignal.timeout(timeoutMs);
	const signal = AbortSignal.any([request.signal, handshake]);
	let failure: HostError | undefined;
	let attempt: Attempt | undefined = firstAttempt(request);
	while (attempt !== undefined) {
		const startedAt = performance.now();
		try {
			return await tryConnect(request, attempt, signal);
		} catch (error) {
			request.signal.throwIfAborted();
			if (handshake.aborted) {
				const seconds = Math.round(timeoutMs / 1000);
				throw new HostError(
					"timeout",
					`The server did not answer the handshake within ${seconds} s. Its log may say why.`,
					{ cause: error },
				);
			}
			// What a mere guess met says less than what led to it.
			if (failure === undefined || !attempt.isGuess) failure = describeFailure(error, attempt.transport);
			const next = nextAttempt(attempt, error, performance.now() - startedAt, request);
			if (next !== undefined) request.handlers.onRetry?.(`${failure.message} ${next.why}`);
			attempt = next;
		}
	}
	throw failure ?? new HostError("protocol", "No way to connect was tried.");
}

async function tryConnect(request: ConnectRequest, attempt: Attempt, signal: AbortSignal): Promise<Connection> {
	const { handlers } = request;
	signal.throwIfAborted();
	const end: ConnectionEnd = { isExpected: false, exit: undefined };
	const newTransport = (): Transport => makeTransport(request, attempt, end);
	const transport = newTransport();
	const client = makeClient(request, attempt);
	const prior = attempt.era !== "probe" && attempt.era.kind === "modern" ? attempt.era.discover : undefined;
	const options = {
		timeout: Math.min(request.handshakeTimeoutMs, longestTimerMs),
		...(prior === undefined ? {} : { prior: { kind: "modern" as const, discover: prior } }),
	};
	let connection: ClientConnection | undefined;
	try {
		// Not every transport of the SDK gives up when it is closed, so the signal is watched here.
		await orAborted(client.connect(transport, options), signal);
		connection = new ClientConnection(client, transport, newTransport, attempt.transport, handlers, end);
		await orAborted(connection.listenForLists(), signal);
		if (end.exit !== undefined) throw new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");
		return connection;
	} catch (error) {
		end.isExpected = true;
		await (connection ?? client).close().catch(() => undefined);
		await transport.close().catch(() => undefined);
		if (end.exit === undefined) throw error;
		throw new SdkError(SdkErrorCode.ConnectionClosed, `The server ${end.exit} during the handshake.`, undefined, {
			cause: error,
		});
	}
}

function makeClient(request: ConnectRequest, attempt: Attempt): Client {
	const { handlers } = request;
	const client = new Client(request.client, {
		capabilities: {
			roots: { listChanged: true },
			sampling: {},
			elicitation: { form: { applyDefaults: true }, url: {} },
		},
		enforceStrictCapabilities: true,
		versionNegotiation: { mode: negotiationMode(attempt.era), probe: { timeoutMs: attempt.probeTimeoutMs } },
		inputRequired: { maxRounds: 25 },
	});
	client.onerror = (error) => handlers.onTrouble(oneLine(messageOf(error), 500));
	client.setRequestHandler("roots/list", () => ({ roots: [...handlers.listRoots()] }));
	client.setRequestHandler("sampling/createMessage", (message, context: ClientContext) =>
		refusable(handlers, () => handlers.createMessage(message.params, context.mcpReq.signal)),
	);
	client.setRequestHandler("elicitation/create", (message, context: ClientContext) =>
		refusable(handlers, () => handlers.elicit(message.params, context.mcpReq.signal)),
	);
	client.setNotificationHandler("notifications/tools/list_changed", () => handlers.onListChanged("tools"));
	client.setNotificationHandler("notifications/prompts/list_changed", () => handlers.onListChanged("prompts"));
	client.setNotificationHandler("notifications/resources/list_changed", () => handlers.onListChanged("resources"));
	client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
		handlers.onResourceUpdated(params.uri),
	);
	client.setNotificationHandler("notifications/message", ({ params }) =>
		handlers.onLog(params.level, params.logger, params.data),
	);
	return client;
}

function negotiationMode(era: Attempt["era"]): "auto" | "legacy" | { pin: string } {
	if (era === "probe") return "auto";
	return era.kind === "legacy" ? "legacy" : { pin: era.version };
}

function makeTransport(request: ConnectRequest, attempt: Attempt, end: ConnectionEnd): Transport {
	const { launch, handlers, limits } = request;
	if (launch.kind !== "stdio") return makeHttpTransport(launch, attempt.transport === "sse" ? "sse" : "http", request);
	let isNoisy = false;
	const listener = {
		onStderr: (text: string) => handlers.onStderr(text),
		onNoise(line: string) {
			if (!isNoisy)
				handlers.onTrouble(`Standard output holds text that is no message; it is skipped: ${oneLine(line)}`);
			isNoisy = true;
		},
		onEnd(reason: string) {
			end.exit = reason;
		},
	};
	return new StdioTransport(launch, listener, limits);
}

/**
 * Turns a refusal of the host into the JSON-RPC error that the specification names for it. Any other error stays here:
 * its message may hold what is none of the server's business.
 */
async function refusable<T>(handlers: ConnectionHandlers, run: () => Promise<T>): Promise<T> {
	try {
		return await run();
	} catch (error) {
		if (error instanceof ProtocolError) throw error;
		const code: unknown = error instanceof Error && "rpcCode" in error ? error.rpcCode : undefined;
		if (typeof code === "number") throw new ProtocolError(code, messageOf(error));
		handlers.onTrouble(`A request of the server was not answered: ${oneLine(messageOf(error), 500)}`);
		// JSON-RPC's "Internal error".
		throw new ProtocolError(-32603, "The host could not answer this request.");
	}
}
