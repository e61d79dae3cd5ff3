import { describe, expect, it } from "vitest";
import type { WireForm } from "../../../../src/protocol/wireTap.ts";
import { MessageReader } from "../../../../src/protocol/stdio/messageReader.ts";
import { turnsDuring } from "../../base/turns.ts";

const message = (params: object): object => ({ jsonrpc: "2.0", method: "notifications/message", params });

describe("MessageReader with a long message (TRN-62)", () => {
	const long = message({ items: Array.from({ length: 60_000 }, (_, n) => ({ n, text: "漢 word\n".repeat(4) })) });
	const text = JSON.stringify(long);

	/** A reader, and its output in order. */
	function tellingReader(): { readonly reader: MessageReader; readonly told: unknown[]; drained(): Promise<void> } {
		const told: unknown[] = [];
		let drained = Promise.withResolvers<void>();
		const listener = {
			isUnwanted: () => false,
			onMessage: (one: unknown, { bytes }: WireForm) => void told.push({ one, bytes }),
			onNoise: (line: string) => void told.push({ noise: line }),
			onSkipped: (why: string) => void told.push(why),
			onUnreadable: (why: string) => void told.push(why),
			onDrained: () => drained.resolve(),
		};
		const reader = new MessageReader({ maxMessageBytes: 64_000_000, maxJsonDepth: 256 }, listener, 2);
		return {
			reader,
			told,
			async drained() {
				if (reader.isBusy) await drained.promise;
				drained = Promise.withResolvers<void>();
			},
		};
	}

	it("lets other work run meanwhile, and passes on earlier and later messages in order", async () => {
		const { reader, told, drained } = tellingReader();
		const [first, last] = [message({ n: 1 }), message({ n: 2 })];
		const bytes = Buffer.from(`${JSON.stringify(first)}\n${text}\r\n${JSON.stringify(last)}\n`);
		const lastCut = bytes.length - 65_536;
		for (let at = 0; at < lastCut; at += 65_536) {
			reader.write(bytes.subarray(at, Math.min(at + 65_536, lastCut)));
			await drained();
		}
		// A slice that has begun uses another clock.
		await new Promise((resolve) => void setImmediate(resolve));
		const { turns } = await turnsDuring(async () => {
			reader.write(bytes.subarray(lastCut));
			expect(told).toHaveLength(1);
			await drained();
		});
		const lengths = [JSON.stringify(first), `${text}\r`, JSON.stringify(last)].map((one) => Buffer.byteLength(one));
		expect(told).toEqual([first, long, last].map((one, index) => ({ one, bytes: lengths[index] })));
		expect(turns).toBeGreaterThan(5);
	});

	it("reports an invalid one like any other line, and continues", async () => {
		const { reader, told, drained } = tellingReader();
		reader.write(Buffer.from("\uFEFF"));
		reader.write(Buffer.from(`${text.slice(0, -2)}\n`));
		await drained();
		reader.write(Buffer.from("\uFEFF"));
		reader.write(Buffer.from(`${text}\n`));
		await drained();
		expect(told).toEqual([
			{ noise: expect.stringContaining('{"jsonrpc":"2.0"') as string },
			{ one: long, bytes: expect.any(Number) as number },
		]);
	});

	it("forgets it when the end comes first", async () => {
		const { reader, told } = tellingReader();
		reader.write(Buffer.from("{"));
		reader.write(Buffer.from(`${text.slice(1)}\n`));
		expect(reader.isBusy).toBe(true);
		reader.end();
		expect(reader.isBusy).toBe(false);
		for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
		expect(told).toEqual([]);
	});
});
