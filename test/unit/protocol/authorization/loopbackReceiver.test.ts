import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import type { RedirectReceiver } from "../../../../src/protocol/authorization.ts";
import { openLoopbackReceiver } from "../../../../src/protocol/authorization/loopbackReceiver.ts";
import { HostError } from "../../../../src/base/errors.ts";

const never = new AbortController().signal;
let receiver: RedirectReceiver | undefined;
afterEach(() => receiver?.dispose());

interface Answer {
	readonly status: number | undefined;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
}

/** A request of any program; `fetch` would not allow another host. */
async function send(query: string, options: { method?: string; host?: string; path?: string } = {}): Promise<Answer> {
	const { port } = new URL(receiver?.redirectUrl ?? "");
	const path = options.path ?? `/callback${query}`;
	const outgoing = request({
		host: "127.0.0.1",
		port,
		path,
		method: options.method ?? "GET",
		headers: { host: options.host ?? `127.0.0.1:${port}` },
		agent: false,
	});
	outgoing.end();
	const [response] = (await once(outgoing, "response")) as [IncomingMessage];
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(chunk as Buffer);
	return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString("utf8") };
}

describe("the loopback receiver", () => {
	test("passes on the one callback with its state, shows a page, and stops listening", async () => {
		receiver = await openLoopbackReceiver();
		expect(receiver.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
		const received = receiver.receive("right", never);
		const answer = await send("?code=c%2B1&state=right&iss=https%3A%2F%2Fauth.example");
		expect(answer.status).toBe(200);
		expect(answer.body).toContain("You can close this window and return to VS Code.");
		expect(Object.fromEntries(await received)).toEqual({ code: "c+1", state: "right", iss: "https://auth.example" });
		await expect(send("?code=c&state=right")).rejects.toThrow("ECONNREFUSED");
	});

	test("holds a callback that arrives before the receiver waits", async () => {
		receiver = await openLoopbackReceiver();
		const early = send("?code=c&state=right");
		const received = await receiver.receive("right", never);
		expect(received.get("code")).toBe("c");
		expect((await early).status).toBe(200);
	});

	test.each([
		["another state", "?code=c&state=wrong"],
		["no state", "?code=c"],
		["an empty state", "?code=c&state="],
		["two states", "?code=c&state=right&state=wrong"],
	])("refuses %s and continues waiting", async (_what, query) => {
		receiver = await openLoopbackReceiver();
		const received = receiver.receive("right", never);
		expect((await send(query)).status).toBe(400);
		expect((await send("?code=good&state=right")).status).toBe(200);
		expect((await received).get("code")).toBe("good");
	});

	test("accepts only one of several callbacks with the right state (AUT-08)", async () => {
		receiver = await openLoopbackReceiver();
		const sent = [1, 2, 3].map((code) => send(`?code=${code}&state=right`));
		await receiver.receive("right", never);
		// One that arrives when nothing listens any more is not answered at all.
		const statuses = await Promise.all(
			sent.map((answer) =>
				answer.then(
					({ status }) => status,
					() => 400,
				),
			),
		);
		expect(statuses.filter((status) => status === 200)).toHaveLength(1);
		expect(statuses.filter((status) => status === 400)).toHaveLength(2);
	});

	test.each([
		["another host", { host: "evil.example" }, 403],
		["another port in the host", { host: "127.0.0.1:1" }, 403],
		["a name for the loopback address", { host: "localhost" }, 403],
		["another path", { path: "/callback/more?code=c&state=right" }, 404],
		["a path that is none", { path: "//" }, 404],
		["POST", { method: "POST" }, 405],
		["OPTIONS", { method: "OPTIONS" }, 405],
		["HEAD", { method: "HEAD" }, 405],
	])("refuses %s", async (_what, options, status) => {
		receiver = await openLoopbackReceiver();
		let isReceived = false;
		receiver.receive("right", never).then(
			() => (isReceived = true),
			() => undefined,
		);
		expect((await send("?code=c&state=right", options)).status).toBe(status);
		expect(isReceived).toBe(false);
	});

	test("shows pages that contain nothing of the request, run nothing and load nothing (AUT-09)", async () => {
		receiver = await openLoopbackReceiver();
		const received = receiver.receive("right", never);
		const attack = "<script>alert(1)</script>canary";
		const query = new URLSearchParams({ error: "access_denied", error_description: attack, state: "wrong" });
		const refused = await send(`?${query.toString()}`);
		query.set("state", "right");
		const taken = await send(`?${query.toString()}`);
		expect(taken.body).toContain("Not signed in");
		for (const { body, headers } of [refused, taken]) {
			expect(body).not.toMatch(/script|canary|access_denied/);
			expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'/);
			expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
			expect(headers).toMatchObject({ "cache-control": "no-store", connection: "close" });
		}
		expect((await received).get("error_description")).toBe(attack);
	});

	test.each([
		["send nothing", ""],
		["never finish their request", "GET /callback HTTP/1.1\r\nHost: 127"],
	])("is reached by the browser beside many programs that connect and %s (AUT-08)", async (_what, words) => {
		receiver = await openLoopbackReceiver();
		const received = receiver.receive("right", never);
		const { port } = new URL(receiver.redirectUrl);
		const idle = await Promise.all(
			Array.from({ length: 60 }, async () => {
				const socket = connect({ host: "127.0.0.1", port: Number(port) });
				socket.on("error", () => undefined);
				await Promise.race([once(socket, "connect"), once(socket, "close")]);
				if (words !== "") socket.write(words);
				return socket;
			}),
		);
		expect((await send("?code=c&state=right")).status).toBe(200);
		expect((await received).get("code")).toBe("c");
		for (const socket of idle) socket.destroy();
	});

	test("cannot be reached by another address of this machine (AUT-08)", async () => {
		receiver = await openLoopbackReceiver();
		const port = Number(new URL(receiver.redirectUrl).port);
		const others = Object.values(networkInterfaces())
			.flatMap((addresses) => addresses ?? [])
			.filter(({ internal, family }) => !internal && family === "IPv4");
		// The whole of 127/8 is loopback on Linux, so a machine without a network shows it as well.
		const addresses = [...others.map(({ address }) => address), ...(process.platform === "linux" ? ["127.0.0.2"] : [])];
		for (const host of addresses) {
			const socket = connect({ host, port });
			const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
			expect(error.code).toBe("ECONNREFUSED");
		}
	});

	test("uses the given port, and reports when that one is taken", async () => {
		const other = createServer().listen(0, "127.0.0.1");
		await once(other, "listening");
		const { port } = other.address() as AddressInfo;
		const failure = await openLoopbackReceiver({ port }).catch((error: unknown) => error);
		expect(HostError.is(failure, "start-failed")).toBe(true);
		expect((failure as Error).message).toContain(`Port ${port} of this machine`);
		other.close();
		await once(other, "close");
		receiver = await openLoopbackReceiver({ port });
		expect(receiver.redirectUrl).toBe(`http://127.0.0.1:${port}/callback`);
	});

	test("ends when disposed, when its signal is aborted, and after its time", async () => {
		receiver = await openLoopbackReceiver();
		const disposed = receiver.receive("right", never);
		receiver.dispose();
		await expect(disposed).rejects.toSatisfy((error) => HostError.is(error, "cancelled"));
		await expect(send("?code=c&state=right")).rejects.toThrow("ECONNREFUSED");

		receiver = await openLoopbackReceiver();
		const controller = new AbortController();
		const aborted = receiver.receive("right", controller.signal);
		const reason = new Error("window closed");
		controller.abort(reason);
		await expect(aborted).rejects.toBe(reason);
		await expect(send("?code=c&state=right")).rejects.toThrow("ECONNREFUSED");

		receiver = await openLoopbackReceiver({ lifetimeMs: 1 });
		await expect(receiver.receive("right", never)).rejects.toSatisfy((error) => HostError.is(error, "timeout"));
		await expect(send("?code=c&state=right")).rejects.toThrow("ECONNREFUSED");
	});

	test("receives once", async () => {
		receiver = await openLoopbackReceiver();
		const first = receiver.receive("right", never);
		await expect(receiver.receive("other", never)).rejects.toSatisfy((error) => HostError.is(error, "invalid"));
		await send("?code=c&state=right");
		expect((await first).get("code")).toBe("c");
	});
});
