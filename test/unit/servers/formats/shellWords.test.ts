import { describe, expect, it } from "vitest";
import { readShell, shellQuoted } from "../../../../src/servers/formats/shellWords.ts";
import { readTarget, targetText } from "../../../../src/servers/formats/targetText.ts";

function wordsOf(text: string): readonly string[] {
	return readShell(text).flatMap(({ words }) => words);
}

describe("words of a command line (ADD-03)", () => {
	it.each([
		["npx -y server /a/b", ["npx", "-y", "server", "/a/b"]],
		[`run "two words" 'single "kept"' a\\ b`, ["run", "two words", 'single "kept"', "a b"]],
		[`run "a\\"b" "c\\\\d" "e\\f" 'g\\h'`, ["run", 'a"b', "c\\d", "e\\f", "g\\h"]],
		[`run a"b c"d'e f'`, ["run", "ab cde f"]],
		[`C:\\tools\\server.exe --path="C:\\my dir"`, ["C:\\tools\\server.exe", "--path=C:\\my dir"]],
		[`echo "" end ''`, ["echo", "", "end", ""]],
		["  ", []],
		["run a \\\n  b", ["run", "a", "b"]],
		["run a `\n  b", ["run", "a", "b"]],
		["run a ^\n  b", ["run", "a", "b"]],
		["run 'a\nb'", ["run", "a\nb"]],
		["run --key=<your key>", ["run", "--key=<your key>"]],
		["run a=b c#d", ["run", "a=b", "c#d"]],
		["PS C:\\Users\\me> run C:\\x", ["run", "C:\\x"]],
		["> run x", ["run", "x"]],
		["run https://a.example/%E2%80%9C/%C3%BCber%20x", ["run", "https://a.example/%E2%80%9C/%C3%BCber%20x"]],
		["run C:\\x https://a.example/%ABC%20 %ABC%", ["run", "C:\\x", "https://a.example/%ABC%20", "${env:ABC}"]],
	])("are those of a shell: %s", (line, words) => {
		expect(wordsOf(line)).toEqual(words);
	});

	it("keep assignments before a command separate, for that command only", () => {
		const lines = readShell("A=1 B='x y' run\nrun C=1\n'D'=1 run");
		expect(lines.map((line) => ("environment" in line ? Object.assign({}, line.environment) : line))).toEqual([
			{ A: "1", B: "x y" },
			{},
			{},
		]);
	});

	it("name no prototype", () => {
		const [line] = readShell("__proto__=1 run");
		expect(line !== undefined && "environment" in line ? Object.keys(line.environment) : []).toEqual(["__proto__"]);
	});

	it("are read back exactly as quoted, for any content", () => {
		const pieces = [
			"a",
			" ",
			"'",
			'"',
			"\\",
			"$",
			"`",
			"|",
			"~",
			"*",
			"#",
			"=",
			"C:\\",
			"%A%",
			"\n",
			"&&",
			"é",
			"{",
			"}",
			">",
		];
		let seed = 7;
		const next = (count: number): number => {
			seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
			return Math.floor((seed / 2_147_483_648) * count);
		};
		for (let round = 0; round < 2000; round++) {
			const args = Array.from({ length: next(4) }, () =>
				Array.from({ length: next(6) }, () => pieces[next(pieces.length)] ?? "").join(""),
			).filter((word) => !word.includes("${"));
			const read = readTarget(targetText({ command: "run", args }));
			expect(read, shellQuoted(args.join("¦"))).toMatchObject({ entry: { command: "run", args } });
		}
	});
});

describe("a URL (ADD-02)", () => {
	it.each([
		["https://mcp.example.com/mcp", "https://mcp.example.com/mcp"],
		["mcp.example.com", "https://mcp.example.com"],
		["mcp.example.com:8443/mcp?x=1", "https://mcp.example.com:8443/mcp?x=1"],
		["localhost:3000/mcp", "http://localhost:3000/mcp"],
		["127.0.0.1:3000", "http://127.0.0.1:3000"],
		["<https://mcp.example.com>", "https://mcp.example.com"],
		["https://${env:HOST}/mcp", "https://${env:HOST}/mcp"],
	])("is read from %s", (text, url) => {
		expect(readTarget(text)).toEqual({ entry: { type: "http", url }, remarks: [] });
	});

	it.each([
		["https://me:secret@example.com/mcp", /user name or password/],
		["ftp://example.com", /http:\/\/ or https/],
		["https://", /not valid/],
		["", /Enter a command/],
	])("is refused with the reason: %s", (text, why) => {
		expect(readTarget(text)).toMatchObject({ reason: expect.stringMatching(why) as unknown });
	});

	it("is not read from a file", () => {
		expect(readTarget("server.py")).toMatchObject({ entry: { command: "server.py" } });
	});
});
