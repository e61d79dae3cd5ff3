import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LongRequests } from "../../../../src/servers/sessions/longRequests.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";

let travel: FakeSession;
let directory: FakeDirectory;
let activity: LongRequests;
let told: string[];

beforeEach(() => {
	vi.useFakeTimers();
	travel = new FakeSession("travel");
	directory = new FakeDirectory(travel);
	activity = new LongRequests(directory);
	told = [];
	activity.onDidChange((lines) => told.push(lines.join(" | ")));
});
afterEach(() => {
	activity.dispose();
	vi.useRealTimers();
});

test("a request is shown only when it takes longer than a moment, with its latest progress", () => {
	const call = travel.requestLog.begin("tools/call searchFlights", false);
	vi.advanceTimersByTime(900);
	expect(activity.lines).toEqual([]);
	vi.advanceTimersByTime(400);
	expect(activity.lines).toEqual(["travel: searchFlights"]);
	call.note({ progress: 3, total: 7, message: "Searching" });
	vi.advanceTimersByTime(300);
	expect(activity.lines).toEqual(["travel: searchFlights, Searching (3 of 7)"]);
	call.end();
	vi.advanceTimersByTime(300);
	expect(told).toEqual(["travel: searchFlights", "travel: searchFlights, Searching (3 of 7)", ""]);
});

test("short requests and those of the host itself are not shown", () => {
	for (let count = 0; count < 50; count++) {
		travel.requestLog.begin("tools/call quick", false).end();
		vi.advanceTimersByTime(100);
	}
	travel.requestLog.begin("tools/list", true);
	vi.advanceTimersByTime(5000);
	expect(told).toEqual([]);
});

test("several requests are counted and listed, over all servers", () => {
	const other = new FakeSession("other");
	directory.set(travel, other);
	travel.requestLog.begin("resources/read a://b", false);
	vi.advanceTimersByTime(100);
	const prompt = other.requestLog.begin("prompts/get greet", false);
	vi.advanceTimersByTime(2000);
	expect(activity.lines).toEqual(["travel: a://b", "other: greet"]);
	directory.set(travel);
	vi.advanceTimersByTime(300);
	expect(activity.lines).toEqual(["travel: a://b"]);
	prompt.end();
	vi.advanceTimersByTime(1000);
	expect(told.at(-1)).toBe("travel: a://b");
});

test("a flood of progress changes the word four times in a second at most", () => {
	const call = travel.requestLog.begin("tools/call flood", false);
	vi.advanceTimersByTime(1500);
	told.length = 0;
	for (let step = 0; step < 1000; step++) {
		call.note({ progress: step });
		vi.advanceTimersByTime(1);
	}
	expect(told.length).toBeLessThanOrEqual(5);
	vi.advanceTimersByTime(300);
	expect(told.at(-1)).toBe("travel: flood, 999");
});

test("icon syntax and hidden characters of a server stay text", () => {
	const call = travel.requestLog.begin("tools/call x$(check)", false);
	call.note({ progress: 1, message: "$(shield~spin) all\u202E fine\nnow" });
	vi.advanceTimersByTime(2000);
	expect(activity.lines).toEqual([String.raw`travel: x\$(check), \$(shield~spin) all\u202E fine now (1)`]);
});

test("nothing is reported after the end", () => {
	travel.requestLog.begin("tools/call slow", false);
	activity.dispose();
	vi.advanceTimersByTime(5000);
	expect(told).toEqual([]);
});
