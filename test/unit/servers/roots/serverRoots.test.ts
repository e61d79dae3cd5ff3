import { beforeEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../base/store/storeFolder.ts";
import { Emitter } from "../../../../src/base/event.ts";
import { choiceOf, reconcile, rootRows, withRoot } from "../../../../src/servers/roots/chooseRoots.ts";
import type { OpenFolder } from "../../../../src/servers/roots/roots.ts";
import { ServerRoots } from "../../../../src/servers/roots/serverRoots.ts";
import { Approvals } from "../../../../src/servers/approval/approvals.ts";
import type { ConfigOrigin, ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { define } from "../../../../src/servers/definitions/parseConfig.ts";
import type { Session, SessionState } from "../../../../src/servers/sessions/session.ts";
import { MemoryStore, stdioConfig, userOrigin } from "../fixtures.ts";
import { folders } from "./world.ts";

/** The part of a session for roots. */
class Listener {
	definition: ServerDefinition;
	state: SessionState = { kind: "stopped" };
	heard = 0;

	constructor(definition: ServerDefinition) {
		this.definition = definition;
	}

	notifyRootsChanged(): void {
		this.heard++;
	}

	/** The model's answer when the server asks. */
	get session(): Session {
		return this as unknown as Session;
	}
}

const running = { kind: "running" } as SessionState;
const workspaceOrigin: ConfigOrigin = {
	kind: "mcp-json",
	label: ".vscode/mcp.json in client",
	file: "/work/client/.vscode/mcp.json",
	folder: "/work/client",
	isWorkspace: true,
};

let open: readonly OpenFolder[];
let own: Listener;
let shared: Listener;
let workspaceState: MemoryStore;
let approvals: Approvals;
let roots: ServerRoots;
let shown: number;
let foldersChanged: Emitter<void>;
let sessionsChanged: Emitter<void>;

beforeEach(async () => {
	open = folders("/work/client", "/work/server");
	own = new Listener(define("own", stdioConfig(), userOrigin));
	shared = new Listener(define("shared", stdioConfig(), workspaceOrigin));
	workspaceState = new MemoryStore();
	approvals = new Approvals();
	approvals.open(memoryStore().journal("approvals"));
	foldersChanged = new Emitter();
	sessionsChanged = new Emitter();
	roots = new ServerRoots({
		folders: {
			get current() {
				return open;
			},
			onDidChange: foldersChanged.event,
		},
		workspaceState,
		approvals,
		loadGlob: () => import("../../../../src/base/glob.ts"),
		machine: { isWindows: false, home: "/home/me" },
	});
	await roots.configure(undefined, []);
	shown = 0;
	const announce = (): void => roots.announce([own, shared]);
	roots.onDidChange(announce);
	sessionsChanged.event(announce);
	roots.onDidChange(() => shown++);
});

/** Starts both servers, as far as roots need it. */
function start(): void {
	own.state = shared.state = running;
	sessionsChanged.fire();
}

/** Opens folders in place of the former ones, and waits until it is known where they lead. */
async function openFolders(...paths: readonly string[]): Promise<void> {
	open = folders(...paths);
	const before = shown;
	foldersChanged.fire();
	await vi.waitFor(() => expect(shown).toBe(before + 2));
}

const urisOf = (listener: Listener): readonly string[] => roots.of(listener.definition).map(({ uri }) => uri);

describe("the servers that are notified of a change", () => {
	it("are only those whose roots changed, also one that never asked (BLT-32)", async () => {
		start();
		await openFolders("/work/client", "/work/server", "/work/docs");
		expect([own.heard, shared.heard]).toEqual([1, 0]);
		await openFolders("/work/client", "/work/server", "/work/docs");
		expect([own.heard, shared.heard]).toEqual([1, 0]);
		await openFolders("/work/server", "/work/client");
		expect([own.heard, shared.heard]).toEqual([2, 0]);
	});

	it("include a server that asked during its start, for changes until it ran", async () => {
		own.state = { kind: "starting" };
		expect(roots.list(own.session)).toHaveLength(2);
		await openFolders("/work/client");
		expect(own.heard).toBe(0);
		start();
		expect(own.heard).toBe(1);
	});

	it("do not include stopped ones, nor one that was restarted since", async () => {
		start();
		own.state = { kind: "stopped" };
		sessionsChanged.fire();
		await openFolders("/work/client");
		own.state = running;
		sessionsChanged.fire();
		expect(own.heard).toBe(0);
	});

	it("are determined by their last request as long as they run", () => {
		start();
		expect(roots.askedAt(own.session)).toBeUndefined();
		roots.list(own.session);
		expect(roots.askedAt(own.session)).toBeGreaterThan(0);
		own.state = { kind: "stopped" };
		sessionsChanged.fire();
		expect(roots.askedAt(own.session)).toBeUndefined();
	});
});

describe("the setting mcpHost.roots", () => {
	it("applies by name, otherwise by the first pattern for names", async () => {
		const problems = await roots.configure({ "*": false, own: { folders: ["client"] }, "o*": true }, []);
		expect(problems).toEqual([]);
		expect(urisOf(own)).toEqual(["file:///work/client"]);
		expect(urisOf(shared)).toEqual([]);
		expect(roots.remark(shared.definition)?.text).toBe("by your setting mcpHost.roots");
		await roots.configure({ own: true, "*": false }, []);
		expect(urisOf(own)).toHaveLength(2);
	});

	it("applies to a server that is shown under another name, since two files use its own", async () => {
		await roots.configure({ own: false }, []);
		own.definition = { ...own.definition, name: "own (User Settings)" };
		expect(urisOf(own)).toEqual([]);
	});

	it("gives a workspace's server no more by its name than all servers get (CFG-35)", async () => {
		await roots.configure({ "*": false, shared: true }, []);
		expect(urisOf(shared)).toEqual([]);
		await roots.configure({ shared: true, "sh*": { folders: ["server"] } }, []);
		expect(urisOf(shared)).toEqual([]);
		await roots.configure({ shared: true }, []);
		expect(urisOf(shared)).toEqual(["file:///work/client"]);
	});

	it("reports its errors, and shows less", async () => {
		expect(await roots.configure({ own: 5 }, [])).toMatchObject([
			{ path: ["mcpHost.roots", "own"], severity: "error", origin: { kind: "user-settings" } },
		]);
		expect(urisOf(own)).toEqual([]);
		await roots.configure("nonsense", []);
		expect(urisOf(own)).toHaveLength(2);
	});
});

describe("the approval of a workspace file's request", () => {
	it("applies at once, and until then it is shown as waiting", async () => {
		shared.definition = define("shared", stdioConfig(), workspaceOrigin, [], { folders: ["*"], extra: ["/data"] });
		await roots.configure({}, [shared.definition]);
		start();
		expect(urisOf(shared)).toEqual(["file:///work/client"]);
		expect(roots.remark(shared.definition)).toEqual({ text: "2 wait for approval", isWarning: true });
		expect(approvals.isApproved(shared.definition)).toBe(false);
		await approvals.approve(shared.definition);
		expect(approvals.isApproved(shared.definition)).toBe(true);
		expect(urisOf(shared)).toEqual(["file:///work/client", "file:///work/server", "file:///data"]);
		expect([own.heard, shared.heard]).toEqual([0, 1]);
	});

	it("is requested again when the file requests other roots, and not for fewer (CFG-02)", async () => {
		const withRoots = (extra: readonly string[]): ServerDefinition =>
			define("shared", stdioConfig(), workspaceOrigin, [], { extra });
		await approvals.approve(withRoots(["/data"]));
		expect(approvals.isApproved(withRoots(["/data", "/etc"]))).toBe(false);
		expect(approvals.former(withRoots(["/etc"]))?.roots).toEqual({ extra: ["/data"] });
		expect(approvals.isApproved(withRoots([]))).toBe(true);
	});
});

describe("the user's choice", () => {
	it("is remembered for the workspace, and the server is notified", async () => {
		start();
		await roots.choose(own.definition.id, { folders: ["file:///work/server"], extra: [] });
		expect(urisOf(own)).toEqual(["file:///work/server"]);
		expect(roots.remark(own.definition)?.text).toBe("chosen by you");
		expect([own.heard, shared.heard]).toEqual([1, 0]);
		await roots.choose(own.definition.id, undefined);
		expect(urisOf(own)).toHaveLength(2);
		expect([...workspaceState.values]).toEqual([["mcpHost.roots", "{}"]]);
	});

	it("is ignored when the stored data is damaged", async () => {
		for (const kept of [
			5,
			{ [own.definition.id]: { folders: "x", extra: [] } },
			{ [own.definition.id]: { folders: ["no uri"] } },
		]) {
			await workspaceState.update("mcpHost.roots", kept);
			expect(urisOf(own)).toHaveLength(2);
		}
	});
});

describe("the list to choose from", () => {
	const labels = (listener: Listener) => {
		const rows = rootRows(roots, listener.definition);
		return rows.rows.map(({ id, label, description }) => `${rows.ticked.has(id) ? "x" : " "} ${label}: ${description}`);
	};

	it("has every folder with its path, and current roots are ticked", async () => {
		expect(labels(own)).toEqual([
			"x All Workspace Folders (default): including folders that you open later",
			"  No Roots: the server gets an empty list",
			"x client: /work/client",
			"x server: /work/server",
		]);
		await roots.choose(own.definition.id, { folders: [], extra: [] });
		expect(labels(own)).toEqual([
			"  All Workspace Folders (default): including folders that you open later",
			"x No Roots: the server gets an empty list",
			"  client: /work/client",
			"  server: /work/server",
		]);
	});

	it("shows the source of the default, and special facts about a root", async () => {
		await openFolders("/work/client", "/home/me");
		const rule = { extra: ["/data/$(shield)", "https://example.com/x"] };
		shared.definition = define("shared", stdioConfig(), workspaceOrigin, [], rule);
		expect(labels(shared)).toEqual([
			"x As Configured (default): by .vscode/mcp.json in client",
			"  No Roots: the server gets an empty list",
			"x client: /work/client",
			"  me: /home/me · contains your home folder",
			"  \\$(shield): /data/\\$(shield) · asked for by .vscode/mcp.json in client",
			"  example.com/x: https://example.com/x · asked for by .vscode/mcp.json in client · not a folder: the server may reject it",
		]);
		await roots.configure({ "*": false }, []);
		expect(labels(own)[0]).toBe("x As Configured (default): by your setting mcpHost.roots");
		expect(rootRows(roots, define("x", stdioConfig(), workspaceOrigin)).rows[0]?.label).toBe("As Configured (default)");
		await roots.configure({}, []);
		expect(rootRows(roots, define("x", stdioConfig(), workspaceOrigin)).rows[0]?.label).toBe(
			"Its Own Folder (default)",
		);
	});

	it("keeps the ticks free of contradictions", () => {
		const rows = rootRows(roots, own.definition);
		const [a, b] = ["file:///work/client", "file:///work/server"];
		const ticks = (before: readonly string[], after: readonly string[]): readonly string[] =>
			[...reconcile(rows, new Set(before), new Set(after))].toSorted();
		expect(ticks(["default", a, b], ["default", a])).toEqual([a]);
		expect(ticks([a], [])).toEqual(["none"]);
		expect(ticks(["none"], ["none", b])).toEqual([b]);
		expect(ticks([a, b], [a, b, "none"])).toEqual(["none"]);
		expect(ticks(["none"], ["none", "default"])).toEqual(["default", a, b]);
		expect(ticks(["none"], ["none", "default", a, b])).toEqual(["default", a, b]);
		expect(ticks([a], ["default", "none", a, b])).toEqual([a, b]);
		expect(ticks(["default", a, b], [a, b])).toEqual([a, b]);
		expect(ticks(["default", a, b], ["default"])).toEqual(["none"]);
	});

	it("becomes a choice, or nothing when the default is ticked", () => {
		const added = withRoot(rootRows(roots, own.definition), { uri: "file:///x", name: "x" }, "/x");
		expect(choiceOf(added, added.ticked)).toEqual({
			folders: ["file:///work/client", "file:///work/server"],
			extra: ["file:///x"],
		});
		expect(choiceOf(added, new Set(["default", "file:///work/client"]))).toBeUndefined();
		expect(choiceOf(added, new Set(["none"]))).toEqual({ folders: [], extra: [] });
		expect(withRoot(added, { uri: "file:///work/client", name: "client" }, "/work/client").rows).toHaveLength(5);
	});
});
