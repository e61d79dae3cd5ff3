import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { jsonObjectOf } from "../../../base/guards.ts";
import type { JsonObject } from "../../../base/json.ts";
import type { ClaimedClient } from "../link.ts";
import { claimedClient, type Relayed } from "../offeredServer.ts";

/** The owner of subscriptions that are made by `resources/subscribe`. */
const requested = "requested";

type Subscriptions = Map<string, ClaimedClient>;

/**
 * The resources that a client follows: by `resources/subscribe` until 2025-11-25, then by `subscriptions/listen`, which
 * the SDK answers itself. A window learns of them when they begin, and again when another window takes its place.
 */
export class Followed {
	private readonly relay: (relayed: Relayed) => Promise<JsonObject>;
	private readonly owners = new Map<string, Subscriptions>();
	/** Those that a window refused: the user had not allowed the program, or no server listed the resource. */
	private readonly refused: Subscriptions = new Map();
	/** One request after the other: a window takes few at a time. */
	private sending: Promise<unknown> = Promise.resolve();

	constructor(relay: (relayed: Relayed) => Promise<JsonObject>) {
		this.relay = relay;
	}

	/** Keeps what the client subscribed to. */
	keep({ params, client }: Relayed): void {
		const { uri } = params;
		const own = this.owners.get(requested) ?? new Map<string, ClaimedClient>();
		if (typeof uri === "string") this.owners.set(requested, own.set(uri, client));
	}

	/** The client ends a subscription. */
	drop({ params: { uri } }: Relayed): void {
		if (typeof uri !== "string") return;
		this.owners.get(requested)?.delete(uri);
		if (!this.isFollowed(uri)) this.refused.delete(uri);
	}

	/** Takes note of a message of the client that begins or ends following. */
	hear(message: JSONRPCMessage): void {
		if (!("method" in message)) return;
		const params = jsonObjectOf(message.params);
		if (message.method === "notifications/cancelled") this.end(ownerOf(params["requestId"]));
		if (message.method !== "subscriptions/listen" || !("id" in message)) return;
		const uris = jsonObjectOf(params["notifications"])["resourceSubscriptions"];
		const client = claimedClient(jsonObjectOf(params["_meta"])) ?? { name: "", version: "" };
		const own: Subscriptions = new Map();
		for (const uri of Array.isArray(uris) ? uris : []) if (typeof uri === "string") own.set(uri, client);
		this.owners.set(ownerOf(message.id), own);
		this.subscribe(own);
	}

	/** Subscribes again, at a window that knows of nothing. */
	restore(): void {
		for (const own of this.owners.values()) this.subscribe(own);
	}

	/** Tries again what was refused: the user may have allowed the program, or a server may have started. */
	retry(): void {
		const again = new Map(this.refused);
		this.refused.clear();
		this.subscribe(again);
	}

	private end(owner: string): void {
		const ended = this.owners.get(owner);
		this.owners.delete(owner);
		for (const [uri, client] of ended ?? []) {
			if (this.isFollowed(uri)) continue;
			this.refused.delete(uri);
			this.send(async () => {
				if (!this.isFollowed(uri)) await this.relay({ method: "resources/unsubscribe", params: { uri }, client });
			});
		}
	}

	private subscribe(own: Subscriptions): void {
		for (const [uri, client] of own)
			this.send(async () => {
				if (!this.isFollowed(uri)) return;
				await this.relay({ method: "resources/subscribe", params: { uri }, client }).catch(() =>
					this.refused.set(uri, client),
				);
			});
	}

	private isFollowed(uri: string): boolean {
		return [...this.owners.values()].some((own) => own.has(uri));
	}

	private send(request: () => Promise<void>): void {
		this.sending = this.sending.then(request).catch(() => undefined);
	}
}

function ownerOf(id: unknown): string {
	return JSON.stringify(["listen", id]);
}

/** A transport whose incoming messages are passed on to a listener before they are handled. */
export class HeardTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	private readonly inner: Transport;
	private readonly hear: (message: JSONRPCMessage) => void;

	constructor(inner: Transport, hear: (message: JSONRPCMessage) => void) {
		this.inner = inner;
		this.hear = hear;
	}

	async start(): Promise<void> {
		this.inner.onclose = () => this.onclose?.();
		this.inner.onerror = (error) => this.onerror?.(error);
		this.inner.onmessage = (message, extra) => {
			this.hear(message);
			this.onmessage?.(message, extra);
		};
		await this.inner.start();
	}

	send(message: JSONRPCMessage): Promise<void> {
		return this.inner.send(message);
	}

	close(): Promise<void> {
		return this.inner.close();
	}
}
