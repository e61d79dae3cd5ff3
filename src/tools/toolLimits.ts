/** The default of `mcpHost.chat.toolTokens`. */
export const defaultToolTokens = 10_000;

/** OpenAI takes 128 tools in a request, and the editor's own models no more; some of them are the host's. */
export const mostTools = 120;

/**
 * The budget in tokens by the person's setting and the model: tools never take more than a quarter of what it can read. 0 is
 * "no limit" in both.
 */
export function toolBudget(setting: number | undefined, maxInputTokens: number): number {
	const wanted = Math.max(0, setting ?? defaultToolTokens);
	return wanted === 0 ? 0 : Math.max(1, Math.min(wanted, Math.floor(maxInputTokens / 4)));
}

/** Whether so many tools, which cost so much together, are more than models are to be told of in one request. */
export function isTooMuch(tools: number, tokens: number, budgetTokens: number): boolean {
	return budgetTokens > 0 && (tokens > budgetTokens || tools > mostTools);
}
