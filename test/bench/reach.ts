import { resolve } from "node:path";
import type { Reach } from "./side.ts";

const serverPath = resolve(import.meta.dirname, "server.ts");

/** The reference server for files, with the sources of this repository. */
export function filesServer(): Extract<Reach, { kind: "stdio" }> {
	const script = resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
	return { kind: "stdio", args: [script, resolve("src")] };
}

/** The server of the bench, started with these arguments. */
export function server(...args: readonly (string | number)[]): Extract<Reach, { kind: "stdio" }> {
	return { kind: "stdio", args: [serverPath, ...args.map(String)] };
}
