import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { bookReply, latestLegacy, type Effects } from "./book.ts";
import type { Carrier, Phase, ServerSide, Turn } from "./fault.ts";

/** How long after the answer to `arm` an idle server strikes, in milliseconds: no request is pending any more then. */
const idleMs = 40;

/** The transport of the messages for one request, or of those that the server sends on its own. */
export interface Channel {
	send(message: string): void;
	raw(bytes: string | Uint8Array): void;
	/** Nothing more follows for the request. */
	end(): void;
	readonly http?: { readonly request: IncomingMessage; readonly response: ServerResponse };
	/** The HTTP answer that carries what is sent. */
	readonly stream?: () => ServerResponse | undefined;
}

/** The inputs and outputs of a peer besides the messages. */
export interface PeerWorld {
	/** Whether the fault is switched on now. */
	readonly isOn: () => boolean;
	/** A call of the tool `count` was carried out. */
	counted(nonce: string): void;
	/** The fault struck. */
	struck(): void;
	/** Sends a message without a request. */
	readonly push: Channel;
}

/** A correct server that misbehaves at its fault's moment, over any transport. */
export class Peer implements Effects {
	private readonly fault: ServerSide;
	private readonly phase: Phase;
	private readonly carrier: Carrier;
	private readonly world: PeerWorld;
	private handshakes = 0;
	private strikes = 0;
	private isArmed = false;

	constructor(fault: ServerSide, phase: Phase, carrier: Carrier, world: PeerWorld) {
		this.fault = fault;
		this.phase = phase;
		this.carrier = carrier;
		this.world = world;
	}

	counted(nonce: string): void {
		this.world.counted(nonce);
	}

	armed(): void {
		this.isArmed = true;
	}

	/** Handles a message of the host; a message that is not a request needs no answer. */
	receive(message: JsonObject, channel: Channel): void {
		const { id, method, params } = message;
		if (typeof method !== "string" || id === undefined) {
			channel.end();
			return;
		}
		const request = { id, method, params: isJsonObject(params) ? params : {} };
		if (method === "initialize") this.handshakes++;
		if (this.isMoment(request)) {
			this.strike(this.turn(request, channel));
			return;
		}
		const turn = this.turn(request, channel);
		if (this.world.isOn() && this.strikes > 0 && this.fault.later?.(turn) === true) return;
		turn.answer();
		if (!this.isArmed) return;
		this.isArmed = false;
		setTimeout(() => {
			if (this.world.isOn() && this.phase === "idle") this.strike(this.turn(undefined, this.world.push));
		}, idleMs);
	}

	/** Handles a GET for an event stream; true when the fault handled it. */
	receiveGet(channel: Channel): boolean {
		if (!this.world.isOn() || this.fault.onGet === undefined) return false;
		const isStruck = this.fault.onGet(this.turn(undefined, channel));
		if (isStruck) this.world.struck();
		return isStruck;
	}

	private isMoment({ method, params }: { readonly method: string; readonly params: JsonObject }): boolean {
		if (!this.world.isOn() || this.phase === "idle") return false;
		if (this.phase === "handshake") return method === (this.fault.strikes ?? "initialize");
		const wanted = this.fault.strikes ?? this.fault.calls ?? "tools/call";
		return method === wanted && (method !== "tools/call" || params["name"] === "count");
	}

	private strike(turn: Turn): void {
		this.strikes++;
		this.world.struck();
		this.fault.act(turn);
	}

	private turn(request: Turn["request"], channel: Channel): Turn {
		const { fault, phase, carrier, handshakes } = this;
		let done: string | undefined;
		const work = (): string => {
			if (request === undefined) return "";
			done ??= textOf({
				id: request.id,
				...bookAnswer(request, fault.revision ?? latestLegacy, this),
			});
			return done;
		};
		return {
			phase,
			carrier,
			request,
			http: channel.http,
			get stream() {
				return channel.stream?.();
			},
			handshakes,
			nth: this.strikes + 1,
			work,
			send: (message) => channel.send(message),
			raw: (bytes) => channel.raw(bytes),
			tell: (message) => channel.send(textOf(message)),
			answer() {
				if (request !== undefined) channel.send(work());
				channel.end();
			},
		};
	}
}

function bookAnswer(
	{ method, params }: { readonly method: string; readonly params: JsonObject },
	revision: string,
	effects: Effects,
): Readonly<Record<string, Json | undefined>> {
	const reply = bookReply(method, params, revision, effects);
	return reply === "silence" ? {} : reply;
}

/** A JSON-RPC message as text. */
export function textOf(message: JsonObject): string {
	return JSON.stringify({ jsonrpc: "2.0", ...message });
}
