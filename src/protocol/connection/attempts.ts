import {
	ProtocolError,
	SdkError,
	SdkErrorCode,
	SdkHttpError,
	SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { httpStatusOf } from "./connectFailure.ts";
import type { ConnectRequest, EraVerdict } from "../connection.ts";
import { causesOf, networkFaultOf } from "../http/networkFault.ts";

/** One way to connect. */
export interface Attempt {
	/** The era to speak, or to ask the server first. */
	readonly era: "probe" | EraVerdict;
	readonly transport: "stdio" | "http" | "sse";
	/** How long the question for the era may stay unanswered, in milliseconds. */
	readonly probeTimeoutMs: number;
	/** The revision that `initialize` asks for, where the server named those that it speaks; the newest otherwise. */
	readonly revision?: string;
	/** Whether the era is known from an earlier start. */
	readonly isRemembered: boolean;
	/** Whether it is tried on a suspicion, so that its failure says less than the one before. */
	readonly isGuess: boolean;
	/** Why it is tried after another one failed, for the log. */
	readonly why: string;
}

/** Patience with a stdio server that may be too old to answer (TRN-16). */
const defaultProbeTimeoutMs = 3000;
/** The revision that is asked for first. */
const modernRevision = "2026-07-28";
const legacy: EraVerdict = { kind: "legacy" };
const modern: EraVerdict = { kind: "modern", version: modernRevision };

/** How an attempt failed. */
export interface Failed {
	readonly attempt: Attempt;
	readonly error: unknown;
	readonly elapsedMs: number;
}

/**
 * The next attempt after one that failed, or the first one; undefined when none is sensible.
 *
 * First comes the configured era, otherwise the one found at an earlier start, otherwise a probe. A remembered era that
 * fails is probed again. A stdio server that exits because of the probe is started again without it. One that was too
 * slow for the probe and turns out to be modern is started again with a longer timeout. An HTTP endpoint that refuses
 * with 400, 404 or 405 is tried as HTTP+SSE (specification, "Backwards Compatibility").
 */
export function nextAttempt(request: ConnectRequest, failed?: Failed): Attempt | undefined {
	if (failed === undefined) return firstAttempt(request);
	const { attempt: former, error } = failed;
	// A problem that the host itself found, such as the command, the proxy or a refused sign-in, would fail another
	// attempt too.
	if (former.isGuess || causesOf(error).some((cause) => HostError.is(cause))) return undefined;
	// The revisions follow one another from the newest to the oldest, so that none is asked for twice.
	const revision = request.protocol === "modern" ? undefined : namedRevision(error, former.revision);
	if (revision !== undefined) {
		const why = `Trying again with revision ${revision}, which the server supports.`;
		return { ...attempt(request, legacy, former.transport), revision, why };
	}
	return former.transport === "stdio" ? nextProcess(failed, request) : nextDial(failed, request);
}

function firstAttempt(request: ConnectRequest): Attempt {
	const { launch, protocol, verdict } = request;
	const transport = launch.kind;
	if (transport === "sse" || protocol === "legacy") return attempt(request, legacy, transport);
	if (protocol === "modern") return attempt(request, verdict?.kind === "modern" ? verdict : modern, transport);
	return verdict === undefined
		? attempt(request, "probe", transport)
		: { ...attempt(request, verdict, transport), isRemembered: true };
}

function nextProcess({ attempt: failed, error, elapsedMs }: Failed, request: ConnectRequest): Attempt | undefined {
	if (request.protocol !== "auto") return undefined;
	const isLost = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
	const wasAsked = failed.era === "probe" || failed.era.kind === "modern";
	if (isLost) {
		return wasAsked
			? {
					...attempt(request, legacy, "stdio"),
					why: "Starting the server again without asking for its revision.",
				}
			: undefined;
	}
	if (failed.isRemembered) {
		return { ...attempt(request, "probe", "stdio"), why: "Asking the server for its revision again." };
	}
	if (failed.era === "probe" && error instanceof ProtocolError && elapsedMs >= failed.probeTimeoutMs) {
		return {
			...attempt(request, modern, "stdio"),
			probeTimeoutMs: request.handshakeTimeoutMs,
			isGuess: true,
			why: "Starting the server again with more time to report its revision.",
		};
	}
	return undefined;
}

function nextDial({ attempt: failed, error }: Failed, request: ConnectRequest): Attempt | undefined {
	if (request.protocol === "modern" || failed.transport === "sse") return undefined;
	const status = httpStatusOf(error);
	const isRefused = status === 400 || status === 404 || status === 405;
	const isLegacyOrAsked = failed.era === "probe" || failed.era.kind === "legacy";
	// A 400 to a remembered legacy server may also come from one that is modern by now.
	if (isRefused && isLegacyOrAsked && !(failed.isRemembered && status === 400)) {
		return { ...attempt(request, legacy, "sse"), isGuess: true, why: "Trying HTTP+SSE instead." };
	}
	const isOurFault = status !== undefined && status !== 400;
	if (!failed.isRemembered || isOurFault || networkFaultOf(error) !== undefined) return undefined;
	return { ...attempt(request, "probe", "http"), why: "Asking the server for its revision again." };
}

function attempt(request: ConnectRequest, era: Attempt["era"], transport: Attempt["transport"]): Attempt {
	const { handshakeTimeoutMs, probeTimeoutMs = defaultProbeTimeoutMs } = request;
	// Over HTTP, silence does not indicate an old server. A modern one may be slow to start, such as a package that is
	// downloaded first, but half of the time is left for the case that it is no longer modern.
	const timeouts = { probe: probeTimeoutMs, modern: handshakeTimeoutMs / 2 };
	const isProbe = era === "probe";
	return {
		era,
		transport,
		probeTimeoutMs: transport !== "stdio" ? handshakeTimeoutMs : isProbe ? timeouts.probe : timeouts.modern,
		isRemembered: false,
		isGuess: false,
		why: "",
	};
}

const revisionName = /\b20\d\d-\d\d-\d\d\b/g;
/** Without such a word a date is a date. */
const isAboutRevisions = /version|revision|protocol|support/i;
/** Statuses that say nothing about revisions, regardless of their words. */
const others: ReadonlySet<number> = new Set([401, 403, 407, 429]);

/**
 * The newest revision with a handshake that a server names as it refuses `initialize`, and that this host supports;
 * undefined if it names none. Only revisions older than `asked`, or than the newest, which was requested.
 */
export function namedRevision(error: unknown, asked: string | undefined): string | undefined {
	const words = causesOf(error)
		.map(wordsOf)
		.find((text) => text !== undefined);
	if (words === undefined || !isAboutRevisions.test(words)) return undefined;
	const known = SUPPORTED_PROTOCOL_VERSIONS.toSorted().toReversed();
	const [newest = ""] = known;
	const named = new Set(words.match(revisionName));
	return known.find((revision) => revision < (asked ?? newest) && named.has(revision));
}

/**
 * The words of a server's refusal; undefined for other errors, such as a fault of the network or of the server itself.
 */
function wordsOf(error: unknown): string | undefined {
	if (error instanceof ProtocolError) return `${error.message} ${JSON.stringify(error.data ?? {})}`;
	if (!(error instanceof SdkHttpError) || error.status >= 500 || others.has(error.status)) return undefined;
	return typeof error.data["text"] === "string" ? error.data["text"] : undefined;
}
