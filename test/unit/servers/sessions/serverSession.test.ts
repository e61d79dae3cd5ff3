import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { makeSession, running, settle } from "../fakeConnection.ts";

/** A promise that the test settles. */
const later = <T = void>(): PromiseWithResolvers<T> => Promise.withResolvers<T>();

describe("ServerSession: start", () => {
	it("resolves variables, connects, remembers the era and reads the lists", async () => {
		const { session, services } = makeSession();
		const states: string[] = [];
		session.onDidChangeState(({ kind }) => states.push(kind));
		expect(session.state).toEqual({ kind: "stopped" });
		expect(await session.start()).toMatchObject({ kind: "running", facts: { protocolVersion: "2025-11-25", pid: 1 } });
		await settle();
		expect(states).toEqual(["starting", "running"]);
		expect(session.tools.items.map(({ name }) => name)).toEqual(["echo"]);
		expect(session.prompts.status).toEqual({ kind: "unsupported" });
		expect(services.verdicts.get(session.definition.hash)).toEqual({ kind: "legacy" });
		expect(services.last.request).toMatchObject({
			protocol: "auto",
			handshakeTimeoutMs: 1000,
			client: { name: "test" },
		});
	});

	it("is one start, for any number of requests", async () => {
		const { session, services } = makeSession();
		session.onDidChangeState(() => void session.start());
		const states = await Promise.all([session.start(), session.start(), session.start()]);
		await session.start();
		expect(states.map(({ kind }) => kind)).toEqual(["running", "running", "running"]);
		expect(services.connections).toHaveLength(1);
	});

	it("does nothing without approval, and reports why", async () => {
		const { session, services } = makeSession({ reasonNot: "unapproved" });
		expect(session.state).toEqual({ kind: "needs-approval", reason: "unapproved" });
		services.resolve = () => expect.fail("variables were resolved");
		expect(await session.start()).toEqual({ kind: "needs-approval", reason: "unapproved" });
		expect(services.connections).toHaveLength(0);
		services.reasonNot = undefined;
		session.reconsider();
		expect(session.state).toEqual({ kind: "stopped" });
	});

	it("asks for approval at every start, not only at the first", async () => {
		const { session, services } = await running();
		services.reasonNot = "the workspace is not trusted";
		expect(await session.restart()).toEqual({ kind: "needs-approval", reason: "the workspace is not trusted" });
		expect(services.last.isOpen).toBe(false);
	});

	it("fails with the event, the reason, and the last lines of standard error (DOC-01)", async () => {
		const { session, services } = makeSession({
			connect(request) {
				request.handlers.onStderr("\u001B[31mError: no ACME_KEY\u001B[0m\nSet ACME_KEY");
				return Promise.reject(new HostError("start-failed", "The server exited with code 3 during the handshake."));
			},
		});
		const what = "The server exited with code 3 during the handshake.";
		const words = expect.stringMatching(/^ACME_KEY is not set/) as unknown;
		const failed = {
			kind: "failed",
			message: expect.stringMatching(/^ACME_KEY is not set.* The server exited with code 3/) as unknown,
			stderr: ["Error: no ACME_KEY", "Set ACME_KEY"],
			cause: { kind: "missing-value", subject: "ACME_KEY", words, what },
		};
		expect(await session.start()).toEqual(failed);
		session.reconsider();
		expect(session.state).toEqual(failed);
		expect(services.log.lines.join("\n")).toContain(`error ACME_KEY is not set`);
		await session.stop();
		expect(session.state).toEqual({ kind: "stopped" });
	});

	it("drops the output of a process that was replaced by another", async () => {
		const { session } = makeSession({
			connect({ handlers }) {
				handlers.onStderr("first\n");
				handlers.onRetry?.("once more");
				handlers.onStderr("second\n");
				return Promise.reject(new HostError("start-failed", "It exited."));
			},
		});
		expect(await session.start()).toMatchObject({ stderr: ["second"] });
	});

	it("is not a failure when the user gives no input", async () => {
		const { session } = makeSession({
			resolve: () => Promise.reject(new HostError("cancelled", "it needs a value for key")),
		});
		expect(await session.start()).toEqual({ kind: "stopped" });
	});

	it("forgets the stored data of a server that hangs", async () => {
		const { session, services } = makeSession();
		services.verdicts.set(session.definition.hash, { kind: "modern", version: "2026-07-28" });
		const verdicts: unknown[] = [];
		services.connect = ({ verdict }) => {
			verdicts.push(verdict);
			return Promise.reject(new HostError("timeout", "no answer"));
		};
		await session.start();
		await session.start();
		expect(verdicts).toEqual([{ kind: "modern", version: "2026-07-28" }, undefined]);
	});
});

