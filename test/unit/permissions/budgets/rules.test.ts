import { describe, expect, it } from "vitest";
import { describeBudget, parseBudget, type RuleBudget } from "../../../../src/permissions/grants/ruleBudget.ts";
import { lastingChoices, effectChoices, budgetChoices } from "../../../../src/permissions/grants/choices.ts";
import { isGrant, isOfSampling, type SamplingCover, type Scope } from "../../../../src/permissions/grants/grant.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { makeKey } from "../../../../src/base/store/line.ts";
import { usageName } from "../../../../src/permissions/budgets/usageCounter.ts";
import { definition, stdioConfig, workspaceOrigin } from "../../servers/fixtures.ts";
import { askerOf, BudgetScene, problemOf, reserved, send, unasked } from "./scene.ts";

const never: SamplingCover = { kind: "never" };
const requestOnly: SamplingCover = { kind: "request-only" };
const auto = (budget: RuleBudget = { per: "life", requests: 2 }, coversUnasked = false): SamplingCover => ({
	kind: "auto",
	budget,
	coversUnasked,
});
const weather = definition("weather");
const changed = definition("weather", stdioConfig({ args: ["other.js"] }));
const ofWorkspace = definition("weather", stdioConfig(), workspaceOrigin);
const used = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens, isEstimated: false });

/** A window in which the user made a rule for a server. */
async function having(
	covers: SamplingCover,
	scope: Scope = "session",
	server: ServerDefinition = weather,
	lastsMs?: number,
): Promise<BudgetScene> {
	const scene = new BudgetScene();
	await scene.window.grants.set(server, covers, scope, lastsMs);
	return scene;
}

/** How a request is handled: its mode, or `refused`. */
function modeOf({ window }: Pick<BudgetScene, "window">, asker = askerOf(weather)): string {
	return window.refusal(asker) === "" ? window.admit(asker).mode : "refused";
}

