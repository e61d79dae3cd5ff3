import { describe, expect, it } from "vitest";
import { definitionText, instructionsText } from "../../../../src/permissions/pinning/definitionText.ts";
import { fieldTexts } from "../../../../src/permissions/pinning/toolFields.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { book } from "./scene.ts";

const text = (more: Partial<Tool> = {}): string => {
	const tool: Tool = { ...book, ...more };
	return definitionText({ name: tool.name, fields: Object.fromEntries(fieldTexts(tool)) });
};

/** The part of a text under a heading. */
function part(of: string, heading: string): string {
	const [, rest = ""] = of.split(`${heading}\n`);
	const [first = ""] = rest.split(/\n\n(?=\S)/);
	return first;
}

describe("a definition as a text", () => {
	it("shows everything that is pinned, a sentence and a member on each line", () => {
		expect(text()).toBe(`Name
  book

Title
  Book a Hotel

Description
  Books a room.
  The guest gets a mail.

Annotations (hints, not verified)
  destructive
  open world (assumed)
  as sent:
  {
    "destructiveHint": true
  }

Input schema
  {
    "properties": {
      "hotel": {
        "description": "Its name",
        "type": "string"
      }
    },
    "type": "object"
  }

Output schema
  {
    "properties": {
      "reference": {
        "type": "string"
      }
    },
    "type": "object"
  }
`);
	});

	it("shows missing parts, and their meaning", () => {
		const bare = definitionText({ name: "book", fields: { inputSchema: '{"type":"object"}' } });
		expect(part(bare, "Title")).toBe("  (none)");
		expect(part(bare, "Annotations (hints, not verified)")).toBe("  destructive (assumed)\n  open world (assumed)");
		expect(part(bare, "Output schema")).toBe("  (none)\n");
	});

	it("shows every hidden character as an escape, in texts and in schemas (TOL-08)", () => {
		const hidden = "a\u{E0041}b\u202Ec\u200Bd\u001B[8me\uE000";
		const shown = text({
			description: hidden,
			inputSchema: { type: "object", properties: { [hidden]: { description: hidden } } },
		});
		expect(shown).toContain("a\\u{E0041}b\\u202Ec\\u200Bd\\u001B[8me\\u{E000}");
		expect(shown).toContain('"a\\uDB40\\uDC41b\\u202Ec\\u200Bd\\u001b[8me\\u{E000}": {');
		expect(shown).not.toMatch(/[\p{Cf}\p{Co}\p{Cs}]|[\p{Cc}--\n]/v);
	});

	it("keeps everything within the visible width and height (TOL-09)", () => {
		const description = `First.${" ".repeat(5000)}Hidden at the side.${"\n".repeat(400)}Hidden below. ${"word ".repeat(100)}${"x".repeat(500)}`;
		const shown = part(text({ description }), "Description");
		expect(shown).toContain("[5,000 blanks] Hidden at the side.");
		expect(shown).toContain("[400 line ends]");
		const lines = shown.split("\n");
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(102);
		expect(lines.length).toBeLessThan(30);
		expect(shown.replace(/\s/g, "")).toContain("x".repeat(500));
	});

	it("makes a difference of invisible blanks visible", () => {
		expect(text({ description: "Books.  " })).not.toBe(text({ description: "Books." }));
	});

	it("keeps a change in place: the following lines stay the same", () => {
		const words = "It takes a while, because the hotel has to answer first. ".repeat(10);
		const before = text({ description: `Books a room. ${words}` }).split("\n");
		const after = text({ description: `Books a room and sends your passport to us. ${words}` }).split("\n");
		expect(after.filter((line) => !before.includes(line))).toEqual(["  Books a room and sends your passport to us."]);
	});

	it("distinguishes texts whose shown parts are equal", () => {
		const long = "x".repeat(150_000);
		expect(text({ description: `${long}a` })).not.toBe(text({ description: `${long}b` }));
	});

	it("shows a remark in place of a schema that was too large to keep", () => {
		expect(
			definitionText({ name: "book", fields: { inputSchema: "(30,000 characters, too many to keep)" } }),
		).toContain("Input schema\n  (30,000 characters, too many to keep)\n");
	});

	it("shows instructions in the same form", () => {
		expect(instructionsText("Be kind. Be\u200B quick.")).toBe(
			"Instructions for models\n  Be kind.\n  Be\\u200B quick.\n",
		);
	});
});
