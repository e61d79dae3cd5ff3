import { beforeEach, describe, expect, test } from "vitest";
import type { ListedTemplate } from "../../../../src/features/resources/listed.ts";
import { ResourceSearch, type Found } from "../../../../src/features/resources/search.ts";
import { FakeDirectory, FakeSession } from "./fakeSession.ts";

let memo: FakeSession;
let travel: FakeSession;
let directory: FakeDirectory;
const noTemplates = (): readonly ListedTemplate[] => [];

beforeEach(async () => {
	memo = new FakeSession("memo");
	travel = new FakeSession("travel");
	directory = new FakeDirectory(memo, travel, new FakeSession("idle"));
	await memo.run({
		resources: [
			{ uri: "memo://archive/sunset", name: "old" },
			{ uri: "memo://1", name: "one", title: "The Sunset $(rocket)", description: "of Barcelona" },
			{ uri: "memo://2", name: "two", title: "Sunset", mimeType: "image/png", size: 7 },
		],
	});
	await travel.run({ resources: [{ uri: "travel://pack", name: "Packing List" }] });
});

function labelsOf({ groups }: Found): readonly (readonly string[])[] {
	return groups.map(({ heading, rows }) => [heading, ...rows.map(({ label }) => label)]);
}

describe("ResourceSearch", () => {
	test("shows all resources by server while nothing is typed", () => {
		expect(labelsOf(new ResourceSearch(directory, noTemplates).find(""))).toEqual([
			["memo", "old", "The Sunset $(rocket)", "Sunset"],
			["travel", "Packing List"],
		]);
	});

	test("finds every word in name, title, URI, description or server, names first", () => {
		const search = new ResourceSearch(directory, noTemplates);
		expect(labelsOf(search.find("sunset"))).toEqual([["memo", "Sunset", "The Sunset $(rocket)", "old"]]);
		expect(labelsOf(search.find(" SUNSET  barcelona "))).toEqual([["memo", "The Sunset $(rocket)"]]);
		expect(labelsOf(search.find("travel"))).toEqual([["travel", "Packing List"]]);
		expect(search.find("nowhere")).toEqual({ groups: [], more: 0 });
		expect(search.find("two").groups[0]?.rows[0]).toMatchObject({
			label: "Sunset",
			description: "memo://2",
			mimeType: "image/png",
			value: { session: memo, uri: "memo://2", mimeType: "image/png", size: 7, isListed: true },
		});
	});

	test("offers an unlisted URI of each running server, those with a matching template first", async () => {
		const template = { uriTemplate: "travel://{place}", name: "place", mimeType: "text/markdown" };
		const asked: string[] = [];
		const search = new ResourceSearch(directory, (uri) => {
			asked.push(uri);
			return [{ session: travel, template }];
		});
		const { groups } = search.find("  travel://Paris?x=1 ");
		expect(asked).toEqual(["travel://Paris?x=1"]);
		expect(groups).toMatchObject([
			{
				heading: "Not Listed",
				rows: [
					{
						label: "Read from travel",
						description: "travel://Paris?x=1",
						detail: "Matches its template travel://{place}",
						value: { session: travel, uri: "travel://Paris?x=1", mimeType: "text/markdown", isListed: false },
					},
					{ label: "Read from memo", detail: "", value: { session: memo, mimeType: undefined } },
				],
			},
		]);
		expect(labelsOf(search.find("memo://2"))).toEqual([
			["memo", "Sunset"],
			["Not Listed", "Read from travel"],
		]);
		expect(labelsOf(search.find("just words"))).toEqual([]);
	});

	test("stays small and quick with 50,000 resources", async () => {
		const many = new FakeSession("many");
		directory.set(many);
		await many.run({
			resources: Array.from({ length: 50_000 }, (_, index) => ({
				uri: `library://shelf/${index % 100}/${index}`,
				name: `Book ${index}`,
				description: "A book of the library. ".repeat(20),
			})),
		});
		const search = new ResourceSearch(directory, noTemplates);
		const all = search.find("");
		expect(all.groups[0]?.rows).toHaveLength(200);
		expect(all.more).toBe(49_800);
		expect(search.find("book 49999").groups[0]?.rows.map(({ label }) => label)).toEqual(["Book 49999"]);
		expect(search.find("x://", 5).groups).toHaveLength(1);
	});
});
