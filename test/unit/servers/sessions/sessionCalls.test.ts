import { afterEach, describe, expect, it, vi } from "vitest";
import { HostError, StoppedHere } from "../../../../src/base/errors.ts";
import { makeSession, running, settle } from "../fakeConnection.ts";

/** A promise that the test settles. */
const later = <T = void>(): PromiseWithResolvers<T> => Promise.withResolvers<T>();

describe("ServerSession: calls", () => {
	afterEach(() => void vi.useRealTimers());

	it("answer with the result", async () => {
		const { session, services } = await running();
		services.last.answer = () => Promise.resolve({ content: [] });
		expect(await session.callTool("echo", { a: 1 })).toEqual({ content: [] });
		expect(services.last.calls).toMatchObject([{ name: "echo", args: { a: 1 } }]);
	});

	it("fail at once when the server does not run", async () => {
		const { session } = makeSession();
		for (const call of [session.callTool("echo", {}), session.readResource("x:y"), session.getPrompt("p", {})]) {
			await expect(call).rejects.toMatchObject({
				code: "not-connected",
				message: "travel is not running. Start it and try again.",
			});
		}
	});

	it("fail with the server's name, for any error", async () => {
		const { session, services } = await running();
		services.last.answer = () => Promise.reject(new HostError("protocol", "Unknown tool (error -32602)"));
		await expect(session.callTool("x", {})).rejects.toMatchObject({
			code: "protocol",
			message: "travel: Unknown tool (error -32602)",
		});
		services.last.answer = () => Promise.reject(new TypeError("odd"));
		await expect(session.callTool("x", {})).rejects.toMatchObject({ code: "protocol", message: "travel: odd" });
	});

	it("end when the server is stopped", async () => {
		const { session } = await running();
		const call = session.readResource("x:y");
		await Promise.all([
			expect(call).rejects.toMatchObject({ code: "not-connected", message: "travel: The server was stopped." }),
			session.stop(),
		]);
	});

	it("are cancelled by their signal and leave no listener on it", async () => {
		const { session, services } = await running();
		const controller = new AbortController();
		const removed = vi.spyOn(controller.signal, "removeEventListener");
		const call = session.callTool("echo", {}, { signal: controller.signal });
		controller.abort();
		await expect(call).rejects.toMatchObject({ code: "cancelled", message: "tools/call echo was cancelled." });
		expect(services.last.calls[0]?.control.signal.aborted).toBe(true);
		expect(removed).toHaveBeenCalledTimes(1);
		await expect(session.callTool("echo", {}, { signal: controller.signal })).rejects.toMatchObject({
			code: "cancelled",
		});
	});

	it("time out without an answer, but not while there is progress", async () => {
		const { session, services } = await running();
		vi.useFakeTimers();
		const seen: unknown[] = [];
		const call = session.callTool("echo", {}, { onProgress: (progress) => seen.push(progress) });
		const rejected = expect(call).rejects.toMatchObject({
			code: "timeout",
			message: "travel: tools/call echo gave no answer and no progress for 1 s.",
		});
		await vi.advanceTimersByTimeAsync(900);
		services.last.calls[0]?.control.onProgress?.({ progress: 1, total: 2, message: "half\u202E\nway" });
		await vi.advanceTimersByTimeAsync(900);
		expect(seen).toEqual([{ progress: 1, total: 2, message: "half\\u202E way" }]);
		await vi.advanceTimersByTimeAsync(100);
		await rejected;
		expect(vi.getTimerCount()).toBe(0);
	});

	it("do not time out while the server has a user asked, and show the question", async () => {
		const { session, services } = await running();
		const answer = later<never>();
		let context: unknown;
		services.user.elicit = (_session, _params, given) => {
			context = given;
			return answer.promise;
		};
		vi.useFakeTimers();
		const call = session.callTool("bookHotel", {});
		const { handlers } = services.last;
		const asked = handlers.elicit(
			{ message: "Who?", requestedSchema: { type: "object", properties: {} } },
			new AbortController().signal,
		);
		await vi.advanceTimersByTimeAsync(1_000_000);
		expect(context).toMatchObject({ during: "tools/call bookHotel", protocolVersion: "2025-11-25" });
		answer.resolve({ action: "decline" } as never);
		expect(await asked).toEqual({ action: "decline" });
		const rejected = expect(call).rejects.toMatchObject({ code: "timeout" });
		await vi.advanceTimersByTimeAsync(1000);
		await rejected;
	});
});

