import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throttle } from "../../../src/base/throttle.ts";

describe("throttle", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("runs at once, then once per interval, and never loses the last call", () => {
		const action = vi.fn();
		const throttled = throttle(action, 100);
		for (let call = 0; call < 5; call++) throttled.run();
		expect(action).toHaveBeenCalledTimes(1);
		vi.advanceTimersByTime(100);
		expect(action).toHaveBeenCalledTimes(2);
		vi.advanceTimersByTime(1000);
		expect(action).toHaveBeenCalledTimes(2);
		throttled.run();
		expect(action).toHaveBeenCalledTimes(3);
	});

	it("drops a pending call when disposed", () => {
		const action = vi.fn();
		const throttled = throttle(action, 100);
		throttled.run();
		throttled.run();
		throttled.dispose();
		vi.advanceTimersByTime(1000);
		expect(action).toHaveBeenCalledTimes(1);
	});
});
