import { expect, test } from "vitest";
import { exactMoment, moment, wholeMoment } from "../../../media/activity/moment.ts";

const at = (...parts: [number, number, number, number, number]): number => new Date(...parts).getTime();
const now = at(2026, 10, 24, 0, 30);

test.each([
	[at(2026, 10, 24, 0, 5), "00:05"],
	[at(2026, 10, 23, 23, 59), "Yesterday 23:59"],
	[at(2026, 10, 22, 9, 0), "Sun 09:00"],
	[at(2026, 10, 18, 9, 0), "Wed 09:00"],
	// A week ago the day of the week would be today's.
	[at(2026, 10, 17, 9, 0), "Nov 17, 09:00"],
	[at(2025, 10, 23, 9, 0), "Nov 23, 2025, 09:00"],
	// A clock that was set back since.
	[at(2026, 10, 26, 9, 0), "Nov 26, 09:00"],
])("the activity shows times in readable form: %s is %s", (milliseconds, expected) => {
	expect(moment(milliseconds, now).replaceAll("\u202F", " ")).toBe(expected);
});

test("a step shows the second, and its hover the whole time", () => {
	const yesterday = at(2026, 10, 23, 9, 41);
	expect(exactMoment(yesterday, now).replaceAll("\u202F", " ")).toBe("Yesterday 09:41:00");
	expect(wholeMoment(yesterday).replaceAll("\u202F", " ")).toBe("Monday, November 23, 2026 at 09:41:00");
});
