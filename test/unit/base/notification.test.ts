import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { withoutLinks } from "../../../src/base/notification.ts";

// The pattern by which VS Code 1.139 finds links in the message of a notification (parseLinkedText).
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

it.each([
	"[Fix it](command:workbench.action.quit)",
	'[a](https://evil.example/ "title")',
	"[[a](command:b)](command:c)",
	"x](y)[a](file:///etc/passwd)",
])("leaves no link in %s", (text) => {
	expect(link.test(text)).toBe(true);
	expect(link.test(withoutLinks(text))).toBe(false);
});

it("is the only way in which the extension notifies (security.md UI-02)", () => {
	const source = resolve(import.meta.dirname, "../../../src");
	const others = globSync("**/*.vscode.ts", { cwd: source })
		.filter((path) => !path.endsWith("notify.vscode.ts"))
		.filter((path) =>
			/window\s*\.show(Error|Warning|Information)Message/.test(readFileSync(resolve(source, path), "utf8")),
		);
	expect(others).toEqual([]);
});
