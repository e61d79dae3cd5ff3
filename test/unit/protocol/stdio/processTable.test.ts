import { describe, expect, it } from "vitest";
import { descendantsOf, type ProcessEntry } from "../../../../src/protocol/stdio/processTable.ts";

const entry = (pid: number, parent: number): ProcessEntry => ({
	pid,
	parent,
	group: pid,
	startedAt: "1",
	isZombie: false,
});
const pidsOf = (processes: readonly ProcessEntry[]): number[] => processes.map(({ pid }) => pid).sort((a, b) => a - b);

describe("descendantsOf", () => {
	it("returns children and their children, each once, and no others", () => {
		const processes = [entry(2, 1), entry(3, 1), entry(4, 2), entry(5, 4), entry(6, 9)];
		expect(pidsOf(descendantsOf([2], processes))).toEqual([4, 5]);
		expect(pidsOf(descendantsOf([2, 4, 9], processes))).toEqual([4, 5, 6]);
		expect(descendantsOf([7], processes)).toEqual([]);
	});

	it("ends for a circular list", () => {
		expect(pidsOf(descendantsOf([1], [entry(2, 1), entry(3, 2), entry(2, 3)]))).toEqual([2, 2, 3]);
	});

	it("is quick for many, as for a server that keeps starting more", () => {
		const processes = Array.from({ length: 20_000 }, (_unused, index) => entry(index + 2, index + 1));
		const all = processes.map(({ pid }) => pid);
		expect(descendantsOf(all, processes)).toHaveLength(19_999);
	});
});
