import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HostError } from "../../../src/base/errors.ts";
import { RequestTimer } from "../../../src/base/requestTimer.ts";

describe("RequestTimer", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => {
		expect(vi.getTimerCount()).toBe(0);
		vi.useRealTimers();
	});

	let told: HostError | undefined;

	function start(label: string, idleMs: number, maxMs: number): RequestTimer {
		told = undefined;
		return new RequestTimer(label, idleMs, maxMs, (error) => {
			expect([told, error.code]).toEqual([undefined, "timeout"]);
			told = error;
		});
	}

	it("ends a request without an answer", () => {
		start("travel: tools/call x", 1000, 60_000);
		vi.advanceTimersByTime(999);
		expect(told?.message).toBeUndefined();
		vi.advanceTimersByTime(1);
		expect(told?.message).toBe("travel: tools/call x gave no answer and no progress for 1 s.");
	});

	it("restarts with progress, up to the maximum", () => {
		const timer = start("x", 1000, 2500);
		for (let step = 0; step < 4; step++) {
			vi.advanceTimersByTime(600);
			expect(told?.message).toBeUndefined();
			timer.touch();
		}
		vi.advanceTimersByTime(99);
		expect(told?.message).toBeUndefined();
		vi.advanceTimersByTime(1);
		expect(told?.message).toBe("x did not end within 3 s.");
	});

	it("pauses while a user is asked, also by several questions at once", () => {
		const timer = start("x", 1000, 2000);
		vi.advanceTimersByTime(500);
		timer.pause();
		timer.pause();
		vi.advanceTimersByTime(1_000_000);
		timer.touch();
		timer.resume();
		vi.advanceTimersByTime(1_000_000);
		expect(told?.message).toBeUndefined();
		timer.resume();
		vi.advanceTimersByTime(999);
		expect(told?.message).toBeUndefined();
		vi.advanceTimersByTime(1);
		expect(told?.message).toContain("gave no answer");
	});

	it("does not count the pause against the maximum", () => {
		const timer = start("x", 1000, 1500);
		vi.advanceTimersByTime(900);
		timer.pause();
		vi.advanceTimersByTime(5000);
		timer.resume();
		vi.advanceTimersByTime(599);
		expect(told?.message).toBeUndefined();
		vi.advanceTimersByTime(1);
		expect(told?.message).toContain("did not end within");
	});

	it("is silent once disposed, whatever happens later", () => {
		const timer = start("x", 1000, 2000);
		timer.pause();
		timer.dispose();
		timer.resume();
		timer.touch();
		vi.advanceTimersByTime(10_000);
		expect(told?.message).toBeUndefined();
	});

	it("accepts times longer than a timer of Node", () => {
		const timer = start("x", 2 ** 40, Number.POSITIVE_INFINITY);
		vi.advanceTimersByTime(1_000_000);
		expect(told?.message).toBeUndefined();
		timer.dispose();
	});
});
