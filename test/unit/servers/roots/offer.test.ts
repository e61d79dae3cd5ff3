import { describe, expect, it } from "vitest";
import type { RootsRequest } from "../../../../src/servers/roots/offer.ts";
import { asksForMore, type RootsRule } from "../../../../src/servers/definitions/rootsRule.ts";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import { userOrigin } from "../fixtures.ts";
import { folders, offered, told, world } from "./world.ts";

/** The mcp.json of the folder `client`. */
const clientFile: ConfigOrigin = {
	kind: "mcp-json",
	label: ".vscode/mcp.json in client",
	file: "/work/client/.vscode/mcp.json",
	folder: "/work/client",
	isWorkspace: true,
};
/** A .code-workspace file, which belongs to no folder. */
const workspaceFile: ConfigOrigin = {
	kind: "workspace-settings",
	label: "Workspace Settings",
	file: "/work/all.code-workspace",
	isWorkspace: true,
};

describe("without a rule", () => {
	it("a user's own server sees all workspace folders with their names (BLT-31)", () => {
		expect(offered().roots).toEqual([
			{ uri: "file:///work/client", name: "client" },
			{ uri: "file:///work/server", name: "server" },
		]);
		expect(offered({ origin: workspaceFile }).roots).toHaveLength(2);
		expect(offered().by).toBe("default");
	});

	it("a server of a folder's file sees that folder only (BLT-31, CFG-23)", () => {
		expect(told({ origin: clientFile })).toEqual(["/work/client"]);
		expect(told({ origin: clientFile }, { folders: folders("/work/server") })).toEqual([]);
	});

	it.each([
		["the home folder", "/home/me"],
		["a folder that holds it", "/home"],
		["the whole machine", "/"],
	])("%s is not sent automatically, although it is open, and the rest is (ROOT-01)", (_what, path) => {
		const open = { folders: folders(path, "/home/me/app", "/home/meow") };
		expect(told({}, open)).toEqual(["/home/me/app", "/home/meow"]);
		expect(offered({}, open).tooWide.map(({ uri }) => uri)).toEqual([`file://${path}`]);
		expect(told({ asked: { folders: ["**", "*"], extra: [] } }, open)).toEqual(["/home/me/app", "/home/meow"]);
		const choice = { folders: [`file://${path}`], extra: [] };
		expect(told({ choice }, open)).toEqual([path]);
		expect(told({ asked: { folders: [], extra: [path] } }, open)).toEqual([path]);
	});

	it("a Windows home folder is recognised in any case", () => {
		const machine = { isWindows: true, home: "C:\\Users\\Me" };
		expect(told({}, { ...machine, folders: folders("c:\\users\\me", "c:\\users\\me\\app") })).toEqual([
			"/c:/users/me/app",
		]);
	});

	it("a home folder in another case, which is the same on a Mac, is not sent automatically (ROOT-01)", () => {
		expect(told({}, { home: "/Users/me", folders: folders("/users/Me", "/USERS", "/users/me/app") })).toEqual([
			"/users/me/app",
		]);
	});

	it("folders of another machine are not roots", () => {
		const open = [{ name: "remote", scheme: "vscode-vfs", path: "/r" }, ...folders("/work/client")];
		expect(told({}, { folders: open })).toEqual(["/work/client"]);
	});
});

