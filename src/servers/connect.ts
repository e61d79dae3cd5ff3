import {
	Client,
	ProtocolError,
	SdkError,
	SdkErrorCode,
	SdkHttpError,
	SSEClientTransport,
	StreamableHTTPClientTransport,
	type ClientContext,
	type Transport,
} from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import type { Connection, ConnectRequest, EraVerdict } from "./connection.ts";
import { ClientConnection, type ConnectionEnd } from "./clientConnection.ts";
import { StdioTransport } from "./stdioTransport.ts";

/** How long a stdio server may leave the era question unanswered before it counts as legacy (security.md TRN-16). */
const probeTimeoutMs = 3000;
/** The revision that is asked for first. */
const modernRevision = "2026-07-28";

/**
 * Connects to a server: spawn or dial, negotiate the era, shake hands. The only module that creates SDK clients; it is
 * a bundle of its own, loaded when the first server starts.
 *
 * A cached verdict that fails is dropped and the era asked anew; a stdio server that dies of the question is started
 * once more as legacy; an HTTP endpoint that refuses with 400, 404 or 405 is tried as HTTP+SSE (spec.md H14, L6-L8).
 * @throws HostError `start-failed`, `timeout` or `protocol`, fit to show; the signal's reason when aborted.
 */
export async function connect(request: ConnectRequest): Promise<Connection> {
	const handshake = AbortSignal.timeout(request.handshakeTimeoutMs);
	const signal = AbortSignal.any([request.signal, handshake]);
	const attempts = planAttempts(request);
	let failure: unknown;
	for (const attempt of attempts) {
		try {
			return await tryConnect(request, attempt, signal);
		} catch (error) {
			request.signal.throwIfAborted();
			if (handshake.aborted) {
				const seconds = Math.round(request.handshakeTimeoutMs / 1000);
				throw new HostError("timeout", `The server did not answer the handshake within ${seconds} s.`, { cause: error });
			}
			failure = describe(error, attempt);
			if (!mayTryNext(error, attempt)) break;
		}
	}
	throw failure;
}

interface Attempt {
	readonly era: "probe" | EraVerdict;
	readonly transport: "stdio" | "http" | "sse";
	/** Which failures lead on to the next attempt. */
	readonly nextOn: "any" | "lost-process" | "sse-fallback" | "none";
}

function planAttempts({ launch, protocol, verdict }: ConnectRequest): readonly Attempt[] {
	const legacy: EraVerdict = { kind: "legacy" };
	const modern: EraVerdict = { kind: "modern", version: modernRevision };
	if (launch.kind === "sse") return [{ era: legacy, transport: "sse", nextOn: "none" }];
	const transport = launch.kind;
	const nextOn = transport === "stdio" ? "lost-process" : "sse-fallback";
	const fallback: Attempt = { era: legacy, transport: transport === "stdio" ? "stdio" : "sse", nextOn: "none" };
	switch (protocol) {
		case "modern":
			return [{ era: verdict?.kind === "modern" ? verdict : modern, transport, nextOn: "none" }];
		case "legacy":
			return transport === "stdio"
				? [{ era: legacy, transport, nextOn: "none" }]
				: [{ era: legacy, transport, nextOn }, fallback];
		case "auto": {
			const probe: Attempt = { era: "probe", transport, nextOn };
			return verdict === undefined ? [probe, fallback] : [{ era: verdict, transport, nextOn: "any" }, probe, fallback];
		}
	}
}

function mayTryNext(error: unknown, { nextOn }: Attempt): boolean {
	switch (nextOn) {
		case "any":
			// A command that is not there, or a refused sign-in, is not the verdict's fault.
			return !HostError.is(error, "start-failed") && !(error instanceof SdkHttpError && [401, 403].includes(error.status));
		case "lost-process":
			return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
		case "sse-fallback":
			return error instanceof SdkHttpError && [400, 404, 405].includes(error.status);
		case "none":
			return false;
	}
}

