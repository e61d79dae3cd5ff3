import { describe, expect, test } from "vitest";
import { hasHiddenCharacters } from "../../../../src/base/text.ts";
import {
	fromEditorUri,
	keyOf,
	toEditorUri,
	type ResourceAppearance,
	type UriComponents,
} from "../../../../src/features/resources/uri.ts";

const server = "mcp-json:/work/ws 1/weather";

/** URIs that an editor's own URI type would change, or cannot represent. */
const hostileUris = [
	"memo://a",
	"memo://A",
	"memo://a/",
	"memo://a?id=1",
	"memo://a?id=2",
	"memo://a?",
	"memo://a#",
	"memo://a#top",
	"memo:///a",
	"memo:a",
	"urn:isbn:0451450523",
	"mailto:a@b.c",
	"https://User:Pa%40ss@Example.COM:0443/A%2Fb/../c//d/?q=%20+&r=ü#frag",
	"file:///etc/passwd",
	"file:///small/read%20me.md",
	"x://%E4%B8%ad/%zz/%",
	"x://[::1]:1/",
	"command:workbench.action.quit",
	"javascript:alert(1)",
	"data:text/plain;base64,SGk=",
	"",
	" ",
	"no scheme at all",
	"../../x",
	"C:\\x\\..\\y",
	"x://a/\u202Etxt.exe\u0000\n",
	"x://😀/\ud800",
	`x://${"long/".repeat(500)}end`,
];

function editorUri(uri: string, appearance: Partial<ResourceAppearance> = {}): UriComponents {
	return toEditorUri({ server, uri }, { serverName: "weather", ...appearance });
}

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 8) % below;
	};
}

describe("the mapping", () => {
	test.each(hostileUris)("restores %j exactly", (uri) => {
		expect(fromEditorUri(editorUri(uri))).toEqual({ server, uri });
		expect(fromEditorUri(toEditorUri({ server, uri, part: 3 }, { serverName: "weather" }))).toEqual({
			server,
			uri,
			part: 3,
		});
	});

	test("restores earlier versions and other views of a part exactly", () => {
		for (const uri of hostileUris) {
			for (const part of [undefined, 0, 7]) {
				for (const version of [undefined, 1_795_000_000_123]) {
					for (const isHex of [undefined, true] as const) {
						const address = {
							server,
							uri,
							...(part === undefined ? {} : { part }),
							...(version === undefined ? {} : { version }),
							...(isHex === undefined ? {} : { isHex }),
						};
						expect(fromEditorUri(toEditorUri(address, { serverName: "weather" }))).toEqual(address);
					}
				}
			}
		}
	});

	test("is one to one for ten thousand URIs of every form, which differ by as little as a case or a slash", () => {
		const random = seeded(7);
		const pick = <T>(...values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];
		const byQuery = new Map<string, string>();
		for (let round = 0; round < 10_000; round++) {
			const scheme = pick("memo", "Memo", "https", "file", "urn", "x-y.z+1");
			const authority = pick("", "//", "//host", "//HOST", "//u:p%40@[::1]:80", "//münchen.example", "//日本.jp");
			const path = Array.from({ length: random(5) }, () =>
				pick("/", "/a", "/A", "/%2F", "/%2f", "/..", "/ü", "/文", ":b"),
			);
			const query = pick("", "?", "?id=1", "?id=2", "?id=1&id=1", "?%20", "? ");
			const fragment = pick("", "#", "#top", "#Top", "#%23");
			const uri = `${scheme}:${authority}${path.join("")}${query}${fragment}`;
			const address = { server: pick("a", "A", "a b"), uri };
			const mapped = toEditorUri(address, { serverName: "a" });
			expect(fromEditorUri(mapped)).toEqual(address);
			const known = byQuery.get(mapped.query) ?? keyOf(address);
			expect(known).toBe(keyOf(address));
			byQuery.set(mapped.query, known);
		}
		expect(byQuery.size).toBeGreaterThan(5000);
		expect(new Set(byQuery.values()).size).toBe(byQuery.size);
	});

	test("accepts a URI of a million characters", () => {
		const uri = `data:text/plain,${"é%20日".repeat(250_000)}`;
		const mapped = editorUri(uri);
		expect(fromEditorUri(mapped)).toEqual({ server, uri });
		expect(mapped.path.length).toBeLessThan(300);
	});

	test("opens only our own scheme, whatever the server's URI (RES-09)", () => {
		for (const uri of [
			"command:workbench.action.quit",
			"vscode://x/y",
			"javascript:alert(1)",
			"vscode-file:x",
			"data:,x",
		]) {
			const mapped = editorUri(uri);
			expect(mapped.scheme).toBe("mcphost-resource");
			expect(mapped.authority).toBe("");
			expect(`${mapped.path}${mapped.query}`).not.toContain(uri);
		}
	});

	test("restores any text exactly, for ten thousand generated URIs", () => {
		const pieces = [
			"/",
			"?",
			"#",
			"%",
			"%2f",
			"..",
			":",
			"@",
			"A",
			"é",
			"\ud83d",
			"\ude00",
			'"',
			"\\",
			"\u0000",
			" ",
			"{}",
			"&",
			"=",
		];
		const random = seeded(42);
		for (let round = 0; round < 10_000; round++) {
			const make = (): string => Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
			const address = { server: make(), uri: make() };
			expect(fromEditorUri(toEditorUri(address, { serverName: make() }))).toEqual(address);
		}
	});

	test("distinguishes URIs by case, query, fragment or server alone", () => {
		const mapped = new Set(hostileUris.map((uri) => editorUri(uri).query));
		expect(mapped.size).toBe(hostileUris.length);
		expect(toEditorUri({ server: "a", uri: "x://y" }, { serverName: "a" }).query).not.toBe(
			toEditorUri({ server: "b", uri: "x://y" }, { serverName: "a" }).query,
		);
		expect(keyOf({ server: "a", uri: "bc" })).not.toBe(keyOf({ server: "ab", uri: "c" }));
	});

	test("puts nothing into the query that URI handling could change", () => {
		for (const uri of hostileUris) {
			const { query } = editorUri(uri);
			expect(query).toMatch(/^[\w-]+$/);
			expect(decodeURIComponent(encodeURIComponent(query))).toBe(query);
		}
	});

	test.each([
		{ scheme: "file", query: editorUri("memo://a").query },
		{ scheme: "mcphost-resource", query: "" },
		{ scheme: "mcphost-resource", query: "!!!" },
		{ scheme: "mcphost-resource", query: Buffer.from("[1,2]").toString("base64url") },
		{ scheme: "mcphost-resource", query: Buffer.from('["a"]').toString("base64url") },
		{ scheme: "mcphost-resource", query: Buffer.from('["a","b",-1]').toString("base64url") },
		{ scheme: "mcphost-resource", query: Buffer.from('["a","b","1"]').toString("base64url") },
		{ scheme: "mcphost-resource", query: Buffer.from('["a","b",null,-1]').toString("base64url") },
		{ scheme: "mcphost-resource", query: Buffer.from('["a","b",null,null,"x"]').toString("base64url") },
		{ scheme: "mcphost-resource", query: Buffer.from('{"a":1}').toString("base64url") },
	])("is undefined for the foreign URI %j", (uri) => {
		expect(fromEditorUri(uri)).toBeUndefined();
	});
});

