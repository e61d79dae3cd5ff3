import { formatCost } from "../../base/amounts.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelInfo, ModelMessage, ModelTool, TokenUse } from "../../models/model.ts";
import { costOf, type ModelPrice } from "../../models/prices.ts";
import { describeUse, type MeasuredUse } from "../../models/reportedUse.ts";
import { countMessageTokens } from "../../models/tokenCount.ts";
import { toolTokens } from "../../models/tokens.ts";
import type { Session } from "../../servers/sessions/session.ts";
import { describeTokens } from "../../features/tools/toolCosts.ts";
import type { ChatPart } from "./parts.ts";
import { requestTokens } from "./turnBudget.ts";
import { type TurnTextLink, turnTextLinks, type TurnTexts } from "./turnTexts.ts";

/** The tokens that were sent to models on behalf of a server. Shares of the providers' numbers: estimates. */
export interface ServerBill {
	/** The definitions of its tools, counted in each request that contained them. */
	readonly definitions: number;
	/** The results of its calls, counted in each request that repeated them. */
	readonly results: number;
	/** In how many requests there was something of it. */
	readonly requests: number;
	/** The cost of sending it, in US dollars; undefined if a price is not known. */
	readonly cost: number | undefined;
}

/** One request of a turn and its answer. */
interface BilledRequest extends MeasuredUse {
	readonly cost: number | undefined;
}

/** The part of a server in one request. */
interface Share {
	readonly server: Pick<Session["definition"], "id" | "name">;
	definitions: number;
	results: number;
}

/** A tool by the name that models know, and whose it is. */
interface OwnedTool {
	readonly tool: Pick<ModelTool, "name">;
	readonly entry: { readonly session: { readonly definition: Share["server"] } };
}

/** The usage of servers' tools and results in the requests of this window's turns. */
export class ServerBills {
	private readonly bills = new Map<string, ServerBill>();

	/** The usage of a server, by its id, since the window opened; undefined for none. */
	of(server: string): ServerBill | undefined {
		return this.bills.get(server);
	}

	/** Adds the usage of a server in one request. */
	add(server: string, { definitions, results, cost }: Omit<ServerBill, "requests">): void {
		const before = this.bills.get(server) ?? noBill;
		this.bills.set(server, {
			definitions: before.definitions + definitions,
			results: before.results + results,
			requests: before.requests + 1,
			cost: sum(before.cost, cost),
		});
	}
}

const noBill: ServerBill = { definitions: 0, results: 0, requests: 0, cost: 0 };

/**
 * The usage of one turn: its requests as their provider reports them, and the parts that were sent for each server
 * (MDL-10).
 */
export class TurnBill {
	private readonly info: Pick<ModelInfo, "name" | "provider">;
	private readonly price: ModelPrice | undefined;
	private readonly tools: () => readonly OwnedTool[];
	private readonly window: ServerBills;
	private readonly own = new ServerBills();
	private readonly names = new Map<string, string>();
	private readonly requests: BilledRequest[] = [];

	/** `tools` returns the current tools; `window` receives each request as well. */
	constructor(
		info: Pick<ModelInfo, "name" | "provider">,
		price: ModelPrice | undefined,
		tools: () => readonly OwnedTool[],
		window: ServerBills,
	) {
		this.info = info;
		this.price = price;
		this.tools = tools;
		this.window = window;
	}

