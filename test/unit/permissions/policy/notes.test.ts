import { expect, it } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { Grants } from "../../../../src/permissions/grants/grants.ts";
import { noteRules } from "../../../../src/permissions/policy/ruleNotes.ts";
import type { RuleList } from "../../../../src/permissions/policy/rule.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import { memoryStore } from "../../base/store/storeFolder.ts";
import { entryOf, file, own } from "./scene.ts";

it("records grants that were given and revoked, without their arguments (JRN-14)", async () => {
	const notes = new CollectedNotes();
	const grants = new Grants({ store: memoryStore(), notes });
	const entry = await entryOf("book");
	const any = grants.make(entry, {}, "tool");
	const these = grants.make(entry, { city: "Barcelona" }, "arguments");
	await grants.add(any, "workspace");
	await grants.add(these, "session");
	await grants.revoke([any.id, these.id, "unknown"]);
	expect(notes.steps).toEqual(
		["permission granted", "permission granted", "permission revoked", "permission revoked"].toSorted((a, b) =>
			a < b ? -1 : 1,
		),
	);
	expect(notes.entries[0]).toMatchObject({ subject: expect.stringMatching(/^book of .+, in this workspace$/) });
	expect(JSON.stringify(notes.entries)).not.toContain("Barcelona");
});

it("records rules that were added or removed, with their place, and nothing of the initial ones (JRN-14)", () => {
	const changed = new Emitter<void>();
	const rules: { lists: readonly RuleList[] | undefined; onDidChange: Emitter<void>["event"] } = {
		lists: undefined,
		onDidChange: changed.event,
	};
	const notes = new CollectedNotes();
	noteRules(rules, notes);
	const read = (...lists: readonly RuleList[]): void => {
		rules.lists = lists;
		changed.fire();
	};
	const deny = { decision: "deny", server: "travel", tool: "book*" };
	read(own(deny));
	expect(notes.entries).toEqual([]);
	read(own(deny), file([{ decision: "ask", server: "travel" }]));
	read(own(), file([{ decision: "ask", server: "travel" }]));
	expect(notes.entries).toEqual([
		{ kind: "permission", event: "rules", subject: ".vscode/mcp-policy.json in shop (added: ask travel · *)" },
		{ kind: "permission", event: "rules", subject: "User Settings (removed: deny travel · book*)" },
	]);
	// A moved rule is removed from one place and added to another; within its place the order counts.
	read(own({ decision: "ask", server: "travel" }, deny), file([]));
	read(own(deny, { decision: "ask", server: "travel" }), file([]));
	expect(notes.entries.slice(2)).toMatchObject([
		{ subject: "User Settings (added: ask travel · *; added: deny travel · book*)" },
		{ subject: ".vscode/mcp-policy.json in shop (removed: ask travel · *)" },
		{ subject: "User Settings (in another order)" },
	]);
});
