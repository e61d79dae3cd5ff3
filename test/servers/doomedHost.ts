/**
 * A host that is going to be killed: `node doomedHost.ts <launches as JSON>`. Starts the servers and prints one line of
 * JSON: their process ids and the watchdog's. Prints another one when its watchdog was ended. Ends on its own after a
 * minute.
 */
import { text } from "node:stream/consumers";
import { startProcess } from "../../src/protocol/stdio/childProcess.ts";
import { watchdog } from "../../src/protocol/stdio/watchdog.ts";
import type { StdioLaunch } from "../unit/protocol/stdio/processes.ts";

const launches = JSON.parse(process.argv[2] ?? "[]") as readonly StdioLaunch[];
const servers = await Promise.all(launches.map((launch) => startProcess(launch)));
// Each reports when its own children are running.
await Promise.all(servers.map((server) => new Promise((ready) => server.stdout.once("data", ready))));
const pids = servers.map(({ pid }) => pid);
let told: number | undefined;
setInterval(() => {
	if (watchdog.pid === told) return;
	told = watchdog.pid;
	process.stdout.write(`${JSON.stringify({ servers: pids, watchdog: told })}\n`);
}, 10);
setTimeout(() => process.exit(1), 60_000);
await text(process.stdin);
