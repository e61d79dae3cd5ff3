import { oneLine } from "../../base/text.ts";
import type { Departure, DepartureRule } from "../../protocol/departure.ts";
import { clause, clauseOf } from "./clauses.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Clause, Finding, Weight } from "./finding.ts";

/** How a departure of a kind counts, and what to do about it. `clause` where it is not that of the message. */
const rules: Readonly<
	Record<DepartureRule, { readonly weight: Weight; readonly why: string; readonly clause?: readonly [string, string] }>
> = {
	stdout: {
		weight: "warning",
		why: "MCP Host skips it, but other hosts stop at it. Write logs to standard error.",
		clause: ["basic/transports#stdio", "Transports, stdio"],
	},
	"left-out": {
		weight: "warning",
		why: "Nobody can use it here, and other hosts may refuse the whole answer. Send what the schema asks for.",
	},
	duplicate: { weight: "warning", why: "Which one a call means is not defined. Give each its own name." },
	tolerated: {
		weight: "warning",
		why: "MCP Host reads it all the same, but other hosts may refuse the message. Send what the schema asks for.",
	},
	"json-rpc": {
		weight: "warning",
		why: "MCP Host tolerates it, but other hosts may drop the message. Follow JSON-RPC 2.0.",
		clause: ["basic#messages", "Messages"],
	},
	dropped: {
		weight: "warning",
		why: "The message had no effect. The log and the trace show when it came.",
		clause: ["basic#messages", "Messages"],
	},
	limit: { weight: "warning", why: "It is more than MCP Host takes. Send less, or in pages." },
	capability: {
		weight: "warning",
		why: "Do not declare a capability that is not implemented.",
		clause: ["basic/lifecycle#capability-negotiation", "Capability Negotiation"],
	},
	trouble: { weight: "note", why: "The log shows when it happened." },
};

/** The violations of the protocol by a server: everything that the host tolerated, repaired, dropped or skipped. */
export function checkConduct({ conduct, state }: Pick<DoctorFacts, "conduct" | "state">): readonly Finding[] {
	if (conduct === undefined) return [];
	const revision = state.kind === "running" ? state.facts.protocolVersion : undefined;
	const { answers, misfits, lists } = conduct;
	const endless = lists.filter(({ status }) => status.kind === "ready" && status.truncated !== undefined);
	// A repeated page has the same entries each time.
	const departures = conduct.departures.filter(
		({ rule, message }) => rule !== "duplicate" || !endless.some(({ method }) => method === message),
	);
	const known = new Set(departures.map(({ message, path }) => keyOf(message, path ?? "")));
	const findings = [...departures.map((one) => ofDeparture(one, revision)), ...answers];
	const said = new Set<string>();
	for (const { message, place, what, isOfRevision } of misfits) {
		const key = `${message} ${place} ${what}`;
		if (known.has(keyOf(message, place)) || said.has(key)) continue;
		said.add(key);
		findings.push({
			layer: "protocol",
			weight: isOfRevision === true ? "note" : "warning",
			rule: isOfRevision === true ? "revision" : "schema",
			what: isOfRevision === true ? what : `${oneLine(message, 80)} does not match the protocol: ${what}`,
			why:
				isOfRevision === true
					? "Other hosts may ignore it. Speak a revision that has it, or leave it out."
					: "Other hosts may refuse the message. Send what the schema of the protocol asks for.",
			at: `${oneLine(message, 80)}: ${dotted(place)}`,
			clause: clauseOf(message, revision),
		});
	}
	for (const { method, status } of lists) {
		const what =
			status.kind === "failed"
				? `The list cannot be read: ${oneLine(status.message, 300)}`
				: status.kind === "ready" && status.truncated !== undefined
					? `The list is not whole: ${status.truncated}.`
					: undefined;
		if (what === undefined) continue;
		const why = "Users and models see a part of what the server offers, or nothing.";
		const pagination = clause("server/utilities/pagination", "Pagination", revision);
		const about: Clause = status.kind === "failed" ? clauseOf(method, revision) : pagination;
		findings.push({ layer: "protocol", weight: "warning", rule: "list", what, why, at: method, clause: about });
	}
	return findings;
}

function ofDeparture({ rule, what, message, path, item }: Departure, revision: string | undefined): Finding {
	const { weight, why, clause: own } = rules[rule];
	const at = [message, path]
		.filter((part) => part !== undefined && part !== "")
		.map((part) => oneLine(part ?? "", 200));
	const about =
		own === undefined ? (message === undefined ? undefined : clauseOf(message, revision)) : clause(...own, revision);
	return {
		layer: "protocol",
		weight,
		rule,
		what: oneLine(what, 400),
		why,
		...(at.length === 0 ? (rule === "stdout" ? { at: "standard output" } : {}) : { at: at.join(": ") }),
		...(about === undefined ? {} : { clause: about }),
		...(item === undefined ? {} : { subject: item }),
	};
}

/** The key of a place in a kind of message, in whatever notation: the same fault in many items has one key. */
function keyOf(message: string | undefined, path: string): string {
	const plain = dotted(path)
		.replace(/\[\d+\]/g, "[]")
		.replace(/^(?:result|params)\./, "");
	// The frame is the same in all messages, and wrong in all.
	return plain === "jsonrpc" ? plain : `${message ?? ""} ${plain}`;
}

/** A place such as `/result/tools/1/name` as `result.tools[1].name`. */
function dotted(place: string): string {
	if (!place.startsWith("/")) return place;
	return place
		.slice(1)
		.replace(/\/(\d+)(?=\/|$)/g, "[$1]")
		.replaceAll("/", ".");
}
