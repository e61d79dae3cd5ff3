import { describe, expect, test } from "vitest";
import { folderName, groupByPath, leafName, type Folder } from "../../../../src/surfaces/tree/paths.ts";

/** The folders and items of a list of URIs, indented. */
function picture(uris: readonly string[], order?: "first" | "name"): string {
	const lines: string[] = [];
	const draw = (folder: Folder<string>, depth: number): void => {
		for (const inner of folder.folders) {
			lines.push(`${"  ".repeat(depth)}${folderName(inner.key, folder.key)} ${inner.total}`);
			draw(inner, depth + 1);
		}
		for (const uri of folder.items) lines.push(`${"  ".repeat(depth)}${leafName(uri, folder.key)}`);
	};
	draw(groupByPath(uris, (uri) => uri, order).root, 0);
	return lines.join("\n");
}

describe("folders", () => {
	test("are the scheme, the authority and the steps of the path, with lone ones joined", () => {
		expect(
			picture([
				"https://example.com/docs/a.md",
				"https://example.com/docs/b.md",
				"https://example.com/img/logo.png",
				"https://other.example/docs/deep/er/c.md",
				"file:///work/read%20me.md",
			]),
		).toBe(
			[
				"https:// 4",
				"  example.com 3",
				"    docs 2",
				"      a.md",
				"      b.md",
				"    img 1",
				"      logo.png",
				"  other.example/docs/deep/er 1",
				"    c.md",
				"file:///work 1",
				"  read me.md",
			].join("\n"),
		);
	});

	test("of opaque URIs are separated by colons, and queries and fragments separate nothing", () => {
		expect(
			picture([
				"urn:isbn:1",
				"urn:isbn:2",
				"urn:uuid:3",
				"mailto:a@b",
				"x://host?q=/a/b",
				"x://host#/a/b",
				"x://host/",
			]),
		).toBe(
			["urn: 3", "  isbn: 2", "    1", "    2", "  uuid: 1", "    3", "mailto: 1", "  a@b", "x:// 3", "  host?q=/a/b"]
				.concat("  host#/a/b", "  host/")
				.join("\n"),
		);
	});

	test("distinguish capitals and escapes", () => {
		expect(picture(["x://A/1", "x://a/1", "x://%61/1"])).toBe(
			["x:// 3", "  A 1", "    1", "  a 1", "    1", "  a 1", "    1"].join("\n"),
		);
	});

	test("do not decode escapes that would look like another folder", () => {
		expect(picture(["x://a%2Fb/c"])).toBe("x://a%2Fb 1\n  c");
	});

	test("come in the order of their first items, or by name with numbers by value", () => {
		const uris = ["x://b/1", "x://a10/2", "x://a9/3", "x://b/4"];
		expect(picture(uris)).toBe("x:// 4\n  b 2\n    1\n    4\n  a10 1\n    2\n  a9 1\n    3");
		expect(picture(uris, "name")).toBe("x:// 4\n  a9 1\n    3\n  a10 1\n    2\n  b 2\n    1\n    4");
	});

	test("contain invalid URIs as well, and hide no character in their names", () => {
		expect(picture(["", "plain", "/a/b", "a\u202E/b", "x://"])).toBe(
			["/a 1", "  b", "a\\u202E 1", "  b", "", "plain", "x://"].join("\n"),
		);
	});

	test("have a limited depth (RES-08)", () => {
		const uri = `x:${"/a".repeat(10_000)}`;
		const { root, byKey } = groupByPath([uri, `${uri}b`], (one) => one);
		expect(byKey.size).toBeLessThan(20);
		expect(root.folders[0]?.items).toEqual([uri, `${uri}b`]);
	});
});

describe("for any URIs", () => {
	/** The same numbers for the same seed, so that a failure can be reproduced. */
	function random(seed: number): (below: number) => number {
		let state = seed;
		return (below) => {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
			return Math.floor((state / 2 ** 32) * below);
		};
	}

	test.each(Array.from({ length: 40 }, (_, seed) => seed))("each is in exactly one folder (seed %i)", (seed) => {
		const next = random(seed);
		const pieces = ["a", "x://", "b", "B", "/", "//", ":", "://", "?", "#", "%2F", "%", "ü", "x:", "..", ""];
		const uris = [
			...new Set(
				Array.from({ length: 200 }, () =>
					Array.from({ length: next(8) }, () => pieces[next(pieces.length)] ?? "").join(""),
				),
			),
		];
		const { root, byKey } = groupByPath(uris, (uri) => uri);
		const seen: string[] = [];
		const visit = (folder: Folder<string>): void => {
			let inside = folder.items.length;
			for (const inner of folder.folders) {
				expect(inner.key.startsWith(folder.key) && inner.key.length > folder.key.length).toBe(true);
				expect(byKey.get(inner.key)).toBe(inner);
				visit(inner);
				inside += inner.total;
			}
			for (const uri of folder.items) {
				expect(uri.startsWith(folder.key)).toBe(true);
				// The same one that it would be in without the others.
				expect(groupByPath([uri], (one) => one).root.folders[0]?.key ?? "").toBe(folder.key);
			}
			expect(folder.total).toBe(inside);
			// Only the outermost folder may hold nothing but one folder.
			if (folder !== root) expect(folder.items.length + folder.folders.length).toBeGreaterThan(0);
			if (folder !== root && folder.items.length === 0) expect(folder.folders.length).toBeGreaterThan(1);
			seen.push(...folder.items);
		};
		visit(root);
		expect(seen.toSorted()).toEqual(uris.toSorted());
		expect(root.total).toBe(uris.length);
	});
});
