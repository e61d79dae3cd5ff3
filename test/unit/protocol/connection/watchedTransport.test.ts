import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { held } from "../../../../src/protocol/connection/heldAnswers.ts";
import { CutAnswer, WatchedTransport } from "../../../../src/protocol/connection/watchedTransport.ts";

/** A connection with a stream for each request; the test decides about each request. */
class Wire implements Transport {
	readonly hasPerRequestStream = true;
	onmessage?: Transport["onmessage"];
	failure: Error | undefined;
	endStream: TransportSendOptions["onRequestStreamEnd"];

	start(): Promise<void> {
		return Promise.resolve();
	}

	close(): Promise<void> {
		return Promise.resolve();
	}

	send(_message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		this.endStream = options?.onRequestStreamEnd;
		return this.failure === undefined ? Promise.resolve() : Promise.reject(this.failure);
	}
}

const answer: JSONRPCMessage = { jsonrpc: "2.0", id: 1, result: { contents: [{ uri: "a", text: "text" }] } };

/** A request whose answer the host checks itself, and the SDK's view of it. */
function ask(wire: Wire, options?: TransportSendOptions) {
	const transport = new WatchedTransport(wire);
	const reached: JSONRPCMessage[] = [];
	transport.onmessage = (message) => void reached.push(message);
	const params = held({ uri: "a" });
	return { reached, sent: transport.send({ jsonrpc: "2.0", id: 1, method: "resources/read", params }, options) };
}

describe("a request whose answer the host checks itself", () => {
	it("is answered to the SDK by a placeholder", async () => {
		const wire = new Wire();
		const { reached, sent } = ask(wire);
		wire.onmessage?.(answer);
		await sent;
		expect(reached).toMatchObject([{ id: 1, result: { contents: [] } }]);
	});

	it("is forgotten when it is cancelled by the end of its stream, like in revision 2026-07-28 over HTTP", async () => {
		const wire = new Wire();
		const cancelling = new AbortController();
		const { reached, sent } = ask(wire, { requestSignal: cancelling.signal });
		cancelling.abort();
		await sent;
		wire.onmessage?.(answer);
		expect(reached[0]).toBe(answer);
	});

	it("is forgotten when its stream ends without the answer", async () => {
		const wire = new Wire();
		const { reached, sent } = ask(wire);
		wire.endStream?.();
		await expect(sent).rejects.toThrow(CutAnswer);
		wire.onmessage?.(answer);
		expect(reached[0]).toBe(answer);
	});

	it("is forgotten when it could not be sent", async () => {
		const wire = new Wire();
		wire.failure = new Error("no network");
		const { reached, sent } = ask(wire);
		await expect(sent).rejects.toBe(wire.failure);
		wire.onmessage?.(answer);
		expect(reached[0]).toBe(answer);
	});
});
