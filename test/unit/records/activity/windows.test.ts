import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isWindowGone, nameWindow } from "../../../../src/records/activity/windows.ts";

test("a window lives as long as its process, and no other process passes for it", async () => {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"]);
	await once(child.stdout, "data");
	if (child.pid === undefined) throw new Error("no process");
	const name = nameWindow(child.pid);
	expect(isWindowGone(name, Date.now())).toBe(false);
	// Its number was given out again since.
	if (process.platform === "linux") expect(isWindowGone(name.replace(/-\d+-/, "-1-"), Date.now())).toBe(true);
	// What was written before the machine was started was written by another process.
	expect(isWindowGone(name, 0)).toBe(true);
	child.kill("SIGKILL");
	await once(child, "exit");
	expect(isWindowGone(name, Date.now())).toBe(true);
});

test("a window that this process served before is gone, and so is one with a name that none of ours has", () => {
	expect(isWindowGone(nameWindow(), Date.now())).toBe(true);
	for (const name of ["", "notes", "-1-2-3", "0--x", "1.5--x"]) expect(isWindowGone(name, Date.now())).toBe(true);
});

test("a process of somebody else is there", () => {
	// The first process of the system is always there, and belongs to another unless the tests run as root.
	if (process.platform !== "win32") expect(isWindowGone(nameWindow(1), Date.now())).toBe(false);
});
