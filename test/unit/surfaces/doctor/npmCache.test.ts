import { homedir } from "node:os";
import { expect, it } from "vitest";
import { npmCache } from "../../../../src/surfaces/doctor/machineProbes.ts";

it.each([
	["win32", { LOCALAPPDATA: String.raw`C:\Users\me\AppData\Local` }, String.raw`C:\Users\me\AppData\Local\npm-cache`],
	["win32", { LocalAppData: String.raw`D:\local` }, String.raw`D:\local\npm-cache`],
	["linux", { HOME: "/home/me" }, "/home/me/.npm"],
	["linux", {}, `${homedir()}/.npm`],
] as const)("The cache of npm on %s with %j is %s", (platform, environment, folder) => {
	expect(npmCache(environment, platform).replaceAll("\\", "/")).toBe(folder.replaceAll("\\", "/"));
});
