import { describe, expect, it } from "vitest";
import { looksSecret } from "../../../src/base/secretWords.ts";

describe("looksSecret (security.md ELC-01)", () => {
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

	it("looks at every text", () => {
		expect(looksSecret("value", "Your password")).toBe(true);
		expect(looksSecret()).toBe(false);
	});
});
