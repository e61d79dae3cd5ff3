/** Ten faults of servers, each found in the trace by the steps of docs/finding-faults.md (TRC-43). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { applySchema } from "../../src/base/schema/schema.ts";
import { filterPresets } from "../../src/records/trace/filterWords.ts";
import { bodiesOf, searchedText } from "../../src/surfaces/trace/messages.ts";
import { checkProtocol } from "../../src/surfaces/trace/protocolCheck.ts";
import { misfitsOf } from "../../src/surfaces/trace/traceActions.ts";
import { detailOf } from "../../src/surfaces/trace/traceDetail.ts";
import { TraceList } from "../../src/surfaces/trace/traceList.ts";
import { readTraceRequest } from "../../src/surfaces/trace/traceRequest.ts";
import type { TraceRow } from "../../src/surfaces/trace/viewProtocol.ts";
import { PlantedFaults, plantedFaults, writtenFaults } from "./plantedFaults.ts";

let scene: PlantedFaults;
beforeAll(async () => {
	scene = await PlantedFaults.meet();
}, 120_000);
afterAll(() => scene?.[Symbol.asyncDispose]());

/** The trace as the steps show it, with every row unfolded. */
function follow(steps: readonly string[], server: string, tool: string): TraceList {
	const { trace, host } = scene.host;
	const list = new TraceList(trace, (exchange) => searchedText(trace, exchange));
	list.update();
	for (const step of steps) {
		const preset = filterPresets.find(({ label }) => step === `*${label}*`);
		const shown = step === "*Show in Trace*" ? readTraceRequest({ server, tool }, host.registry, trace) : undefined;
		const filter = preset?.filter ?? shown?.filter;
		if (filter !== undefined) expect(list.find(filter)).toBeUndefined();
		else expect(["*Show Trace*", "the row"]).toContain(step);
	}
	for (const { id } of list.all) list.fold(String(id), true);
	return list;
}

/** The whole text of a row for a user: the rows below it, and its details. */
async function readRow(list: TraceList, rows: readonly TraceRow[], { key }: TraceRow): Promise<string> {
	const place = list.named(key);
	if (place === undefined) throw new Error(`There is no row ${key}.`);
	const { trace, host } = scene.host;
	const bodies = bodiesOf(trace, place);
	const tool = host.registry.get(place.exchange.server)?.tools.get(place.exchange.target ?? "");
	const { inputSchema, outputSchema } = (tool ?? {}) as Partial<Record<"inputSchema" | "outputSchema", JsonObject>>;
	const misfits = inputSchema === undefined ? [] : await misfitsOf(bodies, { inputSchema, outputSchema }, applySchema);
	const protocol = await checkProtocol(bodies, place);
	const detail = detailOf({
		place,
		bodies,
		tokensOf: () => 0,
		notKept: "",
		misfits,
		protocol,
		actions: [],
		copies: [],
	});
	const below = rows.filter((row) => row.key.startsWith(`${key}/`)).map(({ what, outcome }) => `${what}: ${outcome}`);
	return [...detail.notes, ...detail.facts.map(({ value }) => value), ...below].join("\n");
}

describe("A fault is found in at most three steps (TRC-43)", () => {
	it("of which each is documented", () => {
		expect(writtenFaults).toHaveLength(plantedFaults.length);
		for (const { steps } of writtenFaults) expect(steps.length).toBeLessThanOrEqual(3);
	});

	it.each(writtenFaults)("$symptom", async ({ steps, what, outcome, more, index }) => {
		const fault = plantedFaults[index];
		if (fault === undefined) throw new Error("Nobody planted this fault.");
		const session = scene.host.session(fault.server);
		const list = follow(steps, session.definition.id, fault.tool);
		const rows = list.rows(0, 1000);
		// Only one row begins with these words, and its outcome matches the page.
		const found = rows.filter((row) => row.level === 1 && row.what.startsWith(what) && row.outcome.startsWith(outcome));
		expect(found.map((row) => row.what)).toEqual([expect.stringContaining(what)]);
		const [row] = found;
		if (row === undefined) return;
		const text = await readRow(list, rows, row);
		for (const piece of more) expect(text).toContain(piece);
		const { user = 0, server = 0 } = scene.host.trace.get(Number(row.key))?.durations ?? {};
		const { of, ms = 0 } = fault.takes;
		expect(user > ms).toBe(of === "user");
		expect(server > ms).toBe(of === "server" || of === "user");
	});
});
