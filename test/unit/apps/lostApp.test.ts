import { expect, test } from "vitest";
import { lostAppPage } from "../../../src/apps/lostApp.ts";

test("the editor of an app after a reload says what happened and leads to the forms of tools, by text of ours alone (APP-20)", () => {
	const page = lostAppPage({
		title: "<b>Budget · finance",
		language: "en",
		styles: ["s.css"],
		cspSource: "https://own.example",
	});
	expect(page).toContain("The window was reloaded");
	expect(page).toContain(`href="command:mcpHost.runTool"`);
	expect(page).toContain("default-src &#39;none&#39;; style-src https://own.example");
	expect(page).not.toContain("<b>");
	expect(page).not.toContain("<script");
});
