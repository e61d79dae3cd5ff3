import { duration, readableSize } from "../../base/amounts.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { Exchange, ExchangeBodies, KeptBody, KeptHeaders } from "../../records/trace/exchange.ts";
import { askerWords, childRow, exchangeRow, outcomeWords, timingWords } from "./exchangeWords.ts";
import { excerptOf, type MessagePlace, messagesOf, messageText } from "./messages.ts";
import type { ProtocolVerdict } from "./protocolCheck.ts";
import type { Fact } from "../../records/activity/samplingProtocol.ts";
import type { TraceAction, TraceDetail } from "./viewProtocol.ts";

/** The parts of an exchange's details. */
export interface DetailSources {
	readonly place: MessagePlace;
	/** Its stored contents. */
	readonly bodies: ExchangeBodies | undefined;
	/** About how many tokens a text is to a model. */
	readonly tokensOf: (text: string) => number;
	/** The text if its messages were not kept. */
	readonly notKept: string;
	/** The deviations from a schema of its tool, in our sentences. */
	readonly misfits: readonly string[];
	/** The result of a check against the protocol; undefined if there was nothing to check. */
	readonly protocol: ProtocolVerdict | undefined;
	/** The possible actions. */
	readonly actions: readonly TraceAction[];
	readonly copies: readonly TraceAction[];
}

/** The action that shows what a model saw beside the answer. */
export const toldBeside = "beside:told";

/** One whole exchange, or one of its intermediate events. */
export function detailOf(sources: DetailSources): TraceDetail {
	const { place, bodies, misfits, protocol, actions, copies } = sources;
	const { exchange, child } = place;
	const row = child === undefined ? exchangeRow(exchange, false) : childRow(exchange, child);
	const messages = messagesOf(bodies, place).map(({ part, title, body }) => ({
		title: `${title} · ${sizeWords(messageText(body), sources.tokensOf)}`,
		excerpt: excerptOf(body),
		actions: [
			{ id: `open:${part}`, label: part === "told" ? "Open" : `Open ${title}` },
			...(part === "told" && bodies?.response !== undefined ? [{ id: toldBeside, label: "Compare with Answer" }] : []),
			{ id: `compare:${part}`, label: "Compare with…" },
		],
	}));
	return {
		key: child === undefined ? String(exchange.id) : `${exchange.id}/${child}`,
		title: row?.what ?? "",
		standing: row?.standing ?? "note",
		outcome: row?.outcome ?? "",
		facts: [...(child === undefined ? factsOf(exchange) : childFacts(exchange, child)), ...protocolFact(protocol)],
		notes: [...misfits, ...(protocol?.misfits ?? []), ...notesOf(sources, messages.length)],
		groups: [
			...headerGroup("Headers of the Request", bodies?.requestHeaders),
			...headerGroup("Headers of the Answer", bodies?.responseHeaders),
		],
		messages,
		actions,
		copies,
	};
}

function sizeWords(text: string, tokensOf: (text: string) => number): string {
	return `${readableSize(text.length)}, about ${tokensOf(text).toLocaleString("en-US")} tokens`;
}

function factsOf(exchange: Exchange): readonly Fact[] {
	const { serverName, origin, direction, startedAt, outcome, rpcId, transport, generation, bytesIn, bytesOut } =
		exchange;
	const { protocolVersion, client } = exchange;
	const isTold = exchange.kind === "request" && outcome.kind !== "refused";
	return [
		{ name: "Server", value: oneLine(serverName, 60) },
		{ name: "Asked by", value: askerWords[origin] + (direction === "in" ? ", to MCP Host" : "") },
		...(client === undefined ? [] : [{ name: "Client", value: oneLine(client, 500) }]),
		{ name: "Began", value: new Date(startedAt).toISOString().replace("T", " ").replace("Z", " UTC") },
		...(isTold ? [{ name: "Took", value: timingWords(exchange) }] : []),
		...("message" in outcome && outcome.message !== ""
			? [{ name: "Message", value: oneLine(outcome.message, 500) }]
			: []),
		{ name: "Bytes", value: `${readableSize(bytesOut)} out, ${readableSize(bytesIn)} in` },
		...(rpcId === undefined ? [] : [{ name: "Id", value: oneLine(JSON.stringify(rpcId), 80), isCode: true }]),
		{
			name: "Connection",
			value: [
				generation === 0 ? "never sent" : `${ordinal(generation)} of its window`,
				transportWords[transport],
				...(protocolVersion === undefined ? [] : [`revision ${oneLine(protocolVersion, 40)}`]),
			].join(", "),
		},
	];
}

