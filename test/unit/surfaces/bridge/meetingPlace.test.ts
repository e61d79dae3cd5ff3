import {
	chmodSync,
	existsSync,
	mkdtempSync,
	mkdirSync,
	realpathSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nameWindow } from "../../../../src/records/activity/windows.ts";
import {
	announce,
	openFolder,
	placesOf,
	readWindows,
	removeStale,
	type SharingWindow,
	windowsFor,
} from "../../../../src/surfaces/bridge/meetingPlace.ts";

let base = "";
beforeEach(() => {
	base = realpathSync(mkdtempSync(path.join(tmpdir(), "meeting-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A window of another process: one that this process served before counts as gone. */
function windowOf(more: Partial<SharingWindow> = {}): SharingWindow {
	const name = nameWindow(process.ppid);
	return { name, socket: "/nowhere.sock", key: "key", folders: [], focusedAt: 1, ...more };
}

describe.skipIf(process.platform === "win32")("the folder in which windows are found (GST-10)", () => {
	test("is made for its user alone, and refused if others can open it or it is a link", async () => {
		const folder = path.join(base, "meeting");
		expect(await openFolder(folder)).toBe(folder);
		await announce(placesOf(folder, "a").file, windowOf());
		expect(await readWindows(folder)).toHaveLength(1);
		chmodSync(folder, 0o755);
		await expect(openFolder(folder)).rejects.toThrow("Other users can open");
		expect(await readWindows(folder)).toEqual([]);
		chmodSync(folder, 0o700);
		const link = path.join(base, "link");
		symlinkSync(folder, link);
		await expect(openFolder(link)).rejects.toThrow("is not a folder");
		expect(await readWindows(link)).toEqual([]);
		expect(await readWindows(path.join(base, "missing"))).toEqual([]);
	});

	test("loses what windows that are gone left in it, and nothing else", async () => {
		const folder = await openFolder(path.join(base, "meeting"));
		const [alive, gone] = [placesOf(folder, "alive"), placesOf(folder, "gone")];
		await announce(alive.file, windowOf());
		await announce(gone.file, windowOf({ name: "999999999-1-abc" }));
		writeFileSync(gone.socket, "");
		writeFileSync(path.join(folder, "half.json"), '{"name":"x"');
		mkdirSync(path.join(folder, "dir.json"));
		// Windows that were killed before they announced their sockets, and one that is about to.
		const [killed, coming] = [placesOf(folder, "killed").socket, placesOf(folder, "coming").socket];
		for (const socket of [alive.socket, killed, coming]) writeFileSync(socket, "");
		for (const socket of [alive.socket, killed]) utimesSync(socket, 1, 1);
		expect(await readWindows(folder)).toHaveLength(1);
		await removeStale(folder);
		expect([alive.file, gone.file, gone.socket].map((file) => existsSync(file))).toEqual([true, false, false]);
		expect([alive.socket, killed, coming].map((file) => existsSync(file))).toEqual([true, false, true]);
	});
});

describe("the window that serve chooses", () => {
	test("is that with the innermost folder around the working directory, otherwise the one focused last", () => {
		const outer = windowOf({ key: "outer", folders: ["/a"], focusedAt: 1 });
		const inner = windowOf({ key: "inner", folders: ["/x", "/a/b"], focusedAt: 2 });
		const other = windowOf({ key: "other", folders: ["/a/bc"], focusedAt: 3 });
		const chosen = (cwd: string): readonly string[] => windowsFor([outer, inner, other], cwd).map(({ key }) => key);
		expect(chosen("/a/b/c")).toEqual(["inner", "outer", "other"]);
		expect(chosen("/a/q")[0]).toBe("outer");
		expect(chosen("/a/..q")[0]).toBe("outer");
		expect(chosen("/elsewhere")).toEqual(["other", "inner", "outer"]);
	});
});
