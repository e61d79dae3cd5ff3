import type { InlineQuestion } from "../elicitation/inline.ts";

/**
 * Does what a link below a server's question says. Returns how the question ended when it was over already, and nothing
 * was done; what no link of ours says is ignored.
 */
export async function answerInline(
	{ form, answers, open }: InlineQuestion,
	action: unknown,
	detail: unknown,
): Promise<string | undefined> {
	const { end } = form.state;
	if (end !== undefined) return end;
	switch (action) {
		case "elicit-answer": {
			const answer = typeof detail === "number" ? answers[detail] : undefined;
			if (answer !== undefined) await form.submit(answer.input);
			break;
		}
		case "elicit-open":
			open();
			break;
		case "elicit-decline":
			form.decline();
			break;
		case "elicit-cancel":
			form.cancel();
			break;
		case "elicit-act":
			await form.act(detail);
			break;
	}
	return undefined;
}
