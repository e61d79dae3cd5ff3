import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { textOf } from "./fixtures.ts";
import { factsOf, TestHost } from "./testHost.ts";

/** Offers the demo server as the extension does and starts it. */
async function startDemo(host: TestHost) {
	await host.host.configure([], true);
	const session = host.session("travel");
	await host.host.start(session.definition.id);
	return session;
}

describe("the demo server", () => {
	it("starts without an approval, since it is part of the extension, and shows every primitive", async () => {
		await using host = new TestHost();
		const session = await startDemo(host);
		expect(factsOf(session)).toMatchObject({ protocolVersion: "2026-07-28", transport: "stdio" });
		for (const list of [session.tools, session.resources, session.resourceTemplates, session.prompts]) {
			await expect.poll(() => list.status).toEqual({ kind: "ready" });
		}
		expect(session.tools.items.map(({ name }) => name).sort()).toEqual([
			"bookHotel",
			"checkWeather",
			"createCalendarEvent",
			"rankFlights",
			"searchFlights",
		]);
		const readOnly = session.tools.items.filter(({ annotations }) => annotations?.readOnlyHint === true);
		expect(readOnly.map(({ name }) => name)).toEqual(expect.arrayContaining(["checkWeather", "searchFlights"]));
		expect(session.tools.items.find(({ name }) => name === "bookHotel")?.annotations?.destructiveHint).toBe(true);
		expect(session.prompts.items.map(({ name }) => name)).toContain("plan-vacation");
		expect(session.resourceTemplates.items.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
			"travel://activities/{city}/{category}",
			"weather://forecast/{city}/{date}",
		]);
	});

	it("has resources that open, and completes the arguments of its prompt and its templates", async () => {
		await using host = new TestHost();
		const session = await startDemo(host);
		await expect.poll(() => session.resources.status.kind).toBe("ready");
		for (const { uri } of session.resources.items.slice(0, 10)) {
			expect((await session.readResource(uri)).contents).not.toEqual([]);
		}
		const [argument] = session.prompts.items.find(({ name }) => name === "plan-vacation")?.arguments ?? [];
		const prompt = { type: "ref/prompt", name: "plan-vacation" } as const;
		expect((await session.complete(prompt, { name: argument?.name ?? "", value: "" })).values).not.toEqual([]);
		const template = { type: "ref/resource", uri: "travel://activities/{city}/{category}" } as const;
		expect((await session.complete(template, { name: "city", value: "B" })).values).toContain("Barcelona");
	});

	it("ranks flights with the user's model and books only with the user's details", async () => {
		await using host = new TestHost();
		const session = await startDemo(host);
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		const search = { origin: "Zurich", destination: "Barcelona", date: "2027-06-05" };
		const { structuredContent: found } = await session.callTool("searchFlights", search);
		const { flights } = found as { readonly flights: readonly JsonObject[] };
		expect(flights.length).toBeGreaterThan(1);
		expect(textOf(await session.callTool("rankFlights", { flights }))).toContain("Because.");
		expect(host.user.asked.map(({ kind }) => kind)).toEqual(["sampling"]);

		const booking = { city: "Barcelona", checkIn: "2027-06-05", nights: 3 };
		host.user.elicit = () => Promise.resolve({ action: "decline" });
		expect(textOf(await session.callTool("bookHotel", booking))).not.toMatch(/reference/i);
		const content = { bedType: "king", arrivalTime: "18:30", email: "ann@example.com" };
		host.user.elicit = () => Promise.resolve({ action: "accept", content });
		expect(textOf(await session.callTool("bookHotel", booking))).toMatch(/reference/i);
		expect(host.user.asked.map(({ kind }) => kind)).toEqual(["sampling", "elicitation", "elicitation"]);
	});
});
