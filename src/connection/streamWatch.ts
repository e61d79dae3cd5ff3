/** The SDK waits no longer than this between its own attempts to open a stream again, in milliseconds. */
const abandonedMs = 90_000;

/**
 * Opens the event stream of the server's own messages again when the SDK has given up on it: without it a session seems
 * to live, but hears nothing (spec.md H10).
 */
export class StreamWatch {
	private readonly openAgain: () => void;
	private timer: NodeJS.Timeout | undefined;

	/** Keeps no process alive. */
	constructor(openAgain: () => void) {
		this.openAgain = openAgain;
	}

	/** Notes that the stream opened, or that it ended or could not be opened. */
	note(isOpen: boolean): void {
		clearTimeout(this.timer);
		if (!isOpen) this.timer = setTimeout(() => this.openAgain(), abandonedMs).unref();
	}

	dispose(): void {
		clearTimeout(this.timer);
	}
}