async function tryConnect(request: ConnectRequest, attempt: Attempt, signal: AbortSignal): Promise<Connection> {
	const { handlers } = request;
	const end: ConnectionEnd = { isExpected: false, exit: undefined };
	const transport = makeTransport(request, attempt, end);
	const client = new Client(request.client, {
		capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: { applyDefaults: true }, url: {} } },
		enforceStrictCapabilities: true,
		versionNegotiation: { mode: negotiationMode(attempt.era), probe: { timeoutMs: probeTimeoutMs } },
		inputRequired: { maxRounds: 25 },
	});
	client.onerror = (error) => handlers.onTrouble(oneLine(messageOf(error), 500));
	client.setRequestHandler("roots/list", () => ({ roots: [...handlers.listRoots()] }));
	client.setRequestHandler("sampling/createMessage", (message, context: ClientContext) =>
		refusable(() => handlers.createMessage(message.params, context.mcpReq.signal)),
	);
	client.setRequestHandler("elicitation/create", (message, context: ClientContext) =>
		refusable(() => handlers.elicit(message.params, context.mcpReq.signal)),
	);
	client.setNotificationHandler("notifications/tools/list_changed", () => handlers.onListChanged("tools"));
	client.setNotificationHandler("notifications/prompts/list_changed", () => handlers.onListChanged("prompts"));
	client.setNotificationHandler("notifications/resources/list_changed", () => handlers.onListChanged("resources"));
	client.setNotificationHandler("notifications/resources/updated", ({ params }) => handlers.onResourceUpdated(params.uri));
	client.setNotificationHandler("notifications/message", ({ params }) =>
		handlers.onLog(params.level, params.logger, params.data),
	);

	const onAbort = (): void => void transport.close().catch(() => undefined);
	signal.addEventListener("abort", onAbort, { once: true });
	try {
		signal.throwIfAborted();
		const prior = attempt.era !== "probe" && attempt.era.kind === "modern" ? attempt.era.discover : undefined;
		await client.connect(transport, {
			timeout: request.handshakeTimeoutMs,
			...(prior === undefined ? {} : { prior: { kind: "modern", discover: prior } }),
		});
		signal.throwIfAborted();
	} catch (error) {
		end.isExpected = true;
		await transport.close().catch(() => undefined);
		throw exitError(error, end);
	} finally {
		signal.removeEventListener("abort", onAbort);
	}
	const connection = new ClientConnection(client, transport, attempt.transport, handlers, end);
	await connection.listenForLists();
	return connection;
}

function negotiationMode(era: Attempt["era"]): "auto" | "legacy" | { pin: string } {
	if (era === "probe") return "auto";
	return era.kind === "legacy" ? "legacy" : { pin: era.version };
}

function makeTransport({ launch, handlers }: ConnectRequest, attempt: Attempt, end: ConnectionEnd): Transport {
	if (launch.kind === "stdio") {
		let isNoisy = false;
		return new StdioTransport(launch, {
			onStderr: (text) => handlers.onStderr(text),
			onNoise(line) {
				if (!isNoisy) handlers.onTrouble(`Standard output holds text that is no message; it is skipped: ${oneLine(line)}`);
				isNoisy = true;
			},
			onExit(code, signal) {
				end.exit = signal === null ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`;
			},
		});
	}
	const url = new URL(launch.url);
	const requestInit = { headers: { ...launch.headers } };
	if (attempt.transport === "sse") return new SSEClientTransport(url, { requestInit });
	return new StreamableHTTPClientTransport(url, {
		requestInit,
		// The default gives up after two tries and leaves a session that hears nothing more (spec.md H10).
		reconnectionOptions: {
			maxRetries: 20,
			initialReconnectionDelay: 1000,
			maxReconnectionDelay: 30_000,
			reconnectionDelayGrowFactor: 1.5,
		},
	});
}

/** Turns a refusal of the host into the JSON-RPC error that the specification names for it. */
async function refusable<T>(run: () => Promise<T>): Promise<T> {
	try {
		return await run();
	} catch (error) {
		if (error instanceof ProtocolError) throw error;
		const code: unknown = error instanceof Error && "rpcCode" in error ? error.rpcCode : undefined;
		// -32603 is JSON-RPC's "Internal error"; the message of a HostError is written to be shown.
		throw new ProtocolError(typeof code === "number" ? code : -32603, messageOf(error));
	}
}

function exitError(error: unknown, end: ConnectionEnd): unknown {
	if (end.exit === undefined) return error;
	return new SdkError(SdkErrorCode.ConnectionClosed, `The server ${end.exit} during the handshake.`, undefined, { cause: error });
}

/** What to tell the person about a failed attempt. */
function describe(error: unknown, { transport }: Attempt): HostError {
	if (HostError.is(error)) return error;
	if (error instanceof SdkHttpError) {
		const why =
			error.status === 401
				? "The server asks for sign-in (401). Check the headers in its configuration."
				: error.status === 403
					? "The server refused access (403). Check the headers in its configuration."
					: `The server answered ${error.status} ${oneLine(error.statusText ?? "")}.`;
		return new HostError("start-failed", why, { cause: error });
	}
	if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed && transport === "stdio") {
		return new HostError("start-failed", error.message, { cause: error });
	}
	const code = networkCode(error);
	if (code !== undefined) return new HostError("start-failed", code, { cause: error });
	return new HostError("protocol", `The handshake failed: ${oneLine(messageOf(error), 500)}`, { cause: error });
}

/** The words for a network fault, found in the chain of causes that `fetch` makes. */
function networkCode(error: unknown): string | undefined {
	for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
		const code: unknown = "code" in cause ? cause.code : undefined;
		switch (code) {
			case "ECONNREFUSED":
				return "Nothing answers at this address (connection refused). Is the server running, and is the port right?";
			case "ENOTFOUND":
			case "EAI_AGAIN":
				return "The host name of this address was not found.";
			case "ECONNRESET":
			case "UND_ERR_SOCKET":
				return "The connection was cut during the handshake.";
			case "CERT_HAS_EXPIRED":
			case "DEPTH_ZERO_SELF_SIGNED_CERT":
			case "SELF_SIGNED_CERT_IN_CHAIN":
			case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
				return `The server's certificate is not trusted (${code}).`;
			default:
		}
	}
	return undefined;
}
