import { duration } from "../../base/amounts.ts";
import type { Exchange } from "../../records/trace/exchange.ts";
import { childRow, exchangeRow } from "../trace/exchangeWords.ts";
import type { TraceRow } from "../trace/viewProtocol.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** What passed between the host and a server whose start failed: the handshake, and the HTTP requests that carried it. */
export function checkTrace({ state, passed, nameOf }: DoctorFacts): readonly Finding[] {
	const isWanted = state.kind === "failed" || state.kind === "needs-sign-in";
	const shown = passed.findLast(isWrong) ?? passed.at(-1);
	if (!isWanted || shown === undefined) return [];
	const { what, outcome } = exchangeRow(shown, false);
	return [
		{
			layer: "start",
			weight: "note",
			what: `The trace has what passed before it ended: ${what}, ${outcome}.`,
			evidence: passed.flatMap(linesOf),
			evidenceTitle: "What passed",
			fixes: [{ kind: "command", title: "Show in Trace", command: "mcpHost.showInTrace", exchange: nameOf(shown.id) }],
		},
	];
}

function isWrong(exchange: Exchange): boolean {
	return exchangeRow(exchange, false).standing === "error";
}

function linesOf(exchange: Exchange): readonly string[] {
	const below = exchange.children.flatMap((_, index) => {
		const row = childRow(exchange, index);
		return row === undefined ? [] : [`    ${lineOf(row)}`];
	});
	return [lineOf(exchangeRow(exchange, false)), ...below];
}

function lineOf({ at, what, outcome, milliseconds }: TraceRow): string {
	const time = new Date(at).toISOString().slice(11);
	return `${time} ${what}: ${outcome}${milliseconds === undefined ? "" : `, ${duration(milliseconds)}`}`;
}
