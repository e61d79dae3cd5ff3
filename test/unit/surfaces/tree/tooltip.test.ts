import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { noteFreshness } from "../../../../src/servers/sessions/freshness.ts";
import type { GroupKind, TreeNode } from "../../../../src/surfaces/tree/nodes.ts";
import { tooltipOf } from "../../../../src/surfaces/tree/tooltip.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";
import { TreeScene, tool } from "./treeScene.ts";

let scene: TreeScene;
let session: FakeSession;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
	session = scene.travel;
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

function server(): TreeNode {
	return scene.server();
}

/** The first item of a group. */
function firstOf(kind: GroupKind): TreeNode {
	const [item] = scene.rows(kind);
	if (item === undefined) throw new Error(`There is no item in ${kind}.`);
	return item;
}

describe("a hostile server (RES-08, TOL-07, TOL-08, UI-02 to UI-04)", () => {
	const evil = "Read\u202Eeman\n$(error) [x](command:evil) <img src=x> **b** ``` ";

	test("cannot hide or format anything in a row", async () => {
		await session.run({ tools: [tool(evil.repeat(500), { title: evil })] });
		const { label, description } = scene.view(firstOf("tools"));
		expect(label).toBe("Read\\u202Eeman $(error) [x](command:evil) <img src=x> **b** ```");
		expect(description.length).toBeLessThan(150);
		expect(`${label}${description}`).not.toMatch(/[\n\u202E]/);
	});

	test("cannot format or link anything in a tooltip", async () => {
		await session.run(
			{
				tools: [tool("t", { title: evil, description: evil, inputSchema: { type: "object", title: evil } })],
				resources: [{ uri: `x://${evil}`, name: evil, description: evil, mimeType: evil }],
				resourceTemplates: [{ uriTemplate: evil, name: evil, description: evil }],
				prompts: [{ name: evil, description: evil, arguments: [{ name: evil, description: evil }] }],
			},
			{ instructions: evil, server: { name: evil, version: evil } },
		);
		const nodes = [server(), ...(["tools", "resources", "resourceTemplates", "prompts"] as const).map(firstOf)];
		for (const node of nodes) {
			const text = tooltipOf(node) ?? "";
			// Outside of fenced blocks every character with a meaning in Markdown is escaped.
			const prose = text.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, "");
			expect(prose).not.toContain("\u202E");
			expect(prose).not.toMatch(/[^\\](\[x|<img|\$\(|``)/);
			expect(prose).not.toContain("](command");
		}
	});

	test("cannot make a tooltip endless", async () => {
		const long = "x".repeat(1_000_000);
		await session.run(
			{ tools: [tool("t", { description: long, inputSchema: { type: "object", title: long } })] },
			{ instructions: long },
		);
		for (const node of [server(), firstOf("tools")]) {
			expect(tooltipOf(node)?.length).toBeLessThan(10_000);
		}
	});
});

test("the tooltip of a server shows its source, its command, and its offers", async () => {
	session = new FakeSession("git hub", {
		config: {
			kind: "stdio",
			command: "npx",
			args: ["-y", "some server", ""],
			env: { TOKEN: "secret" },
			protocol: "auto",
		},
		origin: { kind: "mcp-json", label: "x", file: "/ws/.vscode/mcp.json", isWorkspace: true },
	});
	scene.directory.set(session);
	await session.run({}, { instructions: "Be kind." });
	const text = tooltipOf(server())?.replaceAll("\\", "");
	expect(text).toContain("**git hub** (running)");
	expect(text).toContain('```\nnpx -y "some server" ""\n```');
	expect(text).toContain("Configured in: /ws/.vscode/mcp.json");
	expect(text).toContain("Environment: TOKEN");
	expect(text).not.toContain("secret");
	expect(text).toContain("Server name: fake-server 1.2.3");
	expect(text).toContain("Offers: tools, resources (subscribe), prompts");
	expect(text).toContain("Instructions of the server:\n\nBe kind.");
});

test("the tooltip of a server says that its process runs in another window (GST-16)", async () => {
	await session.run({}, { pid: 4711 });
	expect(tooltipOf(server())).toContain("Process: 4711");
	await session.run({}, { pid: 4711, isElsewhere: true });
	expect(tooltipOf(server())?.replaceAll("\\", "")).toContain(
		"Process: Runs in another window of VS Code (process 4711)",
	);
});

test("the tooltip of a server names its extensions with their versions, and which MCP Host does not use (SKL-14)", async () => {
	const extensions = {
		"io.modelcontextprotocol/tasks": {},
		"io.modelcontextprotocol/skills": { revision: "2" },
		"com.example/events": { revision: "2026-10" },
	};
	await session.run({}, { capabilities: { extensions } });
	const text = tooltipOf(server())?.replaceAll("\\", "");
	expect(text).toContain(
		"Extensions: io.modelcontextprotocol/tasks, " +
			"io.modelcontextprotocol/skills 2 (not used: MCP Host does not know this revision), com.example/events 2026-10 (not used)",
	);
});

describe("a server of a file that VS Code's own MCP host reads too (CFG-31)", () => {
	const shared = (more: object = {}): string => {
		session = new FakeSession("git hub", {
			origin: { kind: "mcp-json", label: "x", file: "/ws/.vscode/mcp.json", isWorkspace: true },
			...more,
		});
		scene.directory.set(session);
		return tooltipOf(server(), { sharedFiles: scene.editor.shared })?.replaceAll("\\", "") ?? "";
	};

	test("shows in its row and tooltip that VS Code can run it too, as long as it can", async () => {
		expect(shared()).toContain(
			"VS Code's own MCP host also reads this file and can run this server as a second process",
		);
		expect(scene.view(server()).description).toBe("VS Code can run it too");
		scene.announced.length = 0;
		await scene.editor.write("user", "none");
		expect(shared()).toContain("Only MCP Host runs this server. VS Code's own MCP host is off");
		expect(scene.view(server()).description).toBe("stopped");
		vi.runAllTimers();
		expect(scene.announced).not.toEqual([]);
	});

	test("shows in its tooltip which other host runs it now", () => {
		const elsewhere = [{ pid: 1915, host: "copilot" as const, by: "copilot-runtime" }];
		expect(tooltipOf(server(), { elsewhere })?.replaceAll("\\", "")).toContain(
			"Also run by: copilot-runtime (pid 1915)",
		);
	});

	test("shows that it was left to VS Code", async () => {
		await scene.editor.shared.keep({ runner: "editor" });
		expect(shared()).toContain("You left the servers of this file to VS Code.");
	});

	test("is distinguished from a server of the user's own", () => {
		expect(tooltipOf(server(), { sharedFiles: scene.editor.shared })).not.toContain("VS Code");
		expect(scene.view(server()).description).toBe("stopped");
	});

	test("shows that it gets no sandbox if one is requested (CFG-30)", () => {
		expect(shared({ wantsSandbox: true })).toContain("The entry asks for a sandbox, but MCP Host does not have one");
		expect(shared()).not.toContain("sandbox");
	});
});

test("a server's tooltip summarizes its requests", () => {
	expect(tooltipOf(server())).not.toContain("Requests");
	session.requestLog.begin("a", false).end();
	session.requestLog.begin("b", false).end();
	session.requestLog.begin("c", false).end(new HostError("cancelled", "c was cancelled."));
	session.requestLog.begin("d", false).end(new HostError("outcome-unknown", "gone"));
	expect(tooltipOf(server())?.replaceAll("\\", "")).toContain(
		"Requests: 2 answered, 1 cancelled, 1 with unknown outcome",
	);
});

test("a list's tooltip is true before and after its server's time has passed (TRN-67)", async () => {
	await session.run({ tools: [tool("a")] });
	const words = (): string => (tooltipOf(scene.group("tools")) ?? "").replaceAll("\\", "");
	expect(words()).not.toMatch(/Fresh|Out of date/);
	noteFreshness(session.tools, true, 60_000);
	expect(words()).toMatch(/^Fresh until: [\d:]+, then read again before its next use$/m);
	noteFreshness(session.tools, true, -1);
	expect(words()).toMatch(/^Out of date since: [\d:]+, read again before its next use$/m);
});
