import { resolve } from "node:path";
import type { Reach } from "./side.ts";

const serverPath = resolve(import.meta.dirname, "server.ts");

/** The server of the bench, started with these arguments. */
export function server(...args: readonly (string | number)[]): Extract<Reach, { kind: "stdio" }> {
	return { kind: "stdio", args: [serverPath, ...args.map(String)] };
}
