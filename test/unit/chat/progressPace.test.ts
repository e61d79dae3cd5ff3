import { expect, test } from "vitest";
import { ProgressPace } from "../../../src/chat/progressPace.ts";

/** The times, in seconds, at which messages are shown that come ten times in a second. */
function shown(pace: ProgressPace, from: number, to: number): number[] {
	const times: number[] = [];
	for (let now = from * 1000; now <= to * 1000; now += 100) if (pace.take(now)) times.push(now / 1000);
	return times;
}

test("the first message is shown at once, the others after ever longer pauses", () => {
	expect(shown(new ProgressPace(), 5, 120)).toEqual([5, 6, 8, 12, 20, 36, 66, 96]);
});

test("after other contents the first message is shown at once again", () => {
	const pace = new ProgressPace();
	shown(pace, 0, 60);
	pace.reset();
	expect(shown(pace, 60, 70)).toEqual([60, 61, 63, 67]);
});