describe("a rule of the server's entry", () => {
	const open = { folders: folders("/work/client", "/work/server", "/work/docs/server", "/work/.secret") };

	it.each([
		[["client"], ["/work/client"]],
		[["serv*"], ["/work/server", "/work/docs/server"]],
		[["{client,.secret}"], ["/work/client", "/work/.secret"]],
		[["/work/docs/*"], ["/work/docs/server"]],
		[["**/docs/**"], ["/work/docs/server"]],
		[["!server"], ["/work/client", "/work/.secret"]],
		[["!/work/docs/**"], ["/work/client", "/work/server", "/work/.secret"]],
		[
			["*", "!.secret"],
			["/work/client", "/work/server", "/work/docs/server"],
		],
		[
			["*", "!.secret/", "!/work/docs/server/"],
			["/work/client", "/work/server"],
		],
		[["CLIENT"], []],
		[["#client", "clien"], []],
		[[], []],
	])("of %j chooses %j", (patterns, expected) => {
		expect(told({ asked: { folders: patterns, extra: [] } }, open)).toEqual(expected);
	});

	it("resolves ~ to the home folder, and Windows paths with slashes in any case", () => {
		const asked: RootsRule = { folders: ["~/code/*"], extra: [] };
		expect(told({ asked }, { folders: folders("/home/me/code/a", "/work/a") })).toEqual(["/home/me/code/a"]);
		const machine = { isWindows: true, home: "C:\\Users\\Me" };
		const drives = folders("c:\\users\\me\\code\\A", "d:\\A");
		expect(told({ asked }, { ...machine, folders: drives })).toEqual(["/c:/users/me/code/A"]);
		expect(told({ asked: { folders: ["D:/*"], extra: [] } }, { ...machine, folders: drives })).toEqual(["/d:/A"]);
	});

	it("excludes a folder for any characters of the home folder, and with backslashes on Windows", () => {
		const asked: RootsRule = { folders: ["!~/secret"], extra: [] };
		const home = "/home/me[1]";
		expect(told({ asked }, { home, folders: folders(`${home}/secret`, "/work/a") })).toEqual(["/work/a"]);
		const machine = { isWindows: true, home: "C:\\Users\\Me", folders: folders("c:\\work\\secret", "c:\\work\\a") };
		expect(told({ asked: { folders: ["!C:\\Work\\secret"], extra: [] } }, machine)).toEqual(["/c:/work/a"]);
	});

	it("sends a folder once, in any spelling", () => {
		const extra = ["/work/client/", "file:///work/client/", "file:///%77ork/client", "~/notes/", "~/../me/notes"];
		expect(told({ asked: { folders: ["client"], extra } })).toEqual(["/work/client", "/home/me/notes"]);
		expect(told({ origin: clientFile, asked: { extra: ["~"] }, approved: { extra: ["~"] } })).toEqual([
			"/work/client",
			"/home/me",
		]);
	});

	it("adds folders and addresses beside those of the workspace, each once", () => {
		const asked: RootsRule = {
			folders: ["client"],
			extra: [
				"/data/set 1",
				"${userHome}/notes",
				"${workspaceFolder:server}/..",
				"/work/client",
				"https://example.com/x/",
			],
		};
		expect(offered({ asked }).roots).toEqual([
			{ uri: "file:///work/client", name: "client" },
			{ uri: "file:///data/set%201", name: "set 1" },
			{ uri: "file:///home/me/notes", name: "notes" },
			{ uri: "file:///work", name: "work" },
			{ uri: "https://example.com/x/", name: "example.com/x" },
		]);
	});

	it("leaves out missing ones, and reports it", () => {
		const asked: RootsRule = { extra: ["${workspaceFolder:docs}/x", "/data"] };
		expect(offered({ asked })).toMatchObject({ unknown: ["${workspaceFolder:docs}/x"] });
		expect(told({ asked })).toEqual(["/work/client", "/work/server", "/data"]);
		expect(told({ asked: { extra: ["${workspaceFolder}/x"] } }, { folders: [] })).toEqual([]);
	});

	it("resolves relative paths from the folder of its file", () => {
		const asked: RootsRule = { extra: ["../shared"] };
		expect(told({ origin: clientFile, asked, approved: asked })).toEqual(["/work/client", "/work/shared"]);
	});
});

