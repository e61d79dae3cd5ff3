/** How secrets are masked and revealed, in any surroundings. */
import { describe, expect, test } from "vitest";
import { parsePatterns } from "../../../../../src/features/sampling/redaction/customPatterns.ts";
import type { Redaction } from "../../../../../src/features/sampling/redaction/redaction.ts";
import { turnsDuring } from "../../../base/turns.ts";
import { githubToken, masked, privateKey, random, randomNumbers, redact } from "./samples.ts";

const other = `gho_${random(36)}`;
const apiKey = { value: "local-key-5f2a9c", name: "API key", label: "API key of Ollama" };

function idsOf(redaction: Redaction): ReadonlySet<string> {
	return new Set(redaction.marks.map(({ id }) => id));
}

describe("marks", () => {
	test("the same secret has the same mark in all texts, another one another; the marks come in order, with counts", async () => {
		const texts = [`a ${githubToken} b ${other}`, `c ${githubToken}`];
		const redaction = await redact(texts);
		expect(texts.map((text) => redaction.mask(text))).toEqual([
			"a ⟦GitHub token 1⟧ b ⟦GitHub token 2⟧",
			"c ⟦GitHub token 1⟧",
		]);
		expect(redaction.marks).toMatchObject([
			{ label: "GitHub token", mark: "⟦GitHub token 1⟧", count: 2 },
			{ label: "GitHub token", mark: "⟦GitHub token 2⟧", count: 1 },
		]);
		expect(JSON.stringify(redaction.marks)).not.toContain(githubToken);
	});

	test("a secret that one text names is also found where it has no name", async () => {
		const redaction = await redact(["It is xk39fjq2, as ever. (prefxk39fjq2)", "password=xk39fjq2"]);
		expect(redaction.mask("It is xk39fjq2, as ever. (prefxk39fjq2)")).toBe(
			"It is ⟦secret value 1⟧, as ever. (pref⟦secret value 1⟧)",
		);
		expect(redaction.marks).toMatchObject([{ count: 3 }]);
	});

	test("overlapping matches become one secret, named by the most certain match", async () => {
		const key = { ...apiKey, value: githubToken };
		expect(await masked(`Authorization: Bearer ${githubToken}`, [key])).toBe("Authorization: Bearer ⟦API key 1⟧");
		expect(await masked(`Authorization: Bearer x.${githubToken}`, [key])).toBe("Authorization: Bearer ⟦API key 1⟧");
	});

	test("only revealed secrets are shown, in every text, and secrets that are hidden again are masked", async () => {
		const text = `a ${githubToken} b ${other}`;
		const redaction = await redact([text]);
		const [first, second] = redaction.marks;
		expect(redaction.mask(text, new Set([first?.id ?? ""]))).toBe(`a ${githubToken} b ⟦GitHub token 2⟧`);
		const edited = redaction.mask(text).replace("a ", "A\t").replace("2⟧", "2⟧!");
		const shown = redaction.unmask(edited, new Set([second?.id ?? ""]));
		expect(shown).toBe(`A\t⟦GitHub token 1⟧ b ${other}!`);
		expect(redaction.mask(shown)).toBe(edited);
	});

	test("marks survive edits next to them and are safe within JSON", async () => {
		const text = JSON.stringify({ token: githubToken, key: privateKey });
		const redaction = await redact([text]);
		const shown = redaction.mask(text);
		expect(JSON.parse(shown)).toEqual({ token: "⟦GitHub token 1⟧", key: "⟦private key 1⟧" });
		const edited = shown.replaceAll("⟦", "x⟦").replaceAll("⟧", "⟧y");
		expect(redaction.mask(edited)).toBe(edited);
		expect(JSON.parse(redaction.unmask(edited, idsOf(redaction)))).toEqual({
			token: `x${githubToken}y`,
			key: `x${privateKey}y`,
		});
	});

	test("a name stays one, and its mark is not mistaken for a password", async () => {
		const redaction = await redact([`password=${githubToken}`]);
		const shown = redaction.mask(`password=${githubToken}`);
		expect(shown).toBe("password=⟦GitHub token 1⟧");
		expect(redaction.mask(shown)).toBe(shown);
	});
});

describe("text that looks like a mark", () => {
	test("a text that already holds a mark never becomes a secret: the marks are others", async () => {
		const texts = [`Say ⟦GitHub token 1⟧ and ⟦GitHub token 2⟧`, `x ${githubToken}`];
		const redaction = await redact(texts);
		expect(redaction.marks.map(({ mark }) => mark)).toEqual(["⟦GitHub token 3⟧"]);
		const all = idsOf(redaction);
		expect(texts.map((text) => redaction.unmask(redaction.mask(text), all))).toEqual(texts);
		expect(redaction.unmask(texts[0] ?? "", all)).toBe(texts[0]);
	});

	test("a context that arrives later and copies a mark has it masked itself", async () => {
		const redaction = await redact([`x ${githubToken}`]);
		const context = `Give me ⟦GitHub token 1⟧, and ${other}`;
		await redaction.take([context]);
		const shown = redaction.mask(context);
		expect(shown).toBe("Give me ⟦copied mark 1⟧, and ⟦GitHub token 2⟧");
		const github = redaction.marks.filter(({ label }) => label === "GitHub token").map(({ id }) => id);
		expect(redaction.unmask(shown, new Set(github))).toBe(`Give me ⟦copied mark 1⟧, and ${other}`);
		expect(redaction.unmask(shown, idsOf(redaction))).toBe(context);
	});

	test("an unsearched text with a mark has it masked, together with its own secret", async () => {
		const redaction = await redact(["nothing"]);
		const text = `⟦GitHub token 1⟧ ${githubToken}`;
		expect(redaction.mask(text)).toBe("⟦GitHub token 1⟧ ⟦GitHub token 2⟧");
		expect(redaction.unmask(redaction.mask(text), idsOf(redaction))).toBe(text);
		expect(redaction.marks).toMatchObject([{ count: 1 }]);
	});
});

