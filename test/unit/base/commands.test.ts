import { describe, expect, it } from "vitest";
import { guarded } from "../../../src/base/commands.ts";

describe("guarded", () => {
	it("runs the command with all its arguments and returns its result", async () => {
		const { greet } = guarded({ greet: (...names) => Promise.resolve(`Hello ${names.join(" ")}`) }, () =>
			expect.fail(),
		);
		expect(await greet("Ada", "Grace")).toBe("Hello Ada Grace");
	});

	it("shows a failure with the argument, and does not throw", async () => {
		const told: unknown[] = [];
		const { fail } = guarded({ fail: () => Promise.reject(new Error("broken")) }, (...failure) =>
			told.push(...failure),
		);
		expect(await fail({ server: "a" })).toBeUndefined();
		expect(told).toEqual([new Error("broken"), { server: "a" }]);
	});
});
