import { describe, expect, it } from "vitest";
import { isSecret } from "../../../src/base/secrets/judge.ts";

const looksSecret = (...texts: readonly string[]): boolean => texts.some((text) => isSecret(text, undefined, "asked"));
const holdsSecret = (text: string): boolean => isSecret("", text, "asked");

describe("looksSecret (ELC-01)", () => {
	it.each([
		"password",
		"userPassword",
		"access_token",
		"user_pin",
		"card_cvv",
		"login.pin",
		"new_passphrase",
		"PASSWORDS",
		"\uFF50\uFF41\uFF53\uFF53\uFF57\uFF4F\uFF52\uFF44",
		"api_key",
		"API key",
		"apiKey",
		"githubToken",
		"personal-access-token",
		"client_secret",
		"AWS credentials",
		"pin",
		"Card PIN",
		"CVV",
		"ssn",
		"Social Security",
		"seed phrase",
		"credit card",
		"Your security code",
		"Passwort",
		"contraseña",
		"パスワード",
	])("sees one in %s", (text) => {
		expect(looksSecret(text)).toBe(true);
	});

	it.each(["passenger", "shipping", "maxTokens", "tokenizer", "keyboard", "opinion", "compass", "city", ""])(
		"sees none in %j",
		(text) => {
			expect(looksSecret(text)).toBe(false);
		},
	);

	it("checks every text", () => {
		expect(looksSecret("value", "Your password")).toBe(true);
		expect(looksSecret()).toBe(false);
	});
});

describe("holdsSecret", () => {
	it.each([
		"password=hunter2",
		"API key=x",
		"api://x/y?access_token=x",
		"api://x/y?page=1&accessToken=x#top",
		"api://search?query=a%3D1%26token%3Dx",
		"db://me:hunter2@host/table",
		"api://proxy?to=https%3A%2F%2Fme%3Ahunter2%40host%2F",
	])("sees one in %s", (text) => {
		expect(holdsSecret(text)).toBe(true);
	});

	it.each([
		"api://secrets/of/the/sea?page=1",
		"api://x?q=token",
		"api://host:80/a@b",
		"mail://me@host/inbox?sort=date",
		"token",
		"",
	])("sees none in %j", (text) => {
		expect(holdsSecret(text)).toBe(false);
	});

	it("is quick for a long text", () => {
		expect(holdsSecret(`api://${"a=://:".repeat(50_000)}`)).toBe(false);
	});
});
