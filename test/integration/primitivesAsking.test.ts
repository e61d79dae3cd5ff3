import { describe, expect, it } from "vitest";
import type { ElicitationRequest } from "../../src/protocol/connection.ts";
import { messagesOf } from "../servers/received.ts";
import { textOf } from "./fixtures.ts";
import { libraryReaches } from "./libraryReach.ts";
import { TestHost } from "./testHost.ts";

const patience = { timeout: 60_000 };
const book = { type: "ref/resource", uri: "catalog://{century}/{author}/{book}" } as const;
const recommend = { type: "ref/prompt", name: "recommend" } as const;

describe.each(libraryReaches)("completion and prompts over $name", ({ reach }) => {
	it("complete each argument with the others as context, for templates and prompts alike", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		for (const reference of [book, recommend]) {
			const values = async (name: string, value: string, known = {}): Promise<readonly string[]> =>
				(await session.complete(reference, { name, value }, known)).values;
			expect(await values("century", "")).toEqual(["18th", "19th", "20th"]);
			expect(await values("author", "s", { century: "20th" })).toEqual(["Stanisław Lem"]);
			expect(await values("author", "s", { century: "19th" })).toEqual([]);
			const author = { century: "20th", author: "Stanisław Lem" };
			expect(await values("book", "the", author)).toEqual(["The Cyberiad", "The Futurological Congress"]);
		}
		const [last] = messagesOf(library.received(), "completion/complete").slice(-1);
		expect(last).toMatchObject({
			params: {
				ref: recommend,
				argument: { name: "book", value: "the" },
				context: { arguments: { century: "20th", author: "Stanisław Lem" } },
			},
		});
	});

	it("show a hundred of a hundred thousand values (PRM-05)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const many = { type: "ref/resource", uri: "many://{value}" } as const;
		const { values, total, hasMore } = await session.complete(many, { name: "value", value: "value-0" });
		expect(values).toHaveLength(100);
		expect({ total, hasMore }).toEqual({ total: 100_000, hasMore: true });
	});

	it("cancel a completion that is no longer needed (PRM-05)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const controller = new AbortController();
		const stuck = session.complete(
			{ type: "ref/prompt", name: "word" },
			{ name: "stuck", value: "" },
			{},
			{ signal: controller.signal },
		);
		await expect.poll(() => messagesOf(library.received(), "completion/complete").length, patience).toBe(1);
		controller.abort();
		await expect(stuck).rejects.toMatchObject({ code: "cancelled" });
		const word = { type: "ref/prompt", name: "word" } as const;
		expect((await session.complete(word, { name: "word", value: "abcd" })).values).toHaveLength(5);
	});

	it("keep the roles, kinds and order of a prompt's messages (PRM-01, PRM-02)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const conversation = await session.getPrompt("conversation", {});
		expect(conversation.messages.map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"user",
			"assistant",
			"user",
			"assistant",
		]);
		const gallery = await session.getPrompt("gallery", {});
		expect(gallery.messages.map(({ content }) => content.type)).toEqual([
			"text",
			"image",
			"audio",
			"image",
			"resource",
			"resource",
			"resource_link",
			"resource_link",
			"text",
		]);
		await expect(session.getPrompt("recommend", { century: "20th" })).rejects.toThrow(
			"library: recommend needs author (error -32602).",
		);
	});
});

describe.each(libraryReaches)("the library's questions to the user over $name", ({ era, reach }) => {
	it("distinguish each answer", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		for (const action of ["decline", "cancel"] as const) {
			host.user.elicit = () => Promise.resolve({ action });
			expect(JSON.parse(textOf(await session.callTool("elicit", { form: "card" })))).toMatchObject([{ action }]);
		}
		host.user.elicit = () => Promise.resolve({ action: "accept", content: { name: "Ann", card: "AB1234" } });
		const answers = JSON.parse(textOf(await session.callTool("elicit", { form: "card", count: 3 }))) as unknown;
		// Exactly what the user sent: a default that they cleared stays cleared.
		const accepted = { kind: "elicit", action: "accept", content: { name: "Ann", card: "AB1234" } };
		expect(answers).toEqual([accepted, accepted, accepted]);
		expect(host.user.asked).toHaveLength(5);
		expect(host.user.asked[0]?.context.during).toMatch(/elicit/);
	});

	it("continue automatically when the page that they require is done", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const asked: ElicitationRequest[] = [];
		host.user.elicit = async () => {
			const request = host.user.asked.at(-1)?.params as ElicitationRequest;
			asked.push(request);
			if (request.mode !== "visited") return { action: "accept" };
			// The host's own question whether the user is done is left unanswered.
			return new Promise((resolve) => request.completed.addEventListener("abort", () => resolve({ action: "accept" })));
		};
		const call = session.callTool("needs-page", { id: "consent" });
		if (era === "legacy") {
			await expect.poll(() => asked.length, patience).toBe(2);
			await session.callTool("finish", { id: "consent" });
		}
		expect(textOf(await call)).toBe("the page was visited");
		expect(asked[0]).toMatchObject({ mode: "url", url: "https://library.example/consent?for=card" });
	});

	it("are not carried out when the user does not visit the page", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		host.user.elicit = () => Promise.resolve({ action: "decline" });
		const call = session.callTool("needs-page", { id: "declined" });
		if (era === "legacy") await expect(call).rejects.toMatchObject({ code: "denied" });
		else expect(textOf(await call)).toBe("decline");
		expect(host.user.asked).toHaveLength(1);
	});
});
