import { describe, expect, it } from "vitest";
import { Followed } from "../../../../src/surfaces/bridge/commandLine/followed.ts";
import type { Relayed } from "../../../../src/surfaces/bridge/offeredServer.ts";

/** A window that takes few requests at a time, and refuses resources that are not listed. */
class BusyWindow {
	readonly followed = new Set<unknown>();
	readonly listed = new Set<unknown>();
	private open = 0;

	readonly relay = async ({ method, params: { uri } }: Relayed) => {
		this.open++;
		await new Promise((resolve) => setImmediate(resolve));
		const isTaken = this.open <= 2 && this.listed.has(uri);
		this.open--;
		if (!isTaken) throw new Error("refused");
		if (method === "resources/subscribe") this.followed.add(uri);
		else this.followed.delete(uri);
		return {};
	};
}

const uris = Array.from({ length: 100 }, (_, index) => `small://${index}`);
const client = { name: "agent", version: "1" };

function listen(id: number): Parameters<Followed["hear"]>[0] {
	return {
		jsonrpc: "2.0",
		id,
		method: "subscriptions/listen",
		params: { notifications: { resourceSubscriptions: uris } },
	};
}

describe("The resources that a client follows through the bridge (GST-14)", () => {
	it("are all subscribed to at a window that takes few requests at a time, and all left", async () => {
		const window = new BusyWindow();
		for (const uri of uris) window.listed.add(uri);
		const followed = new Followed(window.relay);
		followed.hear(listen(1));
		await expect.poll(() => window.followed.size).toBe(100);
		followed.hear({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
		await expect.poll(() => window.followed.size).toBe(0);
	});

	it("are tried again once they are listed, except those that the client has left", async () => {
		const window = new BusyWindow();
		const followed = new Followed(window.relay);
		for (const uri of ["small://kept", "small://left"])
			followed.keep({ method: "resources/subscribe", params: { uri }, client });
		followed.restore();
		followed.drop({ method: "resources/unsubscribe", params: { uri: "small://left" }, client });
		window.listed.add("small://kept").add("small://left").add("small://last");
		await expect
			.poll(() => {
				followed.retry();
				return [...window.followed];
			})
			.toEqual(["small://kept"]);
		// A later request is sent after all earlier ones.
		followed.keep({ method: "resources/subscribe", params: { uri: "small://last" }, client });
		followed.restore();
		await expect.poll(() => window.followed.has("small://last")).toBe(true);
		expect([...window.followed]).toEqual(["small://kept", "small://last"]);
	});
});
