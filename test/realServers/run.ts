/**
 * `npm run real-servers [-- --npx] [-- --only name] [-- --write] [-- --tools]`: servers from npm connect, list and
 * answer one harmless call through the product's core. Installs them once, in a folder of their own; from then on it
 * works offline. `--npx` starts each as a user would, by `npx -y package`; `--write` writes `docs/real-servers.md`;
 * `--tools` prints the names of their tools. Prints a table and one line of JSON last; ends with an error when a server
 * did not behave as expected, or left a process behind. Not part of `npm test`, which needs no registry.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startHttpServer } from "../servers/httpServer.ts";
import { httpServers } from "./httpPackages.ts";
import { install } from "./install.ts";
import { stdioServers } from "./stdioPackages.ts";
import type { Row } from "./realServer.ts";
import { pageOf } from "./page.ts";
import { tryOut } from "./tryOut.ts";

/** How many run at the same time. */
const atOnce = 2;

const { values: flags } = parseArgs({
	options: {
		npx: { type: "boolean", default: false },
		only: { type: "string" },
		tools: { type: "boolean", default: false },
		write: { type: "boolean", default: false },
	},
});
const { only, npx: isByNpx } = flags;
const all = [...stdioServers, ...httpServers];
// npx of a listening server would be the same as the one that is started here.
const fitting = isByNpx ? stdioServers : all;
const chosen = fitting.filter(({ name }) => only === undefined || name.includes(only));
if (!isByNpx) await install(chosen);
await using small = await startHttpServer({ speaks: "both" });
const waiting = chosen.entries();
const rows: Row[] = [];
await Promise.all(Array.from({ length: atOnce }, async () => work()));
const shown: readonly Row[] = Object.values(rows);
console.table(shown);
if (!shown.every(({ isGood }) => isGood)) process.exitCode = 1;
if (flags.write) writeFileSync("docs/real-servers.md", pageOf(shown, new Date()));
console.log(JSON.stringify({ servers: shown.length, good: shown.filter(({ isGood }) => isGood).length, rows: shown }));

async function work(): Promise<void> {
	for (const [index, server] of waiting) {
		const row = await tryOut(server, {
			url: small.url,
			isByNpx,
			onListed: ({ name }, { tools }) => {
				if (flags.tools) console.log(name, tools.items.map((tool) => tool.name).join(" "));
			},
		});
		rows[index] = row;
		console.log(`${row.isGood ? "ok  " : "FAIL"}  ${row.server}: ${row.call} | ${row.remarks}`);
	}
}
