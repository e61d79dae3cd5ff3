import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Sieved } from "../messages/gatedTransport.ts";
import type { Measured } from "../messages/tappedTransport.ts";
import type { WireForm } from "../wireTap.ts";
import { Hub, type HubProcess } from "./hub.ts";

/** The transport of the window that runs a process, which other windows may use as well by its hub. */
export class OwnerTransport implements Transport, Sieved, Measured {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	isUnwanted: Sieved["isUnwanted"];
	readonly hub: Hub;
	private readonly process: HubProcess;

	/** From here on nobody else listens to `process`. */
	constructor(process: HubProcess) {
		this.process = process;
		const hub = new Hub(process, { deliver: (message) => this.onmessage?.(message), end: () => undefined });
		this.hub = hub;
		process.onmessage = (message) => hub.receive(message, process.receivedForm);
		process.onerror = (error) => this.onerror?.(error);
		process.onclose = () => {
			hub.end("ended in the window that ran it");
			this.onclose?.();
		};
		process.isUnwanted = (head) => hub.maySkip(head) && this.isUnwanted?.(head) === true;
	}

	get receivedForm(): WireForm {
		return this.process.receivedForm;
	}

	get sentForm(): WireForm {
		return this.hub.ownForm;
	}

	get pid(): number | null {
		return this.process.pid;
	}

	start(): Promise<void> {
		return this.process.start();
	}

	send(message: JSONRPCMessage): Promise<void> {
		return this.hub.sendOwn(message);
	}

	/** Ends the process for all windows. */
	close(): Promise<void> {
		this.hub.end("was stopped in the window that ran it");
		return this.process.close();
	}
}