describe("a rule", () => {
	it.each<[SamplingCover, string, string]>([
		[never, "refused", "Never"],
		[requestOnly, "request-only", "Review the request only"],
		[auto(), "auto", "Auto-approve up to 2 requests in all"],
	])("%o makes it %s, and shows it", async (effect, mode, label) => {
		const scene = await having(effect);
		expect(modeOf(scene)).toBe(mode);
		expect(modeOf(scene, askerOf("other"))).toBe("review");
		if (mode !== "refused")
			expect(scene.window.admit(askerOf(weather)).by).toEqual({ kind: "rule", label: `${label}, in this session` });
	});

	it("for “never” refuses each request at once, and no refusal ever becomes an approval (BLT-08, BLT-15, SMP-06)", async () => {
		const scene = await having(never, "always");
		for (let count = 0; count < 50; count++) {
			expect(() => scene.window.admit(askerOf(weather))).toThrow(
				expect.objectContaining({
					rpcCode: -32603,
					code: "denied",
					message: "The user does not allow sampling requests from this server",
				}),
			);
		}
		const elsewhere = scene.open("another");
		expect(elsewhere.refusal(askerOf(weather))).not.toBe("");
	});

	it.each<[Scope, boolean, boolean]>([
		["session", false, false],
		["workspace", true, false],
		["always", true, true],
	])("for %s is kept across a reload: %s, applies in another workspace: %s", async (scope, reloaded, elsewhere) => {
		const scene = await having(auto(), scope);
		expect(modeOf({ window: scene.open() }) === "auto").toBe(reloaded);
		expect(modeOf({ window: scene.open("another") }) === "auto").toBe(elsewhere);
	});

	it("ends automatically, and that of a wider scope applies again", async () => {
		const scene = await having(never, "always");
		await scene.window.grants.set(weather, auto(), "session", 1000);
		expect(modeOf(scene)).toBe("auto");
		scene.now += 1000;
		expect(modeOf(scene)).toBe("refused");
	});

	it("replaces those with its or a narrower scope", async () => {
		const scene = await having(auto(), "session");
		await scene.window.grants.set(weather, auto(), "workspace");
		await scene.window.grants.set(weather, never, "always");
		expect([modeOf(scene), scene.window.grants.all.length]).toEqual(["refused", 1]);
	});

	it("that is revoked no longer applies, even to a request that was admitted before (SEC-09)", async () => {
		const scene = await having(auto(), "always");
		const admission = scene.window.admit(askerOf(weather));
		const [rule] = scene.window.grants.all;
		const unaware = scene.folder.open().journal("grants");
		await scene.window.grants.revoke([rule?.id ?? ""]);
		expect(problemOf(admission.reserve(send(1, 1, "rule")))).toMatch(
			/No rule approves requests of weather automatically/,
		);
		expect(problemOf(admission.reserve(send(1, 1, "user")))).toBe("");
		expect([modeOf(scene), scene.window.grants.all]).toEqual(["review", []]);
		// A window that did not know of it writes its old state back.
		unaware.write(unaware.lines, true);
		expect([modeOf(scene), modeOf({ window: scene.open() })]).toEqual(["review", "review"]);
	});

	it("does not send a request that another rule admitted before it", async () => {
		const scene = await having(auto());
		const admission = scene.window.admit(askerOf(weather));
		await scene.window.grants.set(weather, auto({ per: "day", tokens: 1000 }), "session");
		expect(problemOf(admission.reserve(send(1, 1, "rule")))).not.toBe("");
		expect(modeOf(scene)).toBe("auto");
	});

	it.each([requestOnly, auto()])("%o ends with the server's definition, and shows why", async (effect) => {
		const scene = await having(effect, "always");
		expect(modeOf(scene, askerOf(changed))).toBe("review");
		expect(scene.window.admit(askerOf(changed)).notice).toMatch(
			/does not apply: the definition of the server has changed/,
		);
		expect(scene.window.admit(askerOf(changed)).by.kind).toBe("default");
	});

	it("for “never” applies to the server's name, whatever happens to its definition and place (BLT-15)", async () => {
		const scene = await having(never, "always");
		expect(modeOf(scene, askerOf(changed))).toBe("refused");
		expect(modeOf(scene, askerOf(ofWorkspace))).toBe("refused");
		expect(modeOf(scene, askerOf("weather2"))).toBe("review");
	});

	it("for “never” takes precedence over another of the same scope", async () => {
		const scene = await having(auto(), "always");
		await scene.window.grants.set(ofWorkspace, never, "always");
		expect(scene.window.grants.all).toHaveLength(2);
		expect(modeOf(scene)).toBe("refused");
	});

	it.each<[string, unknown]>([
		["a text", "auto"],
		["no list", { 0: {} }],
		["no rules", [1, null, "x", [], {}]],
	])("is ignored if its stored data is damaged: %s (SEC-08)", (_what, stored) => {
		const scene = new BudgetScene();
		scene.folder.open().journal("grants").put('["always","x"]', stored);
		expect(modeOf({ window: scene.open() })).toBe("review");
	});

	it("is valid only with all its members (SEC-08)", async () => {
		const scene = await having(auto(), "always");
		const [rule] = scene.window.store.journal("grants").lines.map(({ value }) => value as object);
		expect(isGrant(rule)).toBe(true);
		const budget = (changes: object) => ({ covers: { ...auto(), budget: { per: "day", ...changes } } });
		const damages: readonly object[] = [
			{ id: "" },
			{ server: 7 },
			{ serverName: undefined },
			{ definition: "x".repeat(3000) },
			{ at: -1 },
			{ expiresAt: "never" },
			{ covers: "auto" },
			{ covers: { kind: "allow" } },
			{ covers: { kind: "auto" } },
			{ covers: { ...auto(), coversUnasked: undefined } },
			budget({}),
			budget({ requests: Infinity }),
			budget({ requests: 0 }),
			budget({ tokens: -5 }),
			budget({ tokens: 1.5 }),
			budget({ tokens: "5" }),
			budget({ dollars: 1e9 }),
			{ covers: { ...auto(), budget: { per: "hour", requests: 5 } } },
		];
		for (const damage of damages) expect(isGrant({ ...rule, ...damage })).toBe(false);
	});
});

