import { METHOD_NOT_FOUND, INVALID_PARAMS, ProtocolError } from "@modelcontextprotocol/client";

/** How long the list of tools that was just read again counts as current, in milliseconds. */
const freshMs = 10_000;

/**
 * Has the tools listed again when a call's failure says that they are others than listed, at most every few seconds: for
 * servers that do not announce their changes.
 */
export class UnknownTools {
	private readonly listAgain: () => void;
	private listedAt = Number.NEGATIVE_INFINITY;

	constructor(listAgain: () => void) {
		this.listAgain = listAgain;
	}

	/** Takes note of how a call of a tool failed. */
	note(failure: unknown): void {
		const cause = failure instanceof Error ? failure.cause : undefined;
		const isUnknown =
			cause instanceof ProtocolError && (cause.code === METHOD_NOT_FOUND || cause.code === INVALID_PARAMS);
		const now = performance.now();
		if (!isUnknown || now - this.listedAt < freshMs) return;
		this.listedAt = now;
		this.listAgain();
	}
}
