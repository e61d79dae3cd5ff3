import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Announcer, type AnnouncedChoice } from "../../../../src/questions/decisions/announcer.ts";
import { Decision } from "../../../../src/questions/decisions/decision.ts";
import { PendingDecisions } from "../../../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue, type Entrance } from "../../../../src/questions/decisions/queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Shown {
	readonly text: string;
	readonly isForSeveral: boolean;
	/** Answers or closes it, as the user does. */
	readonly end: (choice?: AnnouncedChoice) => Promise<void>;
}

function setUp() {
	const queue = new DecisionQueue(new PendingDecisions());
	const notifications: Shown[] = [];
	const revealed: string[] = [];
	const told: string[] = [];
	let hasFocus = true;
	const announcer = new Announcer({
		queue,
		notify: (text, isForSeveral) => {
			const { promise, resolve } = Promise.withResolvers<AnnouncedChoice | undefined>();
			const end = async (choice?: AnnouncedChoice): Promise<void> => {
				resolve(choice);
				await vi.advanceTimersByTimeAsync(0);
			};
			notifications.push({ text, isForSeveral, end });
			return promise;
		},
		hasFocus: () => hasFocus,
		showList: () => told.push("list"),
		reportEnded: () => told.push("ended"),
	});
	const ask = (server: string, during?: string, entrance?: Entrance): Decision<boolean> => {
		const decision = new Decision<boolean>(
			{ kind: "sampling", server, title: "a question", ...(during === undefined ? {} : { during }) },
			false,
		);
		queue.enter(decision, (reason) => void (reason === "asked" && revealed.push(server)), entrance);
		return decision;
	};
	const texts = (): readonly string[] => notifications.map(({ text }) => text);
	const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
	/** Ends a question as the user does, with everything that follows at once. */
	const answer = async (decision: Decision<boolean>): Promise<void> => {
		decision.answer(true);
		await pass(1000);
	};
	const focus = (has: boolean): void => {
		hasFocus = has;
		if (has) announcer.noteFocus();
	};
	return { announcer, notifications, revealed, told, ask, texts, pass, answer, focus };
}

describe("Announcer (UI-09)", () => {
	it("shows ten requests of three servers at once in one notification, with the server whose turn it is (SMP-01)", async () => {
		const { ask, texts, pass, notifications } = setUp();
		for (let count = 0; count < 5; count++) ask("weather");
		for (let count = 0; count < 4; count++) ask("travel");
		ask("files");
		await pass(60_000);
		expect(texts()).toEqual(["10 requests are waiting for you: weather (5), travel (4), files"]);
		expect(notifications[0]?.isForSeveral).toBe(true);
	});

	it("shows for a single request its server and its purpose, in our own words", async () => {
		const { ask, texts, pass, notifications } = setUp();
		ask("weather");
		await pass(1000);
		expect(texts()).toEqual(["weather (server) asks for a completion"]);
		expect(notifications[0]?.isForSeveral).toBe(false);
	});

	it("shows no second one while the first may still be shown, and then the new ones with all the rest", async () => {
		const { ask, texts, pass } = setUp();
		ask("weather");
		await pass(1000);
		ask("travel");
		await pass(10_000);
		expect(texts()).toHaveLength(1);
		await pass(2000);
		expect(texts()).toEqual([
			"weather (server) asks for a completion",
			"2 requests are waiting for you: weather, travel",
		]);
		await pass(120_000);
		expect(texts()).toHaveLength(2);
	});

	it("waits for the focus of the window, without which VS Code hides no notification", async () => {
		const { ask, texts, pass, focus } = setUp();
		ask("weather");
		await pass(1000);
		focus(false);
		ask("travel");
		await pass(3_600_000);
		expect(texts()).toHaveLength(1);
		focus(true);
		await pass(11_000);
		expect(texts()).toHaveLength(1);
		await pass(2000);
		expect(texts()).toHaveLength(2);
	});

	it("replaces a notification by one with the same text at once, and forgets nothing when the first is closed for it", async () => {
		const { ask, texts, pass, notifications } = setUp();
		ask("weather").lapse("cancelled");
		await pass(1000);
		const first = ask("weather");
		await pass(1000);
		first.lapse("cancelled");
		ask("weather");
		await pass(1000);
		expect(texts()).toEqual(Array.from({ length: 2 }, () => "weather (server) asks for a completion"));
		// As VS Code does with the duplicate.
		await notifications[0]?.end();
		ask("travel");
		await pass(5000);
		expect(texts()).toHaveLength(2);
	});

	it("does not show a closed notification again, until a new question arrives", async () => {
		const { ask, texts, pass, notifications } = setUp();
		ask("weather");
		ask("travel");
		await pass(1000);
		await notifications[0]?.end();
		await pass(3_600_000);
		expect(texts()).toHaveLength(1);
		ask("files");
		await pass(1000);
		expect(texts().at(-1)).toBe("3 requests are waiting for you: weather, travel, files");
	});

	it("leads to the question whose turn it is, and shows the rest when that is answered", async () => {
		const { ask, texts, pass, notifications, revealed, answer } = setUp();
		const first = ask("weather");
		ask("weather");
		ask("travel");
		await pass(1000);
		await notifications[0]?.end("review");
		expect(revealed).toEqual(["weather"]);
		await pass(60_000);
		expect(texts()).toHaveLength(1);
		await answer(first);
		expect(texts().at(-1)).toBe("2 requests are waiting for you: travel, weather");
		await notifications[1]?.end("review");
		expect(revealed).toEqual(["weather", "travel"]);
	});

	it("opens the list", async () => {
		const { ask, pass, notifications, told, revealed } = setUp();
		ask("weather");
		ask("travel");
		await pass(1000);
		await notifications[0]?.end("list");
		expect([told, revealed]).toEqual([["list"], []]);
	});

	it("does no harm when its question has ended: its button leads to the waiting ones, or reports that there are none", async () => {
		const { ask, pass, notifications, told, revealed, answer } = setUp();
		const gone = ask("weather");
		await pass(1000);
		await answer(gone);
		ask("travel");
		await pass(1000);
		await notifications[0]?.end("review");
		expect(revealed).toEqual(["travel"]);

		const last = ask("files");
		await pass(1000);
		await answer(last);
		await notifications[1]?.end("review");
		expect(told).toEqual(["ended"]);
	});

	it("shows nothing about the question in front, and nothing of the same server, whose next one follows automatically", async () => {
		const { ask, texts, pass } = setUp();
		ask("weather", "tools/call pack");
		ask("weather", "tools/call pack");
		ask("weather");
		await pass(60_000);
		expect(texts()).toEqual([]);
	});

	it("shows a server's call that waits behind another server's panel, so that no server is starved (BLT-17)", async () => {
		const { ask, texts, pass } = setUp();
		ask("weather", "tools/call pack");
		ask("travel", "tools/call plan");
		await pass(1000);
		expect(texts()).toEqual(["travel (server) asks for a completion"]);
	});

	it("shows delayed questions only when their time has come (SMP-13)", async () => {
		const { ask, texts, pass } = setUp();
		ask("weather", undefined, { heldMs: 30_000 });
		await pass(29_000);
		expect(texts()).toEqual([]);
		await pass(2000);
		expect(texts()).toHaveLength(1);
	});

	it("is silent once it is disposed", async () => {
		const { announcer, ask, texts, pass } = setUp();
		ask("weather");
		announcer.dispose();
		ask("travel");
		await pass(60_000);
		expect(texts()).toEqual([]);
	});
});
