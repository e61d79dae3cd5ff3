/**
 * The protocol's own suite for servers and *Check Server*, about the same servers: the suite's own example of a server
 * (server-everything), and ours without a fault and with one. Only scenarios that ask for no tools of the suite are compared.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { diagnose } from "./doctorScene.ts";
import { TestHost } from "./testHost.ts";
import { startSeededHttp } from "../servers/seededHttp.ts";

const require = createRequire(import.meta.url);
const suite = path.join(
	path.dirname(require.resolve("@modelcontextprotocol/conformance/package.json")),
	"dist/index.js",
);
const everything = path.join(
	path.dirname(require.resolve("@modelcontextprotocol/server-everything/package.json")),
	"dist/index.js",
);

/** The scenarios, and the words of our findings about the same part of the protocol. */
const scenarios = {
	ping: /ping/,
	"tools-list": /tools\/list/,
	"dns-rebinding-protection": /of the web page/,
	"server-session-lifecycle": /a session that was ended|end of a session/,
} as const;
type Scenario = keyof typeof scenarios;

/** Whether the suite finds a failure in a scenario. */
async function suiteFails(url: string, scenario: Scenario): Promise<boolean> {
	const folder = mkdtempSync(path.join(tmpdir(), "mcp-host-suite-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const args = [suite, "server", "--url", url, "--scenario", scenario, "-o", folder];
	await new Promise((resolve) => execFile(process.execPath, args, { cwd: folder }, resolve));
	const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
		name.endsWith("checks.json"),
	);
	const checks: readonly { readonly status: string }[] = files.flatMap((name) =>
		JSON.parse(readFileSync(path.join(folder, name), "utf8")),
	);
	expect(checks.length).toBeGreaterThan(0);
	return checks.some(({ status }) => status === "FAILURE");
}

/** Expects that the suite and *Check Server* have the same verdict about each scenario; returns those with a failure. */
async function failures(url: string, wanted: readonly Scenario[]): Promise<readonly Scenario[]> {
	await using host = new TestHost();
	const config = { url, protocol: "legacy" };
	await host.run("checked", config);
	const { server } = await diagnose(host, "checked", { checked: config });
	const own = server.findings
		.filter(({ weight }) => weight === "warning" || weight === "cause")
		.map(({ what, where }) => `${where}: ${what}`);
	const theirs = await Promise.all(wanted.map((scenario) => suiteFails(url, scenario)));
	const ours = wanted.map((scenario) => own.some((words) => scenarios[scenario].test(words)));
	expect(ours, own.join("\n")).toEqual(theirs);
	return wanted.filter((_scenario, index) => theirs[index]);
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	return typeof address === "object" && address !== null ? address.port : 0;
}

describe("Check Server and the official suite agree (DOC-13)", () => {
	it("about server-everything", async () => {
		const port = await freePort();
		const child = spawn(process.execPath, [everything, "streamableHttp"], {
			env: { ...process.env, PORT: String(port) },
			stdio: ["ignore", "pipe", "pipe"],
		});
		onTestFinished(() => void child.kill());
		await new Promise<void>((resolve) => {
			const read = (text: Buffer): void => {
				if (/listening/i.test(text.toString())) resolve();
			};
			child.stdout.on("data", read);
			child.stderr.on("data", read);
		});
		const all: readonly Scenario[] = ["ping", "tools-list", "dns-rebinding-protection", "server-session-lifecycle"];
		const failed = await failures(`http://127.0.0.1:${port}/mcp`, all);
		expect(failed).toContain("dns-rebinding-protection");
	});

	it("about a server without a fault", async () => {
		await using server = await startSeededHttp();
		expect(await failures(server.url, ["dns-rebinding-protection", "server-session-lifecycle"])).toEqual([]);
	});

	it("about a server that keeps a session that was ended", async () => {
		await using server = await startSeededHttp({ fault: "ended-session-lives" });
		expect(await failures(server.url, ["server-session-lifecycle"])).toEqual(["server-session-lifecycle"]);
	});
});
