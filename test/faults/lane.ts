/**
 * A process that tries faults one after the other, as `run.ts` sends them by message: a host of its own, so that a
 * crash, a block or a leak is attributed to one fault.
 */
import { useBundles } from "./bundledParts.ts";
import { watchMachine } from "./pace.ts";

watchMachine();
useBundles();
// Imports use the bundles from here on.
const parts = Promise.all([import("./faults.ts"), import("./trial.ts")]);
let count = 0;
process.on("message", (id: string) => {
	void reply(id);
});
process.on("disconnect", () => process.exit(0));

async function reply(id: string): Promise<void> {
	const [{ findCase }, { tryFault }] = await parts;
	process.send?.(await tryFault(findCase(id), `${process.pid}-${count++}`));
}
