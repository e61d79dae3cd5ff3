import { HostError, messageOf } from "../../base/errors.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { Prompt, Session } from "../../servers/sessions/session.ts";
import { clause, clauseOf } from "./clauses.ts";
import type { Finding, Weight } from "./finding.ts";
import { checkCompletion, checkTemplates, type Reply, type Report } from "./offerChecks.ts";

/** How long a server may take for one answer, in milliseconds. */
const longestMs = 5000;
/** How many prompts are asked for. */
const mostPrompts = 10;
/** Values that flags, numbers and dates have. */
const otherValues = ["true", "false", "7", "2026-01-31"];
/** A name that no server has. */
const nowhere = "mcp-host-check-nothing-has-this-name";
/** JSON-RPC's "Method not found" and "Invalid params", and the code of the specification for a missing resource. */
const [methodNotFound, invalidParams, resourceNotFound] = [-32601, -32602, -32002];

/**
 * Sends a running server requests that have no effect in any server, and checks the answers: unknown methods and names,
 * missing parameters, a cancelled request. If the signal is aborted, a finding says that the checks were not finished.
 */
export async function checkActively(session: Session, signal: AbortSignal): Promise<readonly Finding[]> {
	const findings: Finding[] = [];
	try {
		await askAll(session, findings, signal);
	} catch (error) {
		if (!signal.aborted) throw error;
		const what = "These checks were not finished: the server took too long for its answers.";
		findings.push({
			layer: "protocol",
			weight: "warning",
			rule: "unfinished",
			what,
			why: "Check it again when it is less busy.",
		});
	}
	return findings;
}

/** Adds the findings of all checks. Rejects with the signal's reason when it is aborted. */
async function askAll(session: Session, findings: Finding[], signal: AbortSignal): Promise<void> {
	const { state } = session;
	if (state.kind !== "running" || session.call === undefined) return;
	const { capabilities, era, protocolVersion } = state.facts;
	const report: Report = (rule, at, what, options = {}) => {
		const { weight = "warning", about = clauseOf(at, protocolVersion), subject } = options;
		const of = subject === undefined ? {} : { subject };
		findings.push({ layer: "protocol", weight, rule, what, why: whyOf[rule] ?? "", at, clause: about, ...of });
	};
	const ask = (method: string, params: JsonObject = {}): Promise<Reply> => asked(session, method, params, signal);

	const messages = clause("basic#messages", "Messages", protocolVersion);
	judge(
		await ask(`mcp-host/${nowhere}`),
		[methodNotFound],
		"unknown-method",
		"a request of an unknown method",
		(rule, what, weight) =>
			report(rule, "unknown method", what, { about: messages, ...(weight === undefined ? {} : { weight }) }),
	);
	// Revision 2026-07-28 has no ping.
	if (era === "legacy") {
		const pong = await ask("ping");
		if (!("result" in pong)) report("ping", "ping", `It does not answer ping with a result: ${wordsOf(pong)}`);
	}
	if (capabilities.tools !== undefined) {
		const unknown = await ask("tools/call", { name: nowhere, arguments: {} });
		if (!isToolError(unknown))
			judge(unknown, undefined, "unknown-tool", "a call of a tool that is not there", under("tools/call"));
		const nameless = await ask("tools/call");
		if (!isToolError(nameless))
			judge(nameless, undefined, "wrong-parameters", "a call without the name of a tool", under("tools/call"));
		const page = await ask("tools/list");
		// A server that gives no cursor has none to check.
		if ("result" in page && typeof jsonObjectOf(page.result)["nextCursor"] === "string")
			judge(
				await ask("tools/list", { cursor: nowhere }),
				undefined,
				"invalid-cursor",
				"a cursor that it never gave",
				(rule, what) =>
					report(rule, "tools/list", what, {
						about: clause("server/utilities/pagination", "Pagination", protocolVersion),
					}),
			);
	}
	if (capabilities.resources !== undefined) {
		const codes = [resourceNotFound, invalidParams];
		judge(
			await ask("resources/read", { uri: `${nowhere}://x` }),
			codes,
			"unknown-resource",
			"a resource that is not there",
			under("resources/read"),
		);
		await checkTemplates(session, ask, report);
	}
	if (capabilities.prompts !== undefined) {
		judge(
			await ask("prompts/get", { name: nowhere }),
			undefined,
			"unknown-prompt",
			"a prompt that is not there",
			under("prompts/get"),
		);
		for (const prompt of session.prompts.items.slice(0, mostPrompts)) await checkArguments(prompt, ask, report);
	}
	if (capabilities.completions !== undefined) await checkCompletion(session, nowhere, ask, report);
	await checkCancellation(session, signal, report);

	function under(method: string) {
		return (rule: string, what: string, weight?: Weight): void =>
			report(rule, method, what, weight === undefined ? {} : { weight });
	}
}

