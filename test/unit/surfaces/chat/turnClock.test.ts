import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TurnClock } from "../../../../src/surfaces/chat/turnClock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the time is up after the given duration", () => {
	using clock = new TurnClock(1000);
	vi.advanceTimersByTime(999);
	expect(clock.signal.aborted).toBe(false);
	vi.advanceTimersByTime(1);
	expect(clock.signal.aborted).toBe(true);
});

test("it stops while any question is open", () => {
	using clock = new TurnClock(1000);
	vi.advanceTimersByTime(600);
	const pauses = [clock.pause(), clock.pause()];
	vi.advanceTimersByTime(100_000);
	pauses[0]?.dispose();
	pauses[0]?.dispose();
	vi.advanceTimersByTime(100_000);
	pauses[1]?.dispose();
	vi.advanceTimersByTime(399);
	expect(clock.signal.aborted).toBe(false);
	vi.advanceTimersByTime(1);
	expect(clock.signal.aborted).toBe(true);
});

test("after the turn it never fires, whatever is disposed later", () => {
	const clock = new TurnClock(1000);
	const pause = clock.pause();
	clock[Symbol.dispose]();
	pause.dispose();
	vi.advanceTimersByTime(100_000);
	expect([clock.signal.aborted, vi.getTimerCount()]).toEqual([false, 0]);
});
