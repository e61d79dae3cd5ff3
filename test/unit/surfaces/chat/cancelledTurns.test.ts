import { setImmediate as immediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { User, serve, tool, untilAborted, type ToolSession } from "../../features/tools/toolSession.ts";
import { play, unpaired, type Step } from "./scripted.ts";

const text = { text: { type: "string" } };

/** Uncaught errors. */
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => {
	unhandled.length = 0;
	process.on("unhandledRejection", note);
});
afterEach(() => {
	process.off("unhandledRejection", note);
});

/**
 * Two rounds with everything in them: text, questions, a rule, a denied call, an unknown tool, calls that fail and that
 * hang.
 */
const steps: readonly Step[] = [
	{
		text: "Let me see. ",
		calls: [
			{ name: "s_echo", arguments: { text: "a" } },
			{ name: "s_ruled", arguments: { text: "b" } },
			{ name: "s_denied", arguments: { text: "c" } },
			{ name: "s_none" },
			{ name: "s_echo", malformed: "{" },
			{ name: "s_bad", arguments: { text: "d" } },
			{ name: "s_slow", arguments: { text: "e" } },
		],
	},
	{ text: "And again. ", calls: [{ name: "s_echo", arguments: { text: "f" } }] },
	{ text: "Done." },
];

async function makeServer(): Promise<{ server: ToolSession; open: () => number }> {
	const server = await serve("s", ...["echo", "ruled", "denied", "bad", "slow"].map((name) => tool(name, text)));
	let open = 0;
	server.onCall = async (name, _args, { signal }) => {
		open++;
		try {
			if (name === "slow") await Promise.race([untilAborted(signal), immediate().then(() => immediate())]);
			else await immediate();
			if (name === "bad") throw new HostError("protocol", "It broke.");
			return { content: [{ type: "text", text: `${name} done` }] };
		} finally {
			open--;
		}
	};
	return { server, open: () => open };
}

function makeUser(): User {
	const user = new User(({ call }) => ({ kind: call.entry.tool.name === "denied" ? "deny" : "allow" }));
	user.rules.set("ruled", { decision: "allow", by: { kind: "rule", label: "rule 1" } });
	return user;
}

describe("a turn that is cancelled", () => {
	test.each(["at", "a moment after"])("%s any of its events ends once, and leaves nothing open", async (when) => {
		const whole = await play(steps, [(await makeServer()).server], makeUser());
		expect(whole.record.ending).toBe("complete");
		const count = whole.events.length;
		expect(count).toBeGreaterThan(20);
		for (let at = 0; at < count; at++) {
			const controller = new AbortController();
			const { server, open } = await makeServer();
			const user = makeUser();
			let seen = 0;
			const { events, record, model } = await play(steps, [server], user, {
				signal: controller.signal,
				onEvent: () => {
					if (seen++ !== at) return;
					if (when === "at") controller.abort();
					else setImmediate(() => controller.abort());
				},
			});
			const requests = model.requests.length;
			await immediate();
			const about = `event ${at}: ${JSON.stringify(events[at]?.type)}`;
			expect(unpaired(record.messages), about).toEqual([]);
			expect(user.pending.all, about).toEqual([]);
			expect(
				user.asked.filter(({ decision }) => decision.outcome === undefined),
				about,
			).toEqual([]);
			expect(open(), about).toBe(0);
			const finished = events.flatMap((event) => (event.type === "finished" ? [event.place.id] : []));
			expect(new Set(finished).size, about).toBe(finished.length);
			expect(model.requests.length, about).toBe(requests);
			expect(["cancelled", "complete"], about).toContain(record.ending);
		}
		expect(unhandled).toEqual([]);
	});

	test("before it begins asks no question", async () => {
		const { server } = await makeServer();
		const { record, user } = await play(steps, [server], makeUser(), { signal: AbortSignal.abort() });
		expect([record.ending, user.asked, server.received]).toEqual(["cancelled", [], []]);
		expect(unpaired(record.messages)).toEqual([]);
	});

	test("whose reader disappears leaves no question behind", async () => {
		const controller = new AbortController();
		const { server, open } = await makeServer();
		const user = new User(() => undefined);
		const reading = play(steps, [server], user, {
			signal: controller.signal,
			onEvent: (event) => {
				if (event.type !== "group") return;
				controller.abort();
				throw new Error("The response stream has been closed");
			},
		});
		await expect(reading).rejects.toThrow("closed");
		await immediate();
		expect([user.pending.all, open(), unhandled]).toEqual([[], 0, []]);
	});
});
