import { casesOf, type FaultCase } from "./fault.ts";
import { floodFaults } from "./floodFaults.ts";
import { framingFaults } from "./framingFaults.ts";
import { httpFaults } from "./httpFaults.ts";
import { listFaults } from "./listFaults.ts";
import { messageFaults } from "./messageFaults.ts";
import { primitivesFaults } from "./primitivesFaults.ts";
import { processFaults } from "./processFaults.ts";
import { resourceFaults } from "./resourceFaults.ts";
import { startFaults } from "./startFaults.ts";
import { stillFaults } from "./stillFaults.ts";
import { streamFaults } from "./streamFaults.ts";

/** All faults at all their moments, in the order of the table of threats. */
export const cases: readonly FaultCase[] = casesOf([
	...messageFaults,
	...framingFaults,
	...floodFaults,
	...listFaults,
	...resourceFaults,
	...primitivesFaults,
	...httpFaults,
	...streamFaults,
	...stillFaults,
	...startFaults,
	...processFaults,
]).toSorted((a, b) => (a.fault.row < b.fault.row ? -1 : Number(a.fault.row > b.fault.row)));

/** The rows that are not injected here, and where they are shown instead. */
export const notInjected: readonly { readonly row: string; readonly reason: string }[] = [
	{ row: "PRC-13", reason: "where the extension runs is declared in package.json" },
	{
		row: "PRC-14",
		reason: "no process id can be had again on demand; the watchdog knows processes by their start too",
	},
];

/** The rows that must be here: of parts 1.2 and 1.10 of the table of threats, and those of 1.1 about starting. */
const rows = [...numbered("CFG", 14, 18), ...numbered("PRC", 1, 14), ...numbered("TRN", 1, 55)];

/** The rows without a fault; there must be none. */
export const forgotten: readonly string[] = rows.filter(
	(row) => ![...cases.map(({ fault }) => fault), ...notInjected].some((known) => known.row === row),
);

function numbered(part: string, first: number, last: number): readonly string[] {
	return Array.from({ length: last - first + 1 }, (_, index) => `${part}-${String(first + index).padStart(2, "0")}`);
}

/** The case of an id; throws when there is none. */
export function findCase(id: string): FaultCase {
	const found = cases.find((one) => one.id === id);
	if (found === undefined) throw new Error(`There is no case ${id}.`);
	return found;
}
