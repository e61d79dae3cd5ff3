import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { HostError, messageOf } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { oneLine } from "../../src/base/text.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { freePort, textOf } from "../integration/fixtures.ts";
import { factsOf, TestHost } from "../integration/testHost.ts";
import { waitUntilGone } from "./census.ts";
import { cache, scriptOf, sdkOf } from "./install.ts";
import { startListening } from "./listening.ts";
import type { Place, RealServer, Row } from "./realServer.ts";

/** How much of an answer and of a remark is shown, in characters, and how many remarks. */
const most = { answer: 60, remark: 160, remarks: 2 };

/** The options of a trial. */
export interface Way {
	/** The address of a small server on this machine. */
	readonly url: string;
	/** Whether npx starts the servers, as a user's configuration does. */
	readonly isByNpx: boolean;
	/** Called for each running session once its lists are read. */
	readonly onListed?: (server: RealServer, session: ServerSession) => void;
}

type Found = Omit<Row, "server" | "over" | "sdk" | "readyMs" | "processesLeft" | "isGood"> & {
	readonly isListed: boolean;
};

const nothing = { revision: "-", era: "-", tools: 0, resources: 0, templates: 0, prompts: 0, call: "-" };

/** Starts a server, reads its lists, makes its one call, and stops it. Never rejects. */
export async function tryOut(server: RealServer, way: Way): Promise<Row> {
	// A first npx downloads.
	await using host = new TestHost({ handshakeMs: 120_000, probeMs: 3000, requestMs: 30_000 });
	const mark = randomUUID();
	const place: Place = { folder: host.folder, url: way.url, port: await freePort() };
	for (const [name, text] of Object.entries(server.files ?? {})) writeFileSync(host.path(name), text);
	const start = performance.now();
	let readyMs = 0;
	let found: Found;
	try {
		await using reached = await reach(server, place, way, mark);
		const session = await host.run("real", reached.config);
		await listsAreRead(session);
		readyMs = Math.round(performance.now() - start);
		way.onListed?.(server, session);
		found = await look(server, session, place);
		await host.host.shutdown();
	} catch (error) {
		const state = host.host.registry.sessions[0]?.state;
		found = { ...nothing, remarks: state?.kind === "failed" ? state.message : messageOf(error), isListed: false };
		readyMs = Math.round(performance.now() - start);
		await host.host.shutdown();
	}
	const processesLeft = await waitUntilGone(mark);
	const troubles = host.log.flatMap((line) => /^real (?:warn|error) (.*)$/s.exec(line)?.slice(1) ?? []);
	const needs = server.lacks === undefined ? "" : `It needs ${server.lacks}.`;
	const { isListed, ...shown } = found;
	const isAsExpected = isListed || (server.lacks !== undefined && found.era !== "-");
	const remarks = [...new Set([needs, found.remarks, ...troubles])].filter((remark) => remark !== "");
	return {
		server: `${server.name}@${server.version}`,
		over: server.listens === undefined ? "stdio" : server.listens.type === "sse" ? "HTTP+SSE" : "HTTP",
		sdk: server.sdk ?? (way.isByNpx ? undefined : sdkOf(server)) ?? "bundled",
		...shown,
		call: plain(found.call, place),
		readyMs,
		remarks: remarks
			.slice(0, most.remarks)
			.map((remark) => oneLine(plain(remark, place), most.remark))
			.join(" / "),
		processesLeft,
		isGood: isAsExpected !== (server.fails === true) && processesLeft === 0,
	};
}

/** The configuration by which the host reaches a server, which runs already if it listens. */
async function reach(
	server: RealServer,
	place: Place,
	{ isByNpx }: Way,
	mark: string,
): Promise<{ readonly config: JsonObject } & AsyncDisposable> {
	const { listens } = server;
	const args = [...(server.args?.(place) ?? [])];
	const { folder, port } = place;
	// Every process that descends from it inherits the mark. None of them writes into the user's own home.
	const homes = isByNpx ? {} : { HOME: folder, USERPROFILE: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
	const asked = { DO_NOT_TRACK: "1", NO_UPDATE_NOTIFIER: "1", ...server.env };
	const env = { ...homes, ...asked, MCP_HOST_MARK: mark };
	if (listens !== undefined) {
		const portEnv = listens.portIn === undefined ? {} : { [listens.portIn]: String(port) };
		const script = [scriptOf(server), ...args];
		const running = await startListening({ args: script, env: { ...env, ...portEnv }, folder, port });
		const config = { type: listens.type, url: `http://localhost:${port}${listens.path}` };
		return { config, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
	}
	const none = async (): Promise<void> => undefined;
	if (!isByNpx) {
		const config = { command: process.execPath, args: [scriptOf(server), ...args], env, cwd: folder };
		return { config, [Symbol.asyncDispose]: none };
	}
	const wanted = `${server.name}@${server.version}`;
	const command = server.command === undefined ? [wanted] : ["--package", wanted, server.command];
	return {
		config: { command: "npx", args: ["-y", ...command, ...args], env, cwd: folder },
		[Symbol.asyncDispose]: none,
	};
}

async function look(server: RealServer, session: ServerSession, place: Place): Promise<Found> {
	const { protocolVersion, era } = factsOf(session);
	const failed = listsOf(session).flatMap(({ status }) => (status.kind === "failed" ? [status.message] : []));
	return {
		revision: protocolVersion,
		era,
		tools: session.tools.items.length,
		resources: session.resources.items.length,
		templates: session.resourceTemplates.items.length,
		prompts: session.prompts.items.length,
		call: await callOf(server, session, place),
		remarks: failed.join("; "),
		isListed: failed.length === 0,
	};
}

async function callOf({ call }: RealServer, session: ServerSession, place: Place): Promise<string> {
	if (call === undefined) return "none";
	try {
		const result = await session.callTool(call.tool, call.args?.(place) ?? {});
		const answer = oneLine(textOf(result), most.answer) || "(nothing)";
		return `${call.tool}: ${result.isError === true ? "error of the tool: " : ""}${answer}`;
	} catch (error) {
		return `${call.tool}: ${HostError.is(error) ? error.code : "error"}: ${oneLine(messageOf(error), most.remark)}`;
	}
}

function listsOf({ tools, resources, resourceTemplates, prompts }: ServerSession) {
	return [tools, resources, resourceTemplates, prompts];
}

/** Resolves when no list of a session is being read any more, whatever the result. */
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

/** A text without parts that differ from run to run and from machine to machine. */
function plain(text: string, { folder, port }: Place): string {
	return text.replaceAll(folder, "~").replaceAll(cache, "…").replaceAll(`:${port}`, ":PORT");
}
