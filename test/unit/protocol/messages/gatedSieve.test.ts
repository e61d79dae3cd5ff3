import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatedTransport, type Sieved } from "../../../../src/protocol/messages/gatedTransport.ts";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

describe("GatedTransport", () => {
	it("lets a transport skip what it need not read", async () => {
		const [near] = InMemoryTransport.createLinkedPair();
		const sieved: InMemoryTransport & Sieved = Object.assign(near, { isUnwanted: undefined });
		const gated = new GatedTransport(sieved, { onTrouble: () => undefined, logLevel: () => "info" });
		gated.onmessage = () => undefined;
		const say = (method: string, params: object): void =>
			near.onmessage?.({ jsonrpc: "2.0", method, params } as JSONRPCMessage);
		const isUnwanted = (method: string): boolean[] =>
			[`{"jsonrpc":"2.0","method":"${method}","params"`, `{"method":"${method}","jsonrpc":"2.0"}`].map(
				(head) => sieved.isUnwanted?.(head) === true,
			);
		const all = [
			"notifications/message",
			"notifications/tools/list_changed",
			"notifications/prompts/list_changed",
			"notifications/progress",
		];
		expect(all.flatMap(isUnwanted)).toEqual(all.flatMap(() => [false, false]));
		for (let count = 0; count < 2; count++) say("notifications/tools/list_changed", {});
		for (let count = 0; count < 1000; count++) say("notifications/message", { level: "info", data: "" });
		expect(all.map(isUnwanted)).toEqual([
			[true, true],
			[true, true],
			[false, false],
			[false, false],
		]);
		expect(sieved.isUnwanted?.('{"jsonrpc":"2.0","id":1,"result":{}}')).toBe(false);
		vi.advanceTimersByTime(5000);
		expect(all.flatMap(isUnwanted)).toEqual(all.flatMap(() => [false, false]));
		await gated.close();
	});
});
