import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Has a process believe that it is another version of Node, before it loads anything else. */
function asNode(version: string): string {
	const source = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
	return `data:text/javascript,${encodeURIComponent(source)}`;
}

test.each(["test", "check", "mock", "serve"])("%s on the command line says which Node it needs (FST-24)", (command) => {
	const run = spawnSync(process.execPath, ["--import", asNode("20.9.0"), "dist/cli.js", command], { encoding: "utf8" });
	expect(run.stderr).toBe("MCP Host's command line needs Node 22 or newer. This is Node 20.9.0.\n");
	expect(run.status).toBe(2);
});
