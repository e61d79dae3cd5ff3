/**
 * A process that tries faults one after the other, as `run.ts` sends them by message: a host of its own, so that one that
 * is brought down, blocked or swollen is known from the others.
 */
import { useBundles } from "./bundledParts.ts";
import { findCase } from "./faults.ts";
import { tryFault } from "./trial.ts";

useBundles();
let count = 0;
process.on("message", (id: string) => {
	void reply(id);
});
process.on("disconnect", () => process.exit(0));

async function reply(id: string): Promise<void> {
	process.send?.(await tryFault(findCase(id), `${process.pid}-${count++}`));
}
