import { describe, expect, it } from "vitest";
import { InputValues } from "../../../../src/servers/definitions/inputValues.ts";
import { define } from "../../../../src/servers/definitions/parseConfig.ts";
import { MemorySecrets, stdioConfig, userOrigin } from "../fixtures.ts";

describe("InputValues", () => {
	const input = (id: string): { id: string; description: string; isPassword: boolean } => ({
		id,
		description: id,
		isPassword: true,
	});
	const always = (): boolean => true;
	const withInput = (args: readonly string[], name = "a"): ReturnType<typeof define> =>
		define(name, stdioConfig({ args: ["${input:key}", ...args] }), userOrigin, [input("key")]);

	it("ask once and keep the answer in the key store only (CFG-12)", async () => {
		const secrets = new MemorySecrets();
		let asked = 0;
		const values = new InputValues(secrets, () => Promise.resolve(`answer ${++asked}`));
		expect(await values.get(withInput([]), "key", always)).toBe("answer 1");
		expect(await values.get(withInput([]), "key", always)).toBe("answer 1");
		expect([...secrets.values.values()]).toEqual(["answer 1"]);
	});

	it("ask again for another server and after a change (CFG-11)", async () => {
		let asked = 0;
		const values = new InputValues(new MemorySecrets(), () => Promise.resolve(`answer ${++asked}`));
		const answers = [withInput([]), withInput([], "b"), withInput(["-x"])].map((one) => values.get(one, "key", always));
		expect(await Promise.all(answers)).toEqual(["answer 1", "answer 2", "answer 3"]);
	});

	it("keep an empty answer, but not a cancelled one", async () => {
		const answers = [undefined, "", "never"];
		const values = new InputValues(new MemorySecrets(), () => Promise.resolve(answers.shift()));
		expect(await values.get(withInput([]), "key", always)).toBeUndefined();
		expect(await values.get(withInput([]), "key", always)).toBe("");
		expect(await values.get(withInput([]), "key", always)).toBe("");
	});

	it("are not asked for if no user waits, but known if they were given before", async () => {
		const values = new InputValues(new MemorySecrets(), () => Promise.resolve("x"));
		expect(await values.get(withInput([]), "key", () => false)).toBeUndefined();
		await values.get(withInput([]), "key", always);
		expect(await values.get(withInput([]), "key", () => false)).toBe("x");
	});

	it("contain only inputs of the definition, and forget", async () => {
		const secrets = new MemorySecrets();
		const values = new InputValues(secrets, () => Promise.resolve("x"));
		expect(await values.get(withInput([]), "other", always)).toBeUndefined();
		await values.get(withInput([]), "key", always);
		await values.forget(withInput([]).id);
		expect(secrets.values.size).toBe(0);
	});

	it("are forgotten for one definition or for all that a server had, and for no other server (CFG-11)", async () => {
		const secrets = new MemorySecrets();
		const values = new InputValues(secrets, () => Promise.resolve("x"));
		const [one, changed, other] = [withInput([]), withInput(["-x"]), withInput([], "a/b")];
		for (const definition of [one, changed, other]) await values.get(definition, "key", always);
		expect(secrets.values.size).toBe(3);
		await values.forget(one.id, one.hash);
		expect(await values.get(changed, "key", () => false)).toBe("x");
		expect(await values.get(one, "key", () => false)).toBeUndefined();
		await values.forget(one.id);
		expect(await values.get(other, "key", () => false)).toBe("x");
		expect(secrets.values.size).toBe(1);
	});

	it("are not kept when they were forgotten, or may not be kept any more, while they were typed (CFG-11)", async () => {
		const secrets = new MemorySecrets();
		const typed = Promise.withResolvers<string>();
		let asked = 0;
		const values = new InputValues(secrets, () => {
			asked++;
			return typed.promise;
		});
		let isWanted = true;
		const revoked = values.get(withInput([]), "key", always);
		const unwanted = values.get(withInput([], "b"), "key", always, () => isWanted);
		const kept = values.get(withInput([], "c"), "key", always, () => true);
		await expect.poll(() => asked).toBe(3);
		await values.forget(withInput([]).id);
		isWanted = false;
		typed.resolve("typed");
		expect(await Promise.all([revoked, unwanted, kept])).toEqual([undefined, undefined, "typed"]);
		expect(secrets.values.size).toBe(1);
	});
});
