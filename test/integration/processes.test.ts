import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { processesOf, readReceived } from "../servers/received.ts";
import { faultyConfig, isAlive, smallConfig, textOf } from "./fixtures.ts";
import { factsOf, TestHost } from "./testHost.ts";

/** The processes that wrote to a log and still exist. */
function survivors(log: string): readonly number[] {
	return processesOf(readReceived(log)).filter(isAlive);
}

describe("the processes of a server", () => {
	it.concurrent.for(["deaf", "wrapper", "stubborn"] as const)(
		"all end on stop, even with %s",
		async (mode, { expect }) => {
			await using host = new TestHost();
			const log = host.path("stubborn.log");
			const session = await host.run(mode, faultyConfig(mode, log));
			await expect.poll(() => survivors(log).length).toBeGreaterThanOrEqual(mode === "stubborn" ? 1 : 2);
			await session.stop();
			await expect.poll(() => survivors(log)).toEqual([]);
			expect(session.state).toEqual({ kind: "stopped" });
		},
	);

	it.concurrent("all end together on shutdown", async ({ expect }) => {
		await using host = new TestHost();
		const logs = ["a", "b", "c", "d"].map((name) => host.path(`${name}.log`));
		const servers: JsonObject = Object.fromEntries(
			logs.map((log, index) => [
				`server-${index}`,
				index % 2 === 0 ? faultyConfig("deaf", log) : smallConfig("both", log),
			]),
		);
		await host.configure(servers);
		await host.host.startApproved();
		expect(logs.every((log) => survivors(log).length > 0)).toBe(true);
		await host.host.shutdown();
		await expect.poll(() => logs.flatMap(survivors)).toEqual([]);
	});

	it("are one at a time, however starts and stops follow each other", async () => {
		await using host = new TestHost();
		const log = host.path("one.log");
		await host.configure({ small: smallConfig("legacy", log) });
		const session = host.session("small");
		let seed = 7;
		for (let step = 0; step < 40; step++) {
			// A fixed sequence that looks random, so that a failure can be repeated.
			seed = (seed * 1103515245 + 12345) % 2147483648;
			const action = [() => session.start(), () => session.stop(), () => session.restart()][seed % 3];
			const done = action?.();
			if (seed % 5 === 0) await done;
			expect(survivors(log).length).toBeLessThanOrEqual(1);
		}
		await session.stop();
		await session.start();
		// A system may have given the number of a former process to another program for a moment.
		await expect.poll(() => survivors(log)).toEqual([factsOf(session).pid]);
	});

	it("get the declared environment of the definition and no secrets of the editor's (BLT-41)", async () => {
		process.env["EDITOR_SECRET_TOKEN"] = "must stay here";
		await using host = new TestHost();
		const session = await host.run("small", {
			...smallConfig("modern"),
			env: { GIVEN: "to the server" },
			cwd: host.folder,
		});
		delete process.env["EDITOR_SECRET_TOKEN"];
		const who = JSON.parse(textOf(await session.callTool("whoami", {}))) as {
			readonly cwd: string;
			readonly pid: number;
			readonly env: Readonly<Record<string, string>>;
		};
		expect(who).toMatchObject({ cwd: host.folder, pid: factsOf(session).pid, env: { GIVEN: "to the server" } });
		expect(Object.keys(who.env)).toContain("PATH");
		expect(Object.keys(who.env)).not.toContain("EDITOR_SECRET_TOKEN");
	});
});
