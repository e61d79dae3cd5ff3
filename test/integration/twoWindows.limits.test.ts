import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compact } from "../../src/base/store/compact.ts";
import { usageName } from "../../src/permissions/budgets/usageCounter.ts";
import { type Sight, SharedWindow, type Wish } from "./windowProcess.ts";

const script = path.join(import.meta.dirname, "windowProcess.ts");
let folder: string;
const windows: ChildProcess[] = [];
const shared: SharedWindow[] = [];

beforeEach(() => {
	folder = path.join(mkdtempSync(path.join(tmpdir(), "windows-")), "store");
});

afterEach(async () => {
	for (const window of shared.splice(0)) window.store.dispose();
	await Promise.all(windows.splice(0).map(end));
	rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 20 });
});

/** Kills a window. Windows removes none of its files before it is gone. */
async function end(window: ChildProcess): Promise<void> {
	if (window.exitCode !== null || window.signalCode !== null) return;
	const exited = once(window, "exit");
	window.kill("SIGKILL");
	await exited;
}

/** Opens the shared state in this process. */
function openHere(): SharedWindow {
	const window = new SharedWindow(folder);
	shared.push(window);
	return window;
}

/** Opens two windows that share a folder. */
async function openTwo(): Promise<readonly ChildProcess[]> {
	for (const number of ["0", "1"]) windows.push(fork(script, ["two", folder, number], { stdio: "inherit" }));
	await Promise.all(windows.map((window) => once(window, "message")));
	return windows;
}

/** Sends a message to a window, and waits for its answer. */
async function ask(window: ChildProcess, wish: Wish): Promise<unknown> {
	const answered = once(window, "message");
	window.send(wish);
	return (await answered)[0];
}

test(
	"two windows that grant, revoke and count at the same moment, 200 times, lose and double nothing",
	{
		timeout: 600_000,
	},
	async () => {
		const pair = await openTwo();
		const third = openHere();
		for (let round = 0; round < 200; round++) {
			const at = Date.now() + 3;
			const acting = pair.map((window) => ask(window, { round, at }));
			// A third window rewrites the files meanwhile.
			if (round % 10 === 5)
				for (const name of ["grants", "approvals", usageName]) await compact(third.store.journal(name));
			await Promise.all(acting);
			if (round % 20 !== 0) continue;
			const [one, other] = await Promise.all(pair.map((window) => ask(window, { look: true })));
			expect(one, `round ${round}`).toEqual(other);
		}
		const granted: string[] = [];
		const approved: string[] = [];
		for (const window of [0, 1]) {
			for (let round = 0; round < 200; round++) {
				// An entry of an even round was revoked in the next one.
				if (round % 2 === 0) continue;
				granted.push(`t${window}-${round}`);
				approved.push(`s${window}-${round}`);
			}
		}
		const tokens = 2 * ((199 * 200) / 2);
		const sights = [...(await Promise.all(pair.map((window) => ask(window, { look: true })))), third.sight] as Sight[];
		const [first] = sights;
		for (const sight of [...sights, openHere().sight]) {
			expect(sight.granted.filter((tool) => tool !== "contested")).toEqual(granted.toSorted());
			expect(sight.approved.map((id) => id.slice(id.lastIndexOf("s")))).toEqual(approved.toSorted());
			expect(sight.used).toEqual({ requests: 400, tokens });
			// Whatever the result, it is the same in every window.
			expect(sight).toEqual(first);
		}
	},
);

test("a window that is killed while it writes and rewrites loses and doubles none of its entries", async () => {
	let written = 0;
	for (let round = 0; round < 12; round++) {
		const window = spawn(process.execPath, [script, "writer", folder], { stdio: ["ignore", "pipe", "inherit"] });
		windows.push(window);
		let own = 0;
		const wanted = 15 + 11 * round;
		await new Promise<void>((done) => {
			window.stdout.on("data", (data: Buffer) => {
				own += data.length;
				if (own >= wanted) window.kill("SIGKILL");
			});
			window.once("close", () => done());
		});
		written += own;
		const { requests } = openHere().sight.used;
		// The last one of each may be written, but not yet reported.
		expect(requests).toBeGreaterThanOrEqual(written);
		expect(requests).toBeLessThanOrEqual(written + 1);
		written = requests;
		// So that the next one need not wait for the killed one.
		rmSync(path.join(folder, `${usageName}.lock`), { force: true });
	}
});
