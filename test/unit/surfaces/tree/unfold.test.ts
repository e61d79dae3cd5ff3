import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { unfold, type RowToOpen } from "../../../../src/surfaces/tree/unfold.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A tree in which the first requests to open a row are lost, up to this number. */
class LossyTree implements RowToOpen {
	asked = 0;
	isShown = true;
	readonly #opened = new Emitter<string>();
	readonly onDidOpen = this.#opened.event;
	readonly #losses: number;

	constructor(losses: number) {
		this.#losses = losses;
	}

	reveal(): Promise<void> {
		if (++this.asked > this.#losses) this.#opened.fire("tools");
		else this.#opened.fire("server");
		return Promise.resolve();
	}

	isVisible(): boolean {
		return this.isShown;
	}
}

describe("a row that is to be opened (UI-31)", () => {
	test("is requested once if the editor opens it", async () => {
		const tree = new LossyTree(0);
		expect(await unfold("tools", tree)).toBe(true);
		expect(tree.asked).toBe(1);
		expect(vi.getTimerCount()).toBe(0);
	});

	test("is requested again if the editor lost the request", async () => {
		const tree = new LossyTree(2);
		const opened = unfold("tools", tree);
		await vi.advanceTimersByTimeAsync(5000);
		expect(await opened).toBe(true);
		expect(tree.asked).toBe(3);
	});

	test("is abandoned if the editor never opens it, or the tree is no longer visible", async () => {
		const tree = new LossyTree(9);
		const opened = unfold("tools", tree);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await opened).toBe(false);
		expect(tree.asked).toBe(3);

		const hidden = new LossyTree(9);
		hidden.isShown = false;
		const gone = unfold("tools", hidden);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await gone).toBe(false);
		expect(hidden.asked).toBe(1);
	});

	test("that the editor refuses is an error", async () => {
		const tree = new LossyTree(0);
		tree.reveal = () => Promise.reject(new Error("Cannot resolve tree item"));
		await expect(unfold("tools", tree)).rejects.toThrow("Cannot resolve tree item");
		expect(vi.getTimerCount()).toBe(0);
	});
});
