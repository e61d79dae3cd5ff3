import { describe, expect, it } from "vitest";
import { isWithin } from "../../../../src/protocol/messages/uriWithin.ts";
import { WatchedResources } from "../../../../src/servers/sessions/watchedResources.ts";

describe("WatchedResources", () => {
	it("reports the whole set when it changes, and counts", () => {
		const sets: (readonly string[])[] = [];
		const watched = new WatchedResources((uris) => sets.push(uris));
		const first = watched.add("x://a");
		const second = watched.add("x://a");
		watched.add("x://b");
		first.dispose();
		first.dispose();
		second.dispose();
		expect(sets).toEqual([["x://a"], ["x://a", "x://b"], ["x://b"]]);
	});

	it("applies to watched resources, and to those within them", () => {
		const watched = new WatchedResources(() => undefined);
		watched.add("x://a");
		expect(["x://a", "x://a/b", "x://ab", "x://", "x://A"].map((uri) => watched.concerns(uri))).toEqual([
			true,
			true,
			false,
			false,
			false,
		]);
	});
});

it.each([
	["x://a", "x://a", true],
	["x://a/b", "x://a", true],
	["x://a#part", "x://a", true],
	["x://a/b", "x://a/", true],
	["x://a", "x://a/", false],
	["x://a?id=1", "x://a", false],
	["x://ab", "x://a", false],
	["X://a/b", "x://a", false],
])("%s within %s: %s (specification, notifications/resources/updated)", (uri, whole, is) => {
	expect(isWithin(uri, whole)).toBe(is);
});
