import { symlinkSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readReceived } from "../servers/received.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

afterEach(() => void vi.unstubAllEnvs());

describe("A server whose entry has variables of its own (CFG-41)", () => {
	it.each(["${LOG}", "${env:LOG}"])("starts with their values: %s", async (variable) => {
		await using host = new TestHost();
		const log = host.path("own.log");
		const config = smallConfig("legacy", log);
		const args = (config["args"] as readonly string[]).map((word) => word.replaceAll(log, variable));
		const env = { ...(config["env"] as Record<string, string> | undefined), LOG: log };
		expect(JSON.stringify({ args, env })).toContain(variable);
		const session = await host.run("own", { ...config, args, env });
		expect(session.state.kind).toBe("running");
		expect(readReceived(log).length).toBeGreaterThan(0);
	});

	it.skipIf(process.platform === "win32")(
		"starts by a path in the home folder, and names the full path if nothing is there",
		async () => {
			await using host = new TestHost();
			vi.stubEnv("HOME", host.folder);
			symlinkSync(process.execPath, host.path("node-link"));
			const config = smallConfig("legacy", host.path("home.log"));
			const session = await host.run("home", { ...config, command: "~/node-link" });
			expect(session.state.kind).toBe("running");
			await host.configure({ none: { command: "~/bin/none", args: ["~/data"] } });
			await host.session("none").start();
			expect(host.session("none").state).toMatchObject({ kind: "failed" });
			expect(JSON.stringify(host.session("none").state)).toContain(`${host.folder}/bin/none`);
		},
	);

	it.each([
		[{ command: `${process.execPath} server.js --tell a` }, /contains arguments.*args/],
		[{ command: `"${process.execPath}"`, args: ["server.js"] }, /is in quotes/],
	])("explains why a command is invalid: %j", async (entry, words) => {
		await using host = new TestHost();
		await host.configure({ a: entry });
		await host.session("a").start();
		const { state } = host.session("a");
		expect(state.kind === "failed" ? state.message : state.kind).toMatch(words);
	});
});
