/** The default of `mcpHost.chat.toolTokens`. */
export const defaultToolTokens = 10_000;

/** OpenAI accepts 128 tools in a request, and VS Code's own models no more; some of them are the host's. */
export const mostTools = 120;

/** The assumed context of a model whose limit is unknown. */
const usualInputTokens = 32_000;

/**
 * The budget in tokens by the user's setting and the model: tools never take more than a quarter of its context. 0 is
 * "no limit" in both.
 */
export function toolBudget(setting: number | undefined, maxInputTokens: number): number {
	const wanted = Math.max(0, setting ?? defaultToolTokens);
	return wanted === 0 ? 0 : Math.max(1, Math.min(wanted, Math.floor(readable(maxInputTokens) / 4)));
}

/** The maximum cost of definitions that a model loads, however large the one it looks for is: half of its context. */
export function mostToolTokens(maxInputTokens: number): number {
	return Math.floor(readable(maxInputTokens) / 2);
}

function readable(maxInputTokens: number): number {
	return maxInputTokens > 0 ? maxInputTokens : usualInputTokens;
}

/** The part of the budget for small servers whose tools models always receive. */
const smallServersShare = 0.1;

/** The facts about a server's tools: how many there are, and their cost. */
interface ServerTools {
	readonly offered: number;
	readonly tokens: number;
}

/**
 * The servers whose tools models receive although there are too many tools in total: the smallest ones that fit
 * together into a small part of the budget, so that nobody has to search for them.
 */
export function keptServers<T extends ServerTools>(servers: readonly T[], budgetTokens: number): ReadonlySet<T> {
	const kept = new Set<T>();
	let [tokens, tools] = [budgetTokens * smallServersShare, mostTools];
	for (const server of servers.toSorted((one, other) => one.tokens - other.tokens)) {
		tokens -= server.tokens;
		tools -= server.offered;
		if (tokens < 0 || tools < 0) break;
		kept.add(server);
	}
	return kept;
}

/** Whether this number of tools, with this total cost, exceeds one request to a model. */
export function isTooMuch(tools: number, tokens: number, budgetTokens: number): boolean {
	return budgetTokens > 0 && (tokens > budgetTokens || tools > mostTools);
}
