/** No secret that the host gave a server appears in a log, a state or an error, whatever the server's text (SEC-10). */
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { messageOf } from "../../src/base/errors.ts";
import { startScriptServer } from "../servers/scriptServer.ts";
import { textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

const typed = "a typed secret";
const inFile = "from-the-file-77";
const inHeader = "header-secret-99";
const inputs = [{ id: "token", type: "promptString", description: "A token", password: true }];

/** One server that may want a token typed in, approved. */
async function configure(host: TestHost, config: JsonObject): Promise<void> {
	const file = host.path(".vscode", "mcp.json");
	const origin = { kind: "mcp-json", label: ".vscode/mcp.json", file, folder: host.folder, isWorkspace: true } as const;
	const text = JSON.stringify({ inputs, servers: { leaky: config } });
	await host.host.configure([{ origin, content: { text } }], false);
	await host.host.approve(host.session("leaky").definition);
}

/** A program that prints its input in every way that reaches a log, and ends. */
const leaking = `
const { SERVICE_TOKEN, DB_PASSWORD } = process.env;
console.error("signing in with " + SERVICE_TOKEN);
console.error(JSON.stringify({ env: { DB_PASSWORD } }) + " " + Buffer.from(SERVICE_TOKEN).toString("base64"));
console.error("x".repeat(1990) + DB_PASSWORD + "x".repeat(100));
console.error("y".repeat(1994) + SERVICE_TOKEN);
console.log("no message, but " + SERVICE_TOKEN + " and " + encodeURIComponent(SERVICE_TOKEN));
process.stderr.write("z".repeat(1995) + SERVICE_TOKEN + "z".repeat(1990));
process.exitCode = 3;
`;

it("a process that writes its environment to its standard error fails without showing it", async () => {
	await using host = new TestHost();
	writeFileSync(host.path(".env"), `DB_PASSWORD=${inFile}\n`);
	await configure(host, {
		command: process.execPath,
		args: ["-e", leaking],
		env: { SERVICE_TOKEN: "${input:token}" },
		envFile: host.path(".env"),
	});
	await host.host.start(host.session("leaky").definition.id);
	const { state } = host.session("leaky");
	expect(state.kind).toBe("failed");
	const said = [JSON.stringify(state), ...host.log].join("\n");
	expect(said).toContain("signing in with ⟦input value⟧");
	for (const secret of [typed, inFile]) {
		expect(said).not.toContain(secret);
		expect(said).not.toContain(encodeURIComponent(secret));
		expect(said).not.toContain(Buffer.from(secret).toString("base64").slice(0, 12));
		// Not the rest of it where a line was cut, either.
		expect(said).not.toContain(secret.slice(0, 9));
		expect(said).not.toContain(secret.slice(-9));
	}
});

it("a server over HTTP that repeats its headers in its messages is logged and shown without them", async () => {
	await using host = new TestHost();
	await using server = await startScriptServer();
	server.onRequest(({ message, response, reply, headers }) => {
		const authorization = headers["authorization"] ?? "";
		if (message["method"] === "tools/list")
			return reply({ tools: [{ name: "leak", inputSchema: { type: "object" } }] });
		if (message["method"] !== "tools/call") return response.writeHead(405).end();
		const id = message["id"] ?? null;
		const log = { level: "error", logger: authorization, data: { authorization, list: [authorization] } };
		response.writeHead(200, { "content-type": "text/event-stream" });
		const send = (one: JsonObject): unknown =>
			response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...one })}\n\n`);
		send({ method: "notifications/message", params: log });
		send({ id, error: { code: -32000, message: `Not allowed: ${authorization} ${headers["x-api-key"] ?? ""}` } });
		return response.end();
	});
	await configure(host, {
		type: "http",
		url: server.url,
		headers: { Authorization: "Bearer ${input:token}", "X-Api-Key": inHeader },
	});
	const session = host.session("leaky");
	const lines: string[] = [];
	session.requestLog.onDidLog((line) => void lines.push(line));
	await host.host.start(session.definition.id);
	const error = await session.callTool("leak", {}).then(textOf, messageOf);
	expect(error).toContain("Not allowed: Bearer ⟦input value⟧ ⟦configured value⟧");
	await expect.poll(() => lines).toHaveLength(1);
	const said = [error, ...lines, ...host.log].join("\n");
	for (const secret of [typed, inHeader]) expect(said).not.toContain(secret);
	expect(lines[0]).toContain("⟦input value⟧");
});

it("a server that refuses its start by repeating its request is shown without it", async () => {
	await using host = new TestHost();
	await using server = await startScriptServer();
	server.onEvery(({ response, headers }) => {
		response.writeHead(400, `No such key ${headers["x-api-key"] ?? ""}`).end();
	});
	await configure(host, { type: "http", url: server.url, headers: { "X-Api-Key": "${input:token}" } });
	await host.host.start(host.session("leaky").definition.id);
	const said = [JSON.stringify(host.session("leaky").state), ...host.log].join("\n");
	expect(said).toContain("No such key ⟦input value⟧");
	expect(said).not.toContain(typed);
});
