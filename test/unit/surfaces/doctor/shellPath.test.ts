import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { shellPath } from "../../../../src/surfaces/doctor/shellPath.ts";

const folder = mkdtempSync(path.join(tmpdir(), "mcp-host-shell-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shellOf(name: string, text: string): string {
	const file = path.join(folder, name);
	writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
	return file;
}

const quiet = (): AbortSignal => new AbortController().signal;

it("The login shell's own files determine the PATH, for any other output", async () => {
	writeFileSync(
		path.join(folder, ".bash_profile"),
		'echo PATH=/not/this; printf "no line end"; export PATH=/own/bin:$PATH\n',
	);
	const environment = { HOME: folder, PATH: "/usr/bin:/bin" };
	expect(await shellPath({ shell: "/bin/bash", environment }, quiet())).toMatch(/^\/own\/bin:\//);
});

it("A silent or invalid shell yields nothing", async () => {
	const environment = { PATH: "/usr/bin:/bin" };
	expect(await shellPath({ shell: shellOf("mute", "exit 3"), environment }, quiet())).toBeUndefined();
	expect(await shellPath({ shell: path.join(folder, "none"), environment }, quiet())).toBeUndefined();
	expect(await shellPath({ shell: "bash", environment }, quiet())).toBeUndefined();
});

it("A shell that hangs ends with its children when the user cancels", async () => {
	const started = path.join(folder, "started");
	const ending = new AbortController();
	const environment = { PATH: "/usr/bin:/bin" };
	const asked = shellPath(
		{
			shell: shellOf("hang", `sleep 600 & echo $! > "${started}.part"; mv "${started}.part" "${started}"; wait`),
			environment,
		},
		ending.signal,
	);
	const { readFileSync, existsSync } = await import("node:fs");
	await expect.poll(() => existsSync(started)).toBe(true);
	const child = Number(readFileSync(started, "utf8"));
	ending.abort(new Error("cancelled"));
	await expect(asked).rejects.toThrow("cancelled");
	await expect
		.poll(() => {
			try {
				process.kill(child, 0);
				return readFileSync(`/proc/${child}/stat`, "utf8").includes(") Z ");
			} catch {
				return true;
			}
		})
		.toBe(true);
});
