/** Why a button does nothing any more, in a sentence; undefined as long as the notice is true. */
export type Over<T> = (answer: T) => string | undefined;

/** The reply of a notice that a newer one with the same key replaced. */
const replaced = "A newer message replaced this one.";

/**
 * The owner of the notices whose reason can end. No stable API of VS Code withdraws a notice with buttons: one that is no longer
 * true may stay on the screen, but its buttons then say so and do nothing (FST-20). A notice that is shown again with the same
 * words closes the earlier one, which the editor does itself.
 */
export class Notices {
	private readonly latest = new Map<string, object>();
	private readonly say: (message: string) => void;

	/** `say` shows a sentence without buttons. */
	constructor(say: (message: string) => void) {
		this.say = say;
	}

	/**
	 * Shows a notice and resolves with the button that was chosen, or undefined for none, or where it is no longer true.
	 * @param key what it is about: a later one with the same key takes its place
	 */
	async ask<T>(key: string, over: Over<T>, show: () => Promise<T | undefined>): Promise<T | undefined> {
		const mine = {};
		this.latest.set(key, mine);
		const answer = await show();
		const isLatest = this.latest.get(key) === mine;
		if (isLatest) this.latest.delete(key);
		if (answer === undefined) return undefined;
		const why = isLatest ? over(answer) : replaced;
		if (why === undefined) return answer;
		this.say(why);
		return undefined;
	}
}

/** Of a notice about problems: whether none of them is left. */
export function correctedMeanwhile(problems: readonly string[], current: () => readonly string[]): Over<unknown> {
	return () =>
		problems.some((problem) => current().includes(problem)) ? undefined : "This was corrected in the meantime.";
}

/** Of a notice about Restricted Mode: whether the workspace is trusted by now. */
export function trustedMeanwhile(isTrusted: () => boolean): Over<unknown> {
	return () => (isTrusted() ? "This workspace is trusted by now. Start the server again." : undefined);
}
