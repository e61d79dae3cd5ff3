import type { CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { readSamplingRequest, type SamplingRequest } from "../../../../src/features/sampling/request.ts";

/** Messages of servers, as the helpers of these tests write them. */
export const text = { type: "text", text: "hi" } as const;
export const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
export const use = (id: string, name = "t") => ({ type: "tool_use", id, name, input: { a: 1 } }) as const;
export const result = (toolUseId: string, ...content: readonly object[]) => ({
	type: "tool_result",
	toolUseId,
	content: content.length === 0 ? [text] : content,
});
export const user = (...content: readonly object[]) => ({ role: "user", content });
export const assistant = (...content: readonly object[]) => ({ role: "assistant", content });
export const tool = (name: string, properties: object = { city: { type: "string" } }) => ({
	name,
	description: `What ${name} does`,
	inputSchema: { type: "object", properties },
});

/** Reads params, with only the relevant members given. */
export function read(params: object, revision?: string): SamplingRequest {
	const whole = { messages: [{ role: "user", content: text }], maxTokens: 10, ...params };
	return readSamplingRequest(whole as CreateMessageRequestParams, revision);
}
