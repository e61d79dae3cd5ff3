import { describe, expect, it } from "vitest";
import { freeColumn, type Front, frontOf, type Group } from "../../../../src/questions/webview/column.ts";

const group = (column: number, front: Front, isActive = false): Group => ({ column, front, isActive });

describe("The column of a panel that opens automatically (UI-15)", () => {
	it("is the whole editor area if the user cannot be typing", () => {
		expect(freeColumn([group(1, "free", true)], false)).toBe(1);
	});

	it("is beside the user's work", () => {
		expect(freeColumn([group(1, "work", true)], false)).toBeUndefined();
		expect(freeColumn([group(1, "work"), group(2, "work", true)], false)).toBeUndefined();
	});

	it("is that of another panel, or of a page for reading, the active one first", () => {
		expect(freeColumn([group(1, "work", true), group(2, "free"), group(3, "panel")], false)).toBe(3);
		expect(freeColumn([group(1, "work", true), group(2, "free")], false)).toBe(2);
		expect(freeColumn([group(1, "free"), group(2, "free", true)], false)).toBe(2);
	});

	it("covers a panel in which the user may be typing only when its question has ended (UI-11)", () => {
		expect(freeColumn([group(1, "panel", true)], false)).toBeUndefined();
		expect(freeColumn([group(1, "panel", true)], true)).toBe(1);
	});
});

describe("The editor in front of a group", () => {
	it.each<[Front, Parameters<typeof frontOf>[0]]>([
		["free", undefined],
		["free", { label: "Preview README.md", viewType: "mainThreadWebview-markdown.preview", isKnown: true }],
		["free", { label: "Welcome", isKnown: false }],
		["free", { label: "Walkthrough: Get Started with MCP Host", isKnown: false }],
		["panel", { label: "Review: travel", viewType: "mainThreadWebview-mcpHost.review", isKnown: true }],
		["work", { label: "A form", viewType: "mainThreadWebview-other.form", isKnown: true }],
		["work", { label: "Settings", isKnown: false }],
		// A file may have any name.
		["work", { label: "Welcome", isKnown: true }],
	])("is %s for %o", (front, tab) => {
		expect(frontOf(tab)).toBe(front);
	});
});
