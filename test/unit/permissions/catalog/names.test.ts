import { describe, expect, test } from "vitest";
import { modelNames } from "../../../../src/permissions/catalog/names.ts";

interface Named {
	readonly server: string;
	readonly tool: string;
	readonly id: string;
}

const named = (server: string, tool: string, id = server): Named => ({ server, tool, id });
const names = (...tools: readonly Named[]): readonly string[] => modelNames(tools, ({ id }) => id);

/** A small generator with a fixed seed, so that a failure can be repeated. */
function* random(seed: number): Generator<number, never> {
	for (let state = seed; ;) {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		yield state / 2 ** 32;
	}
}

describe("the names of tools for the model", () => {
	test("are server and tool where those are legal", () => {
		expect(names(named("travel", "searchFlights"), named("files", "read-file"))).toEqual([
			"travel_searchFlights",
			"files_read-file",
		]);
	});

	test.each([
		"admin.tools.list",
		"with space",
		"",
		"日本語",
		"👩‍🚀",
		"a".repeat(300),
		"\u202Eevil",
		"x/../../y",
		"${jndi}",
		"name\n",
	])("are legal for any tool name: %j", (tool) => {
		expect(names(named("sérver", tool))[0]).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
	});

	test("differ where plain joining would make them equal, whatever the order", () => {
		const tools = [named("a", "b_c"), named("a_b", "c"), named("a.b", "c"), named("a", "b.c")];
		const [first, second, third, fourth] = names(...tools);
		expect(new Set([first, second, third, fourth]).size).toBe(4);
		expect(names(...tools.toReversed())).toEqual([fourth, third, second, first]);
	});

	test("differ for two servers of the same name", () => {
		expect(new Set(names(named("x", "run", "user/x"), named("x", "run", "workspace/x"))).size).toBe(2);
	});

	test("do not change when other tools come or go", () => {
		const odd = named("server", "odd name");
		expect(names(odd)[0]).toBe(names(named("a", "b"), odd, named("c", "d"))[1]);
	});

	test("keep the tool's own name readable when they are shortened", () => {
		expect(names(named("s".repeat(80), "createCalendarEvent"))[0]).toMatch(/^s+_createCalendarEvent_[0-9a-f]{8}$/);
	});

	/** TOL-21: names that servers may give their tools, 20 of each kind that no provider accepts. */
	const odd = [
		"get weather",
		"  ",
		"",
		"a".repeat(300),
		"👩‍🚀 launch",
		"😀",
		"admin.tools.list",
		"repos/issues/create",
		"../../etc/passwd",
		"3d_render",
		"-flag",
		"größe",
		"日本語",
		"a\nb",
		"\u0000",
		"\u202Eevil",
		"${jndi:ldap}",
		"__proto__",
		"x_deadbeef",
		'quote"s',
	];
	const servers = ["files", "1password", "my_server", "-", "日本", "", "s".repeat(100), "read", "search"];

	test("TOL-21: are legal for every provider, and lead back to exactly one tool", () => {
		const tools = servers.flatMap((server) => odd.map((tool) => named(server, tool)));
		const result = names(...tools);
		// Gemini requires a letter or an underscore first; OpenAI and Azure 64 of these characters at most.
		expect(result.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name))).toEqual([]);
		const back = new Map(result.map((name, index) => [name, tools[index]]));
		expect(back.size).toBe(tools.length);
	});

	test("TOL-21: are never those of the host's own tools, whether these are offered or not", () => {
		const reserved = new Set(["search_tools", "read_resource", "read_result"]);
		const tools = [
			named("search", "tools"),
			named("read", "resource"),
			named("read", "result"),
			named("read", "other"),
		];
		const result = modelNames(tools, ({ id }) => id, reserved);
		expect(result.filter((name) => reserved.has(name))).toEqual([]);
		expect(result[3]).toBe("read_other");
		expect(new Set(result).size).toBe(4);
		expect(modelNames(tools.toReversed(), ({ id }) => id, reserved).toReversed()).toEqual(result);
	});

	test("TOL-21: are the same, independent of other servers and tools", () => {
		const others = [
			named("a", "b_c"),
			named("a_b", "c"),
			named("a_b_c", ""),
			named("x", "odd name"),
			named("read", "result", "id of read"),
		];
		for (const server of servers) {
			for (const tool of odd) {
				const [alone] = names(named(server, tool, `id of ${server}`));
				expect(names(...others, named(server, tool, `id of ${server}`)).at(-1)).toBe(alone);
			}
		}
		expect(names(named("a", "b_c"))).toEqual(names(...others).slice(0, 1));
		expect(names(named("a_b", "c"))).toEqual(names(...others).slice(1, 2));
	});

	test("are unique and legal for any 300 tools", () => {
		const next = random(7);
		const pieces = ["a", "b", "_", "-", ".", " ", "é", "a_b", "\u200B", "x".repeat(40), "💥", "A"];
		const word = (): string =>
			Array.from(
				{ length: 1 + Math.floor(next.next().value * 4) },
				() => pieces[Math.floor(next.next().value * pieces.length)],
			).join("");
		for (let run = 0; run < 30; run++) {
			const tools = new Map<string, Named>();
			while (tools.size < 300) {
				const tool = named(word(), word());
				tools.set(JSON.stringify(tool), tool);
			}
			const result = names(...tools.values());
			expect(new Set(result).size).toBe(300);
			expect(result.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
		}
	});
});
