import { beforeEach, describe, expect, test, vi } from "vitest";
import type { TreeNode } from "../../../../src/surfaces/tree/nodes.ts";
import { tooltipOf } from "../../../../src/surfaces/tree/tooltip.ts";
import type { NodeView } from "../../../../src/surfaces/tree/view.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";
import { TreeScene } from "./treeScene.ts";

let scene: TreeScene;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
	return () => {
		scene.dispose();
		vi.useRealTimers();
	};
});

function server(): TreeNode {
	return scene.server();
}

function view(node: TreeNode): NodeView {
	return scene.view(node);
}

/** The server's row and those below it. */
function picture(): string {
	const row = (node: TreeNode): string => `${view(node).label}  ${view(node).description}`.trimEnd();
	return [row(server()), ...scene.children(server()).map((node) => `  ${row(node)}`), ""].join("\n");
}

describe("the state of a server", () => {
	test.each([
		["stopped", { kind: "stopped" }, "stopped", "circle-outline", "travel, stopped"],
		[
			"waiting for approval",
			{ kind: "needs-approval", reason: "unapproved: the definition changed" },
			"unapproved: the definition changed",
			"shield",
			"travel, waits for approval, unapproved: the definition changed, User Settings",
		],
		["switched off", { kind: "off" }, "off", "circle-slash", "travel, off"],
		["left to VS Code", { kind: "left-to-editor" }, "left to VS Code", "circle-slash", "travel, left to VS Code"],
		["starting", { kind: "starting" }, "starting", "loading~spin", "travel, starting"],
		[
			"waiting for sign-in",
			{ kind: "needs-sign-in", message: "Sign in at auth.example.com." },
			"Sign in at auth.example.com.",
			"key",
			"travel, waits for sign-in, Sign in at auth.example.com.",
		],
		["failed", { kind: "failed", message: "exited", stderr: [] }, "exited", "error", "travel, failed, exited"],
	] as const)("%s is shown by icon, words and accessible name", (_what, state, description, icon, spoken) => {
		scene.travel.setState(state);
		expect(view(server())).toMatchObject({
			description,
			icon: { id: icon },
			spoken,
			context: `server-${state.kind} of-user`,
		});
	});

	test("is announced with the file of another host that defines it (IMP-03)", () => {
		const file = "/home/me/.cursor/mcp.json";
		const origin = { kind: "followed", label: "Cursor, ~/.cursor/mcp.json", file, isWorkspace: false } as const;
		const session = new FakeSession("browser", { origin });
		scene.directory.set(session);
		session.setState({ kind: "needs-approval", reason: "unapproved" });
		expect(view(server())).toMatchObject({
			description: "unapproved",
			spoken: "browser, waits for approval, unapproved, Cursor, ~/.cursor/mcp.json",
		});
	});

	test.each([
		[{ kind: "needs-approval", reason: "unapproved" }, "mcpHost.reviewServer"],
		[{ kind: "needs-sign-in", message: "Sign in." }, "mcpHost.signIn"],
		[{ kind: "left-to-editor" }, "mcpHost.reviewServer"],
		[{ kind: "stopped" }, undefined],
	] as const)("choosing a waiting one leads further: %j (FST-06)", (state, command) => {
		scene.travel.setState(state);
		expect(view(server()).command?.id).toBe(command);
		if (command !== undefined) expect(view(server()).command?.argument).toEqual({ server: scene.travel.definition.id });
	});

	test("running is shown only by icon and accessible name: transport and revision are no remark on a healthy server (UI-26)", async () => {
		await scene.travel.run({}, { transport: "sse", protocolVersion: "2024-11-05" });
		expect(view(server())).toMatchObject({
			icon: { id: "pass-filled", color: "testing.iconPassed" },
			description: "",
			spoken: "travel, running",
			context: "server-running of-user",
		});
		expect(tooltipOf(server())?.replaceAll("\\", "")).toContain("HTTP+SSE, revision 2024-11-05");
	});

	test("failed has its whole reason and the last lines of stderr below it", () => {
		scene.travel.setState({
			kind: "failed",
			message: "exited\nwith code 1",
			stderr: ["", "Error: no key\u001b[0m", "  at x.js"],
		});
		expect(picture()).toBe("travel  exited with code 1\n  exited with code 1\n  Error: no key\\u001B[0m\n  at x.js\n");
		expect(view(scene.children(server())[0] as TreeNode).command).toEqual({
			id: "mcpHost.whyNotStart",
			title: "Check Server",
			argument: { server: scene.travel.definition.id },
		});
		expect(tooltipOf(scene.children(server())[0] as TreeNode)).toBe("```\nexited\nwith code 1\n```");
	});

	test("a temporary failure shows that it starts again, and when", () => {
		const retryAt = Date.now() + 4000;
		scene.travel.setState({ kind: "failed", message: "The server exited.", stderr: [], retryAt });
		expect(view(server())).toMatchObject({
			description: "restarts soon: The server exited.",
			icon: { id: "history" },
			context: "server-failed-retrying of-user",
		});
		expect(tooltipOf(server())?.replaceAll("\\", "")).toContain(
			`Restarts: ${new Date(retryAt).toLocaleTimeString(undefined, { hourCycle: "h23" })}`,
		);
	});

	test.each([
		[{ kind: "stopped" }, true],
		[{ kind: "off" }, false],
		[{ kind: "failed", message: "exited", stderr: [] }, false],
		[{ kind: "needs-approval", reason: "unapproved" }, false],
	] as const)(
		"a server that was open stays open while it has no rows only if they return: %j (UI-17)",
		(state, staysOpen) => {
			scene.travel.setState(state);
			expect(view(server()).staysOpen).toBe(staysOpen);
		},
	);

	test("a group stays open while its list is empty, and an item has nothing to stay open for (UI-17)", async () => {
		await scene.travel.run({ tools: [{ name: "book", inputSchema: { type: "object" } }], prompts: [] });
		const groups = scene.children(server());
		expect(groups.map((group) => view(group).staysOpen)).toEqual(groups.map(() => true));
		const tool = groups.flatMap((group) => scene.children(group)).find((node) => view(node).label === "book");
		expect(tool === undefined ? undefined : view(tool).staysOpen).toBeUndefined();
		expect(tool).toBeDefined();
	});

	test("starting stays expandable, so that a restart does not collapse the server", () => {
		scene.travel.setState({ kind: "starting" });
		expect(view(server()).isCollapsible).toBe(true);
		expect(picture()).toBe("travel  starting\n  Waiting for the server to answer…\n");
	});

	test("starting shows what it waits for, such as a download (DOC-02)", () => {
		scene.travel.setState({ kind: "starting", note: "downloading with uvx…" });
		expect(picture()).toBe("travel  downloading with uvx…\n  downloading with uvx…\n");
	});
});
