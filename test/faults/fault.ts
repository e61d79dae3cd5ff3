import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostErrorCode } from "../../src/base/errors.ts";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { Stage } from "./stage.ts";

/** When a fault strikes: while the connection is made, while it is idle, or during calls. */
export type Phase = "handshake" | "idle" | "call";
/** The transport of the messages: standard input and output, Streamable HTTP, or the HTTP+SSE of revision 2024-11-05. */
export type Carrier = "stdio" | "http" | "sse";

export const everyPhase: readonly Phase[] = ["handshake", "idle", "call"];
export const everyCarrier: readonly Carrier[] = ["stdio", "http", "sse"];

/** The requests of a host that a fault may strike. */
export type CalledMethod = "tools/call" | "prompts/get" | "resources/read" | "completion/complete";

/** The server's side of one moment. In the idle phase there is no request: the server acts on its own. */
export interface Turn {
	readonly phase: Phase;
	readonly carrier: Carrier;
	/** The request to answer, absent in the idle phase. */
	readonly request: { readonly id: Json; readonly method: string; readonly params: JsonObject } | undefined;
	/** The HTTP exchange that carries the request; absent over stdio and in the idle phase. */
	readonly http: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
	/** The HTTP answer that carries the server's current message: of the request, or of the open stream. */
	readonly stream: ServerResponse | undefined;
	/** How many handshakes the server has seen, this one included. */
	readonly handshakes: number;
	/** How many times this server has reached such a moment, from 1. */
	readonly nth: number;
	/** Carries the request out, once however often it is called, and returns the correct answer as text. */
	work(): string;
	/** Sends a text as one message, unchecked. */
	send(message: string): void;
	/** Sends the correct answer, and ends what was sent for the request. */
	answer(): void;
	/** Sends a JSON-RPC message. */
	tell(message: JsonObject): void;
	/** Sends raw bytes over the transport: neither a line nor an event. */
	raw(bytes: string | Uint8Array): void;
}

/** The host's expected view of a fault. `words` are the ones that a user must be able to read. */
export type Expectation =
	/** The server keeps running and every call succeeds. */
	| { readonly kind: "works" }
	/** The affected calls fail, the server keeps running. */
	| { readonly kind: "refuses"; readonly words: RegExp; readonly codes?: readonly HostErrorCode[] }
	/** The server ends up not running; pending calls fail. */
	| { readonly kind: "ends"; readonly words: RegExp; readonly codes?: readonly HostErrorCode[] }
	/** Either of these, where the specification leaves it open. */
	| { readonly kind: "settles" };

export const works: Expectation = { kind: "works" };
export const settles: Expectation = { kind: "settles" };

/** @returns an expectation that the affected calls fail, with one of these codes if any are given */
export function refuses(words: RegExp, ...codes: readonly HostErrorCode[]): Expectation {
	return { kind: "refuses", words, ...(codes.length === 0 ? {} : { codes }) };
}

/** @returns an expectation that the server is down afterwards */
export function ends(words: RegExp, ...codes: readonly HostErrorCode[]): Expectation {
	return { kind: "ends", words, ...(codes.length === 0 ? {} : { codes }) };
}

/** The members of every fault. */
interface FaultBase {
	/** The id in docs/requirements.md, such as `TRN-01`. */
	readonly row: string;
	/** The fault, unique within its row. */
	readonly title: string;
	readonly phases: readonly Phase[];
	readonly carriers: readonly Carrier[];
	/** Short times of the host while the fault is on, in milliseconds. */
	readonly times?: { readonly handshakeMs?: number; readonly requestMs?: number; readonly maxRequestMs?: number };
}

/** The behaviour of a fault server. Over HTTP it runs in the host's own process. */
export interface ServerSide {
	/** Its action at the moment of the fault, in place of the correct answer. */
	readonly act: (turn: Turn) => void;
	/** The server's reaction to other requests once the fault has struck; true when it handled one. */
	readonly later?: (turn: Turn) => boolean;
	/** The server's reaction to a GET for an event stream; true when it handled it. */
	readonly onGet?: (turn: Turn) => boolean;
	/** The affected request in place of `initialize` in the handshake, or of `tools/call` in a call. */
	readonly strikes?: string;
	/** The host's request in place of the tool call. */
	readonly calls?: CalledMethod;
	/** The revision that the server speaks; the latest with `initialize` by default. */
	readonly revision?: string;
	/** `protocol` of the configuration; `legacy` by default, which avoids the era probe. */
	readonly protocol?: "auto" | "legacy" | "modern";
	/** The configured address in place of the server's, made from it. */
	readonly url?: (url: string) => string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** A server that misbehaves at one moment. */
export interface Misbehaviour extends FaultBase, ServerSide {
	readonly host: Expectation | Partial<Record<Phase, Expectation>>;
	/** Checks more than the states and calls; throws when something is wrong. Runs before the recovery. */
	readonly check?: (stage: Stage, phase: Phase) => Promise<void> | void;
}

/**
 * A fault that is more than one server's moment: a procedure of its own, which throws when the host does not survive.
 * Its server is silent at its moment unless `act` is given.
 */
export interface Procedure extends FaultBase, Partial<ServerSide> {
	readonly run: (stage: Stage, phase: Phase, carrier: Carrier) => Promise<void>;
}

export type Fault = Misbehaviour | Procedure;

/** One fault at one moment over one transport. */
export interface FaultCase {
	/** Such as `TRN-01 banner lines (stdio, idle)`. */
	readonly id: string;
	readonly fault: Fault;
	readonly phase: Phase;
	readonly carrier: Carrier;
}

/** All cases of some faults. */
export function casesOf(faults: readonly Fault[]): readonly FaultCase[] {
	return faults.flatMap((fault) =>
		fault.carriers.flatMap((carrier) =>
			fault.phases.map((phase) => ({
				id: `${fault.row} ${fault.title} (${carrier}, ${phase})`,
				fault,
				phase,
				carrier,
			})),
		),
	);
}

/** The behaviour of the server of a fault. */
export function serverSideOf(fault: Fault): ServerSide {
	return { ...fault, act: fault.act ?? ((turn) => void turn.work()) };
}

/** The expected view of a case's host. */
export function expectationOf({ host }: Misbehaviour, phase: Phase): Expectation {
	if ("kind" in host) return host;
	const expectation = host[phase];
	if (expectation === undefined) throw new Error(`Nothing says what the host must show in the phase ${phase}.`);
	return expectation;
}
