import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { Link } from "../../../src/connection/link.ts";
import { SessionKeeper } from "../../../src/connection/sessionKeeper.ts";
import { WatchedTransport } from "../../../src/connection/watchedTransport.ts";

/** A session, and whether the server has seen its end. */
function session(): { readonly link: Link; readonly ended: Promise<void> } {
	const [near, far] = InMemoryTransport.createLinkedPair();
	const ended = new Promise<void>((resolve) => (far.onclose = resolve));
	return { link: new Link(new Client({ name: "test", version: "0" }), new WatchedTransport(near)), ended };
}

describe("SessionKeeper", () => {
	it("leaves no session open that came about in the moment of the end", async () => {
		const [first, second] = [session(), session()];
		const told: string[] = [];
		const keeper = new SessionKeeper(
			first.link,
			async () => {
				expect(keeper.end()).toBe(first.link);
				return second.link;
			},
			{ onRenewed: () => told.push("renewed"), onGone: () => told.push("gone") },
		);
		await expect(keeper.renew(first.link)).rejects.toMatchObject({ code: "not-connected" });
		await second.ended;
		expect([keeper.link, told]).toEqual([first.link, []]);
		await expect(keeper.ready(new AbortController().signal)).rejects.toMatchObject({ code: "not-connected" });
	});
});
