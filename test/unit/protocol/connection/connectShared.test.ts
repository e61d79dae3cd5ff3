import { duplexPair } from "node:stream";
import { describe, expect, it } from "vitest";
import { connectShared } from "../../../../src/protocol/connection/connectShared.ts";
import type { Connection } from "../../../../src/protocol/connection.ts";
import { defaultConnectionLimits } from "../../../../src/protocol/limits.ts";
import { serveGuest } from "../../../../src/protocol/shared/guestStream.ts";
import type { GuestClaim, OwnClaim, SharedProcess, SharingWindows } from "../../../../src/protocol/shared/sharing.ts";
import { Scene } from "./connectScene.ts";

/** Two windows of one user, of which the first runs the process. */
class TwoWindows implements SharingWindows {
	private process: SharedProcess | undefined;

	async claim(): Promise<OwnClaim | GuestClaim> {
		if (this.process === undefined) return this.own();
		const [near, far] = duplexPair();
		serveGuest(this.process.hub, near, defaultConnectionLimits, () => undefined);
		return { kind: "guest", stream: far, pid: this.process.pid ?? null, revision: this.process.revision };
	}

	async own(): Promise<OwnClaim> {
		return { kind: "own", offer: (process) => void (this.process ??= process), end: () => undefined };
	}
}

/** Connects a window whose user has these folders, one list after the other. */
function connected(scene: Scene, windows: SharingWindows, ...folders: readonly string[]): Promise<Connection> {
	const left = [...folders];
	const folder = (): string => (left.length > 1 ? left.shift() : left[0]) ?? "";
	const sharing = {
		windows,
		hash: "hash",
		roots: () => [{ uri: folder() }],
		onDidChangeRoots: () => ({ dispose: () => undefined }),
	};
	return connectShared({ ...scene.request(scene.small("legacy")), sharing });
}

describe("a window that starts a server which runs in another one (GST-16)", () => {
	it("uses that process, unless its roots have changed while it waited for it", async () => {
		await using scene = new Scene();
		const windows = new TwoWindows();
		const owner = await connected(scene, windows, "file:///work");
		const guest = await connected(scene, windows, "file:///work");
		expect(guest.facts.pid).toBe(owner.facts.pid);
		const other = await connected(scene, windows, "file:///work", "file:///other");
		expect(other.facts.pid).not.toBe(owner.facts.pid);
		expect(scene.host.retries.join()).toContain("has other roots in this window");
		for (const one of [other, guest, owner]) await one.close();
	});
});
