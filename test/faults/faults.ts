import { casesOf, type FaultCase } from "./fault.ts";
import { floodFaults } from "./floodFaults.ts";
import { framingFaults } from "./framingFaults.ts";
import { httpFaults } from "./httpFaults.ts";
import { listFaults } from "./listFaults.ts";
import { messageFaults } from "./messageFaults.ts";
import { processFaults } from "./processFaults.ts";
import { startFaults } from "./startFaults.ts";
import { stillFaults } from "./stillFaults.ts";
import { streamFaults } from "./streamFaults.ts";

/** All faults at all their moments, in the order of the table of threats. */
export const cases: readonly FaultCase[] = casesOf([
	...messageFaults,
	...framingFaults,
	...floodFaults,
	...listFaults,
	...httpFaults,
	...streamFaults,
	...stillFaults,
	...startFaults,
	...processFaults,
]).toSorted((a, b) => (a.fault.row < b.fault.row ? -1 : Number(a.fault.row > b.fault.row)));

/** The rows that are not injected here, and where they are shown instead. */
export const notInjected: readonly { readonly row: string; readonly reason: string }[] = [];

/** The case of an id; throws when there is none. */
export function findCase(id: string): FaultCase {
	const found = cases.find((one) => one.id === id);
	if (found === undefined) throw new Error(`There is no case ${id}.`);
	return found;
}
