/** The list and the search of Run Prompt… (BLT-28: VS Code's own host has no palette way to prompts). */
import { describe, expect, test } from "vitest";
import { listPrompts } from "../../../../src/features/prompts/catalog.ts";
import { PromptSearch, type PromptChoices } from "../../../../src/features/prompts/choices.ts";
import { FakeDirectory, FakeSession, planVacation } from "./fakeDirectory.ts";

const nothing = { pinned: [], recent: [] };

async function searchOf(
	...sessions: readonly FakeSession[]
): Promise<{ search: PromptSearch; keys: readonly string[] }> {
	for (const session of sessions) await session.ready();
	const directory = new FakeDirectory(...sessions);
	const entries = listPrompts(directory);
	return { search: new PromptSearch(directory, entries), keys: entries.map(({ key }) => key) };
}

function shown({ groups }: PromptChoices): readonly (readonly [string, readonly string[]])[] {
	return groups.map(({ heading, rows }) => [heading, rows.map(({ description }) => description)]);
}

describe("without a text", () => {
	test("pinned prompts come first, then those used last, then the rest by server, each once", async () => {
		const { search, keys } = await searchOf(
			new FakeSession("travel", [planVacation, { name: "greet" }, { name: "pack" }]),
			new FakeSession("notes", [{ name: "greet" }]),
		);
		const [plan = "", greet = "", , noteGreet = ""] = keys;
		const choices = search.choices(" ", { pinned: [noteGreet, "gone"], recent: ["gone", plan, noteGreet] });
		expect(shown(choices)).toEqual([
			["pinned", ["notes/greet"]],
			["recently used", ["travel/plan-vacation"]],
			["travel", ["travel/greet", "travel/pack"]],
		]);
		expect(choices.groups[0]?.rows[0]?.isPinned).toBe(true);
		expect(choices.groups[2]?.rows.map(({ entry }) => entry.key)).toContain(greet);
		expect(choices.more).toBe(0);
	});
});

describe("a search", () => {
	test("finds by title, name, description and server, all words in any order, without case and accents", async () => {
		const { search } = await searchOf(
			new FakeSession("travel", [planVacation, { name: "visa", description: "Réserver un hôtel" }]),
			new FakeSession("notes", [{ name: "summary" }]),
		);
		const found = (text: string): unknown => shown(search.choices(text, nothing)).flatMap(([, rows]) => rows);
		expect(found("PLAN vac")).toEqual(["travel/plan-vacation"]);
		expect(found("calendar travel")).toEqual(["travel/plan-vacation"]);
		expect(found("hotel reserver")).toEqual(["travel/visa"]);
		expect(found("notes/sum")).toEqual(["notes/summary"]);
		expect(found("plan summary")).toEqual([]);
	});

	test("puts the closest first, and among equals pinned and recent ones", async () => {
		const { search, keys } = await searchOf(
			new FakeSession("a", [
				{ name: "one", description: "to plan" },
				{ name: "my-plan" },
				{ name: "plan-b" },
				{ name: "plan-c" },
				{ name: "plan-d" },
			]),
		);
		const choices = search.choices("plan", { pinned: [keys[4] ?? ""], recent: [keys[3] ?? ""] });
		expect(shown(choices)).toEqual([["", ["a/plan-d", "a/plan-c", "a/plan-b", "a/my-plan", "a/one"]]]);
	});

	test("of 10,000 prompts shows 200 and the number of the rest; each of them can be found", async () => {
		const prompts = Array.from({ length: 10_000 }, (_, index) => ({ name: `prompt-${index}` }));
		const { search } = await searchOf(new FakeSession("big", prompts));
		const all = search.choices("", nothing);
		expect(shown(all)[0]?.[1]).toHaveLength(200);
		expect(all.more).toBe(9800);
		expect(shown(search.choices("prompt-9999", nothing))).toEqual([["", ["big/prompt-9999"]]]);
		expect(search.choices("prompt", nothing).more).toBe(9800);
	});
});

test("PRM-03: a row always shows the server, whatever the prompt's title", async () => {
	const evil = { name: "x", title: "Sign in to GitHub\u202E\n", description: "long ".repeat(200) };
	const { search } = await searchOf(new FakeSession("evil", [evil]));
	const [row] = search.choices("", nothing).groups[0]?.rows ?? [];
	expect(row?.label).toBe("Sign in to GitHub\\u202E");
	expect(row?.description).toBe("evil/x");
	expect(row?.detail.length).toBeLessThan(350);
});
