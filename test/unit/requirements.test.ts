/** The ids in comments and tests are those of docs/requirements.md, and only public documents are cited. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const files = globSync(["{src,media,test}/**/*.{ts,mjs,css}", "esbuild.mjs"], { cwd: root })
	.map((file) => file.replaceAll(path.sep, "/"))
	.filter((file) => file !== "test/unit/requirements.test.ts");

const groups =
	"ADD|APP|AUT|BLT|BND|CAL|CFG|DOC|EDT|ELC|EXP|FST|GST|IMP|JRN|MDL|PRC|PRM|REG|RES|ROOT|SEC|SKL|SMP|TOL|TRC|TRN|TSK|UI";
const single = new RegExp(`\\b(?:${groups})-\\d{2}\\b`, "g");
const range = new RegExp(`\\b(${groups})-(\\d{2}) to \\1-(\\d{2})\\b`, "g");

/** The ids that a text names; `UI-01 to UI-04` are four. */
function idsIn(text: string): readonly string[] {
	const within = [...text.matchAll(range)].flatMap(([, group = "", first, last]) =>
		Array.from(
			{ length: Number(last) - Number(first) + 1 },
			(_, index) => `${group}-${String(Number(first) + index).padStart(2, "0")}`,
		),
	);
	return [...within, ...(text.match(single) ?? [])];
}

/** The lines of the document: the tests that prove each id. */
const lines = [...read("docs/requirements.md").matchAll(/^\| ([A-Z]+-\d{2}) \| (.+) \| (.+) \|$/gm)].map(
	([, id = "", text = "", tests = ""]) => ({
		id,
		text,
		tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
	}),
);

describe("docs/requirements.md", () => {
	it("has each id once, by group and number", () => {
		const ids = lines.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		for (const group of groups.split("|")) {
			const ofGroup = ids.filter((id) => id.startsWith(`${group}-`));
			expect(ofGroup).toEqual(ofGroup.toSorted());
			expect(ofGroup).not.toEqual([]);
		}
	});

	it("is readable: a line of at most 200 characters each, and an index of all capabilities", () => {
		expect(lines.filter(({ text }) => text.length > 200).map(({ id }) => id)).toEqual([]);
		const sections = [...read("docs/requirements.md").matchAll(/^## (.+)$/gm)].map(([, title]) => title);
		const index = [...read("docs/requirements.md").matchAll(/^\| \[([^\]]+)\]\(#[\w-]+\) \|/gm)].map(
			([, title]) => title,
		);
		expect(index).toEqual(sections);
	});

	it("has every id that is named in src, media or test", () => {
		const known = new Set(lines.map(({ id }) => id));
		const unknown = files.flatMap((file) =>
			idsIn(read(file)).flatMap((id) => (known.has(id) ? [] : [`${file}: ${id}`])),
		);
		expect(unknown).toEqual([]);
	});

	it("names no test of the extension host that is not run there", () => {
		const index = read("test/host/index.ts");
		const hostTests = files.filter((file) => /^test\/host\/[^/]+\.test\.ts$/.test(file));
		expect(hostTests.filter((file) => !index.includes(`"./${path.basename(file)}"`))).toEqual([]);
	});

	it("names for each id a test that exists and names it", () => {
		const wrong = lines.flatMap(({ id, tests }) => {
			if (tests.length === 0) return [`${id}: no test`];
			return tests
				.filter(
					(file) => !file.startsWith("test/") || !existsSync(path.join(root, file)) || !idsIn(read(file)).includes(id),
				)
				.map((file) => `${id}: ${file}`);
		});
		expect(wrong).toEqual([]);
	});
});

describe("comments and titles of tests", () => {
	// The glob of `media/*/main.ts` begins none.
	const comment = /(?<!\w)\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/ .*/g;
	const title = /\b(?:it|test|describe)(?:\.[\w.]+(?:\([^\n]*?\))?)?\(\s*["`]([^\n]*)/g;
	const told = (file: string): string => {
		const text = read(file);
		return [...(text.match(comment) ?? []), ...(file.startsWith("test/") ? (text.match(title) ?? []) : [])].join("\n");
	};

	it("name no document that the repository does not hold", () => {
		const known = new Set(["SKILL.md"]);
		const missing = files.flatMap((file) =>
			(told(file).match(/[\w./-]+\.md\b/g) ?? [])
				.filter((name) => !known.has(name) && !existsSync(path.join(root, name)))
				.map((name) => `${file}: ${name}`),
		);
		expect(missing).toEqual([]);
	});

	it("name no issue and no claim that is documented elsewhere", () => {
		const elsewhere = /\b(?:issues?|claims?) #?\d+\b(?!,)/gi;
		const found = files.flatMap((file) => (told(file).match(elsewhere) ?? []).map((words) => `${file}: ${words}`));
		expect(found).toEqual([]);
	});
});
