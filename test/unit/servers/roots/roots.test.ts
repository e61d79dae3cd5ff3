import { expect, test } from "vitest";
import { isSameRoots, rootsOf } from "../../../../src/servers/roots/roots.ts";

test("every folder is a root, in its order and with its name", () => {
	const roots = rootsOf(
		[
			{ name: "app", scheme: "file", path: "/work/app" },
			{ name: "Docs", scheme: "file", path: "/work/docs" },
		],
		false,
	);
	expect(roots).toEqual([
		{ uri: "file:///work/app", name: "app" },
		{ uri: "file:///work/docs", name: "Docs" },
	]);
});

test.each([
	["a space and a percent sign", "/a b/50%", false, "file:///a%20b/50%25"],
	["hash and question mark", "/c#/what?", false, "file:///c%23/what%3F"],
	["letters beyond ASCII", "/größe/東京", false, "file:///gr%C3%B6%C3%9Fe/%E6%9D%B1%E4%BA%AC"],
	["the root directory", "/", false, "file:///"],
	["a drive", "c:\\Users\\me\\my app", true, "file:///c:/Users/me/my%20app"],
	["a drive in a capital letter", "C:\\Users\\me", true, "file:///c:/Users/me"],
	["signs that are encoded", "c:\\50% #1\\größe", true, "file:///c:/50%25%20%231/gr%C3%B6%C3%9Fe"],
	["a share", "\\\\server\\share\\x", true, "file://server/share/x"],
	["a Windows folder, seen in WSL", "/mnt/c/Users/me/my app", false, "file:///mnt/c/Users/me/my%20app"],
	["a WSL folder, seen in Windows", "\\\\wsl.localhost\\Ubuntu\\home\\me", true, "file://wsl.localhost/Ubuntu/home/me"],
	["the folder of a container", "/workspaces/app", false, "file:///workspaces/app"],
])("a path with %s becomes a well-formed file URI", (_what, path, isWindows, uri) => {
	expect(rootsOf([{ name: "x", scheme: "file", path }], isWindows)).toEqual([{ uri, name: "x" }]);
});

test("folders that are not on the host's machine are not roots", () => {
	const schemes = ["vscode-vfs", "vscode-remote", "untitled", "https", "git"];
	expect(rootsOf(schemes.map((scheme) => ({ name: scheme, scheme, path: "/x" })))).toEqual([]);
});

test("a folder that is open twice is one root", () => {
	const folder = { name: "x", scheme: "file", path: "/x" };
	expect(rootsOf([folder, { ...folder, name: "again" }], false)).toEqual([{ uri: "file:///x", name: "x" }]);
});

test("only a difference that a server could see counts as a change", () => {
	const [a, b] = [
		{ uri: "file:///a", name: "a" },
		{ uri: "file:///b", name: "b" },
	] as const;
	expect(isSameRoots([], [])).toBe(true);
	expect(isSameRoots([a, b], [{ ...a }, { ...b }])).toBe(true);
	expect(isSameRoots([a, b], [b, a])).toBe(false);
	expect(isSameRoots([a], [{ ...a, name: "renamed" }])).toBe(false);
	expect(isSameRoots([a], [a, b])).toBe(false);
});
