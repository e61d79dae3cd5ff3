import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { preferOpenFolder } from "../../../../src/setup/entries/preferFolder.ts";
import { addingScene, type AddingScene } from "./addingScene.ts";

/** A folder that is open, with these files. */
async function openFolder(files: Readonly<Record<string, string>>): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "mcp-folder-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	for (const [name, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, name)), { recursive: true });
		await writeFile(join(folder, name), text);
	}
	return folder;
}

function scene(folder: string, taken: readonly string[] = []): AddingScene {
	const opened = addingScene(undefined, {
		places: [
			{ label: "User Settings", description: "", place: { kind: "user" } },
			{ label: ".vscode/mcp.json in wsB", description: "", place: { kind: "folder", folder } },
		],
	});
	const preferring = preferOpenFolder(opened.adding, {
		folders: [{ name: "wsB", path: folder }],
		taken: () => taken,
	});
	onTestFinished(() => preferring.dispose());
	return opened;
}

describe("a pasted command that belongs to an open folder (ADD-08)", () => {
	it.each([
		["a file", "node server.mjs", { "server.mjs": "" }, "wsB"],
		["a file with a telling name", "node orders.mjs", { "orders.mjs": "" }, "orders"],
		[
			"a file of a package",
			"node server.mjs",
			{ "server.mjs": "", "package.json": `{"name":"@acme/orders"}` },
			"orders",
		],
		["a file below", "node src/main.js", { "src/main.js": "", "package.json": `{"name":"orders"}` }, "orders"],
		[
			"a file of Python",
			"python server.py",
			{ "server.py": "", "pyproject.toml": `[project]\nname = "weather"` },
			"weather",
		],
		[
			"a script of npm",
			`{"command":"npm","args":["run","mcp"]}`,
			{ "package.json": `{"name":"orders","scripts":{"mcp":"x"}}` },
			"orders",
		],
		[
			"the start of a package",
			`{"command":"npm","args":["start"]}`,
			{ "package.json": `{"name":"orders","scripts":{"start":"x"}}` },
			"orders",
		],
		[
			"what is not built yet",
			"node dist/index.js",
			{ "package.json": `{"name":"orders","main":"./dist/index.js"}` },
			"orders",
		],
		[
			"a command of uv",
			"uv run orders",
			{ "pyproject.toml": `[project]\nname="shop"\n[project.scripts]\norders = "shop:main"` },
			"shop",
		],
		["a module", "python -m my_orders", { "pyproject.toml": `[project]\nname="my-orders"` }, "my-orders"],
	])("is kept there and named after the project: %s", async (_what, text, files, name) => {
		const folder = await openFolder(files);
		const { adding, candidate } = scene(folder);
		adding.read(text);
		await vi.waitFor(() => expect(adding.place).toBe(1));
		expect(candidate().name).toBe(name);
		const [group] = toAddServersView(adding).groups;
		expect(group?.candidates[0]?.notes[0]).toMatch(/^It runs in wsB[.,]/);
		adding.choosePlace(0);
		expect(toAddServersView(adding).groups[0]?.candidates[0]?.notes[0]).toMatch(
			/^It runs in your home folder\. .* is in wsB: keep it in \.vscode\/mcp\.json in wsB\.$/,
		);
	});

	it.each([
		["another package", "npx -y some-server"],
		["a file elsewhere", "node /nowhere/server.mjs"],
		["a file above", "node ../server.mjs"],
		["a file that is not there", "node other.mjs"],
		["a script that is not there", `{"command":"npm","args":["run","other"]}`],
	])("is left alone for what does not: %s", async (_what, text) => {
		const folder = await openFolder({ "server.mjs": "", "package.json": `{"name":"orders"}` });
		const { adding, candidate } = scene(folder);
		adding.read("node server.mjs");
		await vi.waitFor(() => expect(adding.place).toBe(1));
		adding.read(text);
		await vi.waitFor(() => expect(candidate().fit).toBeUndefined());
		// A later candidate shows that this one had no effect.
		adding.read("node server.mjs");
		await vi.waitFor(() => expect(candidate().fit).toBeDefined());
		expect(basename(candidate().fit?.folder.path ?? "")).toBe(basename(folder));
	});

	it("leaves the place that the user chose", async () => {
		const folder = await openFolder({ "server.mjs": "", "other.mjs": "" });
		const { adding, candidate } = scene(folder);
		adding.read("node server.mjs");
		await vi.waitFor(() => expect(adding.place).toBe(1));
		adding.choosePlace(0);
		adding.read("node other.mjs");
		await vi.waitFor(() => expect(candidate().fit?.file).toBe("other.mjs"));
		expect(adding.place).toBe(0);
	});

	it("leaves the name that the user or the text gave, and takes no name twice", async () => {
		const folder = await openFolder({ "server.mjs": "", "package.json": `{"name":"orders"}` });
		const { adding, candidate } = scene(folder, ["orders"]);
		adding.read(`{"mcpServers":{"mine":{"command":"node","args":["server.mjs"]}}}`);
		await vi.waitFor(() => expect(adding.place).toBe(1));
		expect(candidate().name).toBe("mine");
		adding.read("node server.mjs");
		await vi.waitFor(() => expect(candidate().name).toBe("orders-2"));
		adding.edit(candidate().id, (one) => (one.name = "own"));
		adding.retarget(candidate().id, "node ./server.mjs");
		await vi.waitFor(() => expect(candidate().fit?.file).toBe("./server.mjs"));
		expect(candidate().name).toBe("own");
	});
});