describe("a rule that needs no question", () => {
	it("sends while its budget lasts, and then asks the user, who may continue (SMP-01)", async () => {
		const scene = await having(auto({ per: "life", requests: 2 }), "workspace");
		for (let count = 0; count < 2; count++) {
			const admission = scene.window.admit(askerOf(weather));
			expect(admission.mode).toBe("auto");
			reserved(admission.reserve(send(10, 10, "rule"))).settle(used(10, 10));
			admission.end();
		}
		for (const window of [scene.window, scene.open()]) {
			const admission = window.admit(askerOf(weather));
			expect([admission.mode, admission.by.label]).toEqual(["review", "Always review"]);
			expect(admission.notice).toMatch(/its budget is used up\./);
			expect(problemOf(admission.reserve(send(10, 10, "rule")))).not.toBe("");
			expect(problemOf(admission.reserve(send(10, 10)))).toBe("");
		}
		scene.now += 10 * 24 * 3_600_000;
		expect(modeOf(scene)).toBe("review");
	});

	it("restarts at midnight if its budget is for a day", async () => {
		const scene = await having(auto({ per: "day", tokens: 100 }), "always");
		reserved(scene.window.admit(askerOf(weather)).reserve(send(50, 50, "rule"))).settle(used(50, 50));
		expect(scene.window.admit(askerOf(weather)).notice).toMatch(/used up for today/);
		scene.now = new Date(2026, 10, 23).getTime();
		expect(modeOf(scene)).toBe("auto");
	});

	it("does not send a request that might exceed its budget, beside others", async () => {
		const scene = await having(auto({ per: "life", tokens: 100 }));
		const [one, other] = [scene.window.admit(askerOf(weather)), scene.window.admit(askerOf(weather))];
		const first = reserved(one.reserve(send(10, 50, "rule")));
		expect(problemOf(other.reserve(send(10, 50, "rule")))).toMatch(
			/up to 60 tokens, more than its rule has left \(40 tokens\), so you are asked/,
		);
		first.settle(used(10, 10));
		expect(problemOf(other.reserve(send(10, 50, "rule")))).toBe("");
		expect(other.budget().at(-1)).toBe("its rule, up to 100 tokens in all: 20 tokens left");
	});

	it("is not used for a request whose input exceeds the budget", async () => {
		const scene = await having(auto({ per: "life", tokens: 100 }));
		const admission = scene.window.admit(askerOf(weather), 100);
		expect([admission.mode, admission.notice]).toEqual([
			"review",
			expect.stringMatching(/the request needs more than is left of its budget/),
		]);
	});

	it("leaves models without a known price to the user where money is counted", async () => {
		const scene = await having(auto({ per: "day", dollars: 1 }));
		const admission = scene.window.admit(askerOf(weather));
		expect(problemOf(admission.reserve(send(10, 10, "rule")))).toMatch(/The price of model is not known.*You decide/);
		expect(problemOf(admission.reserve(send(10, 10)))).toBe("");
		scene.price = { inputPerMillion: 50_000, outputPerMillion: 50_000 };
		expect(problemOf(admission.reserve(send(10, 10, "rule")))).toBe("");
		const limited = await having(auto({ per: "day", tokens: 100 }));
		limited.limit({ costPerDay: 5 });
		expect(problemOf(limited.window.admit(askerOf(weather)).reserve(send(1, 1, "rule")))).toMatch(/You decide/);
	});

	it("does not exceed the limits of all, which always apply", async () => {
		const scene = (await having(auto({ per: "life", tokens: 1000 }))).limit({ tokensPerDay: 50 });
		expect(problemOf(scene.window.admit(askerOf(weather)).reserve(send(30, 30, "rule")))).toMatch(/50 are left/);
	});

	it("covers a server that asks on its own only if the user ticked that (SMP-05)", async () => {
		const asker = unasked(askerOf(weather));
		const scene = await having(auto());
		expect(scene.window.admit(asker).notice).toMatch(/the server asks on its own/);
		expect([modeOf(scene), modeOf(scene, asker)]).toEqual(["auto", "review"]);
		expect(modeOf(await having(auto(undefined, true)), asker)).toBe("auto");
	});

	it("covers requests of an app outside of the user's calls only if they ticked that, whatever its label (SMP-05)", async () => {
		const asker = { ...askerOf(weather, "its app “Budget”"), isForUser: false };
		const scene = await having(auto());
		expect(scene.window.admit(asker).notice).toMatch(/none of your calls is running/);
		expect(modeOf(scene, asker)).toBe("review");
	});

	it("is for this workspace at most if a workspace defines the server (BLT-16)", async () => {
		expect(modeOf(await having(auto(), "workspace", ofWorkspace), askerOf(ofWorkspace))).toBe("auto");
		expect(modeOf(await having(auto(), "always", ofWorkspace), askerOf(ofWorkspace))).toBe("review");
		expect(lastingChoices("auto", ofWorkspace).map(({ scope }) => scope)).not.toContain("always");
		expect(lastingChoices("never", ofWorkspace).map(({ scope }) => scope)).toContain("always");
	});

	it("is suspended while the workspace is not trusted, or a limit may be missing", async () => {
		const scene = await having(auto());
		scene.isTrusted = false;
		expect(modeOf(scene)).toBe("review");
		scene.isTrusted = true;
		scene.limit({ tokenPerDay: 5 });
		expect(modeOf(scene)).toBe("review");
	});

	it("has a used-up budget if its usage cannot be read, until a new one is made (SEC-08)", async () => {
		const scene = await having(auto(), "always");
		scene.window.store.journal(usageName).put(makeKey("life", "rules"), "broken");
		const window = scene.open();
		expect(modeOf({ window })).toBe("review");
		scene.now += 1;
		await window.grants.set(weather, auto(), "always");
		expect(modeOf({ window })).toBe("auto");
	});

	it("forgets the usage of revoked rules, and nothing of the others", async () => {
		const scene = await having(auto(), "always");
		await scene.window.grants.set(definition("other"), auto(), "always");
		for (const asker of [askerOf(weather), askerOf("other")])
			reserved(scene.window.admit(asker).reserve(send(1, 1, "rule"))).settle(used(1, 1));
		const [first] = scene.window.grants.all;
		await scene.window.grants.revoke([first?.id ?? ""]);
		const left = scene.open().grants.all.find(isOfSampling);
		expect(scene.open().use.of(left ?? expect.fail(), { per: "life" })?.requests).toBe(1);
		expect(
			scene.window.store
				.journal("samplingUse")
				.lines.map(({ key }) => key)
				.join(),
		).not.toContain(first?.id);
	});
});

