import { describe, expect, it } from "vitest";
import { entryOf, file, judged, own } from "./scene.ts";

const deny = { decision: "deny" };

describe("many rules about long arguments", () => {
	const long = "ab/".repeat(600_000);
	const rules = (decision: string): readonly unknown[] =>
		Array.from({ length: 499 }, (_, index) => ({
			decision,
			server: "*",
			tool: "*",
			arguments: { text: `*a*b${index}*c*` },
		}));

	it("take bounded time, and unchecked calls ask", async () => {
		const entry = await entryOf("write");
		for (const args of [{ text: long }, { text: Array.from({ length: 9000 }, (_, index) => `x${index}`) }]) {
			expect(judged([own(...rules("deny"))], entry, args)).toBe("ask");
			expect(judged([own(...rules("allow"))], entry, args)).toBe("none");
			expect(judged([own(...rules("allow"), deny)], entry, args)).toBe("deny");
		}
	});

	it("of a workspace do not affect the user's own", async () => {
		const entry = await entryOf("write");
		const text = `${"x".repeat(100_000)}secret`;
		expect(judged([own({ ...deny, arguments: { text: "*secret" } }), file(rules("ask"))], entry, { text })).toBe(
			"deny",
		);
		expect(judged([own({ ...deny, arguments: { text: "*secret" } })], entry, { text })).toBe("deny");
	});

	it("take bounded time if the arguments lead up many folders (TRN-56)", async () => {
		const list = own({ ...deny, arguments: { "*": "**/.env" } });
		const up = "../".repeat(300_000);
		const entry = await entryOf("write");
		expect(judged([list], entry, { path: up })).toBe("none");
		expect(judged([list], entry, { path: `${up}.env` })).toBe("deny");
		const many = Array.from({ length: 50 }, (_, index) => `${"../".repeat(100_000)}${index}`);
		expect(judged([list], entry, { paths: many })).toBe("ask");
	});
});
