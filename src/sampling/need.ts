import type { SamplingPolicy } from "../budgets/samplingPolicy.ts";
import { estimateRequestTokens } from "../models/tokenCount.ts";
import { estimateTokens } from "../tools/tokens.ts";
import { fieldsOf } from "./fields.ts";
import type { SamplingRequest } from "./request.ts";

/** What a request needs as it came, for the limits: an estimate of its tokens, and the length of its texts. */
export function needOf(request: SamplingRequest): Parameters<SamplingPolicy["admit"]>[1] {
	const { systemPrompt, messages } = request;
	const fields = fieldsOf(request);
	const tools = fields.find(({ place }) => place === "tools")?.original ?? "";
	const system = systemPrompt === undefined ? [] : [{ role: "system" as const, content: [textOf(systemPrompt)] }];
	return {
		inputTokens: estimateRequestTokens([...system, ...messages]) + estimateTokens(tools),
		characters: fields.reduce((sum, { original }) => sum + original.length, 0),
	};
}

function textOf(text: string): { readonly type: "text"; readonly text: string } {
	return { type: "text", text };
}
