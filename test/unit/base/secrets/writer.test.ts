/** All output of the host passes one writer, which removes known secrets and text that looks like one (SEC-02). */
import { expect, test } from "vitest";
import { SecretMask } from "../../../../src/base/secrets/secretMask.ts";
import { SafeWriter } from "../../../../src/base/secrets/writer.ts";
import { secretCorpus, structuredLookalikes, structuredSecrets } from "./secretCorpus.ts";

const known = { value: "known-Secret-9", name: "API key", label: "API key of one" };

function writer(): SafeWriter {
	const mask = new SecretMask();
	mask.add([known]);
	return new SafeWriter(mask);
}

test("a known secret is in no text, key, id, address or error that leaves the host", () => {
	const left = JSON.stringify(
		writer().json({
			id: known.value,
			method: `x/${known.value}`,
			[known.value]: 1,
			error: { message: `no ${known.value}` },
		}),
	);
	expect(left).not.toContain(known.value);
});

test.each(secretCorpus.filter(([, , where]) => where === undefined).map(([name, sample]) => [name, sample] as const))(
	"text that looks like a secret is hidden in members and in the JSON text beside them: “%s” %s",
	(name, sample) => {
		const value = sample.replace(/[«»]/g, "");
		const secret = /«([^»]*)»/.exec(sample)?.[1] ?? "";
		const structured = { [name || "value"]: value };
		const used = writer();
		const left = used.json({
			structuredContent: structured,
			content: [{ type: "text", text: JSON.stringify(structured) }],
		});
		expect(used.hidden).toBeGreaterThan(1);
		if (secret.length > 8) expect(JSON.stringify(left)).not.toContain(secret);
	},
);

test.each(structuredSecrets)("what a pair or the object around a member names is hidden: %j", (value) => {
	expect(JSON.stringify(writer().json(value))).not.toContain("hunter2x");
});

test.each(structuredLookalikes)("a description of a secret stays: %j", (value) => {
	expect(writer().json(value)).toEqual(value);
});

test("numbers are hidden by their names", () => {
	expect(writer().json({ pin: 1234, max_tokens: 5 })).toEqual({ pin: "\u27E6hidden\u27E7", max_tokens: 5 });
});

test("tokens that a server renews do not displace other secrets", () => {
	const mask = new SecretMask();
	mask.add([known]);
	for (let index = 0; index < 400; index++)
		mask.add([{ value: `renewed-token-${index}-x`, name: "sign-in", label: "sign-in at two" }]);
	expect(mask.redact(`${known.value} renewed-token-399-x`)).toBe("\u27E6API key\u27E7 \u27E6sign-in\u27E7");
});
