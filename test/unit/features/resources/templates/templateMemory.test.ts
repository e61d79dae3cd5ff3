import { describe, expect, test } from "vitest";
import {
	type TemplateAddress,
	TemplateRecents,
	TemplateResults,
} from "../../../../../src/features/resources/templates/templateMemory.ts";
import { MemoryStore } from "../../../servers/fixtures.ts";

const city: TemplateAddress = { server: "settings/small", uriTemplate: "small://city/{country}/{city}" };
const item: TemplateAddress = { server: "settings/small", uriTemplate: "small://item/{id}" };

function urisOf(results: TemplateResults, { server, uriTemplate }: TemplateAddress): readonly string[] {
	return results.of(server, uriTemplate).map(({ uri }) => uri);
}

describe("the resources opened from templates", () => {
	test("are remembered per server and template, the newest first and each once, across windows", async () => {
		const store = new MemoryStore();
		const results = new TemplateResults(store);
		for (const name of ["a", "b", "a"]) await results.remember(city, `small://city/x/${name}`, ["country", "city"]);
		await results.remember(item, "small://item/1", ["id"]);
		await results.remember({ ...item, server: "other" }, "small://item/2", ["id"]);
		const later = new TemplateResults(store);
		expect(urisOf(later, city)).toEqual(["small://city/x/a", "small://city/x/b"]);
		expect(urisOf(later, item)).toEqual(["small://item/1"]);
		expect(later.of("settings/small", "small://{other}")).toEqual([]);
	});

	test("are limited: 20 URIs of a template, 50 templates, no unreadably long URI", async () => {
		const results = new TemplateResults(new MemoryStore());
		for (let index = 0; index < 25; index++) await results.remember(item, `small://item/${index}`, ["id"]);
		await results.remember(item, `small://item/${"x".repeat(2000)}`, ["id"]);
		expect(urisOf(results, item)).toHaveLength(20);
		expect(urisOf(results, item)[0]).toBe("small://item/24");
		for (let index = 0; index < 50; index++) {
			await results.remember({ server: "s", uriTemplate: `x${index}://{a}` }, "x://1", ["a"]);
		}
		expect(urisOf(results, item)).toEqual([]);
		expect(urisOf(results, { server: "s", uriTemplate: "x0://{a}" })).toEqual(["x://1"]);
	});

	test("a URI that holds a secret is not remembered", async () => {
		const store = new MemoryStore();
		await new TemplateResults(store).remember(city, "small://city/s3cr3t", ["country", "apiKey"]);
		await new TemplateResults(store).remember(item, "small://item/1?access_token=s3cr3t", ["rest"]);
		await new TemplateResults(store).remember(item, "db://me:s3cr3t@host/1", ["rest"]);
		await new TemplateRecents(store).remember(item, "rest", "1?page=2&token=s3cr3t");
		expect([...store.values]).toEqual([]);
	});

	test("are forgotten one by one, by template, and altogether; each change is announced", async () => {
		const results = new TemplateResults(new MemoryStore());
		const told: TemplateAddress[] = [];
		results.onDidChange((address) => told.push(address));
		await results.remember(city, "small://city/1", ["city"]);
		await results.remember(city, "small://city/2", ["city"]);
		await results.remember(item, "small://item/1", ["id"]);
		await results.forget(city, "small://city/2");
		expect(urisOf(results, city)).toEqual(["small://city/1"]);
		await results.forget(city);
		expect([urisOf(results, city), urisOf(results, item)]).toEqual([[], ["small://item/1"]]);
		expect(told).toEqual([city, city, item, city, city]);
		await results.forgetAll();
		expect(urisOf(results, item)).toEqual([]);
		expect(told.slice(5)).toEqual([item]);
	});

	test("data of another version is not trusted", () => {
		const store = new MemoryStore();
		const results = new TemplateResults(store);
		for (const stored of [7, {}, [7, {}, { key: "x", texts: [] }, { key: ["s", "t"], texts: [7] }]]) {
			void store.update("mcpHost.templateResults", stored);
			expect(results.of("s", "t")).toEqual([]);
		}
	});
});

describe("the values entered for variables", () => {
	test("are remembered per variable of a template, the newest first, at most 10, and only short ones", async () => {
		const store = new MemoryStore();
		const recents = new TemplateRecents(store);
		for (let index = 0; index < 12; index++) await recents.remember(item, "id", String(index));
		await recents.remember(item, "id", "x".repeat(201));
		await recents.remember(item, "id", "");
		await recents.remember(item, "id", "5");
		await recents.remember(city, "city", "Paris");
		const later = new TemplateRecents(store);
		expect(later.of(item, "id")).toEqual(["5", "11", "10", "9", "8", "7", "6", "4", "3", "2"]);
		expect(later.of(city, "city")).toEqual(["Paris"]);
		expect(later.of(city, "country")).toEqual([]);
		await later.forget(item);
		expect([later.of(item, "id"), later.of(city, "city")]).toEqual([[], ["Paris"]]);
		await later.forgetAll();
		expect(later.of(city, "city")).toEqual([]);
	});

	test("are never remembered if they look like a secret", async () => {
		const store = new MemoryStore();
		const recents = new TemplateRecents(store);
		await recents.remember(item, "password", "hunter2");
		await recents.remember(item, "apiKey", "hunter2");
		await recents.remember(item, "filter", "password=hunter2");
		expect([...store.values]).toEqual([]);
		await recents.remember(item, "filter", "color=red");
		expect(recents.of(item, "filter")).toEqual(["color=red"]);
	});
});
