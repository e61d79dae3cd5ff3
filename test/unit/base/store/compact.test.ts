import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compact, compacting } from "../../../../src/base/store/compact.ts";
import type { Journal } from "../../../../src/base/store/journal.ts";
import { JournalScene, randomOf, valuesOf } from "./scene.ts";

/** Takes this many steps of a compaction, and stops there as a kill does. Returns whether it was finished before. */
function stopAfter(steps: number, journal: Journal): boolean {
	const rewriting = compacting(journal);
	for (let step = 0; step < steps; step++) if (rewriting.next().done === true) return true;
	return false;
}

function removeLock(scene: JournalScene): void {
	rmSync(path.join(scene.folder, "things.lock"), { force: true });
}

describe("Compacting a journal", () => {
	it("leaves one file with the current state, whichever windows wrote it", async () => {
		using scene = new JournalScene();
		const windows = [scene.window(), scene.window(), scene.window()];
		for (const [index, window] of windows.entries())
			for (let round = 0; round < 20; round++) window.put(`key${round % 5}`, { index, round });
		windows[0]?.put("gone", 1);
		windows[1]?.remove("gone");
		const before = scene.values();
		await compact(windows[2] ?? scene.window());
		expect(scene.files).toHaveLength(1);
		expect(scene.disk.trim().split("\n")).toHaveLength(6);
		expect(scene.values()).toEqual(before);
		for (const window of windows) {
			window.refresh();
			expect(valuesOf(window)).toEqual(before);
		}
		for (const window of windows) window.put("after", 1);
		expect(scene.values()).toEqual({ ...before, after: 1 });
	});

	it("forgets removals after a month, and removed entries do not return", async () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", 1);
		other.refresh();
		one.remove("a");
		await compact(one);
		expect(scene.disk).toContain('"a"');
		scene.now += 31 * 24 * 3_600_000;
		await compact(one);
		expect(scene.disk).toBe("");
		// A window that has not read the changes since.
		other.put("b", 1);
		expect([scene.values(), valuesOf(other)]).toEqual([{ b: 1 }, { b: 1 }]);
	});

	it("is done by one window at a time, and by another when that one is gone", async () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", 1);
		one.put("a", 2);
		stopAfter(1, one);
		const before = scene.disk;
		await compact(other);
		expect(scene.disk).toBe(before);
		removeLock(scene);
		await compact(other);
		expect(scene.disk.trim().split("\n")).toHaveLength(1);
	});

	it("shows every window the same state when it is killed after any step, and loses nothing that is written meanwhile", async () => {
		for (let steps = 1, isDone = false; !isDone; steps++) {
			using scene = new JournalScene();
			const [one, other, third] = [scene.window(), scene.window(), scene.window()];
			for (let round = 0; round < 10; round++) {
				one.put("count one", round);
				other.put("count other", round);
				other.put(`gone${round}`, 1);
				third.remove(`gone${round}`);
			}
			isDone = stopAfter(steps, one);
			const expected: Record<string, unknown> = { "count one": 9, "count other": 9 };
			expect(scene.values(), `after ${steps} steps`).toEqual(expected);
			other.put("meanwhile", steps);
			third.remove("count one");
			expected["meanwhile"] = steps;
			delete expected["count one"];
			expect(scene.values()).toEqual(expected);
			removeLock(scene);
			await compact(third);
			expect(scene.values()).toEqual(expected);
			expect(scene.files).toHaveLength(1);
			other.refresh();
			expect(valuesOf(other)).toEqual(expected);
			expect(steps).toBeLessThan(100);
		}
	});

	it("keeps lines that were written into a file after it was taken", async () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		other.put("a", 1);
		const rewriting = compacting(one);
		let count = 0;
		for (const _ of rewriting) other.put(`during${++count}`, count);
		expect(Object.keys(scene.values())).toHaveLength(count + 1);
	});

	it("does not restore an entry that another window cleared meanwhile", async () => {
		using scene = new JournalScene();
		const [slow, other] = [scene.window(), scene.window()];
		for (let index = 0; index < 5; index++) slow.put(`a${index}`, index);
		const rewriting = compacting(slow);
		for (const step of rewriting) if (step === "written") break;
		// `break` ends the compaction as an error does; a slow one continues.
		const again = compacting(slow);
		while (again.next().value !== "written");
		removeLock(scene);
		await compact(other, { isKept: () => false });
		for (const _ of again);
		expect(scene.values()).toEqual({});
	});

	it("can be done by two windows at once, in any order of steps, while all write, and loses and doubles nothing", async () => {
		for (let seed = 1; seed <= 40; seed++) {
			using scene = new JournalScene();
			const random = randomOf(seed);
			const windows = [scene.window(), scene.window(), scene.window()];
			const counts = windows.map(() => 0);
			const expected = new Map<string, unknown>();
			let rewritings: Generator<string>[] = [];
			for (let step = 0; step < 60; step++) {
				const index = random(3);
				const window = windows[index] ?? scene.window();
				const key = `key${random(4)}`;
				scene.now += random(2);
				switch (random(7)) {
					case 0:
						window.put(key, step);
						expected.set(key, step);
						break;
					case 1:
						window.remove(key);
						expected.delete(key);
						break;
					case 2:
					case 3:
						// Each window counts on its own, without reading the others.
						counts[index] = (counts[index] ?? 0) + 1;
						window.write([{ key: `count${index}`, value: counts[index] }], true);
						break;
					case 4:
						removeLock(scene);
						rewritings.push(compacting(window));
						break;
					case 5:
						for (const one of rewritings.toSpliced(2)) for (let n = random(6); n > 0; n--) one.next();
						break;
					default:
						// Killed: it takes no further step.
						rewritings = rewritings.toSpliced(random(3), 1);
						window.refresh();
				}
			}
			for (const [index, count] of counts.entries()) if (count > 0) expected.set(`count${index}`, count);
			const all = Object.fromEntries(expected);
			expect(scene.values(), `seed ${seed}`).toEqual(all);
			for (const window of windows) {
				window.refresh();
				expect(valuesOf(window), `seed ${seed}`).toEqual(all);
			}
		}
	});
});
