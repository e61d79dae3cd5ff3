import path from "node:path";
import type { Settings } from "../editor/profile.ts";
import { repositoryRoot } from "./paths.ts";

/** The command of a server that is installed as a package, run by this Node. */
function packaged(
	name: string,
	...args: readonly string[]
): { readonly command: string; readonly args: readonly string[] } {
	const script = path.join(repositoryRoot, "node_modules", "@modelcontextprotocol", name, "dist", "index.js");
	return { command: process.execPath, args: [script, ...args] };
}

/** The configuration of `npm start`: the demo server, which starts at once, and real ones, which wait for an approval. */
export const demoSettings: Settings = {
	"mcpHost.demoServer": true,
	"mcpHost.servers": {
		everything: packaged("server-everything", "stdio"),
		files: packaged("server-filesystem"),
		memory: packaged("server-memory"),
	},
};
