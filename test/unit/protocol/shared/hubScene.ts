import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isMessage } from "../../../../src/protocol/messages/wireText.ts";
import { unmeasured } from "../../../../src/protocol/messages/tappedTransport.ts";
import type { HubGuest, HubProcess } from "../../../../src/protocol/shared/hub.ts";
import { OwnerTransport } from "../../../../src/protocol/shared/ownerTransport.ts";

/** A message as a test writes it. */
export type Written = Readonly<Record<string, unknown>>;

/** A process that a test plays, and receives what is sent to it. */
export class PlayedProcess implements HubProcess {
	readonly pid = 4711;
	readonly received: JSONRPCMessage[] = [];
	readonly receivedForm = unmeasured;
	readonly sentForm = unmeasured;
	isUnwanted: HubProcess["isUnwanted"];
	onmessage?: NonNullable<HubProcess["onmessage"]>;
	onclose?: () => void;
	onerror?: (error: Error) => void;
	/** Why nothing can be sent. */
	fault: Error | undefined;

	start = async (): Promise<void> => undefined;

	send = async (message: JSONRPCMessage): Promise<void> => {
		if (this.fault !== undefined) throw this.fault;
		this.received.push(message);
	};

	close = async (): Promise<void> => this.onclose?.();

	/** Sends a message of the server. */
	say(message: Written): void {
		this.onmessage?.(messageOf(message));
	}

	/** The last message, and the id that the server knows it by. */
	get last(): Written & { readonly id?: number | string } {
		return (this.received.at(-1) ?? {}) as never;
	}
}

/** A client that joined. */
export interface PlayedGuest {
	readonly received: JSONRPCMessage[];
	readonly ends: string[];
	readonly port: HubGuest;
	send(message: Written): Promise<void>;
}

/** A process with its owner and as many guests as a test wants. */
export class HubScene {
	readonly process = new PlayedProcess();
	readonly owner = new OwnerTransport(this.process);
	/** The messages for the owner. */
	readonly received: JSONRPCMessage[] = [];

	constructor() {
		this.owner.onmessage = (message) => void this.received.push(message);
	}

	/** Shakes hands as the owner, as up to revision 2025-11-25. */
	async shake(): Promise<void> {
		await this.send({ id: 0, method: "initialize", params: handshake });
		this.process.say({ id: 0, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} } } });
		await this.send({ method: "notifications/initialized" });
		this.process.received.splice(0);
		this.received.splice(0);
	}

	send(message: Written): Promise<void> {
		return this.owner.send(messageOf(message));
	}

	join(): PlayedGuest {
		const received: JSONRPCMessage[] = [];
		const ends: string[] = [];
		const port = this.owner.hub.join({
			deliver: (message) => void received.push(message),
			end: (why) => void ends.push(why),
		});
		if (port === undefined) throw new Error("The process has ended.");
		return { received, ends, port, send: (message) => port.send(messageOf(message)) };
	}
}

/** The params of the handshake. */
export const handshake = {
	protocolVersion: "2025-11-25",
	capabilities: { roots: {} },
	clientInfo: { name: "mcp-host", version: "1" },
};

function messageOf(written: Written): JSONRPCMessage {
	const message: unknown = { jsonrpc: "2.0", ...written };
	if (!isMessage(message)) throw new Error("This is not a message.");
	return message;
}
