/** How much of the end of an answer is looked through. */
const longest = 20_000;

/**
 * The name of the offered tool that a model calls in its text, since it, or the template that it is served with, knows no
 * better: `<tool_call>{"name": …}</tool_call>` of Hermes and Qwen, `[TOOL_CALLS]` of Mistral, `<|python_tag|>` and
 * `<function=…>` of Llama, or an answer that is nothing but such an object. Undefined for any other text.
 */
export function findWrittenCall(answer: string, toolNames: readonly string[]): string | undefined {
	const text = answer.slice(-longest);
	const isMarked = /<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>|<function[=_]/.test(text);
	// An object among other words may well be an example.
	const isBare = /^\s*(```(?:json)?\s*)?[[{][^]*[\]}]\s*(```)?\s*$/.test(text);
	if (!isMarked && !isBare) return undefined;
	const named = [...text.matchAll(/"(?:name|function|tool)"\s*:\s*"([^"\n]{1,200})"|<function=([^>\n]{1,200})>/g)];
	return named.map(([, quoted, tagged]) => quoted ?? tagged ?? "").find((name) => toolNames.includes(name));
}
