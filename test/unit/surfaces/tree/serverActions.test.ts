import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type MenuManifest, serverActions } from "../../../../src/surfaces/tree/serverActions.ts";

const manifest = JSON.parse(
	readFileSync(resolve(import.meta.dirname, "../../../../package.json"), "utf8"),
) as MenuManifest;

function titles(context: string): readonly string[] {
	return serverActions(manifest, context).map(({ title }) => title);
}

test("a running server of the user's is stopped, edited, moved and removed, in the order of its row's menu", () => {
	const offered = titles("server-running of-user");
	expect(offered.slice(0, 3)).toEqual(["Stop Server", "Restart Server", "Check Server"]);
	expect(offered).toEqual(expect.arrayContaining(["Edit Server…", "Duplicate Server…", "Remove Server…", "Show Log"]));
	expect(offered).not.toContain("Start Server");
	expect(new Set(offered).size).toBe(offered.length);
});

test("a stopped server is started; an account is signed out if there is one", () => {
	expect(titles("server-stopped of-workspace")).toContain("Start Server");
	expect(titles("server-stopped of-workspace")).not.toContain("Sign Out");
	expect(titles("server-running of-user signed-in")).toContain("Sign Out");
});

test("the demo server has no entry to edit", () => {
	expect(titles("server-stopped").filter((title) => /Edit|Remove|Go to Definition/.test(title))).toEqual([]);
});

test("each action has the icon of its command", () => {
	const [stop] = serverActions(manifest, "server-running of-user");
	expect(stop).toMatchObject({ command: "mcpHost.stopServer", icon: "debug-stop" });
});
