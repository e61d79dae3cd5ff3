import { closeSync, mkdtempSync, openSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { holdsOpen, programIn, readChain, scriptOf } from "../../../../src/surfaces/bridge/peer.ts";
import { chainWords, clientWords, programKey, programOf, type Peer } from "../../../../src/surfaces/bridge/program.ts";

const peer: Peer = { pid: 7, chain: ["/ext/cli.js", "/home/ann/bin/claude", "/usr/bin/bash"], isProven: true };

describe("a program that uses servers (GST-08)", () => {
	test("is another one with another name, other parents or without a proof, and the same in another version", () => {
		const key = programKey(programOf(peer, { name: "claude-code", version: "1" }));
		const keyOf = (more: Partial<Peer>, name = "claude-code"): string =>
			programKey(programOf({ ...peer, ...more }, { name, version: "2" }));
		expect(keyOf({ pid: 8 })).toBe(key);
		const others = [keyOf({}, "codex"), keyOf({ chain: peer.chain.slice(0, 2) }), keyOf({ isProven: false })];
		expect(new Set([key, ...others]).size).toBe(4);
	});

	test("is shown with its parents in one line, hidden characters made visible", () => {
		const words = clientWords({ name: "claude\u202E\ncode", version: "1" }, peer, "/home/ann");
		expect(words).toBe("claude\\u202E code 1 (process 7: /ext/cli.js ← ~/bin/claude ← /usr/bin/bash)");
		expect(chainWords({ ...peer, isProven: false }, "/home/ann")).toContain("not proven");
		expect(chainWords({ chain: [], isProven: false }, "/home/ann")).toContain("unknown");
	});

	test("whose file the system hides has its name only, which is never that of a file", () => {
		expect(programIn({ file: "/usr/bin/claude (deleted)", name: "claude" })).toBe("/usr/bin/claude");
		expect(programIn({ file: "", name: "/usr/bin/claude" })).toBe("[/usr/bin/claude]");
		expect(programIn({ file: "", name: "" })).toBe("");
	});

	test("that is run by an interpreter is its script, if that is certain", () => {
		expect(scriptOf("/usr/bin/node", ["node", "cli.js", "serve"], "/ext")).toBe("/ext/cli.js");
		expect(scriptOf("/usr/bin/node", ["node", "--import", "x", "cli.js"], "/ext")).toBeUndefined();
		expect(scriptOf("/bin/sh", ["sh", "-c", "node x"], "/")).toBeUndefined();
		expect(scriptOf("/home/ann/bin/claude", ["claude", "chat"], "/")).toBeUndefined();
	});
});

describe.skipIf(process.platform !== "linux")("a process of this machine", () => {
	test("is found with its parents", async () => {
		const chain = await readChain(process.pid);
		const own = readlinkSync("/proc/self/exe");
		expect(path.isAbsolute(chain[0] ?? "")).toBe(true);
		// A test runner may be the script of an interpreter.
		if (chain[0] !== own) expect(own).toMatch(/node/);
		const ofParent = await readChain(process.ppid);
		expect(ofParent.length).toBeGreaterThan(0);
		expect(chain.slice(chain.length - ofParent.length)).toEqual(ofParent);
		expect(await readChain(999_999_999)).toEqual([]);
	});

	test("proves its number by a file that it holds open, and no other process does", async () => {
		const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "proof-")));
		const file = path.join(folder, "proof");
		writeFileSync(file, "");
		expect(await holdsOpen(process.pid, file)).toBe(false);
		const handle = openSync(file, "r");
		expect(await holdsOpen(process.pid, file)).toBe(true);
		expect(await holdsOpen(process.ppid, file)).toBe(false);
		expect(await holdsOpen(999_999_999, file)).toBe(false);
		closeSync(handle);
		rmSync(folder, { recursive: true });
	});
});
