/**
 * The travel story with a model that OpenAI offers only through its Responses API, at an equally strict endpoint
 * (MDL-09).
 */
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { toMessages, toMetadata } from "../../src/surfaces/chat/history.ts";
import { opaqueMark, type PlainAnswer } from "../servers/strictModels.ts";
import { startStrictResponses } from "../servers/strictResponses.ts";
import { User } from "../unit/features/tools/toolSession.ts";
import { playWith } from "./endpointTurn.ts";
import { leftBehind, modelAt, planning, startServers } from "./plannedTrip.ts";
import { TestHost } from "./testHost.ts";

it("MDL-09: a trip uses three servers with two calls at once, and continues in a window that was reloaded", async () => {
	await using host = new TestHost();
	host.traceLevel = "bodies";
	await using endpoint = await startStrictResponses();
	const log = host.path("small.log");
	await startServers(host, log);
	endpoint.say((round) => planning[round] ?? { text: "Done." });
	const first = await playWith(host, modelAt(endpoint), new User({ kind: "allow" }));
	expect([first.record.ending, endpoint.refused]).toEqual(["complete", []]);
	expect(first.events.filter(({ type }) => type === "finished")).toHaveLength(3);

	const metadata: unknown = JSON.parse(JSON.stringify(toMetadata(first.record)));
	const history = toMessages([{ prompt: "Go", answer: "", metadata }], 100_000);
	const again: readonly PlainAnswer[] = [{ calls: [{ name: "small_echo", arguments: { text: "again" } }] }];
	endpoint.say((round) => again[round] ?? { text: "Again." });
	const second = await playWith(host, modelAt(endpoint), new User({ kind: "allow" }), undefined, history);
	expect([second.record.ending, endpoint.refused]).toEqual(["complete", []]);
	// The whole first turn was sent again, thoughts in their places.
	const [, , third, fourth] = endpoint.bodies;
	expect(fourth?.input.slice(0, third?.input.length)).toEqual(third?.input);
	expect(JSON.stringify(fourth)).toContain(opaqueMark);
	expect(endpoint.bodies.every(({ store }) => store === false)).toBe(true);

	const events = [...first.events, ...second.events].filter(({ type }) => type !== "reasoning");
	const shown = inspect(events, { depth: 6, maxStringLength: Infinity });
	expect([...leftBehind(host, log), shown].filter((text) => text.includes(opaqueMark))).toEqual([]);
});
