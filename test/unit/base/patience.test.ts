import { expect, test } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { withPatience, type SlowWork } from "../../../src/base/patience.ts";

const never = new Promise<never>(() => undefined);

test("quick work is not announced, and its result and its failure are returned", async () => {
	const announced: SlowWork[] = [];
	const announce = (work: SlowWork): number => announced.push(work);
	expect(await withPatience(() => Promise.resolve(1), announce)).toBe(1);
	await expect(withPatience(() => Promise.reject(new Error("no")), announce)).rejects.toThrow("no");
	expect(announced).toEqual([]);
});

test("slow work is announced with its progress until it ends", async () => {
	const finish = Promise.withResolvers<string>();
	const { promise: announced, resolve: announce } = Promise.withResolvers<SlowWork>();
	let report: (progress: { progress: number; total?: number; message?: string }) => void = () => undefined;
	const result = withPatience(
		({ onProgress }) => {
			report = onProgress;
			onProgress({ progress: 1, total: 4 });
			return finish.promise;
		},
		announce,
		1,
	);
	const work = await announced;
	expect(work.latest).toBe("1 of 4");
	const words: string[] = [];
	work.onDidProgress((word) => words.push(word));
	report({ progress: 2, total: 4, message: "half\u202E" });
	expect(words).toEqual([String.raw`half\u202E (2 of 4)`]);
	expect(work.latest).toBe(words[0]);
	finish.resolve("done");
	expect(await result).toBe("done");
	await work.ended;
});

test("cancelling reaches the work", async () => {
	const result = withPatience(
		({ signal }) =>
			Promise.race([
				never,
				new Promise<never>((_resolve, reject) => {
					signal.addEventListener("abort", () => reject(signal.reason as Error));
				}),
			]),
		(work) => work.cancel(),
		1,
	);
	await expect(result).rejects.toSatisfy((error) => HostError.is(error, "cancelled"));
});
