import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import type { RealServer } from "./packages.ts";

/** Where the packages are kept from one run to the next, away from the project's own. */
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "mcp-host", "real-servers");

/** Installs what is not there yet in exactly the wanted version. Needs the registry only then. */
export async function install(servers: readonly RealServer[]): Promise<void> {
	const missing = servers.filter(({ name, version }) => manifestOf(name)?.["version"] !== version);
	if (missing.length === 0) return;
	mkdirSync(cache, { recursive: true });
	const wanted = servers.map(({ name, version }) => `${name}@${version}`);
	console.log(`Installing ${missing.map(({ name }) => name).join(", ")} in ${cache}`);
	// Browsers are none of our business: a server that lists its tools needs none.
	const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1", PUPPETEER_SKIP_DOWNLOAD: "1" };
	await promisify(execFile)(
		"npm",
		["install", "--prefix", cache, "--no-audit", "--no-fund", "--save-exact", ...wanted],
		{
			env,
			shell: process.platform === "win32",
		},
	);
}

/**
 * The script that an installed package's command runs.
 * @throws Error when the package has no such command.
 */
export function scriptOf({ name, command }: RealServer): string {
	const bin = manifestOf(name)?.["bin"];
	const script =
		typeof bin === "string"
			? bin
			: isJsonObject(bin)
				? command === undefined
					? Object.values(bin)[0]
					: bin[command]
				: undefined;
	if (typeof script !== "string") throw new Error(`${name} has no command ${command ?? ""}`);
	return join(cache, "node_modules", name, script);
}

function manifestOf(name: string): JsonObject | undefined {
	const path = join(cache, "node_modules", name, "package.json");
	if (!existsSync(path)) return undefined;
	const manifest = JSON.parse(readFileSync(path, "utf8")) as Json;
	return isJsonObject(manifest) ? manifest : undefined;
}
