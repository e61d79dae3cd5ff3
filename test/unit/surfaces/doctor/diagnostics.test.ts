import { expect, test } from "vitest";
import { LastErrors } from "../../../../src/base/lastErrors.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { SecretsInUse } from "../../../../src/base/secrets/secretsInUse.ts";
import { type DiagnosticsFacts, diagnosticsOf } from "../../../../src/surfaces/doctor/diagnostics.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";
import { openAi } from "../../base/secrets/secretCorpus.ts";

const known = "correct horse battery staple";
const token = openAi;

function facts(changes: Partial<DiagnosticsFacts> = {}): DiagnosticsFacts {
	const place = ["MCP Host 0.2.0", "VS Code 1.139.1", "Node v22.14.0", "linux x64"];
	return { place, settings: [], servers: [], errors: [], home: "/home/ann", ...changes };
}

async function redactor(): Promise<SecretsInUse> {
	const secrets = new SecretsInUse();
	await secrets.add([{ value: known, name: "key", label: "Key of travel" }]);
	return secrets;
}

function errorsOf(...messages: readonly string[]): LastErrors["all"] {
	const errors = new LastErrors();
	const log = errors.log(silentLog, () => Date.UTC(2026, 10, 28));
	for (const message of messages) log.error(message);
	return errors.all;
}

test("diagnostics name versions, servers by kind and state, changed settings and errors", async () => {
	const running = new FakeSession("secret project");
	await running.run({ tools: [] });
	const failed = new FakeSession("other");
	failed.state = { kind: "failed", message: "/srv/private ended", stderr: ["its words"] };
	const text = diagnosticsOf(
		facts({
			servers: [running, failed],
			settings: [
				{ name: "mcpHost.trace", where: "user", value: "bodies" },
				{ name: "mcpHost.servers", where: "workspace", value: { a: { command: "private-command", args: ["--deep"] } } },
			],
			errors: errorsOf("The file /home/ann/.config/x could not be read."),
		}),
		await redactor(),
	);
	expect(text).toContain("MCP Host 0.2.0 · VS Code 1.139.1 · Node v22.14.0 · linux x64");
	expect(text).toContain("- stdio server of user-settings, running (2025-11-25 over stdio)");
	expect(text).toContain("- stdio server of user-settings, failed");
	expect(text).toContain('- mcpHost.trace (user): "bodies"');
	expect(text).toContain("- mcpHost.servers (workspace): 1 entry");
	expect(text).toContain("2026-11-28T00:00:00.000Z error: The file ~/.config/x could not be read.");
	for (const hidden of ["secret project", "private-command", "--deep", "/srv/private", "its words", "/home/ann"])
		expect(text).not.toContain(hidden);
});

test("a planted secret is in no part of the diagnostics (SEC-02, SEC-10)", async () => {
	const session = new FakeSession(token);
	const text = diagnosticsOf(
		facts({
			servers: [session],
			settings: [
				{ name: "mcpHost.inputs", where: "user", value: [{ id: "a", default: known }] },
				{
					name: "mcpHost.models",
					where: "user",
					value: [
						{ name: known, headers: { "x-plain": "unmarked-value" }, parameters: { apiKey: "opaque-4711-value" } },
					],
				},
				{ name: "mcpHost.redaction.patterns", where: "user", value: { x: token } },
			],
			errors: errorsOf(`Sent ${known} to https://ann:${token}@example.com`, `password=${token}`),
		}),
		await redactor(),
	);
	for (const secret of [known, token, "unmarked-value", "opaque-4711-value"]) expect(text).not.toContain(secret);
	expect(text).toContain("x-plain");
});

test("only the last errors and warnings are kept, each up to a length", () => {
	const errors = new LastErrors();
	const log = errors.log(silentLog);
	log.info("fine");
	for (let index = 0; index < 30; index++) log.warn(`${index} ${"x".repeat(5000)}`);
	expect(errors.all).toHaveLength(20);
	expect(errors.all.at(-1)?.message).toMatch(/^29 x{1900}/);
	expect(Math.max(...errors.all.map(({ message }) => message.length))).toBe(2000);
});
