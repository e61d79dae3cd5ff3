import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isWindowGone, nameWindow } from "../../../../src/records/activity/windows.ts";

test("a window lives as long as its process, and no other process is mistaken for it", async () => {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"]);
	await once(child.stdout, "data");
	if (child.pid === undefined) throw new Error("no process");
	const name = nameWindow(child.pid);
	expect(isWindowGone(name, Date.now())).toBe(false);
	// Its number was reused since.
	if (process.platform === "linux") expect(isWindowGone(name.replace(/-\d+-/, "-1-"), Date.now())).toBe(true);
	// A file from before the machine was started was written by another process.
	expect(isWindowGone(name, 0)).toBe(true);
	child.kill("SIGKILL");
	await once(child, "exit");
	expect(isWindowGone(name, Date.now())).toBe(true);
});

test("an earlier window of this process is gone, and so is one with a foreign name", () => {
	expect(isWindowGone(nameWindow(), Date.now())).toBe(true);
	for (const name of ["", "notes", "-1-2-3", "0--x", "1.5--x"]) expect(isWindowGone(name, Date.now())).toBe(true);
});

test("a process of another user exists", () => {
	// The first process of the system always exists, and belongs to another user unless the tests run as root.
	if (process.platform !== "win32") expect(isWindowGone(nameWindow(1), Date.now())).toBe(false);
});