	/** Adds a request, as it was sent, with its usage. */
	add(messages: readonly ModelMessage[], tools: readonly ModelTool[], used: MeasuredUse): void {
		const { inputTokens, cachedTokens } = used;
		this.requests.push({ ...used, cost: costOf(this.price, used) });
		const estimate = requestTokens(messages, tools);
		const ofEach = estimate === 0 ? 0 : inputTokens / estimate;
		const sent: TokenUse = { inputTokens, outputTokens: 0, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
		const inputCost = costOf(this.price, sent);
		for (const { server, definitions, results } of this.sharesOf(messages, tools)) {
			this.names.set(server.id, server.name);
			const cost = inputCost === undefined ? undefined : (inputCost * (definitions + results)) / Math.max(1, estimate);
			const share = { definitions: definitions * ofEach, results: results * ofEach, cost };
			this.own.add(server.id, share);
			this.window.add(server.id, share);
		}
	}

	/** The end of a turn: its usage, in a line. The hover shows more, and a click shows all; `more` is beside it. */
	parts(texts: Pick<TurnTexts, "begin">, more: readonly TurnTextLink[] = []): readonly ChatPart[] {
		if (this.requests.length === 0) return [];
		const whole = texts.begin("Token Bill");
		whole.append(this.text);
		const bills = this.servers().map(([, bill]) => bill);
		const all = (of: (bill: ServerBill) => number): number => bills.reduce((tokens, bill) => tokens + of(bill), 0);
		const requests = `${this.requests.length} ${this.requests.length === 1 ? "request" : "requests"}`;
		const hint = `${requests}. Input for tool definitions: ${describeTokens(all((bill) => bill.definitions))}; for results: ${describeTokens(all((bill) => bill.results))}. Click for the token bill of each server.`;
		return [turnTextLinks({ label: describeUse(this.total()), detail: whole.id, hint }, ...more)];
	}

	/** All of it, as a readable text. */
	private get text(): string {
		const { name, provider } = this.info;
		const rows = this.requests.map((request, index) => `${index + 1}. ${describeUse(request)}`);
		const servers = this.servers().map(
			([server, { definitions, results, cost }]) =>
				`${oneLine(server, 60)}: definitions ${describeTokens(definitions)}, results ${describeTokens(results)}${cost === undefined ? "" : `, ${formatCost(cost)}`}`,
		);
		return [
			`Token bill of one turn with ${oneLine(name, 60)}, ${oneLine(provider, 80)}`,
			describeUse(this.total()),
			"",
			"Requests, as reported by the provider or estimated:",
			...rows,
			"",
			"Input for each server, in all requests together:",
			...(servers.length === 0 ? ["nothing"] : servers),
			"",
			"These are estimated shares. A result is sent again in each later request.",
			"The rest is the conversation, the instructions, and MCP Host's own tools.",
			...(this.price === undefined ? ["The price of this model is unknown. Set it in mcpHost.modelPrices."] : []),
			"",
		].join("\n");
	}

	private servers(): readonly (readonly [name: string, bill: ServerBill])[] {
		const all = [...this.names].map(([id, name]) => [name, this.own.of(id) ?? noBill] as const);
		return all.toSorted(([, a], [, b]) => b.definitions + b.results - (a.definitions + a.results));
	}

	private total(): BilledRequest {
		const add = (of: (use: BilledRequest) => number): number =>
			this.requests.reduce((tokens, use) => tokens + of(use), 0);
		const cachedTokens = add((use) => use.cachedTokens ?? 0);
		return {
			inputTokens: add((use) => use.inputTokens),
			outputTokens: add((use) => use.outputTokens),
			...(cachedTokens === 0 ? {} : { cachedTokens }),
			isEstimated: this.requests.some((use) => use.isEstimated),
			cost: this.requests.reduce<number | undefined>((dollars, { cost }) => sum(dollars, cost), 0),
		};
	}

	private sharesOf(messages: readonly ModelMessage[], tools: readonly ModelTool[]): Iterable<Share> {
		const owners = new Map(this.tools().map(({ tool, entry }) => [tool.name, entry.session.definition]));
		const shares = new Map<string, Share>();
		const shareOf = (name: string): Share | undefined => {
			const server = owners.get(name);
			if (server === undefined) return undefined;
			const share = shares.get(server.id) ?? { server, definitions: 0, results: 0 };
			shares.set(server.id, share);
			return share;
		};
		for (const tool of tools) {
			const share = shareOf(tool.name);
			if (share !== undefined) share.definitions += toolTokens(tool);
		}
		// Ids of calls may be repeated in a later turn: the last call before a result counts.
		const called = new Map<string, string>();
		for (const part of messages.flatMap(({ content }) => content)) {
			if (part.type === "tool-call") called.set(part.callId, part.name);
			if (part.type !== "tool-result") continue;
			const share = shareOf(called.get(part.callId) ?? "");
			if (share !== undefined) share.results += countMessageTokens({ role: "user", content: [part] });
		}
		return shares.values();
	}
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined || other === undefined ? undefined : one + other;
}
