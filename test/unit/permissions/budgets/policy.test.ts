import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RequestRefusal } from "../../../../src/base/refusal.ts";
import type { Admission } from "../../../../src/permissions/budgets/samplingPolicy.ts";
import { askerOf, BudgetScene, library, model, problemOf, reserved, send } from "./scene.ts";
import type { NamedServer } from "../../../../src/servers/definitions/serverNames.ts";
import { parseLimits } from "../../../../src/permissions/budgets/limits.ts";

const named = (name: string): NamedServer => ({ names: [name], isOfWorkspace: false });
const used = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens, isEstimated: false });

describe("limits on requests", () => {
	it("review both stages if nothing was set, for every server (BLT-07, BLT-08)", () => {
		const { window } = new BudgetScene();
		for (let count = 0; count < 5; count++) {
			const admission = window.admit();
			expect([admission.mode, admission.by, admission.notice]).toEqual([
				"review",
				{ kind: "default", label: "Always review" },
				undefined,
			]);
			admission.end();
		}
	});

	it("refuse with -32603 and the name of the limit, and nothing of the user's (SMP-01)", () => {
		const scene = new BudgetScene().limit({ servers: { weather: { requestsPerMinute: 2 } } });
		const { window } = scene;
		for (let count = 0; count < 2; count++) window.admit().end();
		expect(() => window.admit()).toThrow(RequestRefusal);
		try {
			window.admit();
		} catch (error) {
			expect(error).toMatchObject({
				rpcCode: -32603,
				code: "limit",
				message:
					"Sampling limit of the user: at most 2 requests a minute are accepted from this server; try again in 60 seconds",
			});
		}
		expect(window.refusal(askerOf("other"))).toBe("");
		scene.now += 60_000;
		expect(window.refusal()).toBe("");
	});

	it("by default admit 20 requests a minute of a server and 60 of all, and 20 and 60 at a time", () => {
		const scene = new BudgetScene();
		const { window } = scene;
		const open: Admission[] = [];
		for (let count = 0; count < 20; count++) open.push(window.admit());
		scene.now += 60_000;
		expect(window.refusal()).toMatch(/at most 20 requests from this server may be in progress/);
		for (const admission of open.splice(0)) admission.end();
		for (let count = 0; count < 20; count++) window.admit().end();
		expect(window.refusal()).toMatch(/at most 20 requests a minute/);
		for (let count = 0; count < 40; count++) window.admit(askerOf(`other${count}`)).end();
		expect(window.refusal(askerOf("last"))).toMatch(
			/at most 60 requests a minute are accepted from all servers together/,
		);
		scene.now += 60_000;
		for (let count = 0; count < 60; count++) open.push(window.admit(askerOf(`one${count}`)));
		scene.now += 60_000;
		expect(window.refusal(askerOf("last"))).toMatch(/at most 60 requests from all servers together may be in progress/);
	});

	it("free a place once, however often a request ends", () => {
		const { window } = new BudgetScene().limit({ servers: { "*": { waiting: 2 } } });
		const [first] = [window.admit(), window.admit()];
		for (let count = 0; count < 3; count++) first?.end();
		expect(window.refusal()).toBe("");
		window.admit();
		expect(window.refusal()).not.toBe("");
	});

	it("admit nothing too long, whatever its declared length", () => {
		const { window } = new BudgetScene().limit({ requestLength: 100, servers: { w: { requestLength: 50 } } });
		expect(window.refusal(askerOf(), 10, 100)).toBe("");
		for (const length of [101, NaN, Infinity])
			expect(window.refusal(askerOf(), 10, length)).toMatch(/the request is longer than 100 characters/);
		expect(window.refusal(askerOf("w"), 10, 51)).toMatch(/longer than 50/);
	});

	it("admit nothing at all where they are 0", () => {
		for (const key of ["requestsPerMinute", "waiting", "tokensPerDay", "costPerDay", "maxTokens", "requestLength"]) {
			const { window } = new BudgetScene().limit({ servers: { weather: { [key]: 0 } } });
			expect([window.refusal(), window.refusal(askerOf("other"))]).toEqual([expect.stringMatching(/limit/), ""]);
			expect(new BudgetScene().limit({ [key]: 0 }).window.refusal()).toMatch(/limit/);
		}
	});
});

