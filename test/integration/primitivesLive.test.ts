import { describe, expect, it } from "vitest";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { liveUris } from "../servers/libraryResources.ts";
import { messagesOf } from "../servers/received.ts";
import { packageConfig } from "./fixtures.ts";
import { libraryReaches, overStdio, type ReachedLibrary, subscribedAt } from "./libraryReach.ts";
import { TestHost } from "./testHost.ts";

const { sameLength, otherLength, early } = liveUris;
const patience = { timeout: 60_000 };

/** The URIs of a session's updates, oldest first. */
function updatesOf(session: ServerSession): readonly string[] {
	const updates: string[] = [];
	session.onDidUpdateResource((uri) => updates.push(uri));
	return updates;
}

/** The text of a resource that has one content. */
async function textAt(session: ServerSession, uri: string): Promise<string | undefined> {
	const [content] = (await session.readResource(uri)).contents;
	return content !== undefined && "text" in content ? content.text : undefined;
}

/** Subscribes and waits until the server has acknowledged it. */
async function subscribe(session: ServerSession, uri: string): Promise<Disposable> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const listener = session.onDidSubscribeResource((acknowledged) => {
		if (acknowledged === uri) resolve();
	});
	const subscription = session.subscribe(uri);
	await promise;
	listener.dispose();
	return { [Symbol.dispose]: () => subscription.dispose() };
}

/** Breaks the connection of a running library and waits until the session is usable again. */
async function breakConnection(session: ServerSession, library: ReachedLibrary): Promise<void> {
	if (library.breaks === "exit") {
		await session.callTool("exit", {}).catch(() => undefined);
		await expect.poll(() => session.state.kind, patience).toBe("running");
	} else {
		library.breaks();
	}
	// Unlike a tool call, a read whose connection broke is made again.
	expect((await session.readResource(sameLength)).contents).toHaveLength(1);
}

describe.each(libraryReaches)("resources that change, over $name", ({ era, reach }) => {
	it("are subscribed to once for all readers, and unsubscribed by the last (RES-10)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const first = await subscribe(session, sameLength);
		const second = session.subscribe(sameLength);
		const other = await subscribe(session, otherLength);
		expect([...subscribedAt(library.received())].sort()).toEqual([otherLength, sameLength]);

		first[Symbol.dispose]();
		other[Symbol.dispose]();
		await expect.poll(() => subscribedAt(library.received()), patience).toEqual([sameLength]);
		const updates = updatesOf(session);
		await session.callTool("change", { what: "resource", uri: sameLength });
		await expect.poll(() => updates, patience).toEqual([sameLength]);

		second.dispose();
		if (era === "legacy") await expect.poll(() => subscribedAt(library.received()), patience).toEqual([]);
		await session.callTool("change", { what: "resource", uri: sameLength });
		await session.callTool("links", {});
		expect(updates).toEqual([sameLength]);
	});

	it("report exactly the URI that changed, also if another differs only in the case of a letter (BLT-21)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const updates = updatesOf(session);
		await subscribe(session, "case://Reader/notes");
		await subscribe(session, "case://reader/notes");
		await session.callTool("change", { what: "resource", uri: "case://reader/notes" });
		await expect.poll(() => updates, patience).toEqual(["case://reader/notes"]);
		await session.callTool("change", { what: "resource", uri: "case://Reader/Notes" });
		await session.callTool("change", { what: "resource", uri: "case://Reader/notes" });
		await expect.poll(() => updates, patience).toEqual(["case://reader/notes", "case://Reader/notes"]);
	});

	it("have a new text after an update, even of equal length (BLT-27)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		expect(await textAt(session, sameLength)).toBe("tick 000000\n");
		await session.callTool("change", { what: "resource", uri: sameLength });
		expect(await textAt(session, sameLength)).toBe("tick 000001\n");
	});

	it("wait for the acknowledgement, so that earlier changes are read again (RES-11)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		expect(await textAt(session, early)).toBe("version 0\n");
		await subscribe(session, early);
		expect(await textAt(session, early)).toBe("version 1\n");
	});

	it("are subscribed to again when the connection was lost", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		await subscribe(session, sameLength);
		const updates = updatesOf(session);
		await breakConnection(session, library);
		const method = era === "legacy" ? "resources/subscribe" : "subscriptions/listen";
		const asked = (): number =>
			messagesOf(library.received(), method).filter((message) => JSON.stringify(message).includes(sameLength)).length;
		await expect.poll(asked, patience).toBeGreaterThanOrEqual(2);
		await expect
			.poll(async () => {
				await session.callTool("change", { what: "resource", uri: sameLength });
				return updates.length;
			}, patience)
			.toBeGreaterThan(0);
		expect([...new Set(updates)]).toEqual([sameLength]);
	});

	it("can disappear: the list loses them, and a read reports the server's message", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		await expect.poll(() => session.resources.status.kind, patience).toBe("ready");
		expect(session.resources.get(liveUris.vanishing)).toBeDefined();
		await subscribe(session, liveUris.vanishing);
		const updates = updatesOf(session);
		await session.callTool("change", { what: "resource", uri: liveUris.vanishing, how: "gone" });
		await expect.poll(() => session.resources.get(liveUris.vanishing), patience).toBeUndefined();
		expect(updates).toEqual([liveUris.vanishing]);
		await expect(session.readResource(liveUris.vanishing)).rejects.toThrow(/^library: .*live:\/\/vanishing/);
	});
});

describe("a folder of resources", () => {
	it("notifies the subscriber of the folder of the child that changed", async () => {
		await using host = new TestHost();
		await using library = await overStdio("legacy")(host);
		const session = await host.run("library", library.config);
		const updates = updatesOf(session);
		await subscribe(session, liveUris.folder);
		await session.callTool("change", { what: "resource", uri: liveUris.folder });
		await expect.poll(() => updates, patience).toEqual([`${liveUris.folder}/child`]);
	});
});

describe("server-everything", () => {
	it("is subscribed to and notifies of changes", async () => {
		await using host = new TestHost();
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		await expect.poll(() => session.resources.status.kind, patience).toBe("ready");
		const uri = session.resources.items[0]?.uri ?? "";
		const updates = updatesOf(session);
		await subscribe(session, uri);
		await session.callTool("toggle-subscriber-updates", {});
		await expect.poll(() => updates).toContain(uri);
		await session.callTool("toggle-subscriber-updates", {});
	});
});

describe("the demo server", () => {
	it("notifies of the calendar that a tool changed", async () => {
		await using host = new TestHost();
		await host.host.configure([], true);
		const session = host.session("travel");
		await host.host.start(session.definition.id);
		await expect.poll(() => session.resources.status.kind, patience).toBe("ready");
		const months = session.resources.items.map(({ uri }) => uri).filter((uri) => uri.startsWith("calendar://"));
		for (const month of months) await subscribe(session, month);
		const updates = updatesOf(session);
		const startDate = new Date().toISOString().slice(0, 10);
		await session.callTool("createCalendarEvent", { title: "Read a book", startDate });
		await expect.poll(() => updates, patience).not.toEqual([]);
		expect(months).toContain(updates[0]);
		expect(await textAt(session, updates[0] ?? "")).toContain("Read a book");
	});
});
