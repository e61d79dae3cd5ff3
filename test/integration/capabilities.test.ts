/** What servers are told that this client can do: what is there, in a window and on the command line. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { messagesOf, readReceived } from "../servers/received.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** The capabilities that a server was told of in its first request that tells of them. */
function declared(log: string, era: "legacy" | "modern"): unknown {
	const [message] = messagesOf(readReceived(log), era === "legacy" ? "initialize" : "tools/list");
	const params = message?.["params"];
	if (!isJsonObject(params)) return undefined;
	const { capabilities, _meta: meta } = params;
	return era === "legacy" ? capabilities : (meta as JsonObject)["io.modelcontextprotocol/clientCapabilities"];
}

test.each(["legacy", "modern"] as const)(
	"TRN-60: a %s server is told of what there is an answer for, and of nothing else",
	async (era) => {
		await using host = new TestHost();
		const log = host.path("received.log");
		const session = await host.run("small", smallConfig(era, log));
		await expect.poll(() => session.tools.status.kind).toBe("ready");
		expect(declared(log, era)).toEqual({
			roots: { listChanged: true },
			sampling: { tools: {}, context: {} },
			extensions: { "io.modelcontextprotocol/tasks": {} },
			elicitation: { form: {}, url: {} },
		});

		// Nobody has a model there.
		const folder = host.path("terminal");
		mkdirSync(path.join(folder, ".vscode"), { recursive: true });
		const own = path.join(folder, "received.log");
		writeFileSync(
			path.join(folder, ".vscode", "mcp.json"),
			JSON.stringify({ servers: { small: smallConfig(era, own) } }),
		);
		const calls = { one: { server: "small", tool: "echo", arguments: { text: "hi" } } };
		writeFileSync(path.join(folder, "it.mcp-calls.json"), JSON.stringify({ version: 1, calls }));
		const script = [path.resolve("dist/cli.js"), "test", "it.mcp-calls.json", "--allow-all"];
		const child = spawn(process.execPath, script, { cwd: folder, stdio: "ignore" });
		expect(await once(child, "close")).toEqual([0, null]);
		expect(declared(own, era)).toEqual({
			roots: { listChanged: true },
			elicitation: { form: {}, url: {} },
			extensions: { "io.modelcontextprotocol/tasks": {} },
		});
	},
);
