/**
 * `npm run bench -- --editor`: times that users notice, measured in a real window of the editor, beside those of the
 * editor's own MCP host in the same window, where it has an equivalent. Nothing is asserted.
 */
import path from "node:path";
import type { Settings } from "../../editor/profile.ts";
import { libraryEntry, smallEntry } from "../../e2e/fixtures/serverEntries.ts";
import { approve, container } from "../../e2e/fixtures/serverReview.ts";
import { TestFolder } from "../../e2e/fixtures/testFolder.ts";
import { startEditorWithVsix } from "../../e2e/pages/startEditor.ts";
import { repositoryRoot } from "../../e2e/pages/workbench.ts";
import { startScriptedModel } from "../../servers/scriptedModel.ts";
import { ensureBrowser } from "../../editor/ensureBrowser.ts";
import { ensurePackaged } from "../../tasks/vsix.ts";
import { median } from "../measure.ts";
import * as rows from "./rows.ts";
import { type Frames, watchPresses } from "./watch.ts";

/** One figure, as in the last line. */
interface Figure {
	readonly row: string;
	readonly unit: "ms" | "KB" | "×" | "";
	readonly value: number;
	/** The value for comparison, in the same unit: of the editor's own host or window, or the earlier one. */
	readonly peer?: number;
	/** The most that the value, or the ratio to the peer, may be. */
	readonly limit?: number;
}

/** Measures everything, `rounds` times each, and prints a table and one line of JSON last. */
export async function benchInEditor(rounds: number): Promise<void> {
	const started = performance.now();
	await ensureBrowser();
	await ensurePackaged();
	const figures: Figure[] = [];
	for (const measureWindow of [besideEditorsHost, withManyServers, withManyResources]) {
		figures.push(...(await measureWindow(rounds)));
	}
	for (const { row, unit, value, peer } of figures) {
		const beside = peer === undefined ? "" : `  beside ${shown(peer)} ${unit}: ${(value / peer).toFixed(2)}×`;
		console.log(`  ${row.padEnd(64)}${`${shown(value)} ${unit}`.padStart(14)}${beside}`);
	}
	const seconds = Math.round((performance.now() - started) / 1000);
	console.log(JSON.stringify({ seconds, rounds, figures: figures.map(judged) }));
}

/** One window in which both hosts run a server each. */
async function besideEditorsHost(rounds: number): Promise<readonly Figure[]> {
	return inScene(
		(log) => ({
			servers: { small: smallEntry(log("small")) },
			shared: { peer: smallEntry(log("peer")) },
			settings: {
				"chat.mcp.access": undefined,
				"mcpHost.ignoredServers": ["peer"],
				"mcpHost.policy.rules": [{ decision: "allow", server: "small", tool: "echo" }],
			},
		}),
		async (scene) => {
			await approve(scene.editor, "small");
			await openChat(scene);
			// The first message has the editor's own host start its server.
			await scene.editor.chat.ask("@peer memory");
			const allowed = await each(rounds, (round) => rows.allowed(scene, round));
			const turns = await each(rounds, (round) => rows.turnOfCalls(scene, round));
			await scene.editor.palette.run("MCP: Open Workspace Folder MCP Configuration");
			await scene.editor.editors.waitForActive("mcp.json");
			const saved = await each(rounds, (round) => rows.saved(scene, round));
			return [
				{ row: "from Allow Once to the result in the chat", unit: "ms", ...medians(allowed), limit: 1 },
				{ row: `a turn with ${rows.callsPerTurn} calls`, unit: "ms", ...medians(turns), limit: 1 },
				{
					row: "from a saved mcp.json to the tree, beside the editor's own lens",
					unit: "ms",
					...medians(saved),
					limit: 1,
				},
			];
		},
	);
}

