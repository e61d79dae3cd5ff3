import type { Client } from "@modelcontextprotocol/client";
import type { ServerFacts } from "../connection.ts";
import type { WatchedTransport } from "./watchedTransport.ts";

/** A client of the SDK that has shaken hands over one transport: one session with the server. Private to connections. */
export class ConnectedClient {
	readonly sdk: Client;
	readonly transport: WatchedTransport;
	private readonly kind: ServerFacts["transport"];
	private users = 0;
	private isRetired = false;
	private served = false;

	constructor(sdk: Client, transport: WatchedTransport, kind: ServerFacts["transport"]) {
		this.sdk = sdk;
		this.transport = transport;
		this.kind = kind;
	}

	/** Whether the server has answered a request on it that was more than preparation. */
	get hasServed(): boolean {
		return this.served;
	}

	/** How many requests run on it now. */
	get running(): number {
		return this.users;
	}

	/** The server's description of itself in the handshake. */
	get facts(): ServerFacts {
		const { sdk, transport } = this;
		return {
			server: sdk.getServerVersion(),
			capabilities: sdk.getServerCapabilities() ?? {},
			protocolVersion: sdk.getNegotiatedProtocolVersion() ?? "unknown",
			era: sdk.getProtocolEra() === "modern" ? "modern" : "legacy",
			instructions: sdk.getInstructions(),
			transport: this.kind,
			pid: "pid" in transport && typeof transport.pid === "number" ? transport.pid : undefined,
			...("isElsewhere" in transport && transport.isElsewhere === true ? { isElsewhere: true } : {}),
		};
	}

	/** A request begins on it; each needs its `leave`. */
	enter(): void {
		this.users++;
	}

	/** A request on it ended. `isServed`: the server answered it, and it was more than preparation. */
	leave(isServed: boolean): void {
		this.users--;
		this.served ||= isServed;
		if (this.isRetired) this.closeUnused();
	}

	/** Closes it as soon as the last request that still runs on it has ended: that one may yet be answered. */
	retire(): void {
		this.isRetired = true;
		this.closeUnused();
	}

	/** Ends what runs on it, and the transport with its processes. Rejects with what went wrong, having tried all. */
	async close(): Promise<void> {
		const ends = await Promise.allSettled([this.sdk.close()]);
		// The client has released a transport that closed unexpectedly, but its processes may still be ending.
		ends.push(...(await Promise.allSettled([this.transport.close()])));
		for (const end of ends) if (end.status === "rejected") throw end.reason;
	}

	private closeUnused(): void {
		// No caller is left that could be notified of the failure.
		if (this.users === 0) void this.close().catch(() => undefined);
	}
}
