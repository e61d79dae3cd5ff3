import type { CallToolResult } from "@modelcontextprotocol/client";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import type { FaultyMode } from "../servers/faulty.ts";
import { onLines } from "../servers/received.ts";

const servers = resolve(import.meta.dirname, "../servers");
const packages = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol");

const compileCache = new URL("../servers/compileCache.mjs", import.meta.url).href;

/** The configuration of a script over stdio, compiled once for all of its starts. */
export function scriptConfig(script: string, ...args: readonly string[]): JsonObject {
	return { command: process.execPath, args: ["--import", compileCache, script, ...args] };
}

/** The configuration of the small server over stdio; it logs to a path if one is given. */
export function smallConfig(era: "both" | "legacy" | "modern", log?: string, ...more: readonly string[]): JsonObject {
	return scriptConfig(resolve(servers, "everythingSmall.ts"), "--era", era, ...more, ...logTo(log));
}

/** The configuration of a server that goes wrong in one way. */
export function faultyConfig(mode: FaultyMode, log?: string, amount?: number): JsonObject {
	const amounts = amount === undefined ? [] : [String(amount)];
	return scriptConfig(resolve(servers, "faulty.ts"), mode, ...amounts, ...logTo(log));
}

function logTo(log: string | undefined): readonly string[] {
	return log === undefined ? [] : ["--log", log];
}

/** The configuration of the server of results over stdio; it logs to a path. */
export function resultConfig(era: "both" | "legacy" | "modern", log: string): JsonObject {
	return scriptConfig(resolve(servers, "resultServer.ts"), "--era", era, "--log", log);
}

/** The configuration of one of the protocol's own servers, as delivered by npm. */
export function packageConfig(name: "everything" | "filesystem" | "memory", ...args: readonly string[]): JsonObject {
	return scriptConfig(resolve(packages, `server-${name}`, "dist/index.js"), ...args);
}

/** A process that serves on a port of its own until it is disposed. */
export interface PortServer extends AsyncDisposable {
	readonly port: number;
}

/**
 * Starts server-everything over HTTP in a process of its own and waits until it listens. It must be given a port, which
 * another program may have taken by the time that it listens: then it gets another one, three times at most.
 */
export async function startEverything(transport: "streamableHttp" | "sse", attempts = 3): Promise<PortServer> {
	const port = await freePort();
	const child = spawn(process.execPath, [resolve(packages, "server-everything/dist/index.js"), transport], {
		env: { ...process.env, PORT: String(port) },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const ended = await new Promise<string | undefined>((resolve) => {
		let errors = "";
		// Read to the end: a closed pipe would kill the server at its next line.
		onLines(child.stderr, (line) => {
			errors += `${line}\n`;
			if (line.includes(` on port ${port}`)) resolve(undefined);
		});
		child.once("close", () => resolve(errors));
	});
	if (ended?.includes("already in use") === true && attempts > 1) return startEverything(transport, attempts - 1);
	if (ended !== undefined) throw new Error(`server-everything ended: ${ended}`);
	return {
		port,
		async [Symbol.asyncDispose]() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill("SIGKILL");
			await once(child, "exit");
		},
	};
}

/** A loopback port at which nothing listens now. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}

/** The texts of a tool's result, joined. */
export function textOf({ content }: CallToolResult): string {
	return content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
}

/** Whether a process runs. A process that ended and only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}
