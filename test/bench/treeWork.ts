import { collect, measure, memoryKilobytes, startMeter } from "./measure.ts";
import type { Client, ListName, Reach, Side } from "./side.ts";
import type { ShownTree, Wish } from "./tree.ts";

type Sample = Readonly<Record<string, number>>;

const kinds: readonly ListName[] = ["resources", "tools"];

/**
 * Opens the tree of a server that lists `size` resources in pages of 100 and as many tools in one page: when the first
 * page of either has come, when the first rows are there with all their texts, when everything is, and what it takes of
 * the memory then.
 */
export async function browse(side: Side, empty: Reach, large: Reach, size: number): Promise<Sample> {
	const first = side.connect([empty]);
	await Promise.all(first.clients);
	const before = await memoryKilobytes();
	const group = side.connect([large]);
	const [client] = await Promise.all(group.clients);
	const end = startMeter();
	const start = performance.now();
	let page: number | undefined;
	let rows: number | undefined;
	const tree = treeOf(client, () => (page ??= performance.now() - start));
	try {
		await until(tree, () => {
			for (const kind of kinds) {
				if (tree.rows(kind).length > 0) rows ??= performance.now() - start;
			}
			return kinds.every((kind) => tree.progress(kind).isWhole && tree.progress(kind).count === size);
		});
		const { stallMs, ms } = end();
		const after = await memoryKilobytes();
		return {
			page: page ?? Number.NaN,
			rows: rows ?? Number.NaN,
			total: ms,
			stall: stallMs,
			heap: (after.heap - before.heap) / (2 * size),
		};
	} finally {
		tree.dispose();
		await Promise.all([first.close(), group.close()]);
	}
}

/** A user's actions on a loaded list of `size` resources; each until the visible rows have their texts. */
export async function arrange(side: Side, large: Reach, size: number): Promise<Sample> {
	const group = side.connect([large]);
	const [client] = await Promise.all(group.clients);
	const tree = treeOf(client, () => undefined);
	try {
		await until(tree, () => tree.progress("resources").isWhole && tree.progress("resources").count === size);
		tree.rows("resources");
		const wishes: Readonly<Record<string, Wish>> = {
			// Letter by letter, as it is typed.
			filter: { filter: "7" },
			filterMore: { filter: "71" },
			sortByName: { sort: "name" },
			sortByPriority: { sort: "priority" },
			folders: { layout: "tree" },
		};
		const sample: Record<string, number> = { more: await timeOf(tree, () => tree.showMore("resources")) };
		for (const [figure, wish] of Object.entries(wishes)) {
			sample[figure] = await timeOf(tree, () => tree.arrange(wish));
		}
		return { ...sample, total: Object.values(sample).reduce((sum, ms) => sum + ms, 0) };
	} finally {
		tree.dispose();
		await group.close();
	}
}

async function timeOf(tree: ShownTree, act: () => void): Promise<number> {
	collect();
	const { ms } = await measure(async () => {
		act();
		if (tree.rows("resources").length === 0) throw new Error("The tree shows nothing.");
	});
	return ms;
}

/** Checks whenever the tree may have changed, until it is done. */
function until(tree: ShownTree, isDone: () => boolean): Promise<void> {
	return new Promise((resolve) => {
		const look = (): void => {
			if (!isDone()) return;
			subscription.dispose();
			resolve();
		};
		const subscription = tree.onDidChange(look);
		look();
	});
}

function treeOf(client: Client | undefined, onPage: () => void): ShownTree {
	if (client?.openTree === undefined) throw new Error("This side has no tree.");
	return client.openTree(onPage);
}
