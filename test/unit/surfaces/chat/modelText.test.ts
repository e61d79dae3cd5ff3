import { describe, expect, test } from "vitest";
import { ModelTextFilter, withoutImages } from "../../../../src/surfaces/chat/stream.ts";

describe("text before the address of a link (UI-13)", () => {
	const dangerous = [
		"file:///etc/passwd",
		"command:workbench.action.quit",
		"vscode://evil/x",
		"file&colon;///etc/passwd",
	];

	test.each([
		["301 blanks", " ".repeat(301)],
		["301 tabs", "\t".repeat(301)],
		["5,000 blanks", " ".repeat(5000)],
		["a newline", "\n"],
		["newlines and blanks", " \n".repeat(200)],
		["an open bracket and blanks", "<   "],
		["blanks, a bracket, a tab", "  <\t"],
	])("makes no link with a scheme of other programs: %s, in one piece or cut anywhere", (_what, before) => {
		for (const address of dangerous) {
			const markdown = `[x](${before}${address})`;
			const cuts = [0, 1, 4, 5, 6, 7, before.length + 4, before.length + 5, before.length + 7, before.length + 9];
			for (const cut of cuts) {
				const filter = new ModelTextFilter();
				const text = filter.push(markdown.slice(0, cut)) + filter.push(markdown.slice(cut)) + filter.flush();
				expect(text.replaceAll(/`[^`]*`/g, "")).not.toMatch(/\]\(/);
			}
		}
	});
});

describe("the model's own text (UI-01)", () => {
	test.each(["![a](http://canary)", "\\![a](http://canary)", "!![a][ref]", "x![", "vec![1]"])(
		"loads no image: %s",
		(markdown) => {
			for (let cut = 0; cut <= markdown.length; cut++) {
				const filter = new ModelTextFilter();
				const shown = filter.push(markdown.slice(0, cut)) + filter.push(markdown.slice(cut)) + filter.flush();
				expect(shown).not.toContain("![");
				expect(shown.replaceAll("! [", "![")).toBe(markdown);
			}
		},
	);

	test.each([
		["a user name before the host", "[here](https://github.com@127.0.0.1:8080/x)"],
		["the same as an address alone", "see https://github.com@127.0.0.1:8080/x now"],
		["the same between brackets", "<https://github.com@127.0.0.1/>"],
		["the same as a definition", "[here][a]\n\n[a]: https://github.com@127.0.0.1/"],
		["a password before the host", "https://a:b@evil.example/"],
		["one slash", "[x](https:/github.com@127.0.0.1/)"],
		["backslashes", "[x](https:\\\\github.com@127.0.0.1/)"],
		["an escape within", "[x](https:\\/\\/github.com@127.0.0.1/)"],
		["a character by its name", "[x](https&colon;//github.com@127.0.0.1/)"],
		["an encoded character in the host", "[x](https://github.com%2e@127.0.0.1/)"],
		["letters of another alphabet", "[GitHub](https://g\u0456thub.com/login)"],
		["the same as an address alone", "https://g\u0456thub.com/login"],
		["the same without a scheme", "www.g\u0456thub.com/login"],
		["such letters as the network writes them", "[x](https://xn--gthub-n4a.com/)"],
		["a file", "[x](file:///etc/passwd)"],
		["a file between brackets", "<file:///etc/passwd>"],
		["a file behind blanks", "[x]( <file:///etc/passwd> )"],
		["a file by a definition", "[x]\n\n[x]: <file:///etc/passwd>"],
		["a file by a definition without a blank", "[x]\n\n[x]:file:///etc/passwd"],
		["a command by a definition without a blank", "[x]\n\n[x]:command:workbench.action.quit"],
		["a file on another machine", "[x](//evil.example/share)"],
		["a path of this machine", "[x](/etc/passwd)"],
		["a file of the editor's", "[x](vscode-file://vscode-app/etc/passwd)"],
		["a command", "[x](command:workbench.action.quit)"],
	])("makes no link to %s, and reports it (UI-13)", (_what, markdown) => {
		const live =
			/\]\((?=\s*<?(?:\/|\\|file|vscode|command|https?(?:&|:[^)]*(?:@|xn--|[\u0080-\uFFFF]))))|\]:\s*<?(?:file|command|https?:\S*@)|<(?:file|https?:[^>]*@)|(?:https?:[\\/]+|www\.)[^/?#\s)]*(?:@|xn--|[\u0080-\uFFFF])/i;
		expect(markdown).toMatch(live);
		for (const pieces of [[markdown], Array.from(markdown), [markdown.slice(0, 5), markdown.slice(5)]]) {
			const filter = new ModelTextFilter();
			const shown = pieces.map((piece) => filter.push(piece)).join("");
			const end = filter.flush();
			const [rest = "", note = ""] = end.split("\n\n\u26A0");
			expect(shown + rest).not.toMatch(live);
			expect((shown + rest).replaceAll(" ", "")).toBe(markdown.replaceAll(" ", ""));
			expect(note).toMatch(/^ Not shown as a link.*`/);
			expect(filter.flush()).toBe("");
		}
	});

	test.each([
		"[docs](https://example.com/a?b=c&d=e#f) and https://example.com:8080/@scope/x, <https://example.com>.",
		"[a](src/a.ts) [b](#top) [c](mailto:a@example.com) [d][e]\n\n[e]: https://example.com/x",
		'\u4f7f\u7528Node.js\u8fdb\u884c `curl https://${host}/x` a@example.com foo[0](x, y) {"a": [1]: 2}',
		"```\npostgres://user:pass@localhost/db\nhttps://<your-host>/ https://*.example.com http://[::1]:3000/\n```",
		"map[key]:value, foo[0]: 1, [e]:https://example.com/x",
		"https://example.com and www.example.com. The file: it is a note; key: value",
	])("keeps the links and texts of %j", (markdown) => {
		for (const pieces of [[markdown], Array.from(markdown)]) {
			const filter = new ModelTextFilter();
			expect(pieces.map((piece) => filter.push(piece)).join("") + filter.flush()).toBe(markdown);
		}
	});

	test("holds back no more of a text than may be a link", () => {
		const filter = new ModelTextFilter();
		expect(filter.push("\u4f60\u597d\uff0c\u4e16\u754c")).toBe("\u4f60\u597d\uff0c\u4e16\u754c");
		expect(filter.push("one two ")).toBe("one two ");
		expect(filter.push("https:".padEnd(5000, "x"))).not.toBe("");
	});

	test("is otherwise unchanged", () => {
		const markdown = "Hi! [link](x) `a != b` !important\n!";
		expect(withoutImages(markdown)).toBe(markdown);
		const filter = new ModelTextFilter();
		expect(Array.from(markdown, (character) => filter.push(character)).join("") + filter.flush()).toBe(markdown);
	});
});
