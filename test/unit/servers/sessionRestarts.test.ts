import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostError } from "../../../src/base/errors.ts";
import { ServerSession } from "../../../src/servers/sessions/serverSession.ts";
import type { SignInAsks } from "../../../src/servers/sessions/sessionServices.ts";
import { FakeServices, makeSession, running, settle } from "./fakeConnection.ts";
import { definition } from "./fixtures.ts";

describe("ServerSession: restarts", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("restarts a server that ended on its own, and shows when", async () => {
		const { session, services } = await start();
		services.last.crash("exited with code 1");
		expect(session.state).toMatchObject({ kind: "failed", retryAt: Date.now() + 1000 });
		await vi.advanceTimersByTimeAsync(999);
		expect(services.connections).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(1);
		expect(session.state.kind).toBe("running");
		expect(services.connections).toHaveLength(2);
	});

	it("gives up a crash loop and reports it; a user's start restarts the count", async () => {
		const { session, services } = await start();
		for (let crash = 0; crash < 5; crash++) {
			services.last.crash("exited with code 1");
			await vi.advanceTimersByTimeAsync(60_000 / 5);
		}
		expect(services.connections).toHaveLength(5);
		expect(session.state).toEqual({
			kind: "failed",
			message:
				"The server exited with code 1. It stopped 5 times within 2 minutes and is not restarted automatically. Start it to try again.",
			stderr: [],
		});
		await vi.advanceTimersByTimeAsync(1_000_000);
		expect(services.connections).toHaveLength(5);
		await session.start();
		services.last.crash("exited with code 1");
		expect(session.state).toMatchObject({ retryAt: Date.now() + 1000 });
	});

	it("counts a restart that fails as a crash", async () => {
		const { session, services } = await start();
		const { connect } = services;
		services.connect = () => Promise.reject(new HostError("start-failed", "no such command"));
		services.last.crash("exited with code 1");
		await vi.advanceTimersByTimeAsync(1000);
		expect(session.state).toMatchObject({ message: "no such command", retryAt: Date.now() + 2000 });
		services.connect = connect;
		await vi.advanceTimersByTimeAsync(2000);
		expect(session.state.kind).toBe("running");
	});

	it("stops waiting when a user stops, starts or removes it", async () => {
		for (const act of ["stop", "start", "dispose"] as const) {
			const { session, services } = await start();
			services.last.crash("exited with code 1");
			await session[act]();
			await vi.advanceTimersByTimeAsync(100_000);
			expect(services.connections).toHaveLength(act === "start" ? 2 : 1);
		}
	});

	it("asks for approval before a restart too", async () => {
		const { session, services } = await start();
		services.last.crash("exited with code 1");
		services.reasonNot = "unapproved";
		await vi.advanceTimersByTimeAsync(1000);
		expect(session.state).toEqual({ kind: "needs-approval", reason: "unapproved" });
	});

	it("repeats an automatic start, but not a user's", async () => {
		const connect = (): Promise<never> => Promise.reject(new HostError("unreachable", "Nothing answers."));
		const { session } = makeSession({ connect });
		expect(await session.start()).toEqual({ kind: "failed", message: "Nothing answers.", stderr: [] });
		await session.stop();
		expect(await session.start({ isAutomatic: true })).toMatchObject({ retryAt: Date.now() + 1000 });
		const { session: broken } = makeSession({
			connect: () => Promise.reject(new HostError("start-failed", "The command x was not found.")),
		});
		expect(await broken.start({ isAutomatic: true })).not.toHaveProperty("retryAt");
	});

	it("repeats requests that a remote server does not answer, not refused ones", async () => {
		const services = new FakeServices();
		const remote = { kind: "http", url: "https://example.com/mcp", headers: {}, protocol: "auto" } as const;
		const session = new ServerSession(definition("remote", remote), services);
		const codes = ["unreachable", "start-failed"] as const;
		let attempt = 0;
		await session.start();
		services.connect = () => Promise.reject(new HostError(codes[attempt++] ?? "timeout", "no"));
		services.last.crash("closed the connection");
		await vi.advanceTimersByTimeAsync(1250);
		expect([attempt, session.state]).toMatchObject([1, { kind: "failed", message: "no" }]);
		expect(session.state).toHaveProperty("retryAt");
		await vi.advanceTimersByTimeAsync(2500);
		expect([attempt, session.state]).toEqual([2, { kind: "failed", message: "no", stderr: [] }]);
	});

	async function start(): ReturnType<typeof running> {
		const made = running();
		await vi.advanceTimersByTimeAsync(10);
		return made;
	}
});