describe("ServerSession: stop and the races", () => {
	it("resolves when the processes are gone, and reports stopped only then", async () => {
		const { session, services } = await running();
		const gone = later();
		services.last.closing = gone.promise;
		let isStopped = false;
		const stopped = session.stop().then(() => (isStopped = true));
		await settle();
		expect([isStopped, session.state.kind, session.tools.items]).toEqual([false, "running", []]);
		gone.resolve();
		await stopped;
		expect(session.state).toEqual({ kind: "stopped" });
		await session.stop();
	});

	it("restarts only when the former processes are gone", async () => {
		const { session, services } = await running();
		const gone = later();
		services.last.closing = gone.promise;
		const restarted = session.restart();
		await settle();
		expect(services.connections).toHaveLength(1);
		gone.resolve();
		expect(await restarted).toMatchObject({ kind: "running" });
		expect([services.connections.length, services.mostOpen]).toEqual([2, 1]);
	});

	it("waits for the rest of a crashed server too", async () => {
		const { session, services } = await running();
		const gone = later();
		services.last.closing = gone.promise;
		services.last.crash("exited with code 1");
		expect(session.state.kind).toBe("failed");
		const started = session.start();
		await settle();
		expect(services.connections).toHaveLength(1);
		gone.resolve();
		expect((await started).kind).toBe("running");
	});

	it("does not wait for an input that the user never gives", async () => {
		const { session } = makeSession({ resolve: () => new Promise(() => undefined) });
		const started = session.start();
		await settle();
		await session.stop();
		expect(session.state).toEqual({ kind: "stopped" });
		expect(await started).toEqual({ kind: "stopped" });
	});

	it("closes a connection that arrives after the stop", async () => {
		const arrival = later();
		const { session, services } = makeSession();
		services.connect = async (request) => {
			await arrival.promise;
			return services.open(request);
		};
		const started = session.start();
		await settle();
		const stopped = session.stop();
		arrival.resolve();
		await stopped;
		expect(await started).toEqual({ kind: "stopped" });
		expect(services.last.isOpen).toBe(false);
		expect(session.state).toEqual({ kind: "stopped" });
	});

	it("lets a stop take precedence over the restart before it", async () => {
		const { session, services } = await running();
		const restarted = session.restart();
		await session.stop();
		expect(await restarted).toEqual({ kind: "stopped" });
		await settle();
		expect([session.state.kind, services.connections.length]).toEqual(["stopped", 1]);
	});

	it("does not report a server as stopped that was started during the stop", async () => {
		const { session, services } = await running();
		const gone = later();
		services.last.closing = gone.promise;
		const stops = [session.stop(), session.stop()];
		const started = session.start();
		gone.resolve();
		await Promise.all(stops);
		expect((await started).kind).toBe("running");
		await settle();
		expect(session.state.kind).toBe("running");
	});

	it("may be stopped by a listener of its start", async () => {
		const { session, services } = makeSession();
		session.onDidChangeState(({ kind }) => void (kind === "running" ? session.stop() : undefined));
		await session.start();
		await settle();
		expect(session.state).toEqual({ kind: "stopped" });
		expect(session.tools.status).toEqual({ kind: "unsupported" });
		expect(services.last.isOpen).toBe(false);
	});

	it("never starts again once disposed", async () => {
		const { session, services } = await running();
		const restarted = session.restart();
		session.dispose();
		await restarted;
		await session.start();
		await settle();
		expect(services.connections).toHaveLength(1);
		expect(services.last.isOpen).toBe(false);
	});

	it.each([1, 2, 3, 4])(
		"keeps one connection at most in 200 random operations, and ends as last requested (seed %i)",
		async (seed) => {
			const { session, services } = makeSession();
			let state = seed * 7919;
			const random = (below: number): number => {
				state = (state * 48271) % 2147483647;
				return state % below;
			};
			const turns = async (count: number): Promise<void> => {
				for (let turn = 0; turn < count; turn++) await Promise.resolve();
			};
			services.connect = async (request) => {
				await turns(random(6));
				request.signal.throwIfAborted();
				if (random(5) === 0) throw new HostError("start-failed", "It exited.");
				const connection = services.open(request);
				connection.closing = turns(random(8));
				return connection;
			};
			const operations: Promise<unknown>[] = [];
			for (let step = 0; step < 200; step++) {
				const operation = random(5);
				if (operation === 0) operations.push(session.start());
				else if (operation === 1) operations.push(session.stop());
				else if (operation === 2) operations.push(session.restart());
				else if (operation === 3 && services.connections.at(-1)?.isOpen === true)
					services.last.crash("exited with code 9");
				// Some operations take no more than a promise, others a turn of the loop, such as an import.
				else await (random(4) === 0 ? new Promise(setImmediate) : turns(random(10)));
			}
			await session.stop();
			await Promise.all(operations);
			await settle();
			expect(session.state).toEqual({ kind: "stopped" });
			expect(services.connections.filter(({ isOpen }) => isOpen)).toEqual([]);
			expect(services.mostOpen).toBe(1);
			services.connect = (request) => Promise.resolve(services.open(request));
			expect((await session.start()).kind).toBe("running");
			expect(services.mostOpen).toBe(1);
		},
	);
});

describe("ServerSession: a crash", () => {
	it("is a failure with its reason, which every call receives", async () => {
		const { session, services } = await running();
		const call = session.callTool("echo", {});
		services.last.handlers.onStderr("panic: out of luck\n");
		services.last.crash("exited with code 7");
		await expect(call).rejects.toMatchObject({
			code: "outcome-unknown",
			message:
				"travel: The server exited with code 7. tools/call echo may have taken effect. Check before you repeat it.",
		});
		expect(session.state).toMatchObject({
			kind: "failed",
			message: "The server exited with code 7.",
			stderr: ["panic: out of luck"],
		});
		expect(session.tools.status).toEqual({ kind: "unsupported" });
	});

	it("between the connection and its use is one too", async () => {
		const { session, services } = makeSession();
		services.connect = (request) => {
			const connection = services.open(request);
			connection.crash("exited with code 0");
			return Promise.resolve(connection);
		};
		await session.start();
		await settle();
		expect(session.state).toMatchObject({ kind: "failed", message: "The server exited with code 0." });
	});

	it("of a former run changes nothing", async () => {
		const { session, services } = await running();
		const former = services.last;
		await session.restart();
		former.crash("exited late");
		former.handlers.onListChanged("tools");
		expect(session.state.kind).toBe("running");
	});
});
