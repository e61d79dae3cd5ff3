import { expect, test } from "vitest";
import { isInputOpen, whileInputIsOpen } from "../../../src/base/openInputs.ts";

test("an input box counts as open until it is closed, in any way, and independently of others (UI-22)", async () => {
	expect(isInputOpen()).toBe(false);
	const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
	const shown = [whileInputIsOpen(() => first.promise), whileInputIsOpen(() => second.promise)];
	expect(isInputOpen()).toBe(true);
	first.resolve("token");
	await shown[0];
	expect(isInputOpen()).toBe(true);
	second.reject(new Error("gone"));
	await expect(shown[1]).rejects.toThrow("gone");
	expect(isInputOpen()).toBe(false);
});
