import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { ConnectedClient } from "../../../../src/protocol/connection/connectedClient.ts";
import { ClientRenewal } from "../../../../src/protocol/connection/clientRenewal.ts";
import { WatchedTransport } from "../../../../src/protocol/connection/watchedTransport.ts";

/** A session, and whether the server has seen its end. */
function session(): { readonly client: ConnectedClient; readonly ended: Promise<void> } {
	const [near, far] = InMemoryTransport.createLinkedPair();
	const ended = new Promise<void>((resolve) => (far.onclose = resolve));
	return {
		client: new ConnectedClient(new Client({ name: "test", version: "0" }), new WatchedTransport(near), "http"),
		ended,
	};
}

describe("ClientRenewal", () => {
	it("leaves no session open that was opened at the moment of the end", async () => {
		const [first, second] = [session(), session()];
		const told: string[] = [];
		const clients = new ClientRenewal(
			first.client,
			async () => {
				expect(clients.end()).toBe(first.client);
				return second.client;
			},
			{ onRenewed: () => told.push("renewed"), onGone: () => told.push("gone") },
		);
		await expect(clients.renew(first.client)).rejects.toMatchObject({ code: "not-connected" });
		await second.ended;
		expect([clients.current, told]).toEqual([first.client, []]);
		expect(() => clients.usable()).toThrowError(expect.objectContaining({ code: "not-connected" }));
	});
});
