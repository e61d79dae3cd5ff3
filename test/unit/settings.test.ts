import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

interface Setting {
	readonly type: string | readonly string[];
	readonly markdownDescription: string;
}

interface Manifest {
	readonly contributes: {
		readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
	};
}

const root = resolve(import.meta.dirname, "../..");
const { contributes } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as Manifest;
const page = readFileSync(resolve(root, "docs/settings.md"), "utf8");
const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));

/** The sentences of a description, without its example. A full stop inside of code or of a name ends none. */
function sentencesOf(description: string): readonly string[] {
	const [prose = ""] = description.split("\n\nExample: ");
	return prose.replaceAll(/`[^`]*`/g, "code").split(/(?<=[.!?])\s+(?=[A-Z`*])/);
}

describe("the description of a setting", () => {
	test.each(settings)("%s has at most two sentences and 300 characters (UI-19)", (_name, { markdownDescription }) => {
		expect(sentencesOf(markdownDescription).length).toBeLessThanOrEqual(2);
		expect(markdownDescription.length).toBeLessThanOrEqual(300);
	});

	test.each(settings)("%s is explained in docs/settings.md", (name) => {
		expect(page).toContain(`**\`${name}\`**`);
	});
});

test("docs/settings.md explains no setting that does not exist", () => {
	const explained = [...page.matchAll(/\*\*`(mcpHost\.[\w.]+)`\*\*/g)].map(([, name = ""]) => name);
	expect(explained.toSorted()).toEqual(settings.map(([name]) => name).toSorted());
});
