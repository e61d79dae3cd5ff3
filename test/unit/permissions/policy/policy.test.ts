import { describe, expect, it } from "vitest";
import { entryOf, file, own, PolicyScene } from "./scene.ts";

const allow = { decision: "allow", server: "*", tool: "*" };

describe("the policy", () => {
	it("asks about calls that no rule covers, whatever their annotations (TOL-06, BLT-37)", async () => {
		const { policy } = new PolicyScene();
		const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
		expect(policy.decide(await entryOf("look", { more: { annotations } }), {})).toEqual({
			decision: "ask",
			by: { kind: "default", label: "no rule or grant covers this call" },
		});
	});

	it("allows by a rule, a grant or trust, and names it", async () => {
		const scene = new PolicyScene(own({ ...allow, tool: "ruled" }));
		const { policy, grants } = scene;
		expect(policy.decide(await entryOf("ruled"), {})).toEqual({
			decision: "allow",
			by: { kind: "rule", label: "rule 1 of User Settings: allow * · ruled" },
		});
		const granted = await entryOf("granted");
		await grants.add(grants.make(granted, {}, "tool"), "workspace");
		expect(policy.decide(granted, { a: 1 })).toEqual({
			decision: "allow",
			by: {
				kind: "grant",
				label: "your grant: granted of travel, in this workspace",
				brief: "your grant, in this workspace",
			},
		});
		const exact = await entryOf("exact");
		await grants.add(grants.make(exact, { a: "b\u202E" }, "arguments"), "session");
		expect(policy.decide(exact, { a: "b\u202E" }).by.label).toBe(
			String.raw`your grant: exact of travel with exactly {"a":"b\u202E"}, in this session`,
		);
		const look = await entryOf("look", { server: "library", more: { annotations: { readOnlyHint: true } } });
		await grants.add(grants.make(look, {}, "read-only"), "always");
		expect(policy.decide(look, {})).toEqual({
			decision: "allow",
			by: { kind: "trust", label: "your grant: tools that library calls read-only, always" },
		});
	});

	it.each([
		["the user's denial", own({ decision: "deny" }), "deny"],
		["the user's question", own({ decision: "ask" }), "ask"],
		["a file's denial", file([{ decision: "deny" }]), "deny"],
		["a file's question", file([{ decision: "ask" }]), "ask"],
		["a broken rule", own({ decision: "perhaps" }), "ask"],
		["a broken file", file("{"), "ask"],
	])("lets no grant take precedence over %s", async (_what, list, decision) => {
		const scene = new PolicyScene(list);
		const entry = await entryOf("look", { more: { annotations: { readOnlyHint: true } } });
		for (const kind of ["tool", "arguments", "read-only"] as const)
			await scene.grants.add(scene.grants.make(entry, {}, kind), "always");
		expect(scene.policy.decide(entry, {})).toMatchObject({ decision, by: { kind: "rule" } });
	});

	it("asks about a tool that changed, despite any permission (TOL-02, BLT-40)", async () => {
		const scene = new PolicyScene(own({ ...allow, tool: "ruled" }));
		const ruled = await entryOf("ruled");
		const look = await entryOf("look", { more: { annotations: { readOnlyHint: true } } });
		await scene.grants.add(scene.grants.make(look, {}, "read-only"), "always");
		scene.pin = { kind: "changed", changes: [] };
		for (const entry of [ruled, look]) {
			const { decision, by } = scene.policy.decide(entry, {});
			expect([decision, by.kind]).toEqual(["ask", "changed"]);
			expect(by.label).toMatch(/changed since you approved it.*(rule 1|your grant)/);
		}
		for (const kind of ["new", "same"] as const) {
			scene.pin = { kind };
			expect(scene.policy.decide(ruled, {}).decision).toBe("allow");
		}
	});

	it.each([
		["nothing", [], undefined, false],
		["a rule for the tool", [{ ...allow, tool: "book" }], undefined, true],
		["a rule for certain arguments", [{ ...allow, arguments: { city: "Paris" } }], undefined, false],
		[
			"a rule beside a denial of certain arguments",
			[{ decision: "deny", arguments: { city: "Rome" } }, allow],
			undefined,
			false,
		],
		["a grant for the tool", [], "tool", true],
		["a grant for certain arguments", [], "arguments", false],
		[
			"a grant beside a denial of certain arguments",
			[{ decision: "deny", arguments: { city: "Rome" } }],
			"tool",
			false,
		],
	] as const)(
		"reports whether all calls of a tool are allowed, for any arguments: %s (APP-24)",
		async (_what, rules, kind, isSo) => {
			const scene = new PolicyScene(own(...rules));
			const entry = await entryOf("book");
			if (kind !== undefined) await scene.grants.add(scene.grants.make(entry, {}, kind), "always");
			expect(scene.policy.allowsAll(entry)).toBe(isSo);
			scene.pin = { kind: "changed", changes: [] };
			expect(scene.policy.allowsAll(entry)).toBe(false);
			scene.setRules(undefined);
			expect(scene.policy.allowsAll(entry)).toBe(false);
		},
	);

	it("denies a changed tool nevertheless", async () => {
		const scene = new PolicyScene(own({ decision: "deny" }));
		scene.pin = { kind: "changed", changes: [] };
		expect(scene.policy.decide(await entryOf(), {}).decision).toBe("deny");
	});

	it("asks as long as the rules have not been read", async () => {
		const scene = new PolicyScene();
		const entry = await entryOf();
		await scene.grants.add(scene.grants.make(entry, {}, "tool"), "always");
		scene.setRules(undefined);
		expect(scene.policy.decide(entry, {}).decision).toBe("ask");
		scene.setRules([]);
		expect(scene.policy.decide(entry, {}).decision).toBe("allow");
	});

	it("checks each call's arguments where any rule does, despite earlier decisions for the same tool", async () => {
		const scene = new PolicyScene(own({ decision: "deny", tool: "b*" }, allow));
		const entry = await entryOf("look");
		const { policy } = scene;
		expect(policy.decide(entry, { city: "Rome" }).decision).toBe("allow");
		expect(policy.decide({ ...entry, tool: { ...entry.tool, name: "book" } }, {}).decision).toBe("deny");
		scene.setRules([own({ decision: "deny", arguments: { city: "Atlantis" } }, allow)]);
		for (const [city, decision] of [
			["Rome", "allow"],
			["Atlantis", "deny"],
			["Oslo", "allow"],
		]) {
			expect(policy.decide(entry, { city: city ?? "" }).decision).toBe(decision);
		}
		// The same tool of another server, as reads of resources have it.
		const { session } = await entryOf("look", { server: "prod" });
		scene.setRules([own({ decision: "deny", server: "prod" }, allow)]);
		for (const [of, decision] of [
			[entry.session, "allow"],
			[session, "deny"],
			[entry.session, "allow"],
		] as const) {
			expect(policy.decide({ ...entry, session: of }, {}).decision).toBe(decision);
		}
	});

	it("decides again for changed arguments and changed rules, and announces the latter", async () => {
		const scene = new PolicyScene(own({ decision: "deny", arguments: { city: "Atlantis" } }, allow));
		const entry = await entryOf();
		expect(scene.policy.decide(entry, { city: "Rome" }).decision).toBe("allow");
		expect(scene.policy.decide(entry, { city: "atlantis" }).decision).toBe("deny");
		let changes = 0;
		scene.policy.onDidChange(() => changes++);
		scene.setRules([file([{ decision: "deny" }])]);
		expect(changes).toBe(1);
		expect(scene.policy.decide(entry, { city: "Rome" }).decision).toBe("deny");
		scene.pinsChanged.fire();
		expect(changes).toBe(2);
		scene.policy.dispose();
		scene.setRules([]);
		expect(changes).toBe(2);
	});
});
