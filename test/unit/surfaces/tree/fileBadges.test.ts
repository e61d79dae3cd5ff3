import { describe, expect, test } from "vitest";
import { toEditorUri } from "../../../../src/features/resources/uri.ts";
import { badgeOf } from "../../../../src/surfaces/tree/fileBadges.ts";

const file = toEditorUri({ server: "s", uri: "memo://a" }, { serverName: "s" });

function badge(isChanged: boolean, answered?: string): ReturnType<typeof badgeOf> {
	return badgeOf(file, {
		stateOf: ({ server, uri }) => ({
			isWatched: false,
			isOpen: false,
			isChanged: isChanged && server === "s" && uri === "memo://a",
		}),
		answeredAs: () => answered,
	});
}

describe("the file of a resource", () => {
	test("has no badge as long as there is nothing to show", () => {
		expect(badge(false)).toBeUndefined();
	});

	test("shows that it changed", () => {
		expect(badge(true)).toMatchObject({ text: "●", tooltip: "Changed since you opened it" });
	});

	test("shows that its server answered with another resource (RES-04, BLT-21)", () => {
		expect(badge(true, "memo://b\n\u202E")).toMatchObject({
			text: "≠",
			tooltip: "The server answered with the contents of memo://b \\u202E",
		});
	});

	test("of another scheme has none", () => {
		expect(badgeOf({ ...file, scheme: "file" }, { stateOf: () => raise(), answeredAs: () => raise() })).toBeUndefined();
	});
});

function raise(): never {
	throw new Error("Nobody should ask.");
}
