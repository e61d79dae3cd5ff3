import { describe, expect, test } from "vitest";
import { type AnswerBeginning, type SaidPiece, ThoughtMarks } from "../../../../src/models/openai/thoughtMarks.ts";

interface Said {
	readonly text: string;
	readonly thought: string;
	readonly isLate: boolean;
}

function readAll(parts: readonly string[], begins?: AnswerBeginning, isAnswered = true): Said {
	const marks = new ThoughtMarks({ model: "m", begins });
	const pieces: SaidPiece[] = [...parts.flatMap((part) => marks.add(part)), ...marks.end(isAnswered)];
	const join = (kind: SaidPiece["kind"]): string =>
		pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join("");
	return { text: join("text"), thought: join("thought"), isLate: pieces.some(({ isLate }) => isLate === true) };
}

/** The same text in one piece, in pieces of one character, and cut in the middle. */
function ways(text: string): readonly (readonly string[])[] {
	const middle = Math.floor(text.length / 2);
	return [[text], Array.from(text), [text.slice(0, middle), text.slice(middle)]];
}

describe("thoughts between marks are thoughts, wherever the stream is cut", () => {
	test.each([
		["think, with line breaks", "<think>\nplan\n</think>\n\nAnswer", "\nplan\n", "Answer"],
		["think, empty", "<think>\n\n</think>\n\nAnswer", "\n\n", "Answer"],
		["think, behind blanks", "\n\n<think>plan</think>Answer", "plan", "\n\nAnswer"],
		["thinking", "<thinking>plan</thinking>Answer", "plan", "Answer"],
		["thought", "<thought>plan</thought>Answer", "plan", "Answer"],
		["reasoning", "<reasoning>plan</reasoning>Answer", "plan", "Answer"],
		["capitals", "<Think>plan</THINK>Answer", "plan", "Answer"],
		["seed:think", "<seed:think>plan</seed:think>Answer", "plan", "Answer"],
		["brackets", "[THINK]plan[/THINK]Answer", "plan", "Answer"],
		["triangles", "◁think▷plan◁/think▷Answer", "plan", "Answer"],
		["begin_of_thought", "<|begin_of_thought|>plan<|end_of_thought|>Answer", "plan", "Answer"],
		[
			"channels",
			"<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Answer",
			"plan",
			"Answer",
		],
		["several", "<think>one</think>Answer.\n<think>two</think>More", "onetwo", "Answer.\nMore"],
		["within a line of the answer", "Sure. <think>plan</think>Answer", "plan", "Sure. Answer"],
		["an end within its code", "<think>a\n```\n</think>\n```\nb</think>Answer", "a\n```\n</think>\n```\nb", "Answer"],
		["an end quoted", '<think>ends with "</think>" then</think>Answer', 'ends with "</think>" then', "Answer"],
		["an end as code", "<think>`</think>` ends</think>Answer", "`</think>` ends", "Answer"],
		["a quotation before its end", '<think>say "hi"</think>Answer', 'say "hi"', "Answer"],
		["an open quotation", '<think>a 5" pipe</think>\nAnswer "x"', 'a 5" pipe', 'Answer "x"'],
		["a mark within the thought", "<think>a <thinking> b</think>Answer", "a <thinking> b", "Answer"],
		["no end", "<think>plan goes on", "plan goes on", ""],
		["only an end, at the beginning", "</think>\n\nAnswer", "", "Answer"],
		["only an end", "secret plan\n</think>\n\nAnswer", "secret plan\n", "Answer"],
		["only the end of another mark", "secret plan[/THINK]Answer", "secret plan", "Answer"],
	])("%s", (_what, written, thought, text) => {
		for (const parts of ways(written)) {
			const said = readAll(parts);
			expect({ ...said, text: said.text.trimStart() }).toEqual({ text: text.trimStart(), thought, isLate: false });
		}
	});
});

describe("marks that are not genuine are text", () => {
	test.each([
		"Write `<think>` and `</think>` around it.",
		'The marks "<think>" and "</think>" are dropped.',
		"The marks “<think>” and “</think>” are dropped.",
		"The mark '<think>' begins it.",
		"```\n<think>plan</think>\n```\nis dropped.",
		"~~~xml\n<think>\nplan\n</think>\n~~~",
		"Like this:\n\n    <think>plan</think>\n",
		"> <think>plan</think>\n",
		"Escaped: \\<think>.",
		"The mark <think> has no end here.",
		"<thin> and <thinker> and a<think",
		"a < b, [1] <|x|> ◁",
	])("%j", (text) => {
		for (const parts of ways(text)) expect(readAll(parts)).toEqual({ text, thought: "", isLate: false });
	});
});

describe("an answer that begins within a thought", () => {
	test("is held back for its first characters only", () => {
		const marks = new ThoughtMarks({ model: "m", begins: undefined });
		expect(marks.add("Hello")).toEqual([]);
		expect(marks.isWaiting).toBe(true);
		expect(marks.add("x".repeat(500))).toHaveLength(2);
		expect(marks.isWaiting).toBe(false);
		expect(marks.add("more")).toEqual([{ kind: "text", text: "more" }]);
	});

	test("is held back longer if the model's name suggests thoughts", () => {
		const marks = new ThoughtMarks({ model: "deepseek-r1:8b", begins: undefined });
		expect(marks.add("x".repeat(5000))).toEqual([]);
		expect(marks.add("</think>Answer")).toEqual([
			{ kind: "thought", text: "x".repeat(5000) },
			{ kind: "text", text: "Answer" },
		]);
	});

	test("withdraws text that was sent before its mark arrived", () => {
		const said = readAll(["x".repeat(500), "</think>", "Answer"]);
		expect(said).toEqual({ text: `${"x".repeat(500)}Answer`, thought: "", isLate: true });
	});

	test("is a thought from its first character once the model is known", () => {
		const marks = new ThoughtMarks({ model: "m", begins: "thought" });
		expect(marks.add("plan")).toEqual([{ kind: "thought", text: "plan" }]);
		expect(marks.add("</think>Answer")).toEqual([{ kind: "text", text: "Answer" }]);
		expect(marks.end(true)).toEqual([]);
	});

	test("without an end is the answer, unless it was cut or calls tools", () => {
		expect(readAll(["Hello"], "thought", true).text).toBe("Hello");
		expect(readAll(["plan"], "thought", false).text).toBe("");
	});

	test("is none if the maker of the model serves it", () => {
		expect(readAll(["a </think> b"], "never")).toEqual({ text: "a </think> b", thought: "", isLate: false });
	});

	test("is not assumed for a model whose thoughts are in a field, or that wrote much without a mark", () => {
		const marks = new ThoughtMarks({ model: "m", begins: undefined });
		expect(marks.noteThought()).toEqual([]);
		expect(marks.add("Hello")).toEqual([{ kind: "text", text: "Hello" }]);
		const long = new ThoughtMarks({ model: "m", begins: undefined });
		long.add("x".repeat(1200));
		expect(long.begins).toBe("text");
	});
});
