import { expect, test } from "vitest";
import { Turns } from "../../../src/base/turns.ts";

test("so many tasks run at once, the others in their order, also after one that failed", async () => {
	const turns = new Turns(2);
	const begun: number[] = [];
	const ends = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
	const all = ends.map(({ promise }, index) =>
		turns.take(async () => {
			begun.push(index);
			return promise;
		}),
	);
	expect(begun).toEqual([0, 1]);
	ends[1]?.reject(new Error("no"));
	await expect(all[1]).rejects.toThrow("no");
	expect(begun).toEqual([0, 1, 2]);
	ends[0]?.resolve(0);
	await all[0];
	expect(begun).toEqual([0, 1, 2, 3]);
	for (const index of [2, 3]) ends[index]?.resolve(index);
	expect(await Promise.all(all.slice(2))).toEqual([2, 3]);
});
