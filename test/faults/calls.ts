import { HostError, messageOf, type HostErrorCode } from "../../src/base/errors.ts";
import type { RequestLog, RequestOutcome } from "../../src/servers/sessions/requestLog.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { faultUri } from "./book.ts";
import type { CalledMethod } from "./fault.ts";
import { inTime, NotInTime } from "./waiting.ts";

/** The tool to call: `count` by default. */
export interface Call {
	readonly method?: CalledMethod;
	readonly tool?: string;
	readonly signal?: AbortSignal;
	/** Meaningless text among the arguments. */
	readonly padding?: string;
}

/** How a call of the host ended. */
export interface CallOutcome {
	/** Identifies the call; what `count` counts. */
	readonly nonce: string;
	readonly kind: "result" | "error" | "lost";
	/** The text of the result, or the message of the error. */
	readonly text: string;
	/** Absent when the error is not one of the host's own. */
	readonly code?: HostErrorCode;
}

/** Makes a call; never rejects. */
export async function makeCall(session: ServerSession, nonce: string, call: Call): Promise<CallOutcome> {
	try {
		return { nonce, kind: "result", text: await inTime(send(session, nonce, call), "the call came to an end") };
	} catch (error) {
		if (error instanceof NotInTime) return { nonce, kind: "lost", text: error.message };
		return { nonce, kind: "error", text: messageOf(error), ...(HostError.is(error) ? { code: error.code } : {}) };
	}
}

async function send(
	session: ServerSession,
	nonce: string,
	{ method = "tools/call", tool = "count", signal, padding = "" }: Call,
): Promise<string> {
	const options = signal === undefined ? {} : { signal };
	switch (method) {
		case "tools/call": {
			const { content } = await session.callTool(tool, { text: nonce, padding }, options);
			return content.map((block) => (block.type === "text" ? block.text : block.type)).join();
		}
		case "prompts/get":
			return JSON.stringify(await session.getPrompt("greet", {}, options));
		case "resources/read":
			return JSON.stringify(await session.readResource(faultUri, options));
		case "completion/complete":
			return JSON.stringify(
				await session.complete({ type: "ref/prompt", name: "greet" }, { name: "who", value: "A" }, {}, options),
			);
	}
}

/** Differences between the outcomes that the host reports for its calls and the server's count. */
export function complaintsOfCalls(outcomes: readonly CallOutcome[], counted: readonly string[]): readonly string[] {
	return outcomes.flatMap((outcome) => {
		const times = counted.filter((nonce) => nonce === outcome.nonce).length;
		return [...(times > 1 ? [`a call was carried out ${times} times`] : []), ...complaintsOf(outcome, times)];
	});
}

function complaintsOf({ nonce, kind, code, text }: CallOutcome, times: number): readonly string[] {
	if (kind === "lost") return [`a call never ended: ${text}`];
	if (kind === "result")
		return nonce.startsWith("count") && text === nonce && times === 0 ? ["a result was made up"] : [];
	if (code === undefined) return [`a call ended with an error that is none of the host's: ${text}`];
	const isDenied = code === "not-connected" || code === "unreachable";
	return isDenied && times > 0 ? [`a call was carried out, but the host denies it: ${code} ${text}`] : [];
}

/**
 * The outcomes as they are entered in the log. A call that could not even be sent is not entered, so errors are not
 * compared.
 */
const accounts: Partial<Record<RequestOutcome, (outcome: CallOutcome) => boolean>> = {
	result: ({ kind }) => kind === "result",
	cancelled: ({ code }) => code === "cancelled",
	"timed-out": ({ code }) => code === "timeout",
	unknown: ({ code }) => code === "outcome-unknown",
};

/** Differences between the host's record of the calls of `count` and their outcomes: each has exactly one end. */
export function complaintsOfLog(log: RequestLog, outcomes: readonly CallOutcome[]): readonly string[] {
	const entries = log.ended.filter(({ label }) => label === "tools/call count");
	const differences = Object.entries(accounts).flatMap(([outcome, isIt]) => {
		const told = entries.filter(({ ended }) => ended?.outcome === outcome).length;
		const seen = outcomes.filter(isIt).length;
		return told === seen ? [] : [`the log has ${told} calls as ${outcome}, but there were ${seen}`];
	});
	const open = log.running.filter(({ isBackground }) => !isBackground);
	return [...open.map(({ label }) => `the log holds ${label} as running`), ...differences];
}
