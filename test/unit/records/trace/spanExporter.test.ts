/** Spans on their way to a collector: limited, without delay of calls, failures reported once (TRC-12). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { collectorAddress, SpanExporter } from "../../../../src/records/trace/otel/spanExporter.ts";
import { exchangeOf, FakeTrace } from "./fakeTrace.ts";

/** An exporter with a collector that answers as the test wants. */
function exporting(trace: FakeTrace, answer: () => Promise<number>) {
	const bodies: string[] = [];
	const troubles: string[] = [];
	const exporter = new SpanExporter({
		reader: trace,
		source: { host: "MCP Host 1.0.0", home: "/home/ann" },
		redactor: { redact: (text) => text.replaceAll("s3cret", "⟦key⟧") },
		post: (body) => {
			bodies.push(body);
			return answer();
		},
		onTrouble: (message) => troubles.push(message),
		everyMs: 100,
	});
	const sent = (): readonly string[] =>
		bodies.flatMap((body) =>
			[...body.matchAll(/"gen_ai.tool.name","value":\{"stringValue":"([^"]+)"/g)].map(([, name = ""]) => name),
		);
	return { exporter, bodies, troubles, sent };
}

describe("Spans are sent", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("once, when their exchange has ended, without secrets, and only for later ends (TRC-12)", async () => {
		const trace = new FakeTrace();
		trace.put(exchangeOf({ id: 1, target: "before" }));
		const { exporter, sent, bodies } = exporting(trace, async () => 200);
		trace.put(
			exchangeOf({ id: 2, target: "slow", outcome: { kind: "waiting" } }),
			exchangeOf({ id: 3, target: "s3cret" }),
		);
		await vi.advanceTimersByTimeAsync(300);
		expect(sent()).toEqual(["⟦key⟧"]);
		trace.put(exchangeOf({ id: 2, target: "slow" }), exchangeOf({ id: 3, target: "s3cret", bytesIn: 5 }));
		await vi.advanceTimersByTimeAsync(300);
		expect(sent()).toEqual(["⟦key⟧", "slow"]);
		exporter.dispose();
		trace.put(exchangeOf({ id: 4 }));
		await vi.advanceTimersByTimeAsync(100_000);
		expect(bodies).toHaveLength(2);
	});

	it("again if the collector may accept them later, with growing pauses; a failure is reported once (TRC-12)", async () => {
		const trace = new FakeTrace();
		const answers = [
			() => Promise.reject(new Error("no connection")),
			async () => 503,
			async () => 200,
			async () => 400,
		];
		const { exporter, sent, troubles } = exporting(trace, () => (answers.shift() ?? (async () => 200))());
		trace.put(exchangeOf({ id: 1, target: "a" }));
		await vi.advanceTimersByTimeAsync(4000);
		expect(sent()).toEqual(["a"]);
		trace.put(exchangeOf({ id: 2, target: "b" }));
		await vi.advanceTimersByTimeAsync(2000);
		expect(sent()).toEqual(["a", "a", "b"]);
		await vi.advanceTimersByTimeAsync(16_000);
		expect(sent()).toEqual(["a", "a", "b", "a", "b"]);
		// These would be refused again.
		trace.put(exchangeOf({ id: 3, target: "c" }));
		await vi.advanceTimersByTimeAsync(100_000);
		expect(sent().slice(5)).toEqual(["c"]);
		expect(troubles).toEqual(["no connection"]);
		exporter.dispose();
	});

	it("up to the available room, the newest (TRC-12)", async () => {
		const trace = new FakeTrace();
		let isThere = false;
		const { exporter, sent } = exporting(trace, async () => {
			if (!isThere) throw new Error("no connection");
			return 200;
		});
		trace.put(...Array.from({ length: 5000 }, (_, index) => exchangeOf({ id: index + 1, target: `t${index + 1}` })));
		await vi.advanceTimersByTimeAsync(1000);
		isThere = true;
		const before = sent().length;
		await vi.advanceTimersByTimeAsync(120_000);
		const later = sent().slice(before);
		expect(later).toHaveLength(2048);
		expect(later.at(-1)).toBe("t5000");
		exporter.dispose();
	});
});

describe("The address of a collector", () => {
	it("is a base or a full address, and never holds a password", () => {
		expect(String(collectorAddress("http://localhost:4318"))).toBe("http://localhost:4318/v1/traces");
		expect(String(collectorAddress(" https://otel.example/team/ "))).toBe("https://otel.example/team/v1/traces");
		expect(String(collectorAddress("https://otel.example/v1/traces"))).toBe("https://otel.example/v1/traces");
		for (const wrong of ["localhost:4318", "grpc://x:4317", "ftp://x", "http://a:b@x"])
			expect(() => collectorAddress(wrong)).toThrow(/the address must/);
	});
});