/** One window with ten servers. */
async function withManyServers(rounds: number): Promise<readonly Figure[]> {
	return inScene(
		(log) => ({
			servers: Object.fromEntries(
				rows.serverIndexes.map((index) => [`many-${index}`, smallEntry(log(`many-${index}`))]),
			),
			shared: {},
			settings: {
				"mcpHost.startApprovedServers": true,
				"mcpHost.policy.rules": [{ decision: "allow", server: "many-*", tool: "echo" }],
			},
		}),
		async (scene) => {
			const { editor } = scene;
			for (const index of rows.serverIndexes) await approve(editor, `many-${index}`);
			await openChat(scene);
			await rows.spreadTurn(scene, 0);
			const before = await rows.memory(scene);
			for (let turn = 1; turn <= 20; turn++) await rows.spreadTurn(scene, turn);
			const after = await rows.memory(scene);
			const reloads = await each(rounds, () => rows.reloaded(scene));
			return [
				{
					row: "from a reload to the rows of 10 servers, beside the side bar",
					unit: "ms",
					...medians(reloads),
					limit: 2,
				},
				{
					row: "heap of the extension host, 600 calls after 30",
					unit: "KB",
					value: after.heap,
					peer: before.heap,
					limit: 1.1,
				},
				{ row: "what it has of the system then", unit: "KB", value: after.resident, peer: before.resident },
			];
		},
	);
}

/** One window with a server that has very many resources. */
async function withManyResources(rounds: number): Promise<readonly Figure[]> {
	return inScene(
		(log) => ({
			servers: {
				library: libraryEntry(log("library"), "--resources", String(rows.resourceCount), "--page-size", "1000"),
			},
			shared: {},
			settings: {},
		}),
		async (scene) => {
			await approve(scene.editor, "library");
			await scene.editor.tree.expand("library");
			await scene.editor.tree.waitForDescription(["library", "Resources"], rows.resourceCount.toLocaleString("en-US"));
			const ours = await each(rounds, () => rows.largeTree(scene));
			const own = await each(rounds, () => rows.ownList(scene));
			const usual = (frames: readonly Frames[], key: "late" | "longest"): number =>
				median(frames.map((one) => one[key]));
			return [
				{ row: "frames over 50 ms while 50,000 resources are browsed", unit: "", value: usual(ours, "late"), limit: 0 },
				{ row: "those while the editor's own commands are scrolled", unit: "", value: usual(own, "late") },
				{
					row: "the longest time between two frames, beside those commands",
					unit: "ms",
					value: usual(ours, "longest"),
					peer: usual(own, "longest"),
				},
			];
		},
	);
}

interface SceneOptions {
	readonly servers: Settings;
	/** The servers of the workspace's file, which both hosts read. */
	readonly shared: Settings;
	readonly settings: Settings;
}

async function inScene(
	optionsOf: (log: (name: string) => string) => SceneOptions,
	measure: (scene: rows.Scene) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
	await using held = new AsyncDisposableStack();
	const model = await startScriptedModel();
	held.defer(() => model.close());
	const folder = held.use(await TestFolder.create());
	const log = (name: string): string => folder.file(`${name}.log`);
	const { servers, shared, settings } = optionsOf(log);
	const editor = held.use(
		await startEditorWithVsix({
			workspace: await folder.workspace("bench", { ".vscode/mcp.json": { servers: shared } }),
			settings: {
				"mcpHost.models": [{ name: "Scripted", baseURL: model.url, models: ["scripted-model"] }],
				"mcpHost.servers": servers,
				...settings,
			},
			otherExtensions: [path.join(repositoryRoot, "test/bench/editor/peer")],
			size: { width: 1440, height: 900 },
		}),
	);
	await editor.tree.open(container);
	// The window is kept until it is measured.
	return await measure({ editor, model, log });
}

async function openChat({ editor: { chat, page } }: rows.Scene): Promise<void> {
	await chat.open();
	await chat.waitForModel("scripted-model");
	await watchPresses(page);
}

async function each<T>(rounds: number, measure: (round: number) => Promise<T>): Promise<readonly T[]> {
	const results: T[] = [];
	for (let round = 0; round < rounds; round++) results.push(await measure(round));
	return results;
}

function medians(all: readonly rows.Round[]): { readonly value: number; readonly peer: number } {
	return { value: median(all.map(({ host }) => host)), peer: median(all.map(({ peer }) => peer ?? Number.NaN)) };
}

function judged({ row, unit, value, peer, limit }: Figure): object {
	const judgedValue = peer === undefined ? value : value / peer;
	const isMet = limit === undefined ? undefined : judgedValue <= limit;
	return { name: row, unit, value, peer, ratio: peer === undefined ? undefined : judgedValue, limit, isMet };
}

function shown(value: number): string {
	return value.toFixed(value < 100 ? 1 : 0);
}