describe("ServerSession: the clocks, while a user is asked,", () => {
	afterEach(() => void vi.useRealTimers());

	it("stop for calls that begin meanwhile and for requests of the host itself", async () => {
		const { session, services } = makeSession();
		const answer = later<never>();
		services.user.elicit = () => answer.promise;
		let listed: AbortSignal | undefined;
		services.connect = (request) => {
			const connection = services.open(request);
			connection.listTools = (_cursor, control) => {
				listed = control.signal;
				return new Promise(() => undefined);
			};
			return Promise.resolve(connection);
		};
		vi.useFakeTimers();
		await session.start();
		const { handlers } = services.last;
		const form = { message: "Who?", requestedSchema: { type: "object" as const, properties: {} } };
		const asked = handlers.elicit(form, new AbortController().signal);
		const call = session.callTool("bookHotel", {});
		await vi.advanceTimersByTimeAsync(1_000_000);
		expect(listed?.aborted).toBe(false);
		const rejected = expect(call).rejects.toMatchObject({ code: "timeout" });
		answer.resolve({ action: "decline" } as never);
		await asked;
		await vi.advanceTimersByTimeAsync(1000);
		await rejected;
		expect(listed?.aborted).toBe(true);
		await session.stop();
	});
});

describe("ServerSession: a server's request", () => {
	const params = { messages: [], maxTokens: 1 };

	it("has no occasion when no call is running; reading lists is none", async () => {
		const { session, services } = makeSession({ capabilities: { tools: {} } });
		const contexts: unknown[] = [];
		services.user.createMessage = (_session, _params, context) => {
			contexts.push(context.during);
			return Promise.resolve({ role: "assistant", model: "m", content: { type: "text", text: "x" } });
		};
		await session.start();
		await services.last.handlers.createMessage(params, new AbortController().signal);
		expect(contexts).toEqual([undefined]);
	});

	it("is for the user only while a call of theirs or of their model runs, and not one of an app or one that nobody asked for (SMP-05)", async () => {
		const { session, services } = await running();
		const contexts: unknown[] = [];
		services.user.createMessage = (_session, _params, { during, isForUser }) => {
			contexts.push([during, isForUser]);
			return Promise.resolve({ role: "assistant", model: "m", content: { type: "text", text: "x" } });
		};
		const ask = async (): Promise<unknown> =>
			services.last.handlers.createMessage(params, new AbortController().signal);
		const ofApp = new AbortController();
		const call = session.callTool("bookHotel", {}, { asker: "app", signal: ofApp.signal }).catch(() => undefined);
		await ask();
		const own = session.callTool("payHotel", {}, { asker: "model", signal: ofApp.signal }).catch(() => undefined);
		await ask();
		ofApp.abort();
		await Promise.all([call, own]);
		const unasked = new AbortController();
		const read = session.readResource("a:b", { isUnasked: true, signal: unasked.signal }).catch(() => undefined);
		await ask();
		unasked.abort();
		await read;
		expect(contexts.pop()).toEqual(["resources/read a:b", false]);
		expect(contexts).toEqual([
			["tools/call bookHotel", false],
			["tools/call bookHotel, tools/call payHotel", true],
		]);
	});

	it("ends with the last of the calls during which it was sent, and with no other", async () => {
		const { session, services } = await running();
		let signal: AbortSignal | undefined;
		services.user.elicit = (_session, _params, context) => {
			signal = context.signal;
			return new Promise((_resolve, reject) => {
				context.signal.addEventListener("abort", () => reject(context.signal.reason as Error), { once: true });
			});
		};
		const cancelled = new AbortController();
		const call = session.callTool("bookHotel", {}, { signal: cancelled.signal });
		const asked = services.last.handlers.elicit(
			{ message: "Who?", requestedSchema: { type: "object", properties: {} } },
			new AbortController().signal,
		);
		const other = new AbortController();
		const later = session.callTool("searchFlights", {}, { signal: other.signal });
		other.abort();
		await expect(later).rejects.toMatchObject({ code: "cancelled" });
		expect(signal?.aborted).toBe(false);
		cancelled.abort();
		await expect(call).rejects.toMatchObject({ code: "cancelled" });
		await expect(asked).rejects.toMatchObject({ code: "cancelled" });
		// The requester of the user's answer knows that the server did not withdraw it (SMP-20).
		expect(signal?.reason).toBeInstanceOf(StoppedHere);
	});

	it("is refused before the handshake is done", async () => {
		const { session, services } = makeSession();
		let refusal: unknown;
		services.connect = async (request) => {
			refusal = await request.handlers.createMessage(params, request.signal).catch((error: unknown) => error);
			return services.open(request);
		};
		services.user.createMessage = () => expect.fail("somebody was asked");
		await session.start();
		expect(refusal).toMatchObject({ rpcCode: -32603, message: "The handshake is not finished." });
	});

	it("ends when the server goes away or withdraws it", async () => {
		const { session, services } = await running();
		const signals: AbortSignal[] = [];
		services.user.createMessage = (_session, _params, { signal }) => {
			signals.push(signal);
			return new Promise((_resolve, reject) =>
				signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
			);
		};
		const withdrawn = new AbortController();
		const first = services.last.handlers.createMessage(params, withdrawn.signal);
		const second = services.last.handlers.createMessage(params, new AbortController().signal);
		await expect.poll(() => signals).toHaveLength(2);
		withdrawn.abort(new Error("withdrawn"));
		await expect(first).rejects.toThrow("withdrawn");
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
		await Promise.all([expect(second).rejects.toMatchObject({ code: "not-connected" }), session.stop()]);
	});

	it("is shown to no user when it is withdrawn before the handler is ready", async () => {
		const { services } = await running();
		services.user.createMessage = () => expect.fail("somebody was asked");
		const withdrawn = new AbortController();
		const asked = services.last.handlers.createMessage(params, withdrawn.signal);
		withdrawn.abort(new Error("withdrawn"));
		await expect(asked).rejects.toThrow("withdrawn");
	});
});

