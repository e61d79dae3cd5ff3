import { beforeEach, describe, expect, test } from "vitest";
import { ResourceWatches } from "../../../../src/features/resources/subscriptions.ts";
import { FakeDirectory, FakeSession } from "./fakeSession.ts";

const address = { server: "user-settings/memo", uri: "memo://a" };
let session: FakeSession;
let directory: FakeDirectory;
let updates: string[];
let acknowledged: string[];
let watches: ResourceWatches;

beforeEach(async () => {
	session = new FakeSession("memo");
	directory = new FakeDirectory(session);
	await session.run();
	updates = [];
	acknowledged = [];
	watches = new ResourceWatches(directory, {
		onUpdate: ({ uri }) => updates.push(uri),
		onAcknowledged: ({ uri }) => acknowledged.push(uri),
	});
});

describe("ResourceWatches", () => {
	test("subscribes once for many editors and ends with the last", () => {
		const first = watches.watch(address);
		const second = watches.watch({ ...address, part: 1 });
		expect(session.subscribed).toEqual(["memo://a"]);
		first.dispose();
		first.dispose();
		expect(session.subscribed).toEqual(["memo://a"]);
		second.dispose();
		expect(session.subscribed).toEqual([]);
	});

	test("leaves no subscription behind after a hundred openings (RES-10)", () => {
		for (let round = 0; round < 100; round++) watches.watch(address).dispose();
		expect(session.subscribed).toEqual([]);
	});

	test("announces exactly the URI that changed (BLT-21)", () => {
		for (const uri of ["memo://a", "memo://b", "memo://A", "memo://a?id=1", "memo://a/"])
			watches.watch({ ...address, uri });
		session.update("memo://b");
		session.update("memo://a?id=1");
		session.update("memo://unwatched");
		expect(updates).toEqual(["memo://b", "memo://a?id=1"]);
	});

	test("does not confuse servers that list the same URI", () => {
		const other = new FakeSession("other");
		directory.set(session, other);
		watches.watch(address);
		other.update("memo://a");
		expect(updates).toEqual([]);
		expect(other.subscribed).toEqual([]);
	});

	test("attaches when the server appears, and again when it is reconfigured", async () => {
		directory.set();
		watches.watch(address);
		const later = new FakeSession("memo");
		directory.set(later);
		expect(later.subscribed).toEqual(["memo://a"]);
		expect(updates).toEqual([]);
		await later.run();
		expect(updates).toEqual(["memo://a"]);
		later.update("memo://a");
		expect(updates).toEqual(["memo://a", "memo://a"]);
		const changed = new FakeSession("memo");
		directory.set(changed);
		expect(later.subscribed).toEqual([]);
		expect(changed.subscribed).toEqual(["memo://a"]);
	});

	test("treats a server that returns as a change, once", async () => {
		watches.watch(address);
		session.setState({ kind: "starting" });
		await session.run();
		expect(updates).toEqual(["memo://a"]);
		expect(session.subscribed).toEqual(["memo://a"]);
	});

	test("treats a change within a watched resource as one of it (specification, notifications/resources/updated)", () => {
		for (const uri of ["memo://a", "memo://ab", "dir:/x/"]) watches.watch({ ...address, uri });
		for (const uri of ["memo://a/child", "memo://a#part", "memo://abc", "memo://a?id=1", "dir:/x/y"]) {
			session.update(uri);
		}
		expect(updates).toEqual(["memo://a", "memo://a", "dir:/x/"]);
	});

	test("reports the server's acknowledgement, and lets a read wait for it", async () => {
		watches.watch(address);
		let isSettled = false;
		const settled = watches.whenSettled(address, new AbortController().signal).then(() => (isSettled = true));
		session.acknowledge("memo://b");
		await Promise.resolve();
		expect([isSettled, acknowledged]).toEqual([false, []]);
		session.acknowledge("memo://a");
		await settled;
		expect(acknowledged).toEqual(["memo://a"]);
		await watches.whenSettled(address, new AbortController().signal);

		// A server that returns has to acknowledge again.
		session.setState({ kind: "starting" });
		await session.run();
		isSettled = false;
		const again = watches.whenSettled(address, new AbortController().signal).then(() => (isSettled = true));
		await Promise.resolve();
		expect(isSettled).toBe(false);
		session.acknowledge("memo://a");
		await again;
	});

	test("lets no read wait if nothing will be acknowledged", async () => {
		const never = new AbortController().signal;
		await watches.whenSettled(address, never);
		const silent = new FakeSession("silent");
		directory.set(session, silent);
		await silent.run({}, { capabilities: { resources: {} } });
		const other = { server: silent.definition.id, uri: "memo://a" };
		watches.watch(other);
		await watches.whenSettled(other, never);
		watches.watch(address);
		await watches.whenSettled(address, AbortSignal.abort());
		const waiting = watches.whenSettled(address, never);
		session.setState({ kind: "stopped" });
		await waiting;
	});

	test("ends all subscriptions when disposed", () => {
		const watch = watches.watch(address);
		watches.dispose();
		watch.dispose();
		session.update("memo://a");
		expect([session.subscribed, updates]).toEqual([[], []]);
	});
});
