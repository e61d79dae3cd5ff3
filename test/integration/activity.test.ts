/** The journal of decisions and effects, with real servers. */
import { expect, test } from "vitest";
import { Emitter } from "../../src/base/event.ts";
import { approvalsName } from "../../src/servers/approval/approvals.ts";
import { notePutOff, noteServers } from "../../src/servers/serverNotes.ts";
import { CollectedNotes } from "../unit/records/activity/collectedNotes.ts";
import { processesOf, readReceived } from "../servers/received.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

test("the events of a server are recorded: approved, started, crashed, changed, revoked, signed in or not (JRN-11, JRN-19)", async () => {
	await using test = new TestHost();
	const { host } = test;
	const notes = new CollectedNotes();
	const log = test.path("small.log");
	await host.configure([], false);
	const shared = await host.shared.get();
	const asked = new Emitter<{
		readonly server: string;
		readonly scopes: readonly string[];
		readonly isDeclined?: true;
	}>();
	noteServers({
		directory: host.registry,
		approvals: host.approvals,
		approvalsJournal: shared.journal(approvalsName),
		accounts: host.signIns.accounts,
		roots: host.roots,
		onDidAskSignIn: asked.event,
		notes,
	});
	const session = await test.run("small", smallConfig("modern", log));
	expect(notes.steps).toEqual(["server approved", "server started"]);
	const { definition } = session;
	expect(notes.entries[1]).toMatchObject({ server: "small", serverId: definition.id, detail: "stdio, 2026-07-28" });

	const pid = processesOf(readReceived(log))[0];
	process.kill(pid ?? 0, "SIGKILL");
	await expect.poll(() => notes.steps).toContain("server crashed");
	await expect.poll(() => session.state.kind).toBe("running");

	test.openFolders("shop");
	await expect
		.poll(() => notes.entries.at(-1))
		.toMatchObject({ kind: "permission", subject: "Roots of small: given shop, withdrawn folder" });
	await host.roots.model?.choose(definition.id, { folders: [], extra: [] });
	await expect
		.poll(() => notes.entries.at(-1))
		.toMatchObject({ event: "roots", subject: "Roots of small: withdrawn shop" });

	await session.stop();
	expect(notes.steps.at(-1)).toBe("server stopped");
	await test.configure({ small: { ...smallConfig("modern", log), env: { A: "1" } } });
	expect(notes.steps.slice(-2)).toEqual(["server changed", "server approved"]);
	await host.revoke(definition.id);
	expect(notes.steps.at(-1)).toBe("server revoked");
	host.switchedOff.choose(definition.id, true);
	await expect.poll(() => notes.steps.at(-1)).toBe("server switched-off");
	host.switchedOff.choose(definition.id, undefined);
	await expect.poll(() => notes.steps.at(-1)).toBe("server switched-on");
	notePutOff(notes, [definition]);
	expect(notes.steps.at(-1)).toBe("server put-off");
	await test.configure({});
	expect(notes.steps.at(-1)).toBe("server removed");

	asked.fire({ server: "small", scopes: ["read"], isDeclined: true });
	asked.fire({ server: "small", scopes: ["read"] });
	host.signIns.accounts.set("small", { issuer: "https://auth.example", account: "ann", scopes: [] });
	host.signIns.accounts.set("small", undefined);
	expect(notes.entries.slice(-4)).toMatchObject([
		{ kind: "account", event: "declined", scopes: ["read"] },
		{ kind: "account", event: "asked", scopes: ["read"] },
		{ kind: "account", event: "signed-in", account: "as ann at auth.example" },
		{ kind: "account", event: "signed-out" },
	]);
});
