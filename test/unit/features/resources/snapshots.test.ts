import { expect, test } from "vitest";
import type { ResourceSnapshot } from "../../../../src/features/resources/reader.ts";
import { Snapshots } from "../../../../src/features/resources/snapshots.ts";

function contents(modified: number, size = 10): ResourceSnapshot {
	return { modified, parts: [{ uri: "x://a", mimeType: undefined, isText: true, bytes: new Uint8Array(size) }] };
}

function timesOf(snapshots: Snapshots, key: string, ...times: readonly number[]): readonly number[] {
	return times.filter((time) => snapshots.at(key, time) !== undefined);
}

test("the contents before a time are the last recorded ones before it", () => {
	const snapshots = new Snapshots();
	for (const time of [1, 2, 2, 4]) snapshots.note("a", contents(time));
	expect(snapshots.before("a", 4)?.modified).toBe(2);
	expect(snapshots.before("a", 2)?.modified).toBe(1);
	expect(snapshots.before("a", 1)).toBeUndefined();
	expect(snapshots.before("b", 4)).toBeUndefined();
	expect(snapshots.at("a", 3)).toBeUndefined();
});

test("only the last five contents of a resource are kept", () => {
	const snapshots = new Snapshots(100);
	snapshots.note("b", contents(0, 40));
	for (let time = 1; time <= 8; time++) snapshots.note("a", contents(time));
	// Removed ones no longer count, so that there is room for others.
	expect(timesOf(snapshots, "b", 0)).toEqual([0]);
	expect(timesOf(snapshots, "a", 1, 2, 3, 4, 5, 6, 7, 8)).toEqual([4, 5, 6, 7, 8]);
});

test("memory is limited: former contents are removed first, older ones before newer ones", () => {
	const snapshots = new Snapshots(100);
	snapshots.note("a", contents(1, 30));
	snapshots.note("a", contents(2, 30));
	snapshots.note("b", contents(3, 30));
	expect(timesOf(snapshots, "a", 1, 2)).toEqual([1, 2]);
	snapshots.note("b", contents(4, 30));
	expect(timesOf(snapshots, "a", 1, 2)).toEqual([2]);
	expect(timesOf(snapshots, "b", 3, 4)).toEqual([3, 4]);
	snapshots.note("c", contents(5, 40));
	expect([timesOf(snapshots, "a", 2), timesOf(snapshots, "b", 3, 4), timesOf(snapshots, "c", 5)]).toEqual([
		[2],
		[4],
		[5],
	]);
	snapshots.note("d", contents(6, 40));
	expect([timesOf(snapshots, "a", 2), timesOf(snapshots, "b", 4), timesOf(snapshots, "d", 6)]).toEqual([[], [], [6]]);
});

test("the budget holds for any sequence of records", () => {
	const snapshots = new Snapshots(1000);
	let seed = 3;
	const random = (below: number): number => {
		seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
		return (seed >>> 8) % below;
	};
	const noted: { readonly key: string; readonly time: number; readonly size: number }[] = [];
	for (let time = 1; time <= 2000; time++) {
		const note = { key: `k${random(20)}`, time, size: random(600) };
		noted.push(note);
		snapshots.note(note.key, contents(time, note.size));
		const kept = noted.slice(-200).filter(({ key, time: at }) => snapshots.at(key, at) !== undefined);
		expect(kept.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1000);
	}
});

test("contents larger than half of the budget are not kept, and displace nothing", () => {
	const snapshots = new Snapshots(100);
	snapshots.note("a", contents(1, 40));
	expect(snapshots.canKeep(contents(2, 51))).toBe(false);
	snapshots.note("a", contents(2, 51));
	expect(timesOf(snapshots, "a", 1, 2)).toEqual([1]);
});
