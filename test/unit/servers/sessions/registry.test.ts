import { describe, expect, it } from "vitest";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { ServerRegistry } from "../../../../src/servers/sessions/registry.ts";
import { ServerSession } from "../../../../src/servers/sessions/serverSession.ts";
import { FakeServices, settle } from "../fakeConnection.ts";
import { definition, stdioConfig, workspaceOrigin } from "../fixtures.ts";

interface Made {
	readonly registry: ServerRegistry;
	readonly services: Map<string, FakeServices>;
	readonly ended: string[];
}

function makeRegistry(): Made {
	const services = new Map<string, FakeServices>();
	const registry = new ServerRegistry((one) => {
		const made = new FakeServices();
		services.set(one.name, made);
		return new ServerSession(one, made);
	});
	const ended: string[] = [];
	registry.onDidEnd(({ definition: { name } }) => ended.push(name));
	return { registry, services, ended };
}

function namesOf({ registry }: Made): readonly string[] {
	return registry.sessions.map(({ definition: { name } }) => name);
}

async function start({ registry }: Made, one: ServerDefinition): Promise<ServerSession> {
	const session = registry.get(one.id);
	if (session === undefined) throw new Error(`${one.name} is not there.`);
	await session.start();
	return session;
}

describe("ServerRegistry", () => {
	const [a, b] = [definition("a"), definition("b")];
	const changedA = definition("a", stdioConfig({ args: ["other.js"] }));

	it("lists the configured servers, in that order, and starts nothing", async () => {
		const made = makeRegistry();
		let changes = 0;
		made.registry.onDidChange(() => changes++);
		made.registry.apply([b, a]);
		await settle();
		expect(namesOf(made)).toEqual(["b", "a"]);
		expect(changes).toBe(1);
		expect(made.registry.sessions.map(({ state }) => state.kind)).toEqual(["stopped", "stopped"]);
		made.registry.apply([a, b]);
		expect(namesOf(made)).toEqual(["a", "b"]);
		expect(made.registry.get("nowhere")).toBeUndefined();
	});

	it("keeps a server running if only its roots changed, and applies the new ones", async () => {
		const made = makeRegistry();
		made.registry.apply([a]);
		const session = await start(made, a);
		made.registry.apply([{ ...a, roots: { extra: ["/data"] } }]);
		expect(made.registry.get(a.id)).toBe(session);
		expect(session.state.kind).toBe("running");
		expect(session.definition.roots).toEqual({ extra: ["/data"] });
		expect(made.ended).toEqual([]);
	});

	it("keeps a server that did not change running", async () => {
		const made = makeRegistry();
		made.registry.apply([a, b]);
		const session = await start(made, a);
		made.registry.apply([definition("c"), definition("a")]);
		expect(made.registry.get(a.id)).toBe(session);
		expect(session.state.kind).toBe("running");
		expect(made.ended).toEqual(["b"]);
	});

	it("stops a server that changed and never starts it automatically (CFG-05)", async () => {
		const made = makeRegistry();
		made.registry.apply([a]);
		const session = await start(made, a);
		const former = made.services.get("a");
		made.registry.apply([changedA]);
		await settle();
		expect(former?.last.isOpen).toBe(false);
		expect(made.registry.get(a.id)).not.toBe(session);
		expect(made.registry.get(a.id)?.state).toEqual({ kind: "stopped" });
		expect(made.services.get("a")?.connections).toEqual([]);
		expect((await session.start()).kind).not.toBe("running");
	});

	it("stops the servers of a folder that is gone", async () => {
		const made = makeRegistry();
		const theirs = definition("theirs", stdioConfig(), workspaceOrigin);
		made.registry.apply([a, theirs]);
		await start(made, theirs);
		made.registry.apply([a]);
		expect(made.ended).toEqual(["theirs"]);
		await made.registry.stopAll();
		expect(made.services.get("theirs")?.last.isOpen).toBe(false);
	});

	it("announces when a server ends, for any cause, and passes each change on", async () => {
		const made = makeRegistry();
		made.registry.apply([a, b]);
		await start(made, a);
		await start(made, b);
		let changes = 0;
		made.registry.onDidChange(() => changes++);
		made.services.get("a")?.last.crash("exited with code 1");
		await made.registry.get(b.id)?.stop();
		expect(made.ended).toEqual(["a", "b"]);
		expect(changes).toBe(2);
	});

	it("stops all, and waits for the processes of those that were removed", async () => {
		const made = makeRegistry();
		made.registry.apply([a, b]);
		await start(made, a);
		await start(made, b);
		const gone = Promise.withResolvers<void>();
		const removed = made.services.get("a")?.last;
		if (removed !== undefined) removed.closing = gone.promise;
		made.registry.apply([b]);
		let isStopped = false;
		const stopped = made.registry.stopAll().then(() => (isStopped = true));
		await settle();
		expect(isStopped).toBe(false);
		gone.resolve();
		await stopped;
		expect(removed?.isOpen).toBe(false);
		expect(made.services.get("b")?.last.isOpen).toBe(false);
	});

	it("checks every server again when approvals change", () => {
		const made = makeRegistry();
		made.registry.apply([a]);
		const services = made.services.get("a");
		if (services !== undefined) services.reasonNot = "unapproved";
		made.registry.reconsider();
		expect(made.registry.get(a.id)?.state.kind).toBe("needs-approval");
	});

	it("stops everything when it is disposed", async () => {
		const made = makeRegistry();
		made.registry.apply([a]);
		await start(made, a);
		made.registry.dispose();
		await made.registry.stopAll();
		expect(made.registry.sessions).toEqual([]);
		expect(made.services.get("a")?.last.isOpen).toBe(false);
	});
});
