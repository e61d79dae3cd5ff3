import { html, nothing, type TemplateResult } from "lit";

/** How much of a streamed answer is painted; the whole of it is reviewed at its end. */
const paintedTail = 20_000;
/** How much is painted for a reader who has scrolled back: what they read stays where it is. */
const paintedMost = 100_000;
/** How often what has come is read out, in milliseconds, and how much of it at most. */
const spokenEveryMs = 4000;
const spokenMost = 300;
/** How near to its end a reader counts as being there, in pixels. */
const endReach = 24;

/**
 * An answer as it comes: its end stays in view as long as the reader is there, and what a reader has scrolled back to is
 * left in its place. It is read out now and then, politely.
 */
export class StreamView {
	private start = 0;
	private spokenAt = 0;
	private spokenLength = 0;
	private spoken = "";

	/** Forgets the answer before. */
	reset(): void {
		this.start = 0;
		this.spokenAt = 0;
		this.spokenLength = 0;
		this.spoken = "";
	}

	/** The answer so far. `element` is where it stood before, if it did. */
	render(text: string, element: HTMLElement | null): TemplateResult {
		const isAtEnd =
			element === null || element.scrollHeight - element.scrollTop - element.clientHeight < endReach || text.length < this.start;
		if (isAtEnd || text.length - this.start > paintedMost) this.start = Math.max(0, text.length - paintedTail);
		if (isAtEnd) queueMicrotask(scrollToEnd);
		return html`
			${
				this.start > 0
					? html`<p class="muted">The last part of ${text.length.toLocaleString("en-US")} characters so far</p>`
					: nothing
			}
			<pre id="stream" class="quote working" tabindex="0" role="group" aria-label="The answer so far">${text.slice(this.start)}</pre>
			<p role="status" class="visually-hidden">${this.speak(text, Date.now())}</p>
		`;
	}

	/** What came since it was last read out. */
	private speak(text: string, now: number): string {
		if (now - this.spokenAt >= spokenEveryMs && text.length > this.spokenLength) {
			this.spoken = text.slice(Math.max(this.spokenLength, text.length - spokenMost));
			this.spokenAt = now;
			this.spokenLength = text.length;
		}
		return this.spoken;
	}
}

function scrollToEnd(): void {
	const element = document.querySelector("#stream");
	if (element !== null) element.scrollTop = element.scrollHeight;
}
