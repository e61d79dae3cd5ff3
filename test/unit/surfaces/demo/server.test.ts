import { LOG_LEVEL_META_KEY, type CallToolResult, type ElicitResult } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Flight } from "../../../../src/surfaces/demo/world/flights.ts";
import type { Era } from "../../../../src/protocol/connection.ts";
import { bundleDemoServer, connectDemo, type DemoConnection, type DemoServerBundle } from "./demoServer.ts";

let bundle: DemoServerBundle;

beforeAll(async () => {
	bundle = await bundleDemoServer();
});

afterAll(() => bundle.remove());

describe.each<Era>(["legacy", "modern"])("the demo server in the %s era", (era) => {
	let demo: DemoConnection;

	beforeAll(async () => {
		demo = await connectDemo(bundle.path, era);
	});

	afterAll(() => demo.close());

	const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
		await demo.client.callTool({ name, arguments: args });
	const textOf = ({ content }: CallToolResult): string =>
		content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

	it("introduces itself as a demo", () => {
		expect(demo.client.getProtocolEra()).toBe(era);
		expect(demo.client.getServerVersion()).toMatchObject({ name: "mcp-host-demo-travel", title: "Demo Travel" });
		expect(demo.client.getInstructions()).toMatch(/^A demo: .* invented/);
		expect(demo.client.getServerCapabilities()).toMatchObject({
			tools: {},
			prompts: {},
			resources: { subscribe: true },
			completions: {},
			logging: {},
		});
	});

	it("lists its tools with titles, annotations and schemas", async () => {
		const { tools } = await demo.client.listTools();
		expect(
			tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
		).toEqual([
			["searchFlights", true, undefined],
			["checkWeather", true, undefined],
			["rankFlights", true, undefined],
			["bookHotel", false, true],
			["createCalendarEvent", false, false],
		]);
		expect(tools.every(({ title, description }) => title !== undefined && description !== undefined)).toBe(true);
		expect(tools[0]?.inputSchema.required).toEqual(["destination", "date"]);
		expect(tools[0]?.outputSchema).toMatchObject({ type: "object" });
	});

	it("lists its resources in pages", async () => {
		const pages: string[][] = [];
		let cursor: string | undefined;
		do {
			const params: { cursor?: string } = cursor === undefined ? {} : { cursor };
			const page = await demo.client.request({ method: "resources/list", params });
			pages.push(page.resources.map(({ uri }) => uri));
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		expect(pages.map(({ length }) => length)).toEqual([25, 25, 16]);
		expect(new Set(pages.flat()).size).toBe(66);
		expect(pages.flat().filter((uri) => uri.startsWith("trips://history/"))).toHaveLength(60);
	});

	it.each(["", "bm90IG1pbmU", "ZnJvbTotMjU", "ZnJvbTo3"])("refuses the foreign cursor %j", async (cursor) => {
		const list = demo.client.request({ method: "resources/list", params: { cursor } });
		await expect(list).rejects.toMatchObject({ code: -32602 });
	});

	it("reads every listed resource as its declared type", async () => {
		const { resources } = await demo.client.listResources();
		for (const { uri, mimeType } of resources) {
			const { contents } = await demo.client.readResource({ uri });
			expect(contents).toMatchObject([{ uri, mimeType }]);
		}
		const picture = await demo.client.readResource({ uri: "travel://pictures/sunset.png" });
		const [content] = picture.contents;
		const bytes = Buffer.from(content !== undefined && "blob" in content ? content.blob : "", "base64");
		expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1A\n");
	});

	it("reads templates, and refuses invalid values", async () => {
		const { resourceTemplates } = await demo.client.listResourceTemplates();
		expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
			"weather://forecast/{city}/{date}",
			"travel://activities/{city}/{category}",
		]);
		const forecast = await demo.client.readResource({ uri: "weather://forecast/New%20York/2026-06-12" });
		expect(forecast.contents[0]).toMatchObject({
			mimeType: "application/json",
			text: expect.stringContaining("New York"),
		});
		const activities = await demo.client.readResource({ uri: "travel://activities/paris/museums" });
		expect(activities.contents[0]).toMatchObject({ text: expect.stringMatching(/^# Museums in Paris/) });
		for (const uri of [
			"weather://forecast/Atlantis/2026-06-12",
			"weather://forecast/Paris/2026-02-31",
			"travel://activities/Paris/beaches",
		]) {
			await expect(demo.client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
		}
	});

	it("completes the arguments of the prompt and of the templates", async () => {
		const complete = async (
			ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
			name: string,
			value: string,
			known: Record<string, string> = {},
		): Promise<string[]> => {
			const { completion } = await demo.client.complete({
				ref,
				argument: { name, value },
				context: { arguments: known },
			});
			return completion.values;
		};
		const prompt = { type: "ref/prompt", name: "plan-vacation" } as const;
		expect(await complete(prompt, "destination", "Par")).toEqual(["Paris"]);
		expect(await complete(prompt, "budget", "", { destination: "Tokyo" })).toContain("6000");
		expect(await complete(prompt, "budget", "", { destination: "Paris" })).not.toContain("6000");
		expect(await complete(prompt, "travelers", "3")).toEqual(["3"]);
		const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
		expect(await complete(prompt, "departureDate", tomorrow)).toEqual([tomorrow]);
		const activities = { type: "ref/resource", uri: "travel://activities/{city}/{category}" } as const;
		expect(await complete(activities, "city", "bar")).toEqual(["Barcelona"]);
		expect(await complete(activities, "category", "", { city: "Barcelona" })).toContain("beaches");
		expect(await complete(activities, "category", "", { city: "Paris" })).not.toContain("beaches");
		const forecast = { type: "ref/resource", uri: "weather://forecast/{city}/{date}" } as const;
		expect(await complete(forecast, "date", "")).toHaveLength(14);
	});

	it("returns the prompt's messages, a resource among them", async () => {
		const prompt = await demo.client.getPrompt({
			name: "plan-vacation",
			arguments: { destination: "Paris", departureDate: "2026-06-12", budget: "2000", travelers: "1" },
		});
		expect(prompt.messages.map(({ role, content }) => [role, content.type])).toEqual([
			["user", "text"],
			["user", "resource"],
			["assistant", "text"],
			["user", "text"],
		]);
		expect(prompt.messages[0]?.content).toMatchObject({
			text: "I want a vacation: a trip to Paris on 2026-06-12 for 1 traveler with a budget of €2000.",
		});
		await expect(demo.client.getPrompt({ name: "plan-vacation", arguments: {} })).rejects.toMatchObject({
			code: -32602,
		});
	});

	it("searches flights with progress, the same ones every time", async () => {
		const search = { name: "searchFlights", arguments: { destination: "paris", date: "2026-06-12", travelers: 2 } };
		const first = await demo.client.callTool(search, { onprogress: () => undefined });
		const second = await demo.client.callTool(search);
		expect(demo.progress).toMatchObject([
			{ progress: 1, total: 3 },
			{ progress: 2, total: 3 },
			{ progress: 3, total: 3, message: "Found 6 flights" },
		]);
		expect(first.structuredContent).toMatchObject({ origin: "London", destination: "Paris", travelers: 2 });
		expect(second.structuredContent).toEqual(first.structuredContent);
		expect(textOf(first)).toMatch(/^Flights from London to Paris on 2026-06-12 for 2 travelers/);
	});

	it("answers wrong arguments with a helpful error", async () => {
		const unknown = await call("searchFlights", { destination: "Atlantis", date: "2026-06-12" });
		expect(unknown.isError).toBe(true);
		expect(textOf(unknown)).toContain("Atlantis is not a city of the demo. It knows Amsterdam");
		const date = await call("checkWeather", { city: "Paris", date: "next week" });
		expect(textOf(date)).toContain("is not a date written YYYY-MM-DD");
	});

	it("logs at the requested level, and not below", async () => {
		const weather = { name: "checkWeather", arguments: { city: "Paris", date: "2026-06-12" } };
		const callAt = async (level: "info" | "error"): Promise<void> => {
			if (era === "legacy") await demo.client.setLoggingLevel(level);
			const _meta = era === "modern" ? { [LOG_LEVEL_META_KEY]: level } : {};
			await demo.client.callTool({ ...weather, _meta });
		};
		demo.logs.length = 0;
		await callAt("error");
		expect(demo.logs).toEqual([]);
		await callAt("info");
		expect(demo.logs).toMatchObject([
			{ level: "info", logger: "travel", data: "Asking the weather station of Paris" },
			{ level: "info", logger: "travel" },
		]);
	});

	describe("bookHotel", () => {
		const stay = { city: "Paris", checkIn: "2026-06-12", nights: 3, guests: 2, hotel: "sample" };
		const details = { bedType: "twin", arrivalTime: "23:30", lateArrival: true, email: "sam@example.org" };
		const bookWith = async (answer: ElicitResult): Promise<CallToolResult> => {
			demo.answerForm = () => answer;
			return await call("bookHotel", stay);
		};

		it("asks for the details and books with them", async () => {
			const asked = vi.fn((): ElicitResult => ({ action: "accept", content: details }));
			demo.answerForm = asked;
			const result = await call("bookHotel", stay);
			expect(asked).toHaveBeenCalledOnce();
			expect(asked.mock.calls[0]).toMatchObject([
				{
					message: expect.stringContaining("Hotel Sample Paris, Paris: 3 nights from 2026-06-12, 2 guests"),
					requestedSchema: {
						properties: {
							bedType: { oneOf: [{ const: "king" }, { const: "twin" }, { const: "family" }] },
							arrivalTime: { type: "string" },
							lateArrival: { type: "boolean" },
							email: { format: "email" },
						},
						required: ["bedType", "arrivalTime", "email"],
					},
				},
			]);
			expect(result.isError).toBeUndefined();
			expect(textOf(result)).toMatch(
				/^Booked, reference DEMO-\w{4}: Hotel Sample Paris, Paris, 2026-06-12 to 2026-06-15, 2 guests, €\d+\.\nTwo single beds, arrival 23:30 \(late arrival noted\), confirmation for sam@example\.org\./,
			);
		});

		it("books nothing when the user declines or closes the form", async () => {
			expect(textOf(await bookWith({ action: "decline" }))).toBe(
				"Nothing was booked: the traveler declined to give the details.",
			);
			expect(textOf(await bookWith({ action: "cancel" }))).toBe(
				"Nothing was booked: the traveler closed the form without an answer.",
			);
		});

		it("books nothing with details that break the schema", async () => {
			const result = await bookWith({
				action: "accept",
				content: { ...details, arrivalTime: "noon", bedType: "bunk" },
			});
			expect(result.isError).toBe(true);
			expect(textOf(result)).toMatch(/^Nothing was booked: the details are not usable\./);
		});

		it("knows its hotels", async () => {
			const result = await call("bookHotel", { ...stay, hotel: "Ritz" });
			expect(result.isError).toBe(true);
			expect(textOf(result)).toContain("There are: Grand Example Paris, Hotel Sample Paris, Placeholder Inn Paris.");
		});
	});

	it("has the host's model rank flights by sampling", async () => {
		const search = await call("searchFlights", { destination: "Paris", date: "2026-06-12" });
		const { flights } = search.structuredContent as { flights: Flight[] };
		demo.answerSampling = ({ messages, systemPrompt, maxTokens }) => {
			expect(systemPrompt).toMatch(/^You rank flights/);
			expect(maxTokens).toBe(400);
			expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
			expect(JSON.stringify(messages)).toContain(flights[0]?.number);
			return {
				model: "test-model",
				role: "assistant",
				content: { type: "text", text: "1. The first." },
				stopReason: "endTurn",
			};
		};
		const result = await call("rankFlights", { flights, preferences: "cheap" });
		expect(textOf(result)).toBe("Ranked by test-model, asked through sampling:\n\n1. The first.");
	});

	it("notifies subscribers of the calendar's change, and shows the event", async () => {
		const uri = "calendar://events/upcoming";
		const add = (title: string): Promise<CallToolResult> =>
			call("createCalendarEvent", { title, startDate: "2027-06-12" });
		await add("Before");
		expect(demo.updates).toEqual([]);
		const unsubscribe = await subscribe(demo, era, uri);
		await add("After");
		await expect.poll(() => demo.updates.includes(uri)).toBe(true);
		await unsubscribe();
		const { contents } = await demo.client.readResource({ uri });
		expect(contents[0]).toMatchObject({ text: expect.stringContaining("- **2027-06-12** After") });
		const backwards = await call("createCalendarEvent", { title: "x", startDate: "2027-06-12", endDate: "2027-06-11" });
		expect(backwards.isError).toBe(true);
	});

	it("updates the flight board automatically while there is a subscriber", async () => {
		const uri = "travel://airport/departures";
		const read = async (): Promise<unknown> => (await demo.client.readResource({ uri })).contents;
		const before = await read();
		const unsubscribe = await subscribe(demo, era, uri);
		await expect.poll(() => demo.updates.filter((updated) => updated === uri).length > 1).toBe(true);
		expect(await read()).not.toEqual(before);
		await unsubscribe();
	});
});

async function subscribe({ client }: DemoConnection, era: Era, uri: string): Promise<() => Promise<unknown>> {
	if (era === "legacy") {
		await client.subscribeResource({ uri });
		return () => client.unsubscribeResource({ uri });
	}
	const subscription = await client.listen({ resourceSubscriptions: [uri] });
	return () => subscription.close();
}
