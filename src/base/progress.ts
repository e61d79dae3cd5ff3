import { withoutTerminal } from "./terminal.ts";
import { oneLine } from "./text.ts";

/** Progress that a server reports. The message is untrusted. */
export interface Progress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

/** A server's progress in one line, such as `Searching (3 of 7)`. */
export function describeProgress({ progress, total, message = "" }: Progress): string {
	const share = total === undefined ? String(progress) : `${progress} of ${total}`;
	const words = oneLine(withoutTerminal(message), 120);
	if (words === "") return share;
	// Some servers write the numbers into their words.
	return words.includes(share) ? words : `${words} (${share})`;
}
