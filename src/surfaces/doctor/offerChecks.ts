import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { expandTemplate, parseTemplate, type UriTemplate } from "../../features/resources/templates/template.ts";
import type { RawAnswer } from "../../protocol/connection.ts";
import type { Session } from "../../servers/sessions/session.ts";
import type { Clause, Weight } from "./finding.ts";

/** An answer, or the reason why there is none. */
export type Reply = RawAnswer | { readonly silence: string };

/** Sends a request and returns its answer. Rejects with the signal's reason only. */
export type Ask = (method: string, params?: JsonObject) => Promise<Reply>;

/** Adds a finding of a check. */
export type Report = (
	rule: string,
	at: string,
	what: string,
	options?: { readonly weight?: Weight; readonly about?: Clause; readonly subject?: string },
) => void;

const [methodNotFound, invalidParams] = [-32601, -32602];
/** How many templates are read. */
const mostTemplates = 5;

/** Checks the completion of the first argument that has a name, and that of a prompt that is not there. */
export async function checkCompletion(session: Session, nowhere: string, ask: Ask, report: Report): Promise<void> {
	const method = "completion/complete";
	const complete = (ref: JsonObject, argument: string): Promise<Reply> =>
		ask(method, { ref, argument: { name: argument, value: "" } });
	const first = firstArgument(session);
	if (first !== undefined) {
		const { ref, argument, subject } = first;
		const reply = await complete(ref, argument);
		const named = `the argument “${oneLine(argument, 60)}” of “${oneLine(subject, 80)}”`;
		if ("silence" in reply)
			report("completion", method, `It does not complete ${named}: ${reply.silence}`, { subject });
		else if ("code" in reply) {
			const why = `error ${reply.code}: ${oneLine(reply.message, 100)}`;
			report("completion", method, `It declares completion, and refuses to complete ${named}: ${why}`, { subject });
		}
	}
	const unknown = await complete({ type: "ref/prompt", name: nowhere }, "x");
	if ("silence" in unknown)
		report(
			"unknown-completion",
			method,
			`It does not answer a completion for a prompt that is not there: ${unknown.silence}`,
		);
	else if ("result" in unknown || unknown.code !== invalidParams) {
		const how = "result" in unknown ? "a result" : `error ${unknown.code}`;
		const what = `It answers a completion for a prompt that is not there with ${how} instead of error ${invalidParams}.`;
		report("unknown-completion", method, what, { weight: "note" });
	}
}

/** The first argument of a prompt, or variable of a template, that can be completed. */
function firstArgument({
	prompts,
	resourceTemplates,
}: Session): { readonly ref: JsonObject; readonly argument: string; readonly subject: string } | undefined {
	for (const { name, arguments: given = [] } of prompts.items) {
		const [argument] = given;
		if (argument !== undefined) return { ref: { type: "ref/prompt", name }, argument: argument.name, subject: name };
	}
	for (const { uriTemplate } of resourceTemplates.items) {
		const [variable] = parsed(uriTemplate)?.variables ?? [];
		if (variable !== undefined)
			return { ref: { type: "ref/resource", uri: uriTemplate }, argument: variable.name, subject: uriTemplate };
	}
	return undefined;
}

/** Checks that resources of templates can be read, with made-up values: an error that says what is wrong is fine. */
export async function checkTemplates({ resourceTemplates }: Session, ask: Ask, report: Report): Promise<void> {
	for (const { uriTemplate } of resourceTemplates.items.slice(0, mostTemplates)) {
		const template = parsed(uriTemplate);
		if (template === undefined) continue;
		const values = new Map(template.variables.map(({ name }, index) => [name, `mcphostcheck${index}`]));
		const reply = await ask("resources/read", { uri: expandTemplate(template, values) });
		const what =
			"silence" in reply
				? `A resource of this template is not answered: ${reply.silence}`
				: "code" in reply && reply.code === methodNotFound
					? "A resource of this template cannot be read: error -32601."
					: undefined;
		if (what !== undefined) report("template", `template ${oneLine(uriTemplate, 200)}`, what, { subject: uriTemplate });
	}
}

/** A template, if it is a valid one. */
function parsed(text: string): UriTemplate | undefined {
	try {
		return parseTemplate(text);
	} catch {
		return undefined;
	}
}