describe("a rule of a workspace's file", () => {
	const asked: RootsRule = { folders: ["*"], extra: ["/etc", "/data"] };

	it("shows nothing outside the workspace until the user approved it (ROOT-01)", () => {
		expect(offered({ origin: workspaceFile, asked }).roots.map(({ name }) => name)).toEqual(["client", "server"]);
		expect(offered({ origin: workspaceFile, asked }).waiting.map(({ uri }) => uri)).toEqual([
			"file:///etc",
			"file:///data",
		]);
		expect(told({ origin: workspaceFile, asked, approved: asked })).toEqual([
			"/work/client",
			"/work/server",
			"/etc",
			"/data",
		]);
	});

	it("shows no other folder of the workspace than its own until the user approved it (CFG-23)", () => {
		const all: RootsRule = { folders: ["*"], extra: [] };
		expect(told({ origin: clientFile, asked: all })).toEqual(["/work/client"]);
		expect(offered({ origin: clientFile, asked: all }).waiting.map(({ name }) => name)).toEqual(["server"]);
		expect(offered({ origin: clientFile, asked: all, approved: all }).waiting).toEqual([]);
		expect(told({ origin: clientFile, asked, approved: asked })).toHaveLength(4);
	});

	it("keeps the approved ones when it changes", () => {
		const approved: RootsRule = { folders: ["*"], extra: ["/data"] };
		expect(told({ origin: clientFile, asked, approved })).toEqual(["/work/client", "/work/server", "/data"]);
		const others: RootsRule = { folders: ["!x"], extra: ["/data"] };
		expect(told({ origin: clientFile, asked, approved: others })).toEqual(["/work/client", "/data"]);
	});

	it("does not get the home folder by moving a folder there, although the approved text is the same (ROOT-01)", () => {
		const above: RootsRule = { extra: ["${workspaceFolder:app}/.."] };
		const rule = { origin: workspaceFile, asked: above, approved: above };
		expect(told(rule, { folders: folders("/work/app") })).toEqual(["/work/app", "/work"]);
		const moved = { folders: folders("/home/me/app") };
		expect(told(rule, moved)).toEqual(["/home/me/app"]);
		expect(offered(rule, moved).tooWide.map(({ uri }) => uri)).toEqual(["file:///home/me"]);
		expect(told({ origin: userOrigin, asked: above }, moved)).toEqual(["/home/me/app", "/home/me"]);
		const named: RootsRule = { extra: ["${userHome}"] };
		expect(told({ ...rule, asked: named, approved: named }, moved)).toEqual(["/home/me/app", "/home/me"]);
	});

	it("may show less without a question", () => {
		const fewer: RootsRule = { folders: [], extra: [] };
		expect(told({ origin: clientFile, asked: fewer, approved: asked })).toEqual([]);
		expect(asksForMore({ origin: clientFile, roots: fewer })).toBe(false);
		expect(asksForMore({ origin: workspaceFile, roots: { folders: ["client"], extra: [] } })).toBe(false);
		expect(asksForMore({ origin: clientFile, roots: { folders: ["server"], extra: [] } })).toBe(true);
		expect(asksForMore({ origin: workspaceFile, roots: { extra: ["/etc"] } })).toBe(true);
		expect(asksForMore({ origin: userOrigin, roots: { extra: ["/etc"] } })).toBe(false);
	});
});

describe("the user's choice", () => {
	const asked: RootsRule = { extra: ["/data"] };

	it("in the setting takes precedence over the entry", () => {
		expect(told({ asked, own: { folders: [], extra: [] } })).toEqual([]);
		expect(told({ asked, own: { folders: ["server"], extra: ["/mine"] } })).toEqual(["/work/server", "/mine"]);
		expect(offered({ asked, own: { folders: [], extra: [] } }).by).toBe("setting");
	});

	it("in the setting gives a workspace's server of that name nothing more (CFG-03)", () => {
		const own: RootsRule = { folders: ["*"], extra: ["/mine"] };
		expect(told({ origin: clientFile, own })).toEqual(["/work/client"]);
		expect(told({ origin: clientFile, own: { folders: ["server"], extra: [] } })).toEqual([]);
	});

	it("in the list of roots takes precedence over everything", () => {
		const choice = { folders: ["file:///work/server"], extra: ["file:///picked"] };
		expect(offered({ origin: clientFile, asked, own: { folders: [], extra: [] }, choice })).toMatchObject({
			by: "choice",
			roots: [
				{ uri: "file:///work/server", name: "server" },
				{ uri: "file:///picked", name: "picked" },
			],
		});
		expect(told({ choice: { folders: [], extra: [] } })).toEqual([]);
	});

	it("ends with the folder: a closed one is no longer sent (ROOT-02)", () => {
		const choice = { folders: ["file:///work/server", "file:///work/gone"], extra: [] };
		expect(told({ choice })).toEqual(["/work/server"]);
	});
});

