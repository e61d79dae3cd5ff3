import { html, noChange, nothing, type TemplateResult } from "lit";
import { AsyncDirective } from "lit/async-directive.js";
import { directive, type ElementPart, type PartInfo, PartType } from "lit/directive.js";
import { gapsIn, sizeInWords } from "../../src/base/layout.ts";

/**
 * Where a text continues after a gap, shown before its control: the visible part of a box seems to be the whole text
 * (SMP-19).
 */
export function gapNotice(text: string): TemplateResult | typeof nothing {
	const gaps = gapsIn(text);
	if (gaps.length === 0) return nothing;
	return html`<div class="notice warning gaps">
		<p>⚠ This text continues after a gap:</p>
		${gaps.map((gap) => html`<p class="code">${gap}</p>`)}
	</div>`;
}

/** How much of a text is beyond the edge of its control, and how long it is; shown right after the control (SMP-19). */
export function sizeNotice(text: string): TemplateResult {
	const size = sizeInWords(text);
	return html`<p class="more" hidden ${beyond(text)}></p>
		${size === undefined ? nothing : html`<p class="muted size">${size}</p>`}`;
}

/** The boxes to measure in the next frame: all are read before anything is written. */
const waiting = new Set<Beyond>();

function measureSoon(one: Beyond): void {
	if (waiting.size === 0) {
		requestAnimationFrame(() => {
			const all = [...waiting];
			waiting.clear();
			const words = all.map((box) => box.measure());
			for (const [index, box] of all.entries()) box.say(words[index] ?? "");
		});
	}
	waiting.add(one);
}

/** Keeps showing how much of the preceding control is hidden, as it is scrolled, resized and changed. */
class Beyond extends AsyncDirective {
	private readonly element: HTMLElement;
	private control: HTMLTextAreaElement | HTMLInputElement | HTMLPreElement | undefined;
	private readonly observer = new ResizeObserver(() => measureSoon(this));
	private readonly onScroll = (): void => measureSoon(this);

	constructor(part: PartInfo) {
		super(part);
		const element = "element" in part ? part.element : undefined;
		if (part.type !== PartType.ELEMENT || !(element instanceof HTMLElement)) throw new Error("beyond stands in a tag");
		this.element = element;
	}

	override render(_text: string): typeof noChange {
		return noChange;
	}

	override update(_part: ElementPart, [_text]: [string]): typeof noChange {
		queueMicrotask(() => this.follow());
		measureSoon(this);
		return noChange;
	}

	override disconnected(): void {
		this.observer.disconnect();
		this.control?.removeEventListener("scroll", this.onScroll);
		this.control = undefined;
	}

	override reconnected(): void {
		this.follow();
	}

	/** How much is out of sight, in words; empty for nothing. */
	measure(): string {
		const { control } = this;
		if (control === undefined || control.clientHeight === 0) return "";
		const { scrollHeight, clientHeight, scrollTop, scrollWidth, clientWidth, scrollLeft } = control;
		const style = getComputedStyle(control);
		const line = Number.parseFloat(style.lineHeight) || 1.4 * Number.parseFloat(style.fontSize);
		const below = Math.round((scrollHeight - clientHeight - scrollTop) / line);
		const above = Math.round(scrollTop / line);
		// In a font of equal widths; about.
		const width = 0.6 * Number.parseFloat(style.fontSize);
		const right = Math.round((scrollWidth - clientWidth - scrollLeft) / width);
		const sides = [
			...(below > 0 ? [`▼ ${countOf(below, "line")} below`] : []),
			...(above > 0 && below <= 0 ? [`▲ ${countOf(above, "line")} above`] : []),
			...(right > 1 ? [`▶ about ${countOf(right, "character")} to the right`] : []),
		];
		return sides.join(" · ");
	}

	say(words: string): void {
		if (this.element.textContent !== words) this.element.textContent = words;
		this.element.hidden = words === "";
	}

	/** Watches the control, which may be another one than before. */
	private follow(): void {
		const control =
			this.element.parentElement?.querySelector<HTMLTextAreaElement>("textarea, input, pre.text") ?? undefined;
		if (control === this.control || !this.isConnected) return;
		this.disconnected();
		this.control = control;
		if (control === undefined) return;
		this.observer.observe(control);
		control.addEventListener("scroll", this.onScroll, { passive: true });
		control.addEventListener("input", this.onScroll);
		measureSoon(this);
	}
}

function countOf(number: number, word: string): string {
	return `${number.toLocaleString("en-US")} more ${word}${number === 1 ? "" : "s"}`;
}

const beyond = directive(Beyond);
