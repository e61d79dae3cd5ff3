/** Attacks on the activity: words of a server that make entries disappear, and volume that displaces decisions. */
import { describe, expect, it } from "vitest";
import { SafeWriter } from "../../../../../src/base/secrets/writer.ts";
import { SecretMask } from "../../../../../src/base/secrets/secretMask.ts";
import { ActivityJournal } from "../../../../../src/records/activity/journal/activityJournal.ts";
import { call, entriesOf, JournalScene } from "./scene.ts";
import { secretsOfEntry } from "../../../../../src/servers/accounts/serverSecrets.ts";

function journalWith(scene: JournalScene, mask: SecretMask, name: string): ActivityJournal {
	return new ActivityJournal({
		folder: scene.folder,
		window: name,
		isGone: () => false,
		bounds: () => scene.bounds,
		contents: () => scene.contents,
		redactor: mask,
		seal: async () => scene.seal,
		now: () => ++scene.now,
		version: "1.0.0",
		onFault: (message) => scene.told.push(message),
	});
}

describe("A token that an authorization server chose", () => {
	// The `access_token` of a hostile authorization server is known as a secret from then on.
	it.each(["allowed", "denied", "user", "call"])("“%s” hides no decision from the activity (JRN-04)", async (word) => {
		await using scene = await JournalScene.begin();
		const mask = new SecretMask();
		mask.add(secretsOfEntry("mcpHost.oauth/evil tokens", JSON.stringify({ access_token: word, refresh_token: "x" })));
		const journal = journalWith(scene, mask, "a");
		journal.note(call("allowed", { by: "user", server: "bank", target: "transfer" }));
		journal.note(call("denied", { by: "user", server: "bank", target: "transfer" }));
		expect(await entriesOf(journal)).toMatchObject([
			{ kind: "call", phase: "allowed", by: "user" },
			{ kind: "call", phase: "denied", by: "user" },
		]);
		journal.close();
	});
});

describe("A token that an authorization server chose, in a trace that is exported", () => {
	it("renames no member of the protocol", () => {
		const mask = new SecretMask();
		mask.add(secretsOfEntry("k", JSON.stringify({ access_token: "jsonrpc", refresh_token: "method" })));
		const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "bookHotel" } };
		expect(Object.keys(new SafeWriter(mask).json(message))).toEqual(["jsonrpc", "id", "method", "params"]);
	});
});

describe("Volume", () => {
	it("of renewed sign-ins displaces no earlier decision (JRN-07)", async () => {
		await using scene = await JournalScene.begin();
		scene.bounds = { days: 90, bytes: 200_000 };
		const window = scene.window();
		window.note(call("denied", { by: "user", target: "transferAllMoney" }));
		for (let n = 0; n < 20; n++) window.note(call("allowed", { id: `c${n}`, by: "user", target: `earlier-${n}` }));
		const scopes = ["x".repeat(1500)];
		for (let n = 0; n < 2000; n++)
			window.note({ kind: "account", event: "signed-in", server: "evil", serverId: "evil", account: `u${n}`, scopes });
		await window.tidy();
		expect((await entriesOf(window)).filter(({ kind }) => kind === "call")).toHaveLength(21);
	});

	it("of one server displaces no effects of another one: each has a share (JRN-07)", async () => {
		await using scene = await JournalScene.begin();
		scene.bounds = { days: 90, bytes: 200_000 };
		const window = scene.window();
		for (let n = 0; n < 20; n++) {
			const bank = { id: `c${n}`, server: "bank", serverId: "user:bank", target: `transfer-${n}` };
			window.note(call("allowed", { ...bank, by: "rule", byLabel: "my rule" }));
			window.note(call("answered", bank));
		}
		// `elicitation/create`, withdrawn at once by `notifications/cancelled`: the user sees no question.
		const evil = { kind: "question", what: "form", server: "evil", serverId: "user:evil" } as const;
		for (let n = 0; n < 2000; n++) {
			window.note({ ...evil, id: `q${n}`, phase: "asked", by: "server" });
			window.note({ ...evil, id: `q${n}`, phase: "lapsed", reason: "cancelled" });
		}
		await window.tidy();
		expect((await entriesOf(window)).filter(({ kind }) => kind === "call")).toHaveLength(40);
	});
});