/** Random requests of every kind; the same ones each time. */
function* requests(count: number): Generator<readonly [RootsRequest, ReturnType<typeof world>]> {
	let seed = 2026;
	const random = (below: number): number => {
		seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((seed / 2_147_483_648) * below);
	};
	const some = <T>(all: readonly T[]): readonly T[] => all.filter(() => random(2) === 0);
	const one = <T>(all: readonly [T, ...T[]]): T => all[random(all.length)] ?? all[0];
	const paths = ["/work/client", "/work/server", "/home/me", "/", "/home/me/app", "/data/ä b"];
	const rule = (): RootsRule | undefined => {
		if (random(3) === 0) return undefined;
		const extra = some(["/etc", "${userHome}", "${workspaceFolder}/x", "${workspaceFolder:nowhere}", "git://h/x"]);
		return random(3) === 0 ? { extra } : { folders: some(["*", "client", "!server", "/work/**", "~/*"]), extra };
	};
	for (let index = 0; index < count; index++) {
		const uris = paths.map((path) => new URL(`file://${path}`).href);
		const choice = random(4) === 0 ? { folders: some(uris), extra: some(["file:///picked"]) } : undefined;
		const asked = rule();
		const approved = random(2) === 0 ? asked : rule();
		const origin = one([userOrigin, clientFile, workspaceFile]);
		yield [{ origin, asked, approved, own: rule(), choice }, world({ folders: folders(...some(paths)) })];
	}
}

describe("any configuration (1,000 random cases)", () => {
	it("every root is sent once, is a URI without user, and comes from the window or from a text that names it", () => {
		for (const [request, window] of requests(1000)) {
			const { roots } = offered(request, window);
			const uris = roots.map(({ uri }) => uri);
			expect(new Set(uris).size).toBe(uris.length);
			const open = new Set(window.folders.map(({ path }) => new URL(`file://${path}`).href));
			for (const uri of uris) {
				expect(new URL(uri).username).toBe("");
				const isNamed = [request.asked, request.own].some((rule) => (rule?.extra.length ?? 0) > 0);
				expect(open.has(uri) || isNamed || request.choice?.extra.includes(uri)).toBe(true);
			}
		}
	});

	it("a workspace's server sees only the workspace, without the home folder, unless a user allowed more", () => {
		for (const [request, window] of requests(1000)) {
			if (!request.origin.isWorkspace || request.choice !== undefined) continue;
			const { roots } = offered({ ...request, approved: undefined }, window);
			const folder = request.origin.folder;
			for (const { uri } of roots) {
				const path = decodeURI(new URL(uri).pathname);
				expect(window.folders.map((open) => open.path)).toContain(path);
				expect(["/", "/home", "/home/me"]).not.toContain(path);
				if (folder !== undefined) expect(path).toBe(folder);
			}
		}
	});

	it("the order is that of the window, for any order of the patterns, and the same each time", () => {
		for (const [request, window] of requests(1000)) {
			const uris = told(request, window);
			expect(told(request, window)).toEqual(uris);
			const order = window.folders.map(({ path }) => new URL(`file://${path}`).href.replace("file://", ""));
			const own = uris.filter((uri) => order.includes(uri));
			if ((request.own ?? request.asked)?.extra.length === 0) {
				expect(own).toEqual(order.filter((uri) => own.includes(uri)));
			}
		}
	});
});
