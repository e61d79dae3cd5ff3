import type { Page } from "playwright-core";
import { patience } from "../../e2e/pages/conditions.ts";

/** The elements to wait for in a page: this many whose whole text contains a text. */
export interface Sight {
	readonly selector: string;
	readonly text: string;
	/** Default: 1. */
	readonly count?: number;
}

/** The frames of the page while it is watched. */
export interface Frames {
	readonly frames: number;
	/** Frames that were more than 50 ms after the previous one. */
	readonly late: number;
	/** The longest time between two frames, in milliseconds. */
	readonly longest: number;
}

/** The part of the page's API that the code in it uses: the project is compiled without the DOM library. */
interface Surroundings {
	benchFrames?: { times: number[]; isOver: boolean };
	benchPressedAt?: number;
	readonly document: {
		querySelectorAll(selector: string): Iterable<{ readonly textContent: string | null }>;
	};
	requestAnimationFrame(next: (now: number) => void): void;
	addEventListener(type: string, listen: () => void, capture: boolean): void;
}

/** The time at which something is drawn for the first time, in milliseconds since the epoch. */
export async function seenAt(page: Page, sight: Sight): Promise<number> {
	const handle = await page.waitForFunction(
		({ selector, text, count = 1 }) => {
			const { document } = globalThis as unknown as Surroundings;
			const found = [...document.querySelectorAll(selector)].filter(({ textContent }) =>
				(textContent ?? "").replaceAll("\u00a0", " ").includes(text),
			);
			return found.length >= count ? performance.timeOrigin + performance.now() : undefined;
		},
		sight,
		{ polling: "raf", timeout: 2 * patience },
	);
	return handle.jsonValue() as Promise<number>;
}

/** Records from now on when a mouse button was pressed last. */
export async function watchPresses(page: Page): Promise<void> {
	await page.evaluate(() => {
		const window = globalThis as unknown as Surroundings;
		window.addEventListener(
			"pointerdown",
			() => (window.benchPressedAt = performance.timeOrigin + performance.now()),
			true,
		);
	});
}

/** When a mouse button was pressed last, in milliseconds since the epoch. */
export async function pressedAt(page: Page): Promise<number> {
	return page.evaluate(() => (globalThis as unknown as Surroundings).benchPressedAt ?? Number.NaN);
}

/** Counts the frames that the page draws during an action. */
export async function framesOf(page: Page, work: () => Promise<unknown>): Promise<Frames> {
	await page.evaluate(() => {
		const window = globalThis as unknown as Surroundings;
		const watched = { times: new Array<number>(), isOver: false };
		window.benchFrames = watched;
		const next = (): void => {
			watched.times.push(performance.now());
			if (!watched.isOver) window.requestAnimationFrame(next);
		};
		window.requestAnimationFrame(next);
	});
	await work();
	return page.evaluate(() => {
		const { benchFrames } = globalThis as unknown as Surroundings;
		if (benchFrames === undefined) return { frames: 0, late: 0, longest: 0 };
		benchFrames.isOver = true;
		const gaps = benchFrames.times.slice(1).map((time, index) => time - (benchFrames.times[index] ?? time));
		return { frames: gaps.length, late: gaps.filter((gap) => gap > 50).length, longest: Math.max(0, ...gaps) };
	});
}
