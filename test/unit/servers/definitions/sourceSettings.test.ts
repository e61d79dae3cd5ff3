/** A workspace's settings of sources and names affect its own servers, and only leave out (CFG-36). */
import { describe, expect, it } from "vitest";
import { readSourceSettings, type SaidSetting } from "../../../../src/servers/definitions/sourceSettings.ts";

const all = ["settings", ".vscode/mcp.json", ".mcp.json"];
const nothing: SaidSetting = { own: [], workspace: undefined };

describe("the sources of servers", () => {
	const read = (own: unknown, workspace: unknown) => {
		const { isRead } = readSourceSettings({ own, workspace }, nothing);
		return {
			own: isRead("settings", false),
			workspace: all.filter((source) => isRead(source, true)),
		};
	};

	it.each([
		["as the user sets", all, undefined, true, all],
		["fewer of its own, as a workspace sets", all, [".mcp.json"], true, [".mcp.json"]],
		["none of its own", all, [], true, []],
		["not the user's own, for any settings of a workspace", ["settings"], all, true, ["settings"]],
		["none that the user left out", [".mcp.json"], all, false, [".mcp.json"]],
		["none of a workspace that writes nonsense", all, { settings: true }, true, []],
	])("are %s", (_what, own, workspace, isOwnRead, ofWorkspace) => {
		expect(read(own, workspace)).toEqual({ own: isOwnRead, workspace: ofWorkspace });
	});
});

describe("names that are left out", () => {
	const ignored = (own: unknown, workspace: unknown) => {
		const { ignoredOf } = readSourceSettings({ own: all, workspace: undefined }, { own, workspace });
		return [ignoredOf(false), ignoredOf(true)];
	};

	it.each([
		["the user's for all", ["git*"], undefined, ["git*"], ["git*"]],
		["a workspace's for its own servers only", [], ["*"], [], ["*"]],
		["no fewer than the user's, for any settings of a workspace", ["git*"], [], ["git*"], ["git*"]],
		["both", ["git*"], ["a"], ["git*"], ["git*", "a"]],
		["nothing by nonsense", "git*", [5], [], []],
	])("are %s", (_what, own, workspace, forOwn, forWorkspace) => {
		expect(ignored(own, workspace)).toEqual([forOwn, forWorkspace]);
	});
});
