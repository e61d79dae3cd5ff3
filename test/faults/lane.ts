/**
 * A process that tries faults one after the other, as `run.ts` sends them by message: a host of its own, so that one that
 * is brought down, blocked or swollen is known from the others.
 */
import { useBundles } from "./bundledParts.ts";
import { watchMachine } from "./pace.ts";

watchMachine();
useBundles();
// Only from here on imports take the bundles.
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
