import { withBody } from "./cappedBody.ts";

/** An answer, and how its body begins. */
export interface PeekedAnswer {
	/** The type of the body by its beginning, regardless of the headers. */
	readonly kind: "json" | "events" | "empty" | "other";
	/** The answer with all of its body. */
	readonly answer: Response;
}

/** How much of a body identifies it; no server writes more blanks than this. In bytes. */
const mostPeeked = 4096;
const eventLine = /^(?:data|event|id|retry)?:/;
const longestField = "event:".length;

/** Looks at how the body of an answer begins, and waits for that. Rejects as reading it does. */
export async function peek(response: Response): Promise<PeekedAnswer> {
	if (response.body === null) return { kind: "empty", answer: response };
	const reader = response.body.getReader();
	const pieces: Uint8Array[] = [];
	let beginning = "";
	let isEnded = false;
	while (!isEnded && beginning.length < longestField && pieces.length < mostPeeked) {
		const { done, value } = await reader.read();
		isEnded = done;
		if (value === undefined) continue;
		pieces.push(value);
		const text = Buffer.concat(pieces.map((piece) => piece.subarray(0, mostPeeked))).toString("utf8");
		beginning = text.replace(/^\uFEFF/, "").trimStart();
		if (beginning.startsWith("{") || beginning.startsWith("[")) break;
	}
	const kind = /^[{[]/.test(beginning)
		? "json"
		: eventLine.test(beginning)
			? "events"
			: beginning === "" && isEnded
				? "empty"
				: "other";
	const replayed = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const piece = pieces.shift();
				if (piece !== undefined) return controller.enqueue(piece);
				const { done, value } = await reader.read();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	return { kind, answer: withBody(response, replayed) };
}