describe("the choices for a rule", () => {
	it("begin with the one that asks the most, and have a budget for each without questions", () => {
		expect(effectChoices.map(({ kind }) => kind)).toEqual(["review", "request-only", "auto", "never"]);
		expect(budgetChoices.map(({ label }) => label)).toEqual([
			"Up to 5 requests in all",
			"Up to 20 requests and 20,000 tokens a day",
			"Up to 100,000 tokens a day",
			"Up to $0.50 a day",
			"Enter a Budget…",
		]);
		expect(lastingChoices("auto", weather)[0]?.scope).toBe("session");
		expect(lastingChoices("never", weather)[0]).toMatchObject({ scope: "always", label: "Always" });
	});

	it.each<[string, RuleBudget]>([
		["20 requests, 50,000 tokens, $0.50 a day", { per: "day", requests: 20, tokens: 50_000, dollars: 0.5 }],
		["1 request", { per: "life", requests: 1 }],
		["1,000,000 tokens and 2 dollars in all", { per: "life", tokens: 1_000_000, dollars: 2 }],
		["$.25 per day", { per: "day", dollars: 0.25 }],
		["5000 TOKENS A DAY", { per: "day", tokens: 5000 }],
	])("read the budget “%s”", (text, budget) => {
		expect(parseBudget(text)).toEqual(budget);
		expect(parseBudget(describeBudget(budget))).toEqual(budget);
	});

	it.each([
		"",
		"a day",
		"20",
		"many tokens",
		"-5 tokens",
		"0 requests",
		"1.5 requests",
		"$1e9",
		"2 requests, 3 requests",
		"$5 tokens",
		"1e3 tokens",
		"9999999999 tokens",
	])("do not guess the meaning of “%s”", (text) =>
		expect(parseBudget(text)).toEqual({ problem: expect.stringMatching(/./) }),
	);
});
