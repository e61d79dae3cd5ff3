import { expect, test } from "vitest";
import { appUriOf } from "../../../../src/protocol/toolPage.ts";
import { isAppTool, isModelTool } from "../../../../src/permissions/catalog/appTools.ts";

test.each([
	[{ ui: { resourceUri: "ui://a/b" } }, "ui://a/b"],
	[{ "ui/resourceUri": "ui://flat" }, "ui://flat"],
	[{ ui: { resourceUri: "ui://a/b" }, "ui/resourceUri": "ui://flat" }, "ui://a/b"],
	[{ ui: { visibility: ["app"] }, "ui/resourceUri": "ui://flat" }, "ui://flat"],
	[{ ui: { resourceUri: "https://evil.example" } }, undefined],
	[{ ui: { resourceUri: 7 } }, undefined],
	[{ ui: "ui://a" }, undefined],
	[{ "ui/resourceUri": `ui://${"a".repeat(3000)}` }, undefined],
	[undefined, undefined],
])("the page of a tool with %j is %s: nested takes precedence over flat (APP-01)", (_meta, expected) => {
	expect(appUriOf(_meta === undefined ? {} : { _meta })).toBe(expected);
});

test.each([
	[undefined, true, true],
	[["model", "app"], true, true],
	[["model"], true, false],
	[["app"], false, true],
	[[], false, false],
	["app", true, true],
])("a tool with the visibility %j is for models: %s, and for apps: %s (APP-02)", (visibility, model, app) => {
	const tool = { _meta: { ui: { visibility } } };
	expect([isModelTool(tool), isAppTool(tool)]).toEqual([model, app]);
});
