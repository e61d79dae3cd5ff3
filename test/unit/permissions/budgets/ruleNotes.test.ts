import { expect, it } from "vitest";
import { definition } from "../../servers/fixtures.ts";
import { BudgetScene } from "./scene.ts";

it("records a new rule, with the one that it replaces, also of a wider scope (JRN-14)", async () => {
	const { window } = new BudgetScene();
	const weather = definition("weather");
	await window.grants.set(weather, { kind: "never" }, "session");
	await window.grants.set(weather, { kind: "never" }, "always");
	const rule = "sampling requests of weather: Never";
	expect(window.notes.entries).toMatchObject([
		{ kind: "permission", event: "granted", subject: `${rule}, in this session`, server: "weather" },
		{ kind: "permission", event: "granted", subject: `${rule}, always` },
		{ kind: "permission", event: "revoked", subject: `${rule}, in this session` },
	]);
});
