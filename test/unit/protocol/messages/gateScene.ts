import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { GatedTransport } from "../../../../src/protocol/messages/gatedTransport.ts";

/** The messages that passed the gate, the sent ones, and the reports. */
export interface GateScene {
	/** The transport as the host sees it. */
	readonly gated: GatedTransport;
	/** Sends a message as the server. */
	say(message: object): void;
	readonly passed: JSONRPCMessage[];
	readonly sent: JSONRPCMessage[];
	readonly troubles: string[];
	level: "debug" | "info" | "error" | undefined;
}

/** A gate between two linked transports, which records everything that passes. */
export async function makeScene(): Promise<GateScene> {
	const [near, far] = InMemoryTransport.createLinkedPair();
	const passed: JSONRPCMessage[] = [];
	const sent: JSONRPCMessage[] = [];
	const troubles: string[] = [];
	const scene: GateScene = {
		gated: new GatedTransport(near, { onTrouble: (message) => troubles.push(message), logLevel: () => scene.level }),
		say: (message) => near.onmessage?.({ jsonrpc: "2.0", ...message } as JSONRPCMessage),
		passed,
		sent,
		troubles,
		level: "info",
	};
	far.onmessage = (message) => sent.push(message);
	await far.start();
	scene.gated.onmessage = (message) => passed.push(message);
	await scene.gated.start();
	return scene;
}
