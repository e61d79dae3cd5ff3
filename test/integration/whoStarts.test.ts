import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runsElsewhere, takeCensus } from "../../src/servers/otherHosts/processes.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

it.skipIf(process.platform === "win32")(
	"A server that a runtime of agent sessions runs beside MCP Host is found, with the runtime's name, until it ends (CFG-45)",
	async () => {
		await using host = new TestHost();
		const entry = smallConfig("modern", host.path("twice.log"));
		const session = await host.run("small", entry);
		const found = async () => runsElsewhere(await takeCensus(host.host.registry), session);
		expect(await found()).toEqual([]);

		const runtime = host.path("copilot-runtime");
		writeFileSync(
			runtime,
			'const { spawn } = require("node:child_process");\nconst [command, ...args] = JSON.parse(process.env.SERVER);\nspawn(command, args, { stdio: "inherit" }).on("exit", () => process.exit());\n',
		);
		const { config } = session.definition;
		if (config.kind !== "stdio") throw new Error("not a process");
		const other = spawn(process.execPath, [runtime], {
			env: { ...process.env, SERVER: JSON.stringify([config.command, ...config.args]) },
			stdio: ["pipe", "ignore", "ignore"],
		});
		const names = async (): Promise<readonly string[]> =>
			(await found()).map(({ host: by, by: name }) => `${by} ${name}`);
		await expect.poll(names, { timeout: 20_000 }).toEqual(["copilot copilot-runtime"]);
		const [twin] = await found();
		expect(twin?.pid).not.toBe(other.pid);
		other.stdin.end();
		await expect.poll(names, { timeout: 20_000 }).toEqual([]);
	},
);
