import { describe, expect, it } from "vitest";
import { Census, processesOfPs, wordsOfCmdline } from "../../../../src/servers/otherHosts/census.ts";

const files = { command: "node", args: ["files.js", "${workspaceFolder}/data"] };
const filesWords = ["/usr/bin/node", "files.js", "/ws/data"];
const extensionHost = 100;
const ours = new Set([200]);

/** A window with agent sessions, as `/proc` lists it: the server is run by five hosts, and another program once. */
const processes = [
	{ pid: 1, parent: 0, words: ["/sbin/init"] },
	{ pid: extensionHost, parent: 1, words: ["node", "out/bootstrap-fork", "--type=extensionHost"] },
	{ pid: 101, parent: 1, words: ["node", "out/bootstrap-fork", "--type=agentHost"] },
	{ pid: 110, parent: 101, words: ["/opt/x/copilot-runtime", "--stdio"] },
	{ pid: 120, parent: 101, words: ["/opt/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude", "-p"] },
	{ pid: 130, parent: 101, words: ["node", "/opt/node_modules/@openai/codex/bin/codex.js", "app-server"] },
	{ pid: 140, parent: 1, words: ["node", "out/bootstrap-fork", "--type=extensionHost"] },
	{ pid: 150, parent: 1, words: ["/bin/bash"] },
	{ pid: 200, parent: extensionHost, words: filesWords },
	{ pid: 201, parent: extensionHost, words: filesWords },
	{ pid: 210, parent: 110, words: ["sh", "-c", "launch"] },
	{ pid: 211, parent: 210, words: filesWords },
	{ pid: 220, parent: 120, words: filesWords },
	{ pid: 230, parent: 130, words: filesWords },
	{ pid: 240, parent: 140, words: filesWords },
	{ pid: 250, parent: 150, words: filesWords },
	{ pid: 251, parent: 250, words: filesWords },
	{ pid: 260, parent: 110, words: ["node", "files.js", "/elsewhere"] },
];

const census = (list = processes): Census => new Census(list, { ours, extensionHost });

describe("A census of processes (CFG-44)", () => {
	it("names for each process of a server the host that started it, by the chain of its parents", () => {
		expect(census().of(files)).toEqual([
			{ pid: 200, host: "here", by: "MCP Host" },
			{ pid: 201, host: "local", by: "VS Code" },
			{ pid: 211, host: "copilot", by: "copilot-runtime" },
			{ pid: 220, host: "claude", by: "claude" },
			{ pid: 230, host: "codex", by: "Codex" },
			{ pid: 240, host: "other", by: "another window of VS Code" },
			{ pid: 250, host: "other", by: "bash" },
		]);
	});

	it("takes a file of another folder for another server", () => {
		const words = ["/usr/bin/node", "server.mjs"];
		const list = [
			{ pid: 200, parent: extensionHost, words, folder: "/ws/orders" },
			{ pid: 240, parent: 140, words, folder: "/ws/other" },
			{ pid: 241, parent: 140, words, folder: "/ws/orders" },
			{ pid: 242, parent: 140, words },
		];
		const found = (args: readonly string[]): readonly number[] =>
			census(list)
				.of({ command: "node", args }, 200)
				.map(({ pid }) => pid);
		expect(found(["server.mjs"])).toEqual([200, 241, 242]);
		const same = list.map((one) => Object.assign({}, one, { words: ["node", "/ws/server.mjs"] }));
		const absolute = new Census(same, { ours, extensionHost }).of({ command: "node", args: ["/ws/server.mjs"] }, 200);
		expect(absolute).toHaveLength(4);
	});

	it("finds a server that renames itself by the command line of our own process", () => {
		const list = [
			{ pid: 200, parent: extensionHost, words: ["npm exec server"] },
			{ pid: 211, parent: 110, words: ["npm exec server"] },
			...processes.slice(0, 5),
		];
		const command = { command: "npx", args: ["server"] };
		expect(census(list).of(command)).toEqual([]);
		expect(
			census(list)
				.of(command, 200)
				.map(({ by }) => by),
		).toEqual(["MCP Host", "copilot-runtime"]);
	});

	it("identifies a program independent of its folder, ending and interpreter, with the same arguments", () => {
		const words = (line: string) => [{ pid: 5, parent: 1, words: line.split(" ") }];
		const isFound = (line: string, command: string, ...args: string[]): boolean =>
			census(words(line)).of({ command, args }).length === 1;
		expect(isFound("node /usr/lib/npx.cmd -y server", "npx", "-y", "server")).toBe(true);
		expect(isFound("/usr/bin/server", "${userHome}/bin/server")).toBe(true);
		expect(isFound("npx -y server --more", "npx", "-y", "server")).toBe(false);
		expect(isFound("npx -y other", "npx", "-y", "server")).toBe(false);
		expect(isFound("npx a", "npx", "ab${x}ba")).toBe(false);
		expect(isFound("x", "npx", "a", "b")).toBe(false);
	});

	it("ends at a circle of parents, and shows names as one line", () => {
		const list = [
			{ pid: 1, parent: 2, words: ["a\nb\u001b[1m"] },
			{ pid: 2, parent: 1, words: filesWords },
		];
		const [found] = census(list).of(files);
		expect(found?.host).toBe("other");
		expect(found?.by).not.toMatch(/\p{Cc}/u);
	});

	it("reads the process lists of Linux and macOS", () => {
		expect(wordsOfCmdline("node\0files.js\0\0two words\0")).toEqual(["node", "files.js", "", "two words"]);
		expect(wordsOfCmdline("npm exec server\0\0\0\0")).toEqual(["npm exec server"]);
		expect(wordsOfCmdline("")).toEqual([]);
		expect(processesOfPs("    1     0 /sbin/launchd\n 4711   1 node  files.js /ws/data\n\nnonsense\n")).toEqual([
			{ pid: 1, parent: 0, words: ["/sbin/launchd"] },
			{ pid: 4711, parent: 1, words: filesWords.with(0, "node") },
		]);
	});
});
