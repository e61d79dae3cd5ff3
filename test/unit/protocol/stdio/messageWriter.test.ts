import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { MessageWriter } from "../../../../src/protocol/stdio/messageWriter.ts";

const ping = (id: number, text = ""): { jsonrpc: "2.0"; id: number; method: string; params: { text: string } } => ({
	jsonrpc: "2.0",
	id,
	method: "ping",
	params: { text },
});

/** A stream that keeps written chunks, and accepts no more until the test allows it. */
function makeStream(): { readonly stream: Writable; readonly writes: string[]; take(error?: Error): void } {
	const writes: string[] = [];
	let take = (_error?: Error): void => undefined;
	const stream = new Writable({
		write(chunk: Buffer, _encoding, done) {
			writes.push(chunk.toString());
			take = done;
		},
	});
	return { stream, writes, take: (error) => take(error) };
}

describe("MessageWriter", () => {
	it("writes the messages of one turn at once, each on a line", async () => {
		const { stream, writes, take } = makeStream();
		const writer = new MessageWriter(stream, 1000);
		const sent = Promise.all([writer.send(ping(1)), writer.send(ping(2, "ü\n"))]);
		await Promise.resolve();
		expect(writes).toEqual([`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2, "ü\n"))}\n`]);
		take();
		await sent;
	});

	it("queues at most the limit, but one message of any size (TRN-29)", async () => {
		const { stream, writes, take } = makeStream();
		const writer = new MessageWriter(stream, 1000);
		const huge = writer.send(ping(1, "x".repeat(5000)));
		await expect(writer.send(ping(2))).rejects.toMatchObject({
			code: "limit",
			message: expect.stringContaining("does not read its standard input"),
		});
		take();
		await huge;
		const small = Array.from({ length: 100 }, (_, id) =>
			writer.send(ping(id)).then(
				() => "sent",
				() => "refused",
			),
		);
		await Promise.resolve();
		take();
		const outcomes = await Promise.all(small);
		expect(new Set(outcomes)).toEqual(new Set(["sent", "refused"]));
		expect(outcomes.lastIndexOf("sent")).toBeLessThan(outcomes.indexOf("refused"));
		const again = writer.send(ping(3));
		await Promise.resolve();
		expect(writes.at(-1)).toContain('"id":3');
		take();
		await again;
	});

	it("rejects messages that a broken or ended stream does not accept", async () => {
		const { stream, take } = makeStream();
		stream.on("error", () => undefined);
		const writer = new MessageWriter(stream, 1000);
		const under = writer.send(ping(1));
		await Promise.resolve();
		take(new Error("EPIPE"));
		await expect(under).rejects.toMatchObject({ code: "not-connected" });
		await expect(writer.send(ping(2))).rejects.toMatchObject({ code: "not-connected" });
	});

	it("reports an unknown outcome of the messages before the last one of an interrupted write (TRN-57)", async () => {
		const { stream, take } = makeStream();
		stream.on("error", () => undefined);
		const writer = new MessageWriter(stream, 1000);
		const sent = Promise.allSettled([writer.send(ping(1)), writer.send(ping(2))]);
		await Promise.resolve();
		const broken = new Error("EPIPE");
		take(broken);
		expect(await sent).toEqual([
			{ status: "rejected", reason: broken },
			{ status: "rejected", reason: expect.objectContaining({ code: "not-connected" }) },
		]);
	});
});
