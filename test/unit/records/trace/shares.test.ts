/** Attacks on the shares of the trace. */
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { GatedTransport } from "../../../../src/protocol/messages/gatedTransport.ts";
import { TappedTransport } from "../../../../src/protocol/messages/tappedTransport.ts";
import { all, answer, recorder, request } from "./recorderScene.ts";

it("requests that repeat one id do not displace another server from the trace (TRC-03)", () => {
	const { trace, tap } = recorder();
	const good = tap.open("stdio");
	const evilTap = trace.tap("user:evil", "evil");
	const evil = evilTap.open("stdio");
	const form = { bytes: 10 };
	for (let n = 0; n < 50; n++) {
		good.sent(request(n, "tools/call", { name: `t${n}` }), form);
		good.received(answer(n), form);
	}
	const before = all(trace).filter(({ server }) => server === "user:git").length;
	expect(before).toBe(50);
	for (let n = 0; n < 6000; n++) {
		// Two in one piece: both are read before the first is answered.
		evil.received(request(7, "ping"), form);
		evil.received(request(7, "ping"), form);
		evil.sent(answer(7), form);
		evil.sent(answer(7), form);
	}
	const left = all(trace);
	expect(left.filter(({ server }) => server === "user:git")).toHaveLength(50);
});

it.each([
	["repeated under one id", () => 7, true],
	["that are refused since too many are open", (n: number) => n, false],
	["in an era in which no request is answered", (n: number) => n, false],
])(
	"requests %s do not displace another server from the trace, through the real transports (TRC-03)",
	async (how, idOf, isAnswered) => {
		const { trace, tap } = recorder();
		const good = tap.open("stdio");
		const form = { bytes: 10 };
		for (let n = 0; n < 50; n++) {
			good.sent(request(n, "tools/call", { name: `t${n}` }), form);
			good.received(answer(n), form);
		}
		const [near, far] = InMemoryTransport.createLinkedPair();
		const evil = trace.tap("user:evil", "evil");
		const gated = new GatedTransport(new TappedTransport(near, evil.open("stdio")), {
			onTrouble: () => undefined,
			logLevel: () => "info",
		});
		const waiting: JSONRPCMessage[] = [];
		gated.onmessage = (message) => waiting.push(message);
		await far.start();
		await gated.start();
		if (!how.includes("era")) {
			await gated.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: {} });
			near.onmessage?.({ jsonrpc: "2.0", id: 0, result: {} });
		}
		for (let n = 0; n < 5000; n++) {
			near.onmessage?.(request(idOf(n), "ping"));
			near.onmessage?.(request(idOf(n), "ping"));
			if (isAnswered) await gated.send(answer(7));
		}
		const left = all(trace);
		expect(left.filter(({ server }) => server === "user:git")).toHaveLength(50);
	},
);
