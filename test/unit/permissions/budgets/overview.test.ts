import { describe, expect, it } from "vitest";
import { describeLimits, usageRows } from "../../../../src/permissions/budgets/usageRows.ts";
import type { GrantScene } from "../../../../src/permissions/grants/grantStatus.ts";
import { overview } from "../../../../src/permissions/overview.ts";
import { serverDefaults } from "../../../../src/permissions/budgets/limits.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";
import { definition, stdioConfig, workspaceOrigin } from "../../servers/fixtures.ts";
import { askerOf, BudgetScene, type BudgetWindow, reserved, send } from "./scene.ts";

const weather = definition("weather");
const auto = { kind: "auto", budget: { per: "day", requests: 3 }, coversUnasked: true } as const;

function configured(...definitions: readonly ServerDefinition[]): GrantScene["directory"] {
	const sessions = definitions.map((one) => new FakeSession(one.name, one));
	return { sessions, get: (id) => sessions.find((session) => session.definition.id === id) };
}

/** The rows of a window's rules; the heading before them has no texts. */
function ruleRows({ grants, policy }: BudgetWindow, ...servers: readonly ServerDefinition[]) {
	const scene = {
		directory: configured(...servers),
		pins: { stateOf: () => ({ kind: "same" }) as const },
		grants,
		sampling: policy.scene,
	};
	return overview([], grants.all, scene).flatMap((line) => (line.kind === "row" ? [line] : []));
}

describe("the list of sampling rules", () => {
	it("shows what each rule does, for how long, what is left, and why it does not apply", async () => {
		const scene = new BudgetScene();
		const { grants } = scene.window;
		await grants.set(weather, auto, "workspace");
		scene.now += 1;
		await grants.set(definition("gone"), { kind: "request-only" }, "always");
		scene.now += 1;
		await grants.set(definition("news"), { kind: "never" }, "session", 1000);
		reserved(scene.window.admit(askerOf(weather)).reserve(send(1, 1, "rule")));
		const rows = (...servers: readonly ServerDefinition[]) =>
			ruleRows(scene.window, ...servers).map(({ icon, label, description, detail }) => [
				icon,
				label,
				description,
				detail,
			]);
		expect(rows(weather, definition("news"))).toEqual([
			[
				"circle-slash",
				"Never: news",
				expect.stringMatching(/^in this session, until /),
				expect.stringMatching(/^given /),
			],
			[
				"warning",
				"Review the request only: gone",
				"always",
				expect.stringMatching(/^does not apply: its server is not configured here · given /),
			],
			[
				"check",
				"Auto-approve up to 3 requests a day, also when it asks on its own: weather",
				"in this workspace",
				expect.stringMatching(/^2 requests left · given /),
			],
		]);
		scene.now += 1000;
		const changed = definition("weather", stdioConfig({ args: ["other.js"] }));
		expect(rows(changed, definition("news", stdioConfig(), workspaceOrigin)).map(([, , , detail]) => detail)).toEqual([
			expect.stringMatching(/^does not apply: it ended /),
			expect.stringMatching(/^does not apply: its server/),
			expect.stringMatching(/^does not apply: the definition of the server has changed/),
		]);
	});

	it("shows for a used-up budget that the user is asked", async () => {
		const scene = new BudgetScene();
		for (const per of ["day", "life"] as const) {
			const budget = { per, requests: 1 };
			await scene.window.grants.set(weather, { kind: "auto", budget, coversUnasked: false }, "session");
			reserved(scene.window.admit(askerOf(weather)).reserve(send(1, 1, "rule")));
			const [row] = ruleRows(scene.window, weather);
			const when = per === "day" ? " for today" : "";
			expect(row?.detail).toMatch(new RegExp(`^used up${when}, so you are asked · given `));
		}
	});

	it("names the rule that takes precedence over another", async () => {
		const scene = new BudgetScene();
		await scene.window.grants.set(weather, auto, "always");
		await scene.window.grants.set(weather, { kind: "request-only" }, "session");
		expect(ruleRows(scene.window, weather).map(({ detail }) => detail)).toEqual(
			expect.arrayContaining([expect.stringMatching(/^does not apply: another rule for this server takes precedence/)]),
		);
	});

	it("is part of the list of all rules and grants, where each can be revoked", async () => {
		const scene = new BudgetScene();
		await scene.window.grants.set(weather, { kind: "never" }, "always");
		const [row] = ruleRows(scene.window, weather);
		expect(row).toMatchObject({
			label: "Never: weather",
			of: { kind: "grant", grant: { id: scene.window.grants.all[0]?.id } },
			button: "revoke",
		});
	});

	it("shows names of servers on one line, for any content", async () => {
		const scene = new BudgetScene();
		const hostile = definition("a\n\u202Eb");
		await scene.window.grants.set(hostile, { kind: "never" }, "always");
		const servers = configured(hostile);
		reserved(scene.window.admit(askerOf("c\nd")).reserve(send(1, 1)));
		const texts = JSON.stringify(
			[...ruleRows(scene.window, hostile), ...usageRows(scene.window.policy, servers)].map(({ label }) => label),
		);
		expect(texts).toContain("a \\\\u202Eb");
		expect(texts).not.toMatch(/\\n|\u202E/);
	});
});

describe("the list of today's usage", () => {
	it("has each server with usage or a budget, and all together, with the limits", () => {
		const scene = new BudgetScene().limit({
			costPerDay: 2,
			servers: { limited: { tokensPerDay: 500, maxTokens: 100 } },
		});
		scene.price = { inputPerMillion: 100, outputPerMillion: 1000 };
		const asker = askerOf(weather);
		reserved(scene.window.admit(asker).reserve(send(100, 100))).settle({
			inputTokens: 100,
			outputTokens: 40,
			isEstimated: false,
		});
		const servers = configured(weather, definition("idle"), definition("limited"));
		expect(usageRows(scene.window.policy, servers)).toEqual([
			{
				icon: "server",
				label: "weather",
				description: "at most 20 requests a minute · 20 at a time",
				detail: "140 tokens used · $0.05 spent · 1 completion",
			},
			{
				icon: "server",
				label: "limited",
				description: "at most 100 tokens an answer · 20 requests a minute · 20 at a time",
				detail: "500 of 500 tokens left",
			},
			{
				icon: "server-environment",
				label: "All servers together",
				description: "at most 2,000,000 characters a request · 60 requests a minute · 60 at a time",
				detail: "140 tokens used · $1.95 of $2.00 left · 1 completion",
			},
		]);
	});

	it("shows that there are no limits", () => {
		expect(describeLimits({ ...serverDefaults, requestsPerMinute: Infinity, waiting: Infinity })).toBe("no limits");
	});
});
