import { readFileSync } from "node:fs";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { parseEndpoints } from "../../../../src/models/parseEndpoints.ts";
import { entryOf, judged, own } from "./scene.ts";

const pages = ["tools-and-rules.md", "models.md"].map((page) =>
	readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8"),
);

/** The value of a setting in an example of the documentation. */
function example(setting: string): unknown {
	const block = [...pages.join("\n").matchAll(/```jsonc\n(.*?)```/gs)].find(([, text = ""]) =>
		text.startsWith(`"${setting}"`),
	);
	return (parse(`{${block?.[1] ?? ""}}`, [], { allowTrailingComma: true }) as JsonObject)[setting];
}

const rules = own(...(example("mcpHost.policy.rules") as readonly unknown[]));
const readOnly = { annotations: { readOnlyHint: true } };
const destructive = { annotations: { destructiveHint: true } };

describe("the documentation's example", () => {
	it("of rules is read without a problem", () => {
		expect(rules.problems).toEqual([]);
		expect(rules.rules).toHaveLength(3);
	});

	it.each<[string, string, object, JsonObject, string]>([
		["a file below the folder is read", "read_text_file", readOnly, { path: "/home/me/work/a/.git/config" }, "allow"],
		["a file elsewhere is asked about", "read_text_file", readOnly, { path: "/home/me/work/../b" }, "none"],
		["a secret file is denied", "read_text_file", readOnly, { path: "/home/me/work/.env" }, "deny"],
		["one of several is denied", "read_multiple_files", readOnly, { paths: ["a", ".env"] }, "deny"],
		["also under another name", "move_file", destructive, { source: "a", destination: "b/.env" }, "deny"],
		["a destructive call asks", "write_file", destructive, { path: "/home/me/work/a" }, "ask"],
		["a call without annotations asks as well", "write_file", {}, { path: "/home/me/work/a" }, "ask"],
		["the allow before it counts", "read_and_delete", destructive, { path: "/home/me/work/a" }, "allow"],
	])("of rules does what the text below it describes: %s", async (_what, name, more, args, expected) => {
		expect(judged([rules], await entryOf(name, { server: "files", more }), args)).toBe(expected);
	});

	it("of rules allows nothing to a server that a workspace defines", async () => {
		const entry = await entryOf("read_text_file", { server: "files", more: readOnly, isOfWorkspace: true });
		expect(judged([rules], entry, { path: "/home/me/work/a" })).toBe("none");
	});

	it("of models is read without a problem", () => {
		expect(parseEndpoints(example("mcpHost.models")).problems).toEqual([]);
	});
});
