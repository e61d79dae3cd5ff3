import { describe, expect, it } from "vitest";
import { completionSchema } from "../../../src/connection/completionSchema.ts";

const check = (completion: unknown): unknown => completionSchema["~standard"].validate({ completion });
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `value ${index}`);

describe("the answer to a completion", () => {
	it("is taken as it is when it is by the book", async () => {
		const completion = { values: ["Ann", "Bob"], total: 2, hasMore: false };
		expect(await check(completion)).toMatchObject({ value: { completion } });
	});

	it("PRM-05: keeps the first hundred of more values than the protocol allows, and says how many there were", async () => {
		const values = many(100_000);
		const kept = { values: values.slice(0, 100), total: 100_000, hasMore: true };
		expect(await check({ values })).toMatchObject({ value: { completion: kept } });
		const told = { values, total: 250_000, hasMore: false };
		expect(await check(told)).toMatchObject({ value: { completion: { total: 250_000, hasMore: true } } });
	});

	it("PRM-05: leaves out a value that is too long, for a part of it would be another one", async () => {
		const values = ["short", "v".repeat(10_001), "v".repeat(10_000)];
		expect(await check({ values })).toMatchObject({ value: { completion: { values: [values[0], values[2]] } } });
	});

	it("may have null for counts that the server does not have, as some write it", async () => {
		const completion = { values: ["Ann"], total: null, hasMore: null };
		expect(await check(completion)).toEqual({ value: { completion: { values: ["Ann"] } } });
	});

	it.each([undefined, {}, { values: "Ann" }, { values: [7] }])("is refused as %j", async (completion) => {
		expect(await check(completion)).toHaveProperty("issues");
	});
});