describe("ServerSession: subscriptions", () => {
	it("are counted and renewed at each start", async () => {
		const { session, services } = makeSession();
		const first = session.subscribe("x:a");
		const second = session.subscribe("x:a");
		session.subscribe("x:b");
		await session.start();
		expect(services.last.watched).toEqual([["x:a", "x:b"]]);
		first.dispose();
		first.dispose();
		expect(services.last.watched).toHaveLength(1);
		await session.restart();
		expect(services.last.watched).toEqual([["x:a", "x:b"]]);
		second.dispose();
		expect(services.last.watched.at(-1)).toEqual(["x:b"]);
		session.subscribe("x:a");
		expect(services.last.watched.at(-1)).toEqual(["x:b", "x:a"]);
	});

	it("notify only of those resources", async () => {
		const { session, services } = await running();
		const updated: string[] = [];
		session.onDidUpdateResource((uri) => updated.push(uri));
		const subscription = session.subscribe("x:a");
		const { onResourceUpdated } = services.last.handlers;
		onResourceUpdated("x:a");
		onResourceUpdated("x:other");
		subscription.dispose();
		onResourceUpdated("x:a");
		expect(updated).toEqual(["x:a"]);
	});

	it("that fail are logged", async () => {
		const { session, services } = await running();
		services.last.watchResources = () => Promise.reject(new Error("not today"));
		session.subscribe("x:a");
		await settle();
		expect(services.log.lines).toContain("warn Subscriptions: not today");
	});
});

describe("ServerSession: the log and the roots", () => {
	it("logs the server's messages at their level, with hidden characters shown", async () => {
		const { services } = await running();
		const { onLog, onTrouble, onStderr } = services.last.handlers;
		services.log.lines.length = 0;
		onLog("debug", undefined, "d");
		onLog("notice", "db\nx", { a: [1] });
		onLog("warning", undefined, "w\u001B[2J\u202E");
		onLog("emergency", undefined, undefined);
		onTrouble("odd");
		onStderr("words\n");
		expect(services.log.lines).toEqual([
			"debug d",
			'info db x: {"a":[1]}',
			"warn w\\u202E",
			"error ",
			"warn odd",
			"info [stderr] words",
		]);
	});

	it("notifies a running server of a changed log level, and logs when that fails", async () => {
		const { session, services } = makeSession();
		session.updateLogLevel();
		await session.start();
		expect(services.last.request.logLevel()).toBe("info");
		services.last.updateLogLevel = () => Promise.reject(new Error("cut"));
		session.updateLogLevel();
		await settle();
		expect(services.log.lines).toContain("warn logging/setLevel: cut");
	});

	it("notifies a running server of changed roots, and logs when that fails", async () => {
		const { session, services } = makeSession();
		session.notifyRootsChanged();
		await session.start();
		session.notifyRootsChanged();
		expect(services.last.rootsChanged).toBe(1);
		services.last.notifyRootsChanged = () => Promise.reject(new Error("cut"));
		session.notifyRootsChanged();
		await settle();
		expect(services.log.lines).toContain("warn roots: cut");
	});
});
