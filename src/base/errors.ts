/** Why an operation of the host failed, for code that distinguishes the cases. */
export type HostErrorCode =
	| "not-approved" // the user has not approved the server's definition, or the workspace is not trusted
	| "not-connected" // the server is not running, or went away
	| "needs-sign-in" // the server wants a user to sign in, and nobody may be asked now
	| "outcome-unknown" // the connection ended while a request ran that may have taken effect
	| "start-failed" // the process or connection could not be made, and would not at the next attempt
	| "unreachable" // nothing answers, or it has no time now: another attempt may succeed
	| "timeout"
	| "cancelled"
	| "denied" // a user or a rule refused
	| "invalid" // configuration, arguments or an answer that breaks its contract
	| "limit" // a cap of the host was reached
	| "model" // the language model failed
	| "protocol"; // the server answered with an error

/** An error whose message is fit to show: what happened, to which server, and what to do. */
export class HostError extends Error {
	override readonly name = "HostError";
	readonly code: HostErrorCode;
	/** The name of the recorded exchange in the trace, if the failure happened on the way to a server. */
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

/** A HostError `cancelled`: the caller (a user or a limit of the host) stopped the call, not a server. */
export class StoppedHere extends HostError {
	constructor(message: string) {
		super("cancelled", message);
	}
}

/** The name of the exchange in the trace in which the thrown error occurred; undefined where none is known. */
export function exchangeIn(error: unknown): string | undefined {
	return HostError.is(error) ? error.exchange : undefined;
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The code of an error of Node, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
