import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { Launch } from "../../../../src/protocol/launch.ts";
import { partInside } from "../../../../src/servers/definitions/partInside.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

const root = realpathSync(mkdtempSync(path.join(tmpdir(), "mcp-host-part-inside-")));
const open = path.join(root, "open");
const aside = path.join(root, "aside");
for (const folder of [
	path.join(open, "bin"),
	path.join(open, "sub"),
	path.join(aside, "bin"),
	path.join(root, "openers"),
])
	mkdirSync(folder, { recursive: true });
symlinkSync(open, path.join(root, "link"));
symlinkSync(path.join(open, "sub"), path.join(aside, "sub"));
writeFileSync(path.join(open, "index.js"), "");
/** Makes an executable script. */
function script(file: string, interpreter = "/bin/sh"): string {
	writeFileSync(file, `#!${interpreter}\n`);
	chmodSync(file, 0o755);
	return file;
}
script(path.join(open, "bin", "tool"));
script(path.join(open, "bin", "runner"));
script(path.join(aside, "bin", "plain"));
script(path.join(aside, "bin", "scripted"), "/usr/bin/env -S runner --fast");
symlinkSync(path.join(open, "bin", "tool"), path.join(aside, "bin", "linked"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => void vi.unstubAllEnvs());

const bins = (...folders: readonly string[]): string =>
	[...folders.map((folder) => path.join(folder, "bin")), "/usr/bin", "/bin"].join(path.delimiter);

/** The part in the open folder. Its working directory is beside the folder unless a test sets another. */
function partOf(changes: Partial<StdioLaunch>): Promise<string | undefined> {
	const launch: StdioLaunch = {
		kind: "stdio",
		command: process.execPath,
		args: [],
		env: {},
		envFile: undefined,
		cwd: root,
		...changes,
	};
	return partInside(launch, [open], "cwd" in changes);
}

describe.skipIf(process.platform === "win32")("partInside", () => {
	it.each<[string, string, string]>([
		["a command", "tool", bins(open)],
		["a command in a folder behind a link", "tool", bins(path.join(root, "link"))],
		["a link to a command", "linked", bins(aside)],
		["the interpreter of a script", "scripted", bins(aside, open)],
	])("finds %s that the start finds by its bare name in PATH (CFG-26)", async (_what, command, searched) => {
		vi.stubEnv("PATH", searched);
		expect(await partOf({ command })).toBe("its command");
	});

	it("searches for a bare name in the PATH of the definition (CFG-26)", async () => {
		vi.stubEnv("PATH", bins());
		expect(await partOf({ command: "tool", env: { PATH: bins(open) } })).toBe("its command");
		expect(await partOf({ command: "plain", env: { PATH: bins(aside) } })).toBeUndefined();
	});

	it("accepts a command that is found elsewhere, or nowhere", async () => {
		vi.stubEnv("PATH", bins(aside, open));
		expect(await partOf({ command: "plain" })).toBeUndefined();
		expect(await partOf({ command: "nowhere-at-all" })).toBeUndefined();
	});

	const { link, ended } = { link: path.join(root, "link"), ended: `${aside}/sub/../index.js` };
	it.each<[string, Partial<StdioLaunch>, string]>([
		["a word without a slash that is there", { args: ["-x", "open"] }, "argument 2"],
		["a word behind =", { args: ["--dir=open"] }, "argument 1"],
		["a link behind =", { args: [`--require=${link}/index.js`] }, "argument 1"],
		["a link in a list of paths", { env: { NODE_PATH: `/usr/lib:${link}` } }, "the variable NODE_PATH"],
		["a link among options", { env: { NODE_OPTIONS: `--no-warnings -r "${link}/x.js"` } }, "the variable NODE_OPTIONS"],
		["a link in a URL", { args: [`file://${link}/index.js`] }, "argument 1"],
		["a link at its option", { args: [`-I${link}/include`] }, "argument 1"],
		["a link whose ending the program adds", { args: [`${link}/index`] }, "argument 1"],
		["a path beside the end of a link", { args: [ended] }, "argument 1"],
		["a path above a missing one", { args: [`${root}/none/../link/index.js`] }, "argument 1"],
		["a command behind a link", { command: `${link}/bin/tool` }, "its command"],
		["a working directory behind a link", { cwd: link }, "its working directory"],
		["an environment file behind a link", { envFile: "link/.env" }, "its environment file"],
	])("finds %s (CFG-26)", async (_what, changes, part) => {
		expect(await partOf(changes)).toBe(part);
	});

	it.each<[string, Partial<StdioLaunch>]>([
		["a word that is not there", { args: ["-y", "opened", "@scope/server", ""] }],
		["a folder of a longer name", { args: [path.join(root, "openers"), "openers"] }],
		["the folder's name among other words", { args: ["please open the file"] }],
		["addresses and lists", { args: ["--url=https://a.example/open/x?y=z", "a:b:c", "NODE_ENV=production"] }],
		["long arguments", { args: ["a/".repeat(3000), "x=".repeat(50_000)] }],
		["a NUL character", { args: ["a\0b", "/a\0b"] }],
	])("accepts %s", async (_what, changes) => {
		expect(await partOf(changes)).toBeUndefined();
	});
});