describe("limits on answers", () => {
	it("refuse more tokens than one answer may have, and name the maximum (SMP-07)", () => {
		const { window } = new BudgetScene().limit({ maxTokens: 500, servers: { weather: { maxTokens: 200 } } });
		const admission = window.admit();
		expect([admission.mostTokens, window.admit(askerOf("other")).mostTokens]).toEqual([200, 500]);
		expect(problemOf(admission.reserve(send(10, 201)))).toMatch(/at most 200 tokens .*Lower “Max tokens”/);
		expect(problemOf(admission.reserve(send(10, 200)))).toBe("");
		expect(new BudgetScene().window.admit().mostTokens).toBeUndefined();
	});

	it.each([NaN, -1, Infinity])("reserve nothing for %s tokens", (tokens) => {
		const admission = new BudgetScene().window.admit();
		expect(problemOf(admission.reserve(send(tokens, 10)))).not.toBe("");
		expect(problemOf(admission.reserve(send(10, tokens)))).not.toBe("");
	});

	it("reserve the maximum of simultaneous answers, and release the unused part (SMP-01)", () => {
		const { window } = new BudgetScene().limit({ tokensPerDay: 1000 });
		const [one, other] = [window.admit(), window.admit(askerOf("other"))];
		const first = reserved(one.reserve(send(100, 500)));
		expect(problemOf(other.reserve(send(100, 400)))).toMatch(
			/up to 500 tokens, but all servers together may use 1,000 tokens a day, of which 400 are left\. Shorten the request, lower “Max tokens”/,
		);
		expect(first.settle(used(90, 110))).toEqual({
			inputTokens: 90,
			outputTokens: 110,
			cost: undefined,
			isEstimated: false,
		});
		expect(problemOf(other.reserve(send(100, 400)))).toBe("");
		expect(other.budget()[1]).toContain("300 of 1,000 tokens left");
	});

	it("count an answer once, and an invalid number as the reserved one", () => {
		const scene = new BudgetScene();
		scene.price = { inputPerMillion: 1, outputPerMillion: 10 };
		const admission = scene.window.admit();
		const first = reserved(admission.reserve(send(100, 100)));
		const spent = first.settle(used(50, 50));
		expect(spent.cost).toBeCloseTo(0.00055, 12);
		expect(first.settle(used(0, 0))).toBe(spent);
		for (const broken of [NaN, -5, Infinity]) {
			const one = reserved(admission.reserve(send(100, 100))).settle(used(broken, 3));
			expect(one).toMatchObject({ isEstimated: true, cost: 0.0011 });
		}
		expect(scene.window.use.spent.total(scene.window.policy.today)).toEqual({
			requests: 4,
			tokens: 700,
			nanodollars: 550_000 + 3 * 1_100_000,
			unpriced: 0,
		});
	});

	it("refuse at once a request that exceeds the rest of the day, and admit it tomorrow", () => {
		const scene = new BudgetScene().limit({ servers: { weather: { tokensPerDay: 300 } } });
		const { window } = scene;
		reserved(window.admit(askerOf(), 10).reserve(send(100, 100))).settle(used(100, 100));
		expect(window.refusal(askerOf(), 100)).toMatch(
			/needs more than is left of today's token budget for requests from this server/,
		);
		expect(window.refusal(askerOf(), 99)).toBe("");
		reserved(window.admit().reserve(send(50, 50)));
		expect(window.refusal(askerOf(), 0)).toMatch(/today's token budget for requests from this server is used up/);
		expect(window.refusal(askerOf("other"))).toBe("");
		scene.now = new Date(2026, 10, 23, 0, 0, 1).getTime();
		expect(window.refusal(askerOf(), 299)).toBe("");
	});

	it("count an answer on the day of its request, when midnight is in between", () => {
		const scene = new BudgetScene();
		scene.now = new Date(2026, 10, 22, 23, 59, 59).getTime();
		const reservation = reserved(scene.window.admit().reserve(send(100, 100)));
		scene.now += 2000;
		reservation.settle(used(10, 10));
		expect(scene.window.use.spent.of("2026-11-22", askerOf().id).tokens).toBe(20);
		expect(scene.window.use.spent.of("2026-11-23", askerOf().id).tokens).toBe(0);
	});

	it("keep a budget of money exactly", () => {
		const scene = new BudgetScene().limit({ costPerDay: 0.3 });
		scene.price = { inputPerMillion: 100_000, outputPerMillion: 100_000 };
		const { window } = scene;
		for (let count = 0; count < 3; count++) reserved(window.admit().reserve(send(0, 1))).settle(used(0, 1));
		expect(window.refusal()).toMatch(/today's dollar budget for requests from all servers together is used up/);
		const other = new BudgetScene().limit({ costPerDay: 0.3 });
		other.price = scene.price;
		expect(problemOf(other.window.admit().reserve(send(2, 2)))).toMatch(
			/up to 4 tokens and \$0\.40, but all servers together may use \$0\.30 a day, of which \$0\.30 are left.*cheaper model/,
		);
	});

	it("leave a model of unknown price to the user where money is limited, and show it", () => {
		const { window } = new BudgetScene().limit({ costPerDay: 1 });
		const reservation = reserved(window.admit().reserve(send(10, 10)));
		expect(reservation.notice).toMatch(/The price of model is not known/);
		expect(reservation.settle(used(10, 10)).cost).toBeUndefined();
		expect(window.admit().budget()[0]).toContain("1 completion of unknown cost");
		expect(reserved(new BudgetScene().window.admit().reserve(send(10, 10))).notice).toBeUndefined();
	});

	it("reserve nothing for a request that has ended", () => {
		const admission = new BudgetScene().window.admit();
		admission.end();
		expect(problemOf(admission.reserve(send(1, 1)))).toBe("The request has ended.");
	});

	it("apply in other windows and after a reload, even for an answer that was still pending (SMP-01)", () => {
		const scene = new BudgetScene().limit({ tokensPerDay: 500 });
		reserved(scene.window.admit().reserve(send(100, 200)));
		for (const window of [scene.open(), scene.window]) {
			expect(problemOf(window.admit().reserve(send(100, 150)))).toMatch(/200 are left/);
			expect(window.admit().budget()).toEqual([
				"weather today: 300 tokens used · 1 completion of unknown cost",
				"all servers together today: 200 of 500 tokens left · 1 completion of unknown cost",
			]);
		}
	});

	it("count unreadable data as used up where something is limited, until it is reset (SEC-08)", () => {
		const scene = new BudgetScene();
		reserved(scene.window.admit().reserve(send(1, 1)));
		const window = scene.open();
		for (const file of scene.folder.files) appendFileSync(file, "broken\n");
		expect(window.refusal()).toBe("");
		expect(window.problems).toHaveLength(1);
		scene.limit({ tokensPerDay: 1_000_000 });
		expect(window.refusal()).toMatch(/today's token budget/);
		window.use.spent.reset(window.policy.today);
		expect(window.refusal()).toBe("");
	});

	it("are never exceeded, for any order of requests, answers and ends (SMP-01)", () => {
		let seed = 1;
		const random = (most: number): number => {
			seed = (seed * 48_271) % 2_147_483_647;
			return seed % most;
		};
		for (let run = 0; run < 12; run++) {
			const [tokensPerDay, costPerDay] = [1000 + random(5000), 0.01 + random(100) / 1000];
			const scene = new BudgetScene().limit({
				requestsPerMinute: null,
				waiting: null,
				tokensPerDay,
				costPerDay,
				servers: { "*": { requestsPerMinute: null, waiting: null, tokensPerDay: 2000 } },
			});
			scene.price = { inputPerMillion: random(10), outputPerMillion: random(40) };
			const windows = [scene.window, scene.open()];
			const settling: (() => void)[] = [];
			const settled = new Map<string, number>();
			let [tokens, cost] = [0, 0];
			for (let step = 0; step < 200; step++) {
				if (random(3) === 0) {
					settling.splice(random(settling.length + 1), 1)[0]?.();
					continue;
				}
				const asker = askerOf(["a", "b", "c"][random(3)] ?? "");
				const window = windows[random(2)] ?? scene.window;
				if (window.refusal(asker) !== "") continue;
				const admission = window.admit(asker);
				const [input, output] = [random(200), random(500)];
				const result = admission.reserve({ model, inputTokens: input, maxTokens: output, by: "user" });
				admission.end();
				if ("problem" in result) continue;
				settling.push(() => {
					const spent = result.settle(used(random(input + 1), random(output + 1)));
					tokens += spent.inputTokens + spent.outputTokens;
					cost += spent.cost ?? 0;
					settled.set(asker.name, (settled.get(asker.name) ?? 0) + spent.inputTokens + spent.outputTokens);
				});
			}
			for (const settle of settling) settle();
			expect(tokens).toBeLessThanOrEqual(tokensPerDay);
			expect(cost).toBeLessThanOrEqual(costPerDay + 1e-9);
			for (const of of settled.values()) expect(of).toBeLessThanOrEqual(2000);
			// The stored usage is the settled one, to the token.
			expect(scene.open().use.spent.total(scene.window.policy.today).tokens).toBe(tokens);
		}
	});
});

describe("the setting of limits", () => {
	const limits = (value: unknown) => parseLimits(value, library);

	it("has the entry of the exact name before patterns, and of patterns the strictest", () => {
		const { of } = limits({
			servers: {
				"git*": { tokensPerDay: 100, maxTokens: 50 },
				"*hub": { tokensPerDay: 80, requestsPerMinute: null },
				gitlab: { tokensPerDay: 900 },
			},
		});
		expect(of(named("github"))).toMatchObject({ tokensPerDay: 80, maxTokens: 50, requestsPerMinute: Infinity });
		expect(of(named("gitlab"))).toMatchObject({ tokensPerDay: 900, maxTokens: Infinity, requestsPerMinute: 20 });
		expect(of(named("GIT\u200Bhub"))).toMatchObject({ tokensPerDay: 80 });
		expect(of(named("travel"))).toMatchObject({ tokensPerDay: Infinity, requestsPerMinute: 20 });
	});

	it.each<[string, unknown]>([
		["a text", { tokensPerDay: "many" }],
		["a negative number", { tokensPerDay: -1 }],
		["a fraction", { tokensPerDay: 0.5 }],
		["not a number", { tokensPerDay: NaN }],
		["a list", { tokensPerDay: [5] }],
	])("treats an unreadable limit (%s) as 0 and reports it", (_what, value) => {
		const parsed = limits(value);
		expect(parsed.total.tokensPerDay).toBe(0);
		expect(parsed.problems).toEqual([expect.stringMatching(/“tokensPerDay” of mcpHost\.sampling\.limits must be/)]);
	});

	it.each<[string, unknown]>([
		["no object", "unlimited"],
		["a list", []],
		["servers that are no object", { servers: [] }],
		["too many servers", { servers: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`s${at}`, {}])) }],
	])("admits nothing while it cannot be read as a whole: %s", (_what, value) => {
		const parsed = limits(value);
		expect([parsed.total.requestsPerMinute, parsed.of(named("a")).tokensPerDay, parsed.problems.length]).toEqual([
			0, 0, 1,
		]);
	});

	it.each(["\\x", "!!a", "{a,b}".repeat(8)])("treats the broken pattern %s as one for every server", (pattern) => {
		const parsed = limits({ servers: { [pattern]: { tokensPerDay: 7 } } });
		expect([parsed.of(named("anything")).tokensPerDay, parsed.problems.length]).toEqual([7, 1]);
	});

	it("is strict about an invalid entry, and about patterns while they cannot be matched", () => {
		expect(limits({ servers: { a: 5 } }).of(named("a")).tokensPerDay).toBe(0);
		expect(parseLimits({ servers: { "other*": { tokensPerDay: 3 } } }, undefined).of(named("a")).tokensPerDay).toBe(3);
	});

	it("lets nothing pass without a question while a key may be a misspelt limit", () => {
		const parsed = limits({ tokenPerDay: 5, servers: { a: { max: 1 } } });
		expect([parsed.isIncomplete, parsed.problems.length]).toEqual([true, 2]);
		expect(limits({}).isIncomplete).toBe(false);
	});
});