/** The result of the check against the protocol: the deviations are listed below. */
function protocolFact(verdict: ProtocolVerdict | undefined): readonly Fact[] {
	if (verdict === undefined) return [];
	const { misfits, revision } = verdict;
	const what = revision === undefined ? "the protocol" : `revision ${oneLine(revision, 40)}`;
	return [{ name: "Protocol", value: `${misfits.length === 0 ? "fits" : "does not match"} ${what}` }];
}

const transportWords: Readonly<Record<Exchange["transport"], string>> = {
	stdio: "standard input and output",
	http: "Streamable HTTP",
	sse: "HTTP+SSE",
};

function childFacts(exchange: Exchange, index: number): readonly Fact[] {
	const child = exchange.children[index];
	if (child === undefined) return [];
	const { at, ms, status, outcome, isSignIn } = child;
	return [
		{ name: "During", value: exchangeRow(exchange, false).what },
		{ name: "After", value: duration(at) },
		...(ms === undefined ? [] : [{ name: "Took", value: duration(ms) }]),
		...(status === undefined ? [] : [{ name: "Status", value: String(status), isCode: true }]),
		...(outcome === undefined ? [] : [{ name: "Outcome", value: outcomeWords(outcome).words }]),
		...(isSignIn === true ? [{ name: "Part of", value: "a sign-in" }] : []),
		{ name: "Text", value: oneLine(child.label, 1000), isCode: true },
	];
}

function notesOf({ place, bodies, notKept }: DetailSources, messages: number): readonly string[] {
	const { childrenDropped, outcome } = place.exchange;
	const { hidden = 0, response } = bodies ?? {};
	const said = outcome.kind === "tool-error" && place.child === undefined ? textIn(response) : "";
	return [
		...(outcome.kind === "waiting" && outcome.on === "user" ? ["It is waiting for you, not for the server."] : []),
		...(said === "" ? [] : [`Error of the tool: ${oneLine(said, 300)}`]),
		...(messages === 0 ? [notKept] : []),
		...(hidden === 0 ? [] : [hidden === 1 ? "One secret is hidden." : `${hidden} secrets are hidden.`]),
		...(childrenDropped === 0
			? []
			: [`${childrenDropped.toLocaleString("en-US")} more entries of this exchange are not kept.`]),
	];
}

/** The first text of a tool's result; empty if there is none, or it was not kept whole. */
function textIn(answer: KeptBody | undefined): string {
	const result = answer?.kind === "whole" && isJsonObject(answer.value) ? answer.value["result"] : undefined;
	const content =
		isJsonObject(result) && Array.isArray(result["content"]) ? (result["content"] as readonly Json[]) : [];
	for (const block of content) if (isJsonObject(block) && typeof block["text"] === "string") return block["text"];
	return "";
}

function headerGroup(title: string, headers: KeptHeaders | undefined): readonly { title: string; facts: Fact[] }[] {
	if (headers === undefined) return [];
	const facts = Object.entries(headers).map(([name, value]): Fact => {
		const isEncoded = /^mcp-/i.test(name);
		return { name: oneLine(name, 80), value: oneLine(isEncoded ? decoded(value) : value, 1000), isCode: true };
	});
	return facts.length === 0 ? [] : [{ title, facts }];
}

/** A header in which what ASCII does not hold is written in Base64 (specification, "Streamable HTTP", header encoding). */
function decoded(value: string): string {
	const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]+={0,2})\?=$/.exec(value) ?? [];
	return encoded === undefined ? value : `${value} → ${Buffer.from(encoded, "base64").toString("utf8")}`;
}

function ordinal(number: number): string {
	return number === 1 ? "first" : number === 2 ? "second" : number === 3 ? "third" : `${number}th`;
}
