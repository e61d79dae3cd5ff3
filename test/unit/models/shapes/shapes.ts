/**
 * Answers of known endpoints in the shapes that they have on the wire: whole HTTP answers, keep-alives and oddities
 * included. Based on their documentation and on reports about them; the ids and texts are made up.
 */
export interface Shape {
	/** The service, and its oddity. */
	readonly name: string;
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: string;
	readonly expected: ExpectedAnswer;
}

/** The expected result of a shape: an answer, or a part of the message to users. */
export type ExpectedAnswer =
	| {
			readonly text: string;
			readonly calls?: readonly (readonly [name: string, args: object])[];
			readonly stopReason: string;
			readonly usage?: readonly [input: number, output: number];
	  }
	| {
			readonly failure: string;
			readonly reason: string;
			/** How often it is asked, if more than once. */
			readonly requests?: number;
	  };

/** A stream in the form of the openai API. */
export function sse(...chunks: readonly object[]): string {
	return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

/** A chunk with one choice. */
export function chunk(delta: object, finish: string | null = null, more: object = {}): object {
	const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_790_000_000, model: "m" };
	return { ...head, choices: [{ index: 0, delta, finish_reason: finish }], ...more };
}

/** A delta with pieces of tool calls. */
export function pieces(...calls: readonly object[]): object {
	return { tool_calls: calls };
}
