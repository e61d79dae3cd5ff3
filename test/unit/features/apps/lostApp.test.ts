import { expect, test } from "vitest";
import { lostAppPage } from "../../../../src/features/apps/lostApp.ts";

test.each([
	["gone", "this app cannot be restored"],
	["waiting", "shown again as soon as its server runs"],
] as const)(
	"the editor of an app after a reload that is %s reports it and links to the forms of tools, with our text only (APP-20)",
	(state, text) => {
		const page = lostAppPage({
			title: "<b>Budget · finance",
			language: "en",
			styles: ["s.css"],
			cspSource: "https://own.example",
			state,
		});
		expect(page).toContain("The window was reloaded");
		expect(page).toContain(text);
		expect(page).toContain(`href="command:mcpHost.runTool"`);
		expect(page).toContain("default-src &#39;none&#39;; style-src https://own.example");
		expect(page).not.toContain("<b>");
		expect(page).not.toContain("<script");
	},
);
