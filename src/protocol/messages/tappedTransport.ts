import type { JSONRPCMessage, MessageExtraInfo, TransportSendOptions } from "@modelcontextprotocol/client";
import type { WireTap } from "../wireTap.ts";
import type { Sieved } from "./gatedTransport.ts";
import { WrappedTransport, type ServerTransport } from "./wrappedTransport.ts";

/** A transport that knows the size of the message that it is just handing on, or has just taken, in bytes on the wire. */
export interface Measured {
	readonly receivedBytes: number;
	readonly sentBytes: number;
}

/** A transport that tells a tap of all that passes, as it came: what the gate drops is among it. */
export class TappedTransport extends WrappedTransport implements Sieved {
	private readonly tap: WireTap;
	private readonly measured: Partial<Measured>;
	private readonly sieved: Partial<Sieved>;

	constructor(inner: ServerTransport & Partial<Sieved> & Partial<Measured>, tap: WireTap) {
		super(inner);
		this.tap = tap;
		this.measured = inner;
		this.sieved = inner;
	}

	get isUnwanted(): Sieved["isUnwanted"] {
		return this.sieved.isUnwanted;
	}

	set isUnwanted(isUnwanted: Sieved["isUnwanted"]) {
		this.sieved.isUnwanted = isUnwanted;
	}

	send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const { measured, tap } = this;
		// A transport of HTTP gives the message to the network before this returns, and the tap shall know it by then.
		if (measured.sentBytes === undefined) tap.sent(message, 0);
		const sending = this.inner.send(message, options);
		if (measured.sentBytes !== undefined) tap.sent(message, measured.sentBytes);
		return sending;
	}

	protected receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		this.tap.received(message, this.measured.receivedBytes ?? 0);
		this.onmessage?.(message, extra);
	}

	protected handleClose(): void {
		this.tap.closed();
		this.onclose?.();
	}
}
