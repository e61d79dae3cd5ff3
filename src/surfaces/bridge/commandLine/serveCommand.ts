import type { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { once } from "node:events";
import { messageOf } from "../../../base/errors.ts";
import { stringOf } from "../../../base/guards.ts";
import type { JsonObject } from "../../../base/json.ts";
import { RequestRefusal } from "../../../base/refusal.ts";
import type { ListKind } from "../../../protocol/connection.ts";
import { listKinds, type RelayedMethod } from "../link.ts";
import { meetingFolder } from "../meetingPlace.ts";
import { makeOfferedServer, type Relayed, sendChanged } from "../offeredServer.ts";
import { Followed, HeardTransport } from "./followed.ts";
import { WindowLink } from "./windowLink.ts";

/** The arguments of `serve`. */
export const serveUsage = `Usage: mcp-host serve [--folder FOLDER]

  Offers the servers of MCP Host in your open VS Code window to an MCP client, over standard input and output. Turn on
  Share Servers with Other Agents… in that window first. The window asks you about each new client, and about calls as
  usual. FOLDER is where windows are found, if not .mcp-host in your home folder.
`;

/** How often a window is looked for while there is none, or not that of the working directory, in milliseconds. */
const lookMs = 3000;
/** The lists, of which the last pages answer while there is no window. */
const lists: ReadonlySet<RelayedMethod> = new Set([
	"tools/list",
	"prompts/list",
	"resources/list",
	"resources/templates/list",
]);

/** Where the command reads and writes. */
export interface ServeTerminal {
	readonly folder: string;
	readonly version: string;
	readonly signal: AbortSignal;
	readonly write: (text: string) => void;
	readonly writeError: (text: string) => void;
}

/** Serves a client until its input ends. Resolves with the exit code. */
export async function serveCommand(args: readonly string[], terminal: ServeTerminal): Promise<number> {
	const [option, value, ...more] = args;
	if (option === "--help") {
		terminal.write(serveUsage);
		return 0;
	}
	if ((option !== undefined && (option !== "--folder" || value === undefined)) || more.length > 0) {
		terminal.writeError(serveUsage);
		return 2;
	}
	await new Serving(terminal, value ?? meetingFolder()).untilEnd();
	return 0;
}

/** The servers of a window as one server, for one client. It answers without a window, too. */
class Serving {
	private readonly terminal: ServeTerminal;
	private readonly link: WindowLink;
	private readonly followed: Followed;
	private readonly servers = new Set<Server>();
	/** The pages that the client received last, by method and cursor. */
	private readonly pages = new Map<string, JsonObject>();
	private told = "";
	private isListed = false;

	constructor(terminal: ServeTerminal, folder: string) {
		this.terminal = terminal;
		this.followed = new Followed((relayed) => this.link.request(relayed));
		this.link = new WindowLink({
			folder,
			cwd: terminal.folder,
			onChanged: (list) => {
				this.announce(list);
				if (list === "resources") this.followed.retry();
			},
			onUpdated: (uri) => {
				for (const server of this.servers) void server.sendResourceUpdated({ uri }).catch(() => undefined);
			},
			onOpen: () => {
				this.followed.restore();
				// The lists of the client are those of another window, or of none.
				if (this.isListed) listKinds.forEach((list) => this.announce(list));
			},
		});
	}

	async untilEnd(): Promise<void> {
		const { signal } = this.terminal;
		const ended = new AbortController();
		const end = (): void => ended.abort();
		process.stdin.once("end", end).once("close", end);
		process.stdout.once("error", end);
		signal.addEventListener("abort", end, { once: true });
		const handle = serveStdio(() => this.makeServer(), {
			transport: new HeardTransport(new StdioServerTransport(), (message) => this.followed.hear(message)),
			onerror: (error) => this.terminal.writeError(`${error.message}\n`),
		});
		// A window that opens later is found without a request, so that a client that has a list learns of its tools.
		const timer = setInterval(() => void (this.isListed && this.link.look()), lookMs);
		if (!signal.aborted && !ended.signal.aborted) await once(ended.signal, "abort");
		clearInterval(timer);
		this.link.close();
		await handle.close();
		process.stdin.destroy();
	}

	private makeServer(): Server {
		const { version } = this.terminal;
		const server = makeOfferedServer({ version, relay: (relayed) => this.relay(relayed) });
		this.servers.add(server);
		server.onclose = () => this.servers.delete(server);
		return server;
	}

	/** Without a window, a list is the last one: a call then says that there is no window. */
	private async relay(relayed: Relayed): Promise<JsonObject> {
		const { method, params } = relayed;
		if (!lists.has(method)) {
			if (method === "resources/unsubscribe") this.followed.drop(relayed);
			const result = await this.link.request(relayed);
			if (method === "resources/subscribe") this.followed.keep(relayed);
			return result;
		}
		const page = JSON.stringify([method, params["cursor"]]);
		try {
			const { note, ...result } = await this.link.request(relayed);
			this.say(stringOf(note));
			if (params["cursor"] === undefined) this.forget(method);
			this.pages.set(page, result);
			return result;
		} catch (error) {
			// The window has answered.
			if (error instanceof RequestRefusal) throw error;
			this.say(messageOf(error));
			return this.pages.get(page) ?? {};
		} finally {
			this.isListed = true;
		}
	}

	private forget(method: RelayedMethod): void {
		for (const page of this.pages.keys()) if (page.startsWith(`["${method}"`)) this.pages.delete(page);
	}

	private announce(list: ListKind): void {
		for (const server of this.servers) void sendChanged(server, list).catch(() => undefined);
	}

	/** Writes why there are no tools into the client's log, once. */
	private say(text: string): void {
		if (text !== "" && text !== this.told) this.terminal.writeError(`${text}\n`);
		this.told = text;
	}
}
