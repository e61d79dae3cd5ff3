/**
 * A host in a process of its own, which a trial may kill or suspend: `node childHost.ts <case> <mark> <folder>`. It
 * carries out orders sent by message (see `OtherWindow`) and reports their outcome.
 */
import { useBundles } from "./bundledParts.ts";
import type { WindowOrder, WindowReply } from "./otherWindow.ts";
import type { Stage } from "./stage.ts";

useBundles();
const [id = "", mark = "", folder = ""] = process.argv.slice(2);
const staged = setUp();

process.on("message", (order: WindowOrder) => {
	void reply(order);
});
process.on("disconnect", () => process.exit(0));

/** Imported late, so that its imports use the bundles. */
async function setUp(): Promise<Stage> {
	const [{ findCase }, { Stage }] = await Promise.all([import("./faults.ts"), import("./stage.ts")]);
	return new Stage(findCase(id), mark, folder);
}

async function reply(order: WindowOrder): Promise<void> {
	const outcome: WindowReply = { id: order.id, outcome: await carryOut(order) };
	process.send?.(outcome);
}

async function carryOut({ what, config }: WindowOrder): Promise<WindowReply["outcome"]> {
	const stage = await staged;
	if (what === "configure") {
		await stage.configure(config);
		return undefined;
	}
	if (what === "call") return stage.call();
	const state = await stage.start();
	return { nonce: "", kind: state.kind === "running" ? "result" : "error", text: JSON.stringify(state) };
}
