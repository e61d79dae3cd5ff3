import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { SeededFault } from "../servers/seededServer.ts";

const cli = path.resolve("dist/cli.js");
const seeded = path.resolve("test/servers/seededServer.ts");

/** A folder whose configuration has a server `orders` with a fault, or without one, and that server as `server.mjs`. */
export function project(fault?: SeededFault, more: JsonObject = {}): string {
	const folder = mkdtempSync(path.join(tmpdir(), "mcp-host-check-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(path.join(folder, ".vscode"));
	const orders = { command: process.execPath, args: [seeded, ...(fault === undefined ? [] : [fault])] };
	writeFileSync(
		path.join(folder, ".vscode/mcp.json"),
		JSON.stringify({ servers: { orders, ...more } }, undefined, "\t"),
	);
	const start = `process.argv = [process.execPath, ${JSON.stringify(seeded)}]; await import(${JSON.stringify(seeded)});`;
	writeFileSync(path.join(folder, "server.mjs"), start);
	return folder;
}

/** Runs a line in a shell, with the built script as `mcp-host` and the Node of this test. */
export async function shell(line: string, folder: string) {
	const command = line.replace(/^mcp-host(?= )/, `"${process.execPath}" "${cli}"`);
	const environment = {
		...process.env,
		PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
	};
	const child = spawn(command, { shell: true, cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
	let out = "";
	let errors = "";
	child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
	child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
	const { promise, resolve: ended } = Promise.withResolvers<number | null>();
	child.once("close", ended);
	return { code: await promise, out, errors };
}
