import { html, type TemplateResult } from "lit";
import { hasLongLine } from "./longLine.ts";
import { StreamText } from "./streamText.ts";

/** How much of a streamed answer is painted; the whole of it is reviewed at its end. */
const paintedTail = 50_000;
/** How much is painted for a reader who has scrolled back: the text that they read stays in place. */
const paintedMost = 200_000;
/** A longer line is not wrapped: it would be wrapped again with each piece. */
const longestLine = 10_000;
/** How often new text is read out, in milliseconds, and how much of it at most. */
const spokenEveryMs = 4000;
const spokenMost = 300;
/** How near to its end a reader counts as being there, in pixels. */
const endReach = 24;

/**
 * An answer as it arrives: its end stays visible as long as the reader is there, and the position of a reader who has
 * scrolled back is kept. It is read out now and then, politely.
 */
export class StreamView {
	private readonly answer = new StreamText();
	private start = 0;
	private spokenAt = 0;
	private spokenLength = 0;
	private spoken = "";

	/** The answer so far, or its end. `element` is its former container, if there was one. */
	render(shown: string, element: HTMLElement | null): TemplateResult {
		this.answer.take(shown);
		const { text } = this.answer;
		const isAtEnd =
			element === null ||
			element.scrollHeight - element.scrollTop - element.clientHeight < endReach ||
			text.length < this.start;
		if (isAtEnd || text.length - this.start > paintedMost) this.start = Math.max(0, text.length - paintedTail);
		if (isAtEnd) queueMicrotask(scrollToEnd);
		const painted = text.slice(this.start);
		return html`
			<pre
				id="stream"
				class="quote working ${hasLongLine(painted, longestLine) ? "unwrapped" : ""}"
				tabindex="0"
				role="group"
				aria-label="The answer so far"
				.textContent=${painted}
			></pre>
			<p role="status" class="visually-hidden">${this.speak(text, Date.now())}</p>
		`;
	}

	/** The text that has not been read out yet. */
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
