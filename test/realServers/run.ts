/**
 * `npm run real-servers [-- --npx] [-- --only name]`: servers from npm, beyond those that the tests use, connect and list
 * through the product's core. Installs them once, in a folder of their own; from then on it works offline. `--npx` starts
 * each as a person would, by `npx -y package`. Prints a table and one line of JSON last; ends with an error when a
 * server did not list, or left a process behind. Not part of `npm test`, which needs no registry.
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { factsOf, TestHost } from "../integration/testHost.ts";
import { startHttpServer } from "../servers/httpServer.ts";
import { waitUntilGone } from "./census.ts";
import { install, scriptOf } from "./install.ts";
import { realServers, type RealServer } from "./packages.ts";

/** What came of one server. */
interface Row {
	readonly server: string;
	readonly sdk: string;
	readonly revision: string;
	readonly era: string;
	readonly tools: number;
	readonly resources: number;
	readonly templates: number;
	readonly prompts: number;
	/** From the start until every list is read, in milliseconds. */
	readonly readyMs: number;
	readonly happened: string;
	readonly processesLeft: number;
}

const { values: flags } = parseArgs({
	options: { npx: { type: "boolean", default: false }, only: { type: "string" } },
});
/** Time for a first `npx`, which downloads. */
const handshakeMs = 120_000;

const chosen = realServers.filter(({ name }) => flags.only === undefined || name.includes(flags.only));
if (!flags.npx) await install(chosen);
await using small = await startHttpServer({ speaks: "both" });
const rows: Row[] = [];
for (const server of chosen) {
	const row = await tryOut(server);
	rows.push(row);
	console.log(`${isGood(row) ? "ok  " : "FAIL"}  ${row.server}: ${row.happened}`);
}
console.table(rows, [
	"server",
	"sdk",
	"revision",
	"era",
	"tools",
	"resources",
	"templates",
	"prompts",
	"readyMs",
	"processesLeft",
]);
if (!rows.every(isGood)) process.exitCode = 1;
console.log(JSON.stringify({ servers: rows.length, listed: rows.filter(isGood).length, rows }));

async function tryOut(server: RealServer): Promise<Row> {
	await using host = new TestHost({ handshakeMs, probeMs: 3000, requestMs: 30_000 });
	const mark = randomUUID();
	const start = performance.now();
	let found: Pick<Row, "revision" | "era" | "tools" | "resources" | "templates" | "prompts" | "happened">;
	try {
		const session = await host.run("real", configOf(server, host.folder, mark));
		await listsAreRead(session);
		const { protocolVersion, era } = factsOf(session);
		const failed = listsOf(session).flatMap(({ status }) => (status.kind === "failed" ? [status.message] : []));
		found = {
			revision: protocolVersion,
			era,
			tools: session.tools.items.length,
			resources: session.resources.items.length,
			templates: session.resourceTemplates.items.length,
			prompts: session.prompts.items.length,
			happened: failed.length === 0 ? "listed" : failed.join("; "),
		};
	} catch (error) {
		const none = { tools: 0, resources: 0, templates: 0, prompts: 0 };
		found = { revision: "-", era: "-", ...none, happened: messageOf(error) };
	}
	const readyMs = Math.round(performance.now() - start);
	await host.host.shutdown();
	const processesLeft = await waitUntilGone(mark);
	const troubles = host.log.filter((line) => / (warn|error) /.test(line));
	const happened = [found.happened, ...troubles].join(" | ");
	return { server: `${server.name}@${server.version}`, sdk: server.sdk, ...found, readyMs, happened, processesLeft };
}

function configOf(server: RealServer, folder: string, mark: string): JsonObject {
	const args = [...(server.args?.({ folder, url: small.url }) ?? [])];
	// Every process that comes of it inherits the mark.
	const env = { ...server.env, MCP_HOST_MARK: mark };
	if (!flags.npx) return { command: process.execPath, args: [scriptOf(server), ...args], env };
	const wanted = `${server.name}@${server.version}`;
	const command = server.command === undefined ? [wanted] : ["--package", wanted, server.command];
	return { command: "npx", args: ["-y", ...command, ...args], env };
}

function listsOf({ tools, resources, resourceTemplates, prompts }: ServerSession) {
	return [tools, resources, resourceTemplates, prompts];
}

/** Resolves when no list of a session is being read any more, whatever came of it. */
async function listsAreRead(session: ServerSession): Promise<void> {
	for (const list of listsOf(session)) {
		if (list.status.kind !== "loading") continue;
		await new Promise<void>((resolve) => {
			const subscription = list.onDidChange(() => {
				if (list.status.kind === "loading") return;
				subscription.dispose();
				resolve();
			});
		});
	}
}

function isGood({ tools, processesLeft, happened }: Row): boolean {
	return tools > 0 && processesLeft === 0 && happened.startsWith("listed");
}