describe("the path", () => {
	test.each([
		["memo://notes/today", "text/markdown", "/weather/memo/notes/today.md"],
		["file:///small/read%20me.md", "text/markdown", "/weather/file/small/read me.md"],
		["urn:isbn:0451450523", "text/plain", "/weather/urn/isbn 0451450523"],
		["small://images/pixel", "image/png", "/weather/small/images/pixel.png"],
		["small://images/pixel.jpg", "image/png", "/weather/small/images/pixel.jpg.png"],
		["small://images/pixel.PNG", "image/png", "/weather/small/images/pixel.PNG"],
		["x://src/main.rs", "text/plain", "/weather/x/src/main.rs"],
		["x://data?id=1", "application/json; charset=utf-8", "/weather/x/data id=1.json"],
		["x://a/b/", undefined, "/weather/x/a/b"],
		["", undefined, "/weather/resource"],
		["x:///../../etc", undefined, "/weather/x/__/__/etc"],
		["x://a/1/2/3/4/5/6/7/8/end.txt", undefined, "/weather/x/a/1/2/3/4/…/end.txt"],
	])("of %j with the type %j is %j", (uri, mimeType, path) => {
		expect(editorUri(uri, { mimeType }).path).toBe(path);
	});

	test("of a part is named by the part", () => {
		const uri = toEditorUri({ server, uri: "x://dir", part: 1 }, { serverName: "weather", partUri: "x://dir/b.css" });
		expect(uri.path).toBe("/weather/x/dir/b.css");
	});

	test("of a list of bytes is marked as such", () => {
		expect(toEditorUri({ server, uri: "x://a.png", isHex: true }, { serverName: "weather" }).path).toBe(
			"/weather/x/a.png.hex",
		);
	});

	test("follows the bytes, if they were read, rather than the server's type (RES-05)", () => {
		const bytes = Buffer.from("<html>");
		expect(editorUri("x://photo.png", { mimeType: "image/png", bytes }).path).toBe("/weather/x/photo.png.txt");
	});

	test("of several contents as one text is that of a text", () => {
		expect(editorUri("x://dir/a.png", { isCombined: true }).path).toBe("/weather/x/dir/a.png.txt");
	});

	test("is valid for every file system and readable for every user (RES-02, RES-08)", () => {
		for (const uri of hostileUris) {
			const { path, authority } = editorUri(uri, { serverName: "../evil\u202E\n" });
			expect(authority).toBe("");
			expect(path).toMatch(/^\/[^/]/);
			expect(path).not.toMatch(/\/\/|\/\.\.?(\/|$)|[\\:*?"<>|]/);
			expect(hasHiddenCharacters(path)).toBe(false);
			for (const segment of path.split("/")) expect(segment.length).toBeLessThanOrEqual(100);
		}
	});
});
