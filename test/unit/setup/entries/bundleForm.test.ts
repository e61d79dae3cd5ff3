import { describe, expect, it } from "vitest";
import { parseManifest } from "../../../../src/setup/bundles/manifest.ts";
import { settingsIn, settingsQuestion } from "../../../../src/setup/entries/bundleForm.ts";
import { manifestOf } from "../bundles/zipArchive.ts";

const setting = (type: string, more: object = {}): object => ({ type, title: "T", description: "D", ...more });
const manifest = parseManifest(
	manifestOf({
		user_config: {
			name: setting("string", { required: true, title: "Name\u202E" }),
			count: setting("number", { min: 1, max: 3 }),
			loud: setting("boolean", { required: true }),
			folders: setting("directory", { multiple: true }),
			file: setting("file"),
			token: setting("string", { sensitive: true, title: "Token" }),
		},
	}),
);
const question = settingsQuestion(
	manifest,
	{ name: "a", folders: ["/a", "/b"], loud: true },
	async (kind) => `/${kind}`,
);

describe("the settings of a bundle (BND-04)", () => {
	it("are fields of a form, without secret ones, and with proposed values", () => {
		expect(question.content).toMatchObject({
			kind: "fields",
			fields: [
				{ name: "name", kind: "text", isRequired: true, label: "Name\\u202E" },
				{ name: "count", kind: "text", isRequired: false },
				{ name: "loud", kind: "boolean", isRequired: false },
				{ name: "folders", kind: "text", isLong: true, isList: true, description: "D One per line." },
				{ name: "file", kind: "text", fills: [{ id: "file", label: "Choose File…" }] },
			],
		});
		expect(question.initial).toEqual({ name: "a", folders: "/a\n/b", loud: true });
		expect(question.notes?.[1]).toBe(
			"You are asked for Token there. Secrets are stored in the secret store, not in the configuration.",
		);
	});

	it.each<readonly [object, readonly string[]]>([
		[{ name: "a", loud: true }, []],
		[{}, ["Enter a value."]],
		[{ name: "a\nb" }, ["Enter one line."]],
		[{ name: "a", count: "x" }, ["Enter a number."]],
		[{ name: "a", count: "0" }, ["Enter at least 1."]],
		[{ name: "a", count: "4" }, ["Enter at most 3."]],
	])("are checked: %j", async (value, messages) => {
		expect((await question.validate({ ...value })).map(({ message }) => message)).toEqual(messages);
	});

	it("are read from the form, an empty one as none", () => {
		const value = { name: " a ", count: "2", folders: "/a\n\n /b c \n", file: "", token: "never" };
		expect(settingsIn(manifest, value)).toEqual({ name: "a", count: "2", loud: false, folders: ["/a", "/b c"] });
	});

	it("that are paths can be chosen", async () => {
		const { signal } = new AbortController();
		expect(await question.fill?.("folders", "directory", signal)).toBe("/directory");
		expect(await question.fill?.("name", "directory", signal)).toBeUndefined();
	});
});
