import { createServer } from "node:net";
import { HostError } from "../../base/errors.ts";
import type { DebugOptions, Launch } from "../../protocol/launch.ts";
import type { ServerDefinition, ServerId } from "../definitions/config.ts";
import type { SessionState } from "../sessions/session.ts";
import { debugHost, debugLaunch } from "./debugLaunch.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/** Where the debugger of a server listens. */
export interface DebugPort {
	readonly type: DebugOptions["type"];
	readonly port: number;
}

/** The states of a server that is started, or was and is started again automatically. */
const alive: ReadonlySet<SessionState["kind"] | undefined> = new Set(["running", "starting", "failed"]);

/** Which servers the user wants started for a debugger, and where their debuggers listen. */
export class Debugging {
	private readonly wanted = new Set<ServerId>();
	/** The servers whose first start for a debugger is still to come. */
	private readonly coming = new Set<ServerId>();
	private readonly ports = new Map<ServerId, DebugPort>();

	/**
	 * Has each start of a server open a debugger port, until `end`.
	 * @throws HostError `invalid` where its entry has no `dev.debug`.
	 */
	begin({ id, name, config }: ServerDefinition): void {
		if (config.kind !== "stdio" || config.debug === undefined)
			throw new HostError("invalid", `Add "dev": { "debug": { "type": "node" } } to the entry of "${name}" first.`);
		this.wanted.add(id);
		this.coming.add(id);
	}

	/** Starts of the server open no port any more. */
	end(id: ServerId): void {
		this.ports.delete(id);
		this.coming.delete(id);
		this.wanted.delete(id);
	}

	/** Ends it for each server that was stopped, switched off, revoked or removed: its next start opens no port. */
	endStopped(stateOf: (id: ServerId) => SessionState["kind"] | undefined): void {
		for (const id of this.wanted) if (!this.coming.has(id) && !alive.has(stateOf(id))) this.end(id);
	}

	/** Where the debugger of the last start listens; undefined where it was started without. */
	portOf(id: ServerId): DebugPort | undefined {
		return this.ports.get(id);
	}

	/** The launch for a start: with a debugger at a free port where the user wants one, unchanged otherwise. */
	async prepare({ id }: ServerDefinition, launch: StdioLaunch, note: (message: string) => void): Promise<StdioLaunch> {
		const { debug } = launch;
		if (debug === undefined || !this.wanted.has(id)) return launch;
		this.coming.delete(id);
		const port = await freePort();
		const prepared = debugLaunch(launch, debug, port);
		note(`The debugger listens at ${debugHost}:${port}`);
		this.ports.set(id, { type: debug.type, port });
		return prepared;
	}
}

/** A port of the loopback that nobody listens at now. */
async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, debugHost, resolve);
	});
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === "string") throw new HostError("start-failed", "No port is free.");
	return address.port;
}
