/** Text for logs, states and errors contains no secret that the host knows (SEC-10). */
import { expect, test } from "vitest";
import { silentLog } from "../../../../src/base/log.ts";
import { SecretsInUse } from "../../../../src/base/secrets/secretsInUse.ts";
import { cap } from "../../../../src/base/text.ts";

const value = 'Grüße/"7" & \\ more';

async function knowing(...values: readonly string[]): Promise<SecretsInUse> {
	const secrets = new SecretsInUse();
	await secrets.add(values.map((one) => ({ value: one, name: "API key", label: "API key of Ollama" })));
	return secrets;
}

test("nothing is changed if no secret is known, or none is in the text", async () => {
	expect(new SecretsInUse().redact(value)).toBe(value);
	const state = { kind: "failed", message: "exited", stderr: ["one", "two"], retryAt: 5 } as const;
	expect((await knowing(value)).redactAll(state)).toBe(state);
});

test.each([
	["as it is", value],
	["in JSON", JSON.stringify(value).slice(1, -1)],
	["in JSON in JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
	["in an address", encodeURIComponent(value)],
	["in base64", Buffer.from(value).toString("base64").slice(0, -2)],
])("a secret is found %s, each time", async (_how, form) => {
	const secrets = await knowing(value);
	expect(secrets.redact(`<${form}> <${form}>`)).toBe("<⟦API key⟧> <⟦API key⟧>");
});

const odd = 'aB3"x/yz+9 q=K|7';
test.each([
	["the query of an address", () => new URL(`https://h.example/?key=${odd}`).href],
	["the path of an address", () => new URL(`https://h.example/${odd}/sse`).href],
	["the fragment of an address", () => new URL(`https://h.example/#${odd}`).href],
	["the user info of an address", () => Object.assign(new URL("https://h.example/"), { password: odd }).href],
	["a path that keeps its slashes", () => encodeURIComponent(odd).replaceAll("%2F", "/")],
	["encodeURI", () => encodeURI(`https://h.example/${odd}`)],
	["a form", () => new URLSearchParams({ k: odd }).toString()],
	...[/[<>&+=]/g, /\\"|[<>&'+`]/g, /[<>&=']/g].flatMap((signs) =>
		[false, true].map((isUpper): [string, () => string] => [
			`JSON with ${signs.source} escaped, ${isUpper ? "upper" : "lower"} case`,
			() =>
				JSON.stringify(odd).replace(signs, (sign) => {
					const digits = sign
						.charCodeAt(sign.length - 1)
						.toString(16)
						.padStart(4, "0");
					return `\\u${isUpper ? digits.toUpperCase() : digits}`;
				}),
		]),
	),
])("a secret is found as %s writes it", async (_what, write) => {
	const shown = (await knowing(odd)).redact(write());
	expect(shown).toContain("\u27E6API key\u27E7");
	expect(shown).not.toMatch(/aB3|K(?:\||%7C)7/i);
});

test("a parser that changes a secret's text adds nothing to search for", async () => {
	const secrets = await knowing("long-secret/../abcdef-words");
	expect(secrets.redact("abcdef-words xabcdef-words")).toBe("abcdef-words xabcdef-words");
});

test("keys are redacted, but not the names of the host's own members", async () => {
	const secrets = await knowing(value, "message", "retryAt-12345");
	expect(secrets.redactAll({ list: [{ [value]: 1 }] })).toEqual({ list: [{ "\u27E6API key\u27E7": 1 }] });
	const state = { message: "x", retryAt: 1, list: ["a"] };
	expect(secrets.redactAll(state)).toBe(state);
});

test("a secret that is the name of a kind of state leaves the state what it is", async () => {
	const secrets = await knowing("stopped");
	expect(secrets.redactAll({ kind: "stopped", message: "It stopped" })).toEqual({
		kind: "stopped",
		message: "It \u27E6API key\u27E7",
	});
});

test("a secret that contains another one is removed whole", async () => {
	const secrets = await knowing("key-1234567", "key-1234567-and-more");
	expect(secrets.redact("key-1234567-and-more key-1234567")).toBe("⟦API key⟧ ⟦API key⟧");
});

test("the rest of a cut secret is removed, and a text with only the same beginning is not", async () => {
	const secrets = await knowing("abcdefgh-secret");
	expect(secrets.redact("ends in abcdefgh-sec")).toBe("ends in ⟦API key⟧");
	expect(secrets.redact(cap(`it is abcdefgh-secret, and more`, 17))).toBe("it is ⟦API key⟧… (14 more characters)");
	expect(secrets.redact("abcdefgh-series is a name")).toBe("abcdefgh-series is a name");
});

test("the lines of a key of several lines are found one by one", async () => {
	const lines = ["-----BEGIN KEY-----", "MIIEvQIBADANBgkqhkiG", "9w0BAQEFAASCBKcwggSj"];
	const secrets = await knowing(lines.join("\n"));
	expect(lines.map((line) => secrets.redact(`| ${line}`))).toEqual(Array(3).fill("| ⟦API key⟧"));
});

test("a short value counts only as a separate word", async () => {
	const secrets = await knowing("hunter");
	expect(secrets.redact("hunter hunters a-hunter")).toBe("⟦API key⟧ hunters a-⟦API key⟧");
});

test("logs, states and errors are written without it, even if it becomes known later", async () => {
	const lines: string[] = [];
	const secrets = await knowing();
	const log = secrets.log({ ...silentLog, warn: (line) => void lines.push(line) });
	log.warn("late-secret-1");
	await secrets.add([{ value: "late-secret-1", name: "sign-in", label: "" }]);
	log.warn("late-secret-1");
	expect(lines).toEqual(["late-secret-1", "⟦sign-in⟧"]);
	expect(secrets.redactAll({ message: "late-secret-1!", stderr: ["late-secret-1"] })).toEqual({
		message: "⟦sign-in⟧!",
		stderr: ["⟦sign-in⟧"],
	});
});

test("at most this many are known, the latest ones", async () => {
	const secrets = await knowing(...Array.from({ length: 400 }, (_, index) => `secret-number-${index}-`));
	expect(secrets.redact("secret-number-0- secret-number-399-")).toBe("secret-number-0- ⟦API key⟧");
});
