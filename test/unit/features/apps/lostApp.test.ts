import { expect, test } from "vitest";
import { lostAppPage } from "../../../../src/features/apps/lostApp.ts";

test.each([
	["gone", "this app cannot be restored"],
	["waiting", "shown again as soon as its server runs"],
] as const)(
	"the editor of an app after a reload that is %s reports it and links to the forms of tools, with our text only and without files (APP-20)",
	(state, text) => {
		const page = lostAppPage({
			title: "<b>Budget · finance",
			language: "en",
			state,
		});
		expect(page).toContain("The window was reloaded");
		expect(page).toContain(text);
		expect(page).toContain(`href="command:mcpHost.runTool"`);
		expect(page).toContain(`content="default-src &#39;none&#39;"`);
		expect(page).not.toContain("<b>");
		// A page that still loads files may prevent VS Code from showing the app.
		expect(page).not.toMatch(/<script|<link|src=/);
	},
);