describe("ServerSession: sign-in", () => {
	it("is a state of its own, whether the start or a call detects the need", async () => {
		const needed = new HostError("needs-sign-in", "Sign in at auth.example.com.");
		const { session } = makeSession({ connect: () => Promise.reject(needed) });
		expect(await session.start()).toEqual({ kind: "needs-sign-in", message: needed.message });
		const { session: running_, services } = await running();
		services.last.answer = () => Promise.reject(needed);
		await expect(running_.readResource("a:b")).rejects.toMatchObject({ code: "needs-sign-in" });
		expect(running_.state).toEqual({ kind: "needs-sign-in", message: needed.message });
	});

	it("is needed again after a sign-out, and the server has ended by then", async () => {
		const { session, services } = await running();
		await session.requireSignIn("You signed out.");
		expect(session.state).toEqual({ kind: "needs-sign-in", message: "You signed out." });
		expect(services.last.isOpen).toBe(false);
		expect((await session.start()).kind).toBe("running");
	});

	it("may be requested while a user waits for the start or a call, and not otherwise", async () => {
		const { session, services, asked } = remote();
		const started = session.start();
		await settle();
		expect(asked()).toBe(true);
		services.letConnect();
		await started;
		expect(asked()).toBe(true);
		services.letList();
		await settle();
		expect(asked()).toBe(false);
		const call = session.callTool("echo", {});
		expect(asked()).toBe(true);
		await session.stop();
		await expect(call).rejects.toThrow();
	});

	it("may be requested when a user joins an automatic start", async () => {
		const { session, services, asked } = remote();
		const started = session.start({ isAutomatic: true });
		await settle();
		expect(asked()).toBe(false);
		void session.start();
		expect(asked()).toBe(true);
		services.letConnect();
		await started;
		await session.stop();
	});

	it("continues when the call ends that began it: others may wait for it", async () => {
		const { session, services, asks } = remote();
		const started = session.start();
		services.letConnect();
		await started;
		const cancelling = new AbortController();
		const call = session.callTool("echo", {}, { signal: cancelling.signal });
		let signal: AbortSignal | undefined;
		const signIn = asks().whileAsking((asking) => {
			signal = asking;
			return new Promise((_resolve, reject) => {
				asking.addEventListener("abort", () => reject(asking.reason as Error));
			});
		}, new AbortController().signal);
		cancelling.abort();
		await expect(call).rejects.toMatchObject({ code: "cancelled" });
		expect(signal?.aborted).toBe(false);
		const ended = expect(signIn).rejects.toMatchObject({ code: "not-connected" });
		await session.stop();
		await ended;
	});

	it("stays requested when another server is approved, unless its own approval is gone", async () => {
		const { session, services } = await running();
		await session.requireSignIn("You signed out.");
		session.reconsider();
		expect(session.state.kind).toBe("needs-sign-in");
		services.reasonNot = "unapproved";
		session.reconsider();
		expect(session.state).toEqual({ kind: "needs-approval", reason: "unapproved" });
	});

	/** A session with a remote server that connects and lists when the test allows it. */
	function remote() {
		const connecting = Promise.withResolvers<void>();
		const listing = Promise.withResolvers<void>();
		let given: SignInAsks | undefined;
		const { session, services } = makeSession({
			resolve: () => Promise.resolve({ kind: "http", url: "https://mcp.example/", headers: {} }),
			authorization: ((_definition: unknown, _config: unknown, asks: SignInAsks) => {
				given = asks;
			}) as FakeServices["authorization"],
			async connect(request) {
				await connecting.promise;
				const connection = services.open(request);
				const { listTools } = connection;
				connection.listTools = async (...page) => {
					await listing.promise;
					return listTools(...page);
				};
				return connection;
			},
		});
		const lets = { letConnect: () => connecting.resolve(), letList: () => listing.resolve() };
		const asks = (): SignInAsks => {
			if (given === undefined) throw new Error("Nothing was asked for yet.");
			return given;
		};
		return { session, services: Object.assign(services, lets), asks, asked: () => asks().isInteractive() };
	}
});
