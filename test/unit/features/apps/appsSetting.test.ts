import { expect, test } from "vitest";
import { isOffered, readAppsSetting } from "../../../../src/features/apps/appsSetting.ts";

test.each([
	["off", [false, false]],
	["onRequest", [false, false]],
	["firstTime", [true, false]],
	["always", [true, true]],
	["sometimes", [false, false]],
	[undefined, [false, false]],
])("with the setting %s an app opens automatically the first and a second time: %j (APP-12)", (value, expected) => {
	const setting = readAppsSetting(value);
	expect([isOffered(setting, true), isOffered(setting, false)]).toEqual(expected);
});
