import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { openNetwork } from "../../../../src/protocol/http/network.ts";

/**
 * The script of a server that closes a connection a while after it answered over it, although it promised to keep it,
 * and reports this.
 */
const quietServer = `
	const { parentPort, workerData: isClosed } = require("node:worker_threads");
	const server = require("node:http").createServer(({ socket }, response) => {
		response.setHeader("keep-alive", "timeout=60").end("answered");
		setTimeout(() => {
			socket.destroy();
			Atomics.store(isClosed, 0, 1);
			Atomics.notify(isClosed, 0);
		}, 300);
	});
	server.keepAliveTimeout = 60_000;
	server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** A server that resets the connection of the first request for `/once`, as if it had closed it in that moment. */
async function startResettingServer(): Promise<{ readonly url: string; readonly asked: string[] } & AsyncDisposable> {
	const known = new WeakSet<Socket>();
	const asked: string[] = [];
	const streams: ServerResponse[] = [];
	const server = createServer(({ method, socket, url = "" }, response) => {
		const isReset = url === "/always" || (url === "/once" && !asked.some((line) => line.includes(url)));
		asked.push(`${method} ${url}${asked.length > 0 && !known.has(socket) ? " on a fresh connection" : ""}`);
		known.add(socket);
		if (isReset) return void socket.resetAndDestroy();
		if (url === "/stream") {
			streams.push(response);
			return void response.writeHead(200).write("begun ");
		}
		if (url === "/end") for (const stream of streams.splice(0)) stream.end("ended");
		return void response.end("answered");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

describe("a connection that is reset before it delivered an answer", () => {
	it.each([
		["GET", undefined],
		["POST", true],
	])("has a %s that may be sent twice sent once more, over a fresh one", async (method, isRepeatable) => {
		await using server = await startResettingServer();
		const network = openNetwork({ environment: {} });
		for (const path of ["/first", "/once"]) {
			const response = await network.fetch(`${server.url}${path}`, { method }, isRepeatable);
			expect(await response.text()).toBe("answered");
		}
		expect(server.asked).toHaveLength(3);
		expect(server.asked.at(-1)).toBe(`${method} /once on a fresh connection`);
		await network.close();
	});

	it("fails a request that may have an effect, which is sent once", async () => {
		await using server = await startResettingServer();
		const network = openNetwork({ environment: {} });
		await (await network.fetch(`${server.url}/first`, { method: "POST" })).text();
		await expect(network.fetch(`${server.url}/once`, { method: "POST" })).rejects.toThrow(TypeError);
		expect(server.asked).toHaveLength(2);
		await network.close();
	});

	it("is not used for a request with an effect if it was closed while the process was blocked (TRN-63)", async () => {
		const isClosed = new Int32Array(new SharedArrayBuffer(4));
		// In a thread of its own, since this one is blocked.
		const server = new Worker(quietServer, { eval: true, workerData: isClosed });
		const [port] = (await once(server, "message")) as [number];
		const network = openNetwork({ environment: {} });
		const post = async (): Promise<string> =>
			(await network.fetch(`http://127.0.0.1:${port}/`, { method: "POST" })).text();
		expect(await post()).toBe("answered");
		// Its received bytes are processed.
		await setImmediate();
		// In the work that follows, the loop has checked its sockets already, and does so again only in its next turn.
		await stat(".");
		expect(Atomics.wait(isClosed, 0, 0, 30_000)).not.toBe("timed-out");
		expect(await post()).toBe("answered");
		await network.close();
		await server.terminate();
	});

	it("fails a request that is reset the second time too", async () => {
		await using server = await startResettingServer();
		const network = openNetwork({ environment: {} });
		await (await network.fetch(`${server.url}/first`)).text();
		await expect(network.fetch(`${server.url}/always`)).rejects.toThrow(TypeError);
		expect(server.asked).toHaveLength(3);
		await network.close();
	});

	it("fails a request to a server that never answered, since no connection to it was kept", async () => {
		await using server = await startResettingServer();
		const network = openNetwork({ environment: {} });
		await expect(network.fetch(`${server.url}/once`)).rejects.toThrow(TypeError);
		expect(server.asked).toEqual(["GET /once"]);
		await network.close();
	});

	it("does not affect requests that stream over others", async () => {
		await using server = await startResettingServer();
		const network = openNetwork({ environment: {} });
		const stream = await network.fetch(`${server.url}/stream`);
		await (await network.fetch(`${server.url}/once`)).text();
		await (await network.fetch(`${server.url}/end`)).text();
		expect(await stream.text()).toBe("begun ended");
		await network.close();
	});
});
