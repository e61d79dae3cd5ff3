import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../src/base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import type { RealServer } from "./realServer.ts";

/** The folder of the packages from one run to the next, outside of the project's own. */
export const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "mcp-host", "real-servers");

/**
 * Installs missing packages in exactly the wanted version, each server with packages of its own, as npx does, but
 * without running scripts of packages. Needs the registry only then. A package that cannot be installed is reported,
 * and does not start later.
 */
export async function install(servers: readonly RealServer[]): Promise<void> {
	for (const server of servers) {
		if (manifestOf(server.name, server) !== undefined) continue;
		const folder = folderOf(server);
		mkdirSync(folder, { recursive: true });
		console.log(`Installing ${server.name}@${server.version} in ${folder}`);
		const wanted = `${server.name}@${server.version}`;
		const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
		await promisify(execFile)("npm", ["install", "--prefix", folder, ...options, wanted], {
			shell: process.platform === "win32",
		}).catch((error: unknown) => console.error(`${wanted} cannot be installed: ${messageOf(error)}`));
	}
}

/**
 * The script that an installed package's command runs.
 * @throws Error when the package has no such command.
 */
export function scriptOf(server: RealServer): string {
	const { name, command } = server;
	const bin = manifestOf(name, server)?.["bin"];
	const named = isJsonObject(bin) ? (command === undefined ? Object.values(bin)[0] : bin[command]) : bin;
	if (typeof named !== "string") throw new Error(`${name} has no command ${command ?? ""}`);
	return join(folderOf(server), "node_modules", name, named);
}

/** The package that implements the protocol for a server, and its version; undefined if it has none as a dependency. */
export function sdkOf(server: RealServer): string | undefined {
	const v2 = manifestOf("@modelcontextprotocol/server", server);
	if (v2 !== undefined) return `v2 (${String(v2["version"])})`;
	const v1 = manifestOf("@modelcontextprotocol/sdk", server);
	return v1 === undefined ? undefined : `v1 (${String(v1["version"])})`;
}

function folderOf({ name, version }: RealServer): string {
	return join(cache, `${name.replace("/", "+")}@${version}`);
}

/** The manifest of a package, as the server finds it. */
function manifestOf(name: string, server: RealServer): JsonObject | undefined {
	const top = join(folderOf(server), "node_modules");
	const places = [join(top, server.name, "node_modules"), join(top, dirname(server.name), "node_modules"), top];
	const path = places.map((place) => join(place, name, "package.json")).find(existsSync);
	if (path === undefined) return undefined;
	const manifest = JSON.parse(readFileSync(path, "utf8")) as Json;
	return isJsonObject(manifest) ? manifest : undefined;
}
