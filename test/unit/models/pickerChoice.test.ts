import { expect, test } from "vitest";
import { replacementFor, type OfferChange } from "../../../src/models/pickerChoice.ts";

const change: OfferChange = {
	before: ["none"],
	now: ["a", "b"],
	used: undefined,
	remembered: undefined,
	hasOthers: false,
};

test.each<[string, Partial<OfferChange>, string | undefined]>([
	["all that there was is gone", {}, "a"],
	["all is gone, and one of the new ones was used before", { remembered: "b" }, "b"],
	["the previously used model is missing", { remembered: "x" }, "a"],
	["the model of the last message is gone", { before: ["a", "c"], used: "c", remembered: "c" }, "a"],
	["the model of the last message is gone, although others have models", { used: "none", hasOthers: true }, "a"],
	["the model of the last message of an earlier session is gone", { before: [], used: "c", hasOthers: true }, "a"],
	["another is gone than that of the last message", { before: ["a", "c"], used: "a" }, undefined],
	["one of another extension may be selected", { hasOthers: true }, undefined],
	["nothing was there before", { before: [] }, undefined],
	["nothing is gone", { before: ["a"], used: "a" }, undefined],
	["nothing is left", { now: [] }, undefined],
])("the picker is moved correctly when %s (MDL-16)", (_name, more, expected) => {
	expect(replacementFor({ ...change, ...more })).toBe(expected);
});
