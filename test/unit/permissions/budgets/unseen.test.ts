import { describe, expect, it } from "vitest";
import type { RuleBudget } from "../../../../src/permissions/grants/ruleBudget.ts";
import type { SamplingCover } from "../../../../src/permissions/grants/grant.ts";
import { definition } from "../../servers/fixtures.ts";
import { BudgetScene, reserved, send } from "./scene.ts";

const weather = definition("weather");
const never: SamplingCover = { kind: "never" };
const requestOnly: SamplingCover = { kind: "request-only" };
const auto = (budget: RuleBudget = { per: "life", requests: 2 }): SamplingCover => ({
	kind: "auto",
	budget,
	coversUnasked: false,
});

/** A window in which the user made a rule for a server, for an hour. */
async function having(covers: SamplingCover): Promise<BudgetScene> {
	const scene = new BudgetScene();
	await scene.window.grants.set(weather, covers, "always", 3_600_000);
	return scene;
}

describe("an answer that arrives after the rule was checked (SMP-06)", () => {
	it("is returned unseen by a valid rule, also when the answer itself has used its budget up", async () => {
		for (const effect of [requestOnly, auto({ per: "life", requests: 1 })]) {
			const { window } = await having(effect);
			const admission = window.admit();
			if (effect.kind === "auto") reserved(admission.reserve(send(10, 10, "rule")));
			expect([admission.mode, admission.mayReturnUnseen()]).toEqual([effect.kind, true]);
		}
		expect(new BudgetScene().window.admit().mayReturnUnseen()).toBe(false);
	});

	it.each([
		["was revoked", async ({ window }: BudgetScene) => window.grants.revoke(window.grants.all.map(({ id }) => id))],
		["is followed by a stricter one", async ({ window }: BudgetScene) => window.grants.set(weather, never, "session")],
		["has ended", async (scene: BudgetScene) => void (scene.now += 3_600_000)],
	])("is not returned unseen by a rule that %s", async (_what, change) => {
		for (const effect of [requestOnly, auto()]) {
			const scene = await having(effect);
			const admission = scene.window.admit();
			expect(admission.mayReturnUnseen()).toBe(true);
			await change(scene);
			expect(admission.mayReturnUnseen()).toBe(false);
		}
	});

	it("is not returned unseen by a rule without questions if the workspace is not trusted or a limit is no longer readable", async () => {
		const scene = await having(auto());
		const admission = scene.window.admit();
		scene.isTrusted = false;
		expect(admission.mayReturnUnseen()).toBe(false);
		scene.isTrusted = true;
		scene.limit({ tokenPerDay: 1 });
		expect(admission.mayReturnUnseen()).toBe(false);
	});
});
