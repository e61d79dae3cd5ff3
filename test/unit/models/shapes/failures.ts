import { chunk, sse, type Shape } from "./shapes.ts";

const json = { "content-type": "application/json" };

/** Failures, in the shapes of their services. */
export const failureShapes: readonly Shape[] = [
	{
		name: "OpenAI: a spent quota, which is not tried again although it is a 429",
		status: 429,
		headers: json,
		body: JSON.stringify({
			error: {
				message: "You exceeded your current quota.",
				type: "insufficient_quota",
				param: null,
				code: "insufficient_quota",
			},
		}),
		expected: { failure: "the quota of this key is used up", reason: "blocked" },
	},
	{
		name: "OpenAI: a conversation that is too long",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: {
				message: "This model's maximum context length is 8192 tokens.",
				type: "invalid_request_error",
				param: "messages",
				code: "context_length_exceeded",
			},
		}),
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "llama.cpp: a conversation that is too long, code as a number",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: {
				code: 400,
				message: "request (9000 tokens) exceeds the available context size",
				type: "exceed_context_size_error",
				n_ctx: 4096,
			},
		}),
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "Azure: the content filter refuses the prompt",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: {
				message: "The response was filtered",
				code: "content_filter",
				status: 400,
				innererror: { code: "ResponsibleAIPolicyViolation" },
			},
		}),
		expected: { failure: "A content filter", reason: "blocked" },
	},
	{
		name: "Azure: a deployment that is not there",
		status: 404,
		headers: json,
		body: JSON.stringify({
			error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." },
		}),
		expected: { failure: "does not know the model m", reason: "not-found" },
	},
	{
		name: "Ollama: an error that is only a text",
		status: 400,
		headers: json,
		body: JSON.stringify({ error: "registry.ollama.ai/library/gemma:2b does not support tools" }),
		expected: { failure: "It says: registry.ollama.ai/library/gemma:2b does not support tools", reason: "other" },
	},
	{
		name: "vLLM: an error without a member `error`",
		status: 400,
		headers: json,
		body: JSON.stringify({
			object: "error",
			message: '"auto" tool choice requires --enable-auto-tool-choice',
			type: "BadRequestError",
			param: null,
			code: 400,
		}),
		expected: { failure: 'It says: "auto" tool choice requires --enable-auto-tool-choice', reason: "other" },
	},
	{
		name: "FastAPI: details as a list",
		status: 422,
		headers: json,
		body: JSON.stringify({
			detail: [{ loc: ["body", "messages"], msg: "field required", type: "value_error.missing" }],
		}),
		expected: { failure: "It says: field required", reason: "other" },
	},
	{
		name: "Azure: a model that completions do not work with, and that has no responses either",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: {
				code: "OperationNotSupported",
				message: "The chatCompletion operation does not work with the specified model, sora-2.",
			},
		}),
		expected: { failure: "It says: The chatCompletion operation", reason: "other", requests: 2 },
	},
	{
		name: "DeepSeek: older thinking models name the place of what they miss (continuedev/continue/issues/9831)",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: {
				message: "Missing `reasoning_content` field in the assistant message at message index 2.",
				type: "invalid_request_error",
				param: null,
				code: "invalid_request_error",
			},
		}),
		expected: { failure: "It says: Missing `reasoning_content` field", reason: "other" },
	},
	{
		name: "OpenRouter: no credit, with the words of the provider behind it",
		status: 402,
		headers: json,
		body: JSON.stringify({
			error: { code: 402, message: "Insufficient credits", metadata: { provider_name: "Some", raw: "add more" } },
		}),
		expected: { failure: "It says: Insufficient credits: add more", reason: "blocked" },
	},
	{
		name: "OpenRouter: an error inside the stream behind some text",
		body: sse(chunk({ content: "I was" }), {
			id: "gen-1",
			error: { code: 502, message: "Provider disconnected" },
			choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
		}),
		expected: { failure: "It says: Provider disconnected", reason: "unreachable" },
	},
	{
		name: "vLLM: an error inside the stream without a member `error`",
		body: sse({ object: "error", message: "EngineCore died", type: "InternalServerError", code: 500 }),
		expected: { failure: "It says: EngineCore died", reason: "unreachable", requests: 3 },
	},
	{
		name: "llama.cpp: an error inside the stream as an event of its own name",
		body: `event: error\ndata: ${JSON.stringify({ code: 500, message: "slot unavailable", type: "server_error" })}\n\n`,
		expected: { failure: "It says: slot unavailable", reason: "unreachable", requests: 3 },
	},
	{
		name: "Anthropic: overload as the first event of a stream (docs.claude.com, Errors)",
		body: `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })}\n\n`,
		expected: { failure: "failed (status 529), even after several attempts", reason: "unreachable", requests: 3 },
	},
	{
		name: "Gemini: a list of one error, with a missing signature (discuss.ai.google.dev/t/109823)",
		status: 400,
		headers: json,
		body: JSON.stringify([
			{
				error: {
					code: 400,
					message: "Function call is missing a thought_signature in functionCall parts.",
					status: "INVALID_ARGUMENT",
				},
			},
		]),
		expected: { failure: "It says: Function call is missing a thought_signature", reason: "other" },
	},
	{
		name: "Gemini: a key that is none, as a 400 (ai.google.dev, Troubleshooting)",
		status: 400,
		headers: json,
		body: JSON.stringify([
			{
				error: {
					code: 400,
					message: "API key not valid. Please pass a valid API key.",
					status: "INVALID_ARGUMENT",
					details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
				},
			},
		]),
		expected: { failure: "refused the API key", reason: "refused" },
	},
	{
		name: "Gemini: a rate limit that says in its body when to come back, later than anybody waits",
		status: 429,
		headers: json,
		body: JSON.stringify([
			{
				error: {
					code: 429,
					message: "You exceeded your current quota.",
					status: "RESOURCE_EXHAUSTED",
					details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "41s" }],
				},
			},
		]),
		expected: { failure: "is receiving too many requests", reason: "blocked" },
	},
	{
		name: "Gemini: a conversation that is too long",
		status: 400,
		headers: json,
		body: JSON.stringify([
			{
				error: {
					code: 400,
					message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
					status: "INVALID_ARGUMENT",
				},
			},
		]),
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "Anthropic: a conversation that is too long",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: { code: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
		}),
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "Qwen: a conversation that is too long (help.aliyun.com, Model Studio error codes)",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: {
				code: "invalid_parameter_error",
				param: null,
				message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
				type: "invalid_request_error",
			},
			request_id: "1",
		}),
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "Mistral: a field that it does not know, the details as its message",
		status: 422,
		headers: json,
		body: JSON.stringify({
			object: "error",
			message: { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
			type: "invalid_request_error",
			param: null,
			code: null,
		}),
		expected: { failure: "It says: Extra inputs are not permitted", reason: "other" },
	},
	{
		name: "Mistral: the same with its details twice (partITech/php-mistral/issues/76)",
		status: 422,
		headers: json,
		body: JSON.stringify({
			object: "Error",
			...Object.fromEntries(
				["detail", "message"].map((field) => [
					field,
					[{ type: "extra_forbidden", loc: ["body", "tools"], msg: "Extra inputs are not permitted" }],
				]),
			),
			type: "invalid_request_error",
			code: 3001,
		}),
		expected: { failure: "It says: Extra inputs are not permitted", reason: "other" },
	},
	{
		name: "DeepSeek: thoughts that were not sent back (api-docs.deepseek.com, Thinking Mode)",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: {
				message: "The `reasoning_content` in the thinking mode must be passed back to the API.",
				type: "invalid_request_error",
				param: null,
				code: "invalid_request_error",
			},
		}),
		expected: { failure: "must be passed back to the API", reason: "other" },
	},
	{
		name: "GitHub Models: a token that may not read models",
		status: 401,
		headers: json,
		body: JSON.stringify({ error: { code: "unauthorized", message: "Bad credentials", details: "Bad credentials" } }),
		expected: { failure: "refused the API key", reason: "refused" },
	},
	{
		name: "LM Studio: a conversation that is too long (Gitlawb/openclaude/issues/353)",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error:
				"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.",
		}),
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "LM Studio: the same within the stream (anomalyco/opencode/issues/11141)",
		body: `event: error\ndata: ${JSON.stringify({ error: { message: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)" } })}\n\n`,
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "Ollama: a conversation that is too long, where its runner looks (ollama/ollama/issues/17889)",
		status: 400,
		headers: json,
		body: JSON.stringify({
			error: { message: "request (7900 tokens) exceeds the available context size (4096 tokens)" },
		}),
		expected: { failure: "The conversation is too long for m", reason: "too-long" },
	},
	{
		name: "LM Studio: 200 with an error as JSON",
		headers: json,
		body: JSON.stringify({ error: "Model was unloaded while the request was still in queue" }),
		expected: { failure: "Model was unloaded", reason: "other" },
	},
	{
		name: "a proxy: a page in place of an answer",
		status: 403,
		headers: { "content-type": "text/html" },
		body: "<!DOCTYPE html><html><head><title>Access denied</title></head><body><h1>Sorry</h1></body></html>",
		expected: { failure: 'a web page titled "Access denied"', reason: "refused" },
	},
	{
		name: "a captive portal: a page with status 200",
		headers: { "content-type": "text/html" },
		body: "<html><body>Please sign in</body></html>",
		expected: { failure: "sent an empty or unreadable answer", reason: "other" },
	},
	{
		name: "a model that announces a call and sends none",
		body: sse(chunk({ role: "assistant", content: "" }), chunk({}, "tool_calls")),
		expected: { failure: "announced a tool call, but sent none", reason: "other" },
	},
];
