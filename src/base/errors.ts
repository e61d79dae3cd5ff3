/** Why an operation of the host failed, for code that has to tell cases apart. */
export type HostErrorCode =
	| "not-approved" // the user has not approved the server's definition, or the workspace is not trusted
	| "not-connected" // the server is not running, or went away
	| "needs-sign-in" // the server wants a user to sign in, and nobody may be asked now
	| "outcome-unknown" // the connection ended while a request ran that may have taken effect
	| "start-failed" // the process or connection could not be made, and would not at the next attempt
	| "unreachable" // nothing answers, or it has no time now: another attempt may succeed
	| "timeout"
	| "cancelled"
	| "denied" // a user or a rule said no
	| "invalid" // configuration, arguments or an answer that breaks its contract
	| "limit" // a cap of the host was reached
	| "model" // the language model failed
	| "protocol"; // the server answered with an error

/** An error whose message is fit to show: what happened, to which server, and what to do. */
export class HostError extends Error {
	override readonly name = "HostError";
	readonly code: HostErrorCode;
	/** What names it in the trace, where it failed on the way to a server and that was recorded. */
	exchange?: string;

	constructor(code: HostErrorCode, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.code = code;
	}

	/** Whether `error` is a HostError, of the given code if one is given. */
	static is(error: unknown, code?: HostErrorCode): error is HostError {
		return error instanceof HostError && (code === undefined || error.code === code);
	}
}

/** A HostError `cancelled`: whoever made the call stopped it, a user or a limit of the host's, and no server did. */
export class StoppedHere extends HostError {
	constructor(message: string) {
		super("cancelled", message);
	}
}

/** What names the exchange in the trace in which something thrown failed; undefined where none is known. */
export function exchangeIn(error: unknown): string | undefined {
	return HostError.is(error) ? error.exchange : undefined;
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
