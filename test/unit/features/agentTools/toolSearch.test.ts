import { describe, expect, test } from "vitest";
import { readCatalog } from "../../../../src/permissions/catalog/catalog.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { ToolSearch } from "../../../../src/features/agentTools/toolSearch.ts";
import { corpus, corpusTools, queries } from "../tools/toolCorpus.ts";
import { directoryOf, serve, tool } from "../tools/toolSession.ts";

async function searchOver(servers: Readonly<Record<string, readonly Tool[]>>): Promise<ToolSearch> {
	const sessions = await Promise.all(Object.entries(servers).map(([name, tools]) => serve(name, ...tools)));
	return new ToolSearch([...readCatalog(directoryOf(...sessions)).forModels.values()]);
}

const all = searchOver(Object.fromEntries(Object.keys(corpus).map((server) => [server, corpusTools(server)])));
const found = async (query: string, search = all): Promise<readonly string[]> =>
	(await search).find(query).map(({ offered }) => offered.tool.name);

describe("the search for tools", () => {
	test.each(queries)("finds for %j within the first three: %s", async (query, wanted) => {
		expect((await found(query)).slice(0, 3)).toContain(wanted);
	});

	test("finds the intended tool first nearly always", async () => {
		const firsts = await Promise.all(queries.map(async ([query, wanted]) => (await found(query))[0] === wanted));
		expect(firsts.filter(Boolean).length).toBeGreaterThanOrEqual(Math.floor(queries.length * 0.8));
	});

	test("puts named tools first, also several, with or without their server", async () => {
		const named = (await found("weather_get_alerts, stripe_create_refund")).slice(0, 2);
		expect(named.toSorted()).toEqual(["stripe_create_refund", "weather_get_alerts"]);
		expect((await found("describe_table"))[0]).toBe("postgres_describe_table");
		expect((await found("query"))[0]).toBe("postgres_query");
	});

	test("finds nothing for words that no tool has", async () => {
		expect(await found("zzzzqqqq")).toEqual([]);
		expect(await found("")).toEqual([]);
		expect(await found("   ?! ")).toEqual([]);
	});

	test("gives the same order for the same tools, equals in the order of the list", async () => {
		const same = Array.from({ length: 20 }, (_, index) => tool(`same${index}`, {}, { description: "Does the same" }));
		const search = searchOver({ one: same });
		const order = await found("the same", search);
		expect(order).toHaveLength(20);
		expect(order).toEqual(same.map(({ name }) => `one_${name}`));
		expect(await found("the same", search)).toEqual(order);
	});

	test("finds by words without blanks, accents, other scripts", async () => {
		const search = searchOver({
			intl: [
				tool("a", {}, { description: "查询指定城市的天气预报" }),
				tool("b", {}, { description: "Возвращает прогноз погоды" }),
				tool("c", {}, { description: "Récupère la météo" }),
				tool("d", {}, { description: "Größe der Datei" }),
			],
		});
		expect(await found("天气", search)).toEqual(["intl_a"]);
		expect(await found("прогноз", search)).toEqual(["intl_b"]);
		expect(await found("meteo", search)).toEqual(["intl_c"]);
		expect(await found("große", search)).toEqual(["intl_d"]);
	});

	test("does not prefer a description stuffed with words (TOL-01)", async () => {
		const stuffed = `${"create issue github repository ".repeat(500)} everything weather forecast refund`;
		const search = searchOver({
			github: corpusTools("github"),
			evil: [tool("helper", {}, { description: stuffed })],
		});
		expect((await found("create issue github repository", search))[0]).toBe("github_create_issue");
		expect(await found("refund", search)).toEqual([]);
	});

	test("handles descriptions of megabytes and names of any kind (TOL-20, TOL-21)", async () => {
		const search = searchOver({
			huge: [
				tool("huge", {}, { description: "word ".repeat(1_000_000) }),
				tool("", {}, { description: "\u202E\u{E0041}" }),
				tool("x".repeat(300), {}, { description: "unlike" }),
				tool("__proto__", {}, { description: "constructor toString" }),
			],
		});
		expect(await found("word", search)).toEqual(["huge_huge"]);
		expect(await found("constructor", search)).toEqual(["huge___proto__"]);
		expect(await found("x".repeat(100_000), search)).toEqual(expect.arrayContaining([]));
	});
});
