import type { ConnectionHandlers } from "../connection.ts";

/** Beyond the life of the first process, how long the second one must live to count as another one, in milliseconds. */
const longerMs = 1000;
/** One that says more than this, in characters, counts as another one too; that much is held at most (TRN-27). */
const maxHeld = 64 * 1024;

/**
 * Holds back what a process says that was started on the suspicion that another era suits it better. If it ends as the
 * first one did, nothing of it is told: the person sees what the first one said.
 */
export class HeldStderr {
	private readonly handlers: Pick<ConnectionHandlers, "onStderr">;
	private readonly announce: () => void;
	private readonly timer: NodeJS.Timeout;
	private held: string[] | undefined = [];
	private heldLength = 0;
	private isDropped = false;

	/** `announce` tells of the second start; `formerMs`: how long the first process lived. */
	constructor(handlers: Pick<ConnectionHandlers, "onStderr">, announce: () => void, formerMs: number) {
		this.handlers = handlers;
		this.announce = announce;
		this.timer = setTimeout(() => this.release(), 2 * formerMs + longerMs).unref();
	}

	/** Takes a piece of the second process's standard error. */
	onStderr(text: string): void {
		if (this.held === undefined) {
			if (!this.isDropped) this.handlers.onStderr(text);
			return;
		}
		this.held.push(text);
		this.heldLength += text.length;
		if (this.heldLength > maxHeld) this.release();
	}

	/** Tells of the second process and all it said; from now on it says it at once. */
	release(): void {
		const { held } = this;
		clearTimeout(this.timer);
		this.held = undefined;
		if (held === undefined) return;
		this.announce();
		for (const text of held) this.handlers.onStderr(text);
	}

	/** Forgets the second process. */
	drop(): void {
		clearTimeout(this.timer);
		this.isDropped = true;
		this.held = undefined;
	}
}
