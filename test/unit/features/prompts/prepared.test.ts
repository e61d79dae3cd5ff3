import { describe, expect, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { findPrompt } from "../../../../src/features/prompts/find.ts";
import { PreparedPrompts, resolvePromptTurn } from "../../../../src/features/prompts/prepared.ts";
import { formatPromptQuery } from "../../../../src/features/prompts/query.ts";
import { FakeDirectory, FakeSession, planVacation } from "./fakeDirectory.ts";

const { signal } = new AbortController();
const greet = { name: "greet" };
const hello = { role: "user", content: [{ type: "text", text: "hello" }] } as const;

async function travelDirectory(): Promise<{ directory: FakeDirectory; travel: FakeSession }> {
	const travel = await new FakeSession("travel", [planVacation, greet]).ready();
	travel.answer = { messages: [{ role: "assistant", content: { type: "text", text: "Where to?" } }] };
	return { directory: new FakeDirectory(travel), travel };
}

describe("prepared prompts", () => {
	test("return a preview once, for exactly its query", () => {
		const prepared = new PreparedPrompts();
		prepared.add("a/b ", { title: "first", messages: [] });
		prepared.add("a/b", { title: "second", messages: [hello] });
		expect(prepared.take("a/c")).toBeUndefined();
		expect(prepared.take(" a/b")).toEqual({ title: "second", messages: [hello] });
		expect(prepared.take("a/b")).toBeUndefined();
	});

	test("keep the last 50", () => {
		const prepared = new PreparedPrompts();
		for (let index = 0; index < 51; index++) prepared.add(`a/${index}`, { title: "", messages: [] });
		expect(prepared.take("a/0")).toBeUndefined();
		expect(prepared.take("a/1")).toBeDefined();
		expect(prepared.take("a/50")).toBeDefined();
	});
});

describe("the text in the chat's input", () => {
	const turn = { title: "t", messages: [hello] };

	test("names the prompt and its arguments, as a user would type it", () => {
		const prepared = new PreparedPrompts();
		const query = prepared.prepare({ id: "travel/greet", arguments: { to: "Rome" } }, turn, false);
		expect(query).toBe('travel/greet to="Rome"');
		expect(prepared.take(query)).toBe(turn);
	});

	test.each([
		["changed messages", { to: "Rome" }, true],
		["long arguments", { to: "x".repeat(600) }, false],
	])("represents exactly the previewed messages with %s, as often as it is sent", async (_what, values, isChanged) => {
		const { directory, travel } = await travelDirectory();
		const prepared = new PreparedPrompts();
		const query = prepared.prepare({ id: "travel/greet", arguments: values }, turn, isChanged);
		expect(query).toMatch(/^travel\/greet as-previewed-[0-9a-f]{8}$/);
		for (let sent = 0; sent < 2; sent++) {
			expect(await resolvePromptTurn(prepared, directory, `${query} `, signal)).toBe(turn);
		}
		// In another window, or after a reload: only ever the preview.
		const later = resolvePromptTurn(new PreparedPrompts(), directory, query, signal);
		await expect(later).rejects.toThrow("Run the prompt again");
		expect(travel.received).toEqual([]);
	});

	test("images of many previews do not fill the memory; the latest is always kept", () => {
		const prepared = new PreparedPrompts();
		const image = { type: "image", data: "A".repeat(30_000_000), mimeType: "image/png" } as const;
		const large = { title: "t", messages: [{ role: "user", content: [image, image] }] } as const;
		for (const query of ["a/1", "a/2", "a/3"]) prepared.add(query, large);
		expect(["a/1", "a/2", "a/3"].map((query) => prepared.take(query) === large)).toEqual([false, false, true]);
	});
});

describe("a prompt in a chat turn", () => {
	test("is exactly the preview, without another request to the server", async () => {
		const { directory, travel } = await travelDirectory();
		const prepared = new PreparedPrompts();
		const query = formatPromptQuery({ id: "travel/greet", arguments: {} });
		prepared.add(query, { title: "travel: greet", messages: [hello] });
		expect((await resolvePromptTurn(prepared, directory, query, signal)).messages).toEqual([hello]);
		expect(travel.received).toEqual([]);
	});

	test("typed by hand, it is fetched with its arguments", async () => {
		const { directory, travel } = await travelDirectory();
		const text = 'travel/plan-vacation destination="Barcelona" departure=2026-06-01 budget=""';
		const turn = await resolvePromptTurn(new PreparedPrompts(), directory, text, signal);
		expect(travel.received).toEqual([
			{ name: "plan-vacation", arguments: { destination: "Barcelona", departure: "2026-06-01" } },
		]);
		expect(turn).toEqual({
			title: "travel: Plan a Vacation",
			messages: [{ role: "assistant", content: [{ type: "text", text: "Where to?" }] }],
		});
	});

	test("PRM-04: a value arrives exactly as written; nothing in it is interpreted, run or looked up", async () => {
		const { directory, travel } = await travelDirectory();
		const value = "${env:HOME} ${input:x} {{destination}} $(id) `id` %PATH% '; DROP TABLE\n#file:x";
		const text = formatPromptQuery({
			id: "travel/plan-vacation",
			arguments: { destination: value, departure: "{destination}" },
		});
		await resolvePromptTurn(new PreparedPrompts(), directory, text, signal);
		expect(travel.received).toEqual([
			{ name: "plan-vacation", arguments: { destination: value, departure: "{destination}" } },
		]);
	});

	test.each([
		["travel/plan-vacation budget=1", "needs the arguments destination, departure"],
		["travel/greet to=x", 'has no argument "to"'],
		["", "Write /prompt"],
		["travel/plan", 'There is no prompt "travel/plan". Did you mean: travel/plan-vacation, travel/greet?'],
	])("%j fails with the correct form", async (text, message) => {
		const { directory, travel } = await travelDirectory();
		const turn = resolvePromptTurn(new PreparedPrompts(), directory, text, signal);
		await expect(turn).rejects.toThrow(message);
		await expect(turn).rejects.toBeInstanceOf(HostError);
		expect(travel.received).toEqual([]);
	});
});

describe("finding a prompt", () => {
	test("by id, by name and server, by unique server id", async () => {
		const { directory } = await travelDirectory();
		for (const reference of [
			"travel/greet",
			"user-settings/travel/greet",
			{ server: "travel", prompt: "greet" },
			{ server: "user-settings/travel", prompt: "greet" },
		]) {
			expect((await findPrompt(directory, reference, signal)).prompt).toBe(greet);
		}
	});

	test("a name shared by two servers is ambiguous; the message explains how to choose", async () => {
		const mine = await new FakeSession("travel", [greet]).ready();
		const theirs = await new FakeSession("travel", [greet], "mcp-json").ready();
		const directory = new FakeDirectory(mine, theirs);
		await expect(findPrompt(directory, "travel/greet", signal)).rejects.toThrow(
			"Choose one of: user-settings/travel/greet, mcp-json/travel/greet",
		);
		expect((await findPrompt(directory, "mcp-json/travel/greet", signal)).session).toBe(theirs);
	});

	test("waits for a list that is still loading, unless aborted", async () => {
		const late = new FakeSession("late", []);
		const { promise, resolve } = Promise.withResolvers<{ items: readonly { name: string }[] }>();
		void late.prompts.connect(() => promise);
		const controller = new AbortController();
		const aborted = findPrompt(new FakeDirectory(late), "late/greet", controller.signal);
		controller.abort(new HostError("cancelled", "Cancelled."));
		await expect(aborted).rejects.toThrow("Cancelled.");
		const found = findPrompt(new FakeDirectory(late), "late/greet", signal);
		resolve({ items: [greet] });
		expect((await found).prompt).toBe(greet);
	});

	test("distinguishes a server that does not run from a prompt that does not exist", async () => {
		const { directory, travel } = await travelDirectory();
		travel.state = { kind: "stopped" };
		const found = findPrompt(directory, "travel/greet", signal);
		await expect(found).rejects.toThrow('The server "travel" is not running.');
		await expect(found).rejects.toMatchObject({ code: "not-connected" });
		await expect(findPrompt(directory, "other/greet", signal)).rejects.toThrow("No running server offers prompts.");
		await expect(findPrompt(directory, { server: "other", prompt: "greet" }, signal)).rejects.toThrow(
			'No server named "other" is configured. Configured: travel.',
		);
	});
});
