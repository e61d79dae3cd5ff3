/** The files of this suite share a process: leftovers of one would affect another. */
import { afterAll, expect, vi } from "vitest";
import { removeStoreFolders } from "./base/store/storeFolder.ts";

const environment = { ...process.env };
const folder = process.cwd();

afterAll(() => {
	removeStoreFolders();
	expect(vi.isFakeTimers(), "fake timers were left behind").toBe(false);
	expect({ ...process.env }, "the environment was left changed").toEqual(environment);
	expect(process.cwd()).toBe(folder);
});