const whyOf: Readonly<Record<string, string>> = {
	"unknown-method": "Clients learn from error -32601 which methods a server has. Answer every request.",
	ping: "Clients close connections that do not answer. Answer with an empty result.",
	"unknown-tool": "A model takes it for a success. Answer with error -32602, or with a result that has “isError”.",
	"wrong-parameters": "Answer with error -32602 and say what is missing.",
	"invalid-cursor": "A client that resumes at a wrong place cannot notice. Answer with error -32602.",
	"unknown-resource": "Clients learn from error -32002 that it is not there.",
	"unknown-prompt": "Answer with error -32602.",
	"unused-argument": "Users fill in an argument that has no effect. Use it in the messages, or remove it.",
	completion: "Users and hosts wait for values. Answer with a list, which may be empty, or do not declare completion.",
	"unknown-completion": "Answer with error -32602.",
	template: "Users open resources by this template. Answer with the contents, or with error -32002.",
	cancellation: "A cancelled request must not end the connection.",
};

/** Looks whether a server refuses what it has to refuse, with one of the codes where they are given. */
function judge(
	reply: Reply,
	codes: readonly number[] | undefined,
	rule: string,
	request: string,
	report: (rule: string, what: string, weight?: Weight) => void,
): void {
	if ("silence" in reply) report(rule, `It does not answer ${request}: ${reply.silence}`);
	else if ("result" in reply) report(rule, `It answers ${request} with a result instead of an error.`);
	else if (codes !== undefined && !codes.includes(reply.code))
		report(rule, `It refuses ${request} with error ${reply.code} instead of ${codes.join(" or ")}.`, "note");
}

/** Whether a tool's result says that the call failed, as some revisions want it for input that is wrong. */
function isToolError(reply: Reply): boolean {
	return "result" in reply && jsonObjectOf(reply.result)["isError"] === true;
}

/** Looks whether each argument of a prompt has an effect on its messages. A prompt that refuses the made-up values is not judged. */
async function checkArguments(
	{ name, arguments: given = [] }: Prompt,
	ask: (method: string, params: JsonObject) => Promise<Reply>,
	report: Report,
): Promise<void> {
	if (given.length === 0) return;
	const values = Object.fromEntries(given.map((one, index) => [one.name, `mcphostcheck${index}x`]));
	const reply = await ask("prompts/get", { name, arguments: values });
	if (!("result" in reply)) return;
	const text = JSON.stringify(reply.result);
	for (const one of given) {
		if (text.includes(values[one.name] ?? "") || (await hasEffect(one))) continue;
		report(
			"unused-argument",
			`prompt “${oneLine(name, 80)}”`,
			`The argument “${oneLine(one.name, 60)}” has no effect on its messages.`,
			{ weight: "note", about: clauseOf("prompts/get", undefined), subject: name },
		);
	}

	/** Whether another value changes something, or is refused: a flag or a number need not be in the text. */
	async function hasEffect(one: { readonly name: string; readonly required?: boolean | undefined }): Promise<boolean> {
		const others = Object.fromEntries(Object.entries(values).filter(([key]) => key !== one.name));
		for (const value of otherValues) {
			const changed = await ask("prompts/get", { name, arguments: { ...others, [one.name]: value } });
			if (!("result" in changed) || JSON.stringify(changed.result) !== text) return true;
		}
		if (one.required === true) return false;
		const without = await ask("prompts/get", { name, arguments: others });
		return !("result" in without) || JSON.stringify(without.result) !== text;
	}
}

/** Calls off a request as soon as it is sent, and looks whether the server goes on. */
async function checkCancellation(session: Session, signal: AbortSignal, report: Report): Promise<void> {
	const { capabilities, era } = session.state.kind === "running" ? session.state.facts : {};
	const method =
		capabilities?.tools !== undefined
			? "tools/list"
			: capabilities?.prompts !== undefined
				? "prompts/list"
				: era === "legacy"
					? "ping"
					: undefined;
	if (method === undefined) return;
	const calling = new AbortController();
	const called = asked(session, method, {}, AbortSignal.any([signal, calling.signal])).catch(() => undefined);
	setTimeout(() => calling.abort(new HostError("cancelled", "The check called it off.")), 0);
	await called;
	signal.throwIfAborted();
	const after = await asked(session, method, {}, signal);
	if ("silence" in after)
		report(
			"cancellation",
			"notifications/cancelled",
			`After a cancelled request it no longer answers: ${after.silence}`,
		);
}

async function asked(session: Session, method: string, params: JsonObject, signal: AbortSignal): Promise<Reply> {
	const late = AbortSignal.timeout(longestMs);
	const limited = AbortSignal.any([signal, late]);
	try {
		const answer = await session.call?.(
			method,
			{ signal: limited },
			async (connection, control) => connection.raw?.(method, params, control),
			{ isBackground: true },
		);
		return answer ?? { silence: "it cannot be asked." };
	} catch (error) {
		signal.throwIfAborted();
		return { silence: late.aborted ? `no answer within ${longestMs / 1000} seconds.` : oneLine(messageOf(error), 200) };
	}
}

function wordsOf(reply: Reply): string {
	if ("silence" in reply) return reply.silence;
	return "result" in reply ? "a result" : `error ${reply.code}: ${oneLine(reply.message, 100)}`;
}
