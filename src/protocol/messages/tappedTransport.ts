import { messageOf } from "../../base/errors.ts";
import type { JSONRPCMessage, MessageExtraInfo, TransportSendOptions } from "@modelcontextprotocol/client";
import type { WireForm, WireTap } from "../wireTap.ts";
import type { Sieved } from "./gatedTransport.ts";
import { WrappedTransport, type ServerTransport } from "./wrappedTransport.ts";

/** A transport that knows how the message is on the wire that it is just handing on, or has just taken. */
export interface Measured {
	readonly receivedForm: WireForm;
	readonly sentForm: WireForm;
}

/** Where nobody knows it. */
export const unmeasured: WireForm = { bytes: 0 };

/** Hands a message to who receives those of a transport, which knows its form meanwhile. Never throws. */
export function handOn(
	transport: ServerTransport & { receivedForm: WireForm },
	message: JSONRPCMessage,
	form: WireForm,
): void {
	transport.receivedForm = form;
	try {
		transport.onmessage?.(message);
	} catch (error) {
		transport.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
	}
	transport.receivedForm = unmeasured;
}

/** A transport that reports every message to a tap, as received, including those that the gate drops. */
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
		// A transport of HTTP gives the message to the network before this returns, and the tap must know it by then.
		if (measured.sentForm === undefined) tap.sent(message, unmeasured);
		const sending = this.inner.send(message, options);
		if (measured.sentForm !== undefined) tap.sent(message, measured.sentForm);
		return sending;
	}

	protected receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		this.tap.received(message, this.measured.receivedForm ?? unmeasured);
		this.onmessage?.(message, extra);
	}

	protected handleClose(): void {
		this.tap.closed();
		this.onclose?.();
	}
}
