import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { SafeWriter } from "../../../../src/base/secrets/writer.ts";
import { type KnownServer, mockRecording } from "../../../../src/records/trace/mockRecording.ts";
import type { SavedExchange } from "../../../../src/records/trace/traceFile.ts";
import { exchange } from "./exchangeScene.ts";

const writer = (): SafeWriter => new SafeWriter({ redact: (text) => text.replaceAll("hunter2-hunter2", "⟦password⟧") });

/** A request that was recorded with its answer. */
function recorded(id: number, method: string, params: JsonObject, result: Json, generation = 1): SavedExchange {
	const whole = (value: Json) => ({ kind: "whole", value }) as const;
	const bodies = {
		request: whole({ jsonrpc: "2.0", id, method, params }),
		response: whole({ jsonrpc: "2.0", id, result }),
		hidden: 0,
	};
	return { ...exchange(id, { method, generation }), bodies };
}

const known: KnownServer = {
	server: { name: "orders", version: "1" },
	capabilities: { tools: {} },
	protocolVersion: "2025-11-25",
	era: "legacy",
	instructions: "The password is hunter2-hunter2.",
	lists: { "tools/list": [{ name: "a" }, { name: "b" }] },
};
const call = recorded(9, "tools/call", { name: "a" }, { content: [] });

function methodsOf(recording: ReturnType<typeof mockRecording>): readonly string[] {
	return recording.kind === "complete" ? recording.exchanges.map(({ method }) => method) : recording.missing;
}

describe("The recording of a mock server", () => {
	it("has the handshake and the lists of the running server where they were not recorded, without secrets (TRC-48)", () => {
		const recording = mockRecording([call], known, writer());
		expect(methodsOf(recording)).toEqual(["initialize", "tools/list", "tools/call"]);
		const text = JSON.stringify(recording);
		expect(text).toContain("⟦password⟧");
		expect(text).not.toContain("hunter2");
	});

	it("keeps what was recorded, and takes a list whose pages are not all there from the server's state (TRC-48)", () => {
		const first = recorded(2, "tools/list", {}, { tools: [{ name: "a" }], nextCursor: "2" });
		const second = recorded(3, "tools/list", { cursor: "2" }, { tools: [{ name: "b" }] });
		const start = recorded(1, "initialize", {}, { protocolVersion: "2025-11-25", capabilities: { tools: {} } });
		const whole = mockRecording([start, first, second, call], undefined, writer());
		expect(methodsOf(whole)).toEqual(["initialize", "tools/list", "tools/list", "tools/call"]);
		expect(methodsOf(mockRecording([start, first, call], known, writer()))).toEqual([
			"tools/list",
			"initialize",
			"tools/call",
		]);
		expect(mockRecording([start, first, call], undefined, writer())).toEqual({
			kind: "incomplete",
			missing: ["tools/list"],
		});
	});

	it("is refused where calls since the last start have no contents; earlier ones are left out by name (TRC-48)", () => {
		const bare = (id: number, target: string, generation: number) =>
			exchange(id, { method: "tools/call", target, generation, hasBodies: false });
		expect(mockRecording([bare(4, "lost", 2), call], known, writer())).toEqual({
			kind: "incomplete",
			missing: ["tools/call lost"],
		});
		const later = recorded(9, "tools/call", { name: "a" }, { content: [] }, 3);
		expect(mockRecording([bare(4, "lost", 2), later], known, writer())).toMatchObject({
			kind: "complete",
			leftOut: ["tools/call lost"],
		});
		expect(mockRecording([], known, writer())).toEqual({ kind: "incomplete", missing: ["all messages"] });
	});
});