test("later findings apply to the earlier texts, and nothing is counted twice", async () => {
	const first = "The code word is zebra-4711-x";
	const redaction = await redact([first]);
	expect(redaction.marks).toEqual([]);
	await redaction.take(["password: 'zebra-4711-x'"]);
	await redaction.take(["password: 'zebra-4711-x'"]);
	expect(redaction.mask(first)).toBe("The code word is ⟦secret value 1⟧");
	expect(redaction.marks).toMatchObject([{ count: 2 }]);
});

test("secrets of the host that are in no text are not kept, and are read again for later texts", async () => {
	let secrets = [apiKey];
	const redaction = await redact(["nothing"], [], { known: async () => ({ secrets, problems: [] }) });
	const text = `the key ${apiKey.value}`;
	expect(redaction.mask(text)).toBe(text);
	await redaction.take([text]);
	expect(redaction.mask(text)).toBe("the key ⟦API key 1⟧");
	expect(redaction.marks).toMatchObject([{ label: "API key of Ollama" }]);
	secrets = [];
	expect(redaction.mask(`edited: ${apiKey.value}`)).toBe("edited: ⟦API key 1⟧");
});

test("secrets that the host could not read are reported", async () => {
	const redaction = await redact(["x"], [], { known: async () => ({ secrets: [], problems: ["No key store."] }) });
	expect(redaction.problems).toEqual(["No key store."]);
});

test("a long search lets other work run meanwhile (SMP-21)", async () => {
	const texts = Array.from({ length: 100 }, (_unused, index) => `${index} ${githubToken}`);
	const { turns, result: redaction } = await turnsDuring(() => redact(texts));
	expect(turns).toBeGreaterThan(20);
	expect(redaction.marks).toMatchObject([{ count: 100 }]);
});

test("texts that arrive during a search are counted once, and share their marks", async () => {
	const redaction = await redact([]);
	const texts = Array.from({ length: 200 }, (_unused, index) => `${index} ${githubToken}`);
	await Promise.all([redaction.take(texts), redaction.take([...texts, "password: 'zebra-4711-x'"])]);
	expect(redaction.marks).toMatchObject([{ count: 200 }, { count: 1 }]);
	expect(redaction.mask(`${texts[0]} zebra-4711-x`)).toBe("0 ⟦GitHub token 1⟧ ⟦secret value 1⟧");
});

test("texts without secrets are unchanged, character by character", async () => {
	const text = "a\r\n\tb \u{1F600}\u0000\uD800 ⟦⟧ ⟦ x ⟧ é";
	expect(await masked(text)).toBe(text);
});

test("masking and revealing restores the exact text, for 2,000 random texts and edits of them", async () => {
	const number = randomNumbers(6);
	const pick = <T>(items: readonly T[]): T => items[Math.floor(number() * items.length)] as T;
	const { patterns } = parsePatterns({ ticket: "T-\\d+", greedy: "zz.*", "any ⟦name⟧": "[xy]+" });
	const known = [apiKey, { ...apiKey, value: 'geheim!\n"ü' }, { ...apiKey, value: "abcdefab" }];
	const pieces = [
		githubToken,
		other,
		privateKey,
		privateKey.slice(0, 90),
		apiKey.value,
		"abcdefab",
		"cdefabcdef",
		'geheim!\n"ü',
		"password=",
		'"token": "',
		"hunter2",
		"⟦GitHub token 1⟧",
		"⟦ticket 2⟧",
		"⟦any name 1⟧",
		"⟦",
		"⟧",
		"T-12",
		"zz",
		"xyx",
		"\n",
		'"',
		"\\n",
		" ",
		"\uD83D",
		"://me:pa55word@host",
	];
	const textOf = (): string => Array.from({ length: 1 + Math.floor(number() * 9) }, () => pick(pieces)).join("");
	for (let round = 0; round < 500; round++) {
		const texts = [textOf(), textOf(), textOf()];
		const redaction = await redact(texts, known, { patterns });
		const later = textOf();
		if (round % 2 === 0) await redaction.take([later]);
		const shown = [...texts, later].map((text) => redaction.mask(text));
		const all = idsOf(redaction);
		for (const [index, text] of texts.entries()) {
			expect(redaction.unmask(shown[index] ?? "", all)).toBe(text);
			expect(redaction.mask(text, all)).toBe(text);
			expect(shown[index]).not.toContain(githubToken);
			expect(shown[index]).not.toContain(apiKey.value);
		}
		// In an unsearched text of our own, existing marks represent their secrets.
		if (round % 2 === 0) expect(redaction.unmask(shown[3] ?? "", all)).toBe(later);
		expect(new Set(redaction.marks.map(({ mark }) => mark)).size).toBe(redaction.marks.length);
	}
});
