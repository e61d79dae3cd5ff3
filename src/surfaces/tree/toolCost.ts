import { longestInstructions } from "../chat/systemPrompt.ts";
import { formatCost } from "../../base/amounts.ts";
import { cap, count } from "../../base/text.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";
import { keywordsIn } from "../../models/schemaRefusals.ts";
import { estimateTokens } from "../../models/tokens.ts";
import { describeTokens } from "../../features/tools/toolCosts.ts";
import { prepareForModels } from "../../permissions/catalog/modelTool.ts";
import type { BillsOfServers, CostsOfTools, RefusalsOfModels } from "./sources.ts";

/** A line of a tooltip: its label, and its text. */
type Fact = readonly [string, string | undefined];

/** The text of a server's tools row about their cost; empty while that is not known, or if they cost nothing. */
export function describeCost(session: Session, costs: Pick<CostsOfTools, "of" | "isLazy">): readonly string[] {
	const { tokens = 0 } = costs.of(session) ?? {};
	if (tokens === 0) return [];
	return [describeTokens(tokens), ...(costs.isLazy(session) ? ["loaded when needed"] : [])];
}

/** The lines about the cost for models in the tooltips of a running server and of its tools. */
export function costOfServer(session: Session, costs: CostsOfTools): readonly Fact[] {
	const { tokens = 0, hidden = 0 } = costs.of(session) ?? {};
	const instructions = session.state.kind === "running" ? (session.state.facts.instructions ?? "").trim() : "";
	const when = costs.isLazy(session)
		? "if all are loaded; models load only those that they need"
		: "in each request to a model";
	return [
		["Its tools cost", tokens === 0 ? undefined : `${describeTokens(tokens)} ${when}`],
		[
			"Not offered to models",
			hidden === 0 ? undefined : `${count(hidden)} of its tools; see their tooltips for the reason`,
		],
		[
			"Its instructions cost",
			instructions === ""
				? undefined
				: `${describeTokens(estimateTokens(cap(instructions, longestInstructions)))} in each request to a model`,
		],
	];
}

/** The line of a tool's tooltip about how models receive it. */
export function costOfTool(session: Session, tool: Tool, costs: CostsOfTools): readonly Fact[] {
	const standing = costs.standingOf(session, tool);
	if (standing.offered === "never") return [["Not offered to models", standing.why]];
	const { offered, modelName, tokens } = standing;
	const when =
		offered === "always"
			? "yes, in each request"
			: "when they search for it or have used it, because all tools together are too large for each request (setting mcpHost.chat.toolTokens)";
	return [
		["Offered to models", when],
		["Cost", describeTokens(tokens)],
		["Name for models", modelName],
	];
}

/** The line of a server's tooltip about its usage in the turns of this window; undefined for none. */
export function billOfServer({ definition }: Session, bills: BillsOfServers): string | undefined {
	const bill = bills.of(definition.id);
	if (bill === undefined) return undefined;
	const { definitions, results, requests, cost } = bill;
	const price = cost === undefined ? "" : `, ${formatCost(cost)}`;
	const often = requests === 1 ? "1 request" : `${count(requests)} requests`;
	return `${describeTokens(definitions)} of definitions and ${describeTokens(results)} of results in ${often} of this window's turns${price}`;
}

/**
 * The line of a tool's tooltip about models that receive a changed schema, because they refused it; undefined for none.
 */
export function changesOfTool(tool: Tool, { all }: RefusalsOfModels): string | undefined {
	const content = prepareForModels(tool);
	if ("hidden" in content) return undefined;
	const changes = all.flatMap(({ label, keywords }) => {
		const refused = keywordsIn(content.inputSchema, keywords);
		if (refused.length === 0) return [];
		const told = refused.includes("$ref")
			? "receives the referenced schemas inline and the rest as text"
			: "receives them as text";
		return [`${label} rejected ${refused.join(", ")} and ${told}`];
	});
	return changes.length === 0 ? undefined : changes.join("; ");
}
