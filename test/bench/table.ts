import type { Verdict } from "./goals.ts";
import type { Results } from "./results.ts";
import type { Figure, Work } from "./work.ts";
import { sidesOf } from "./works.ts";

const labelWidth = 34;
const cellWidth = 13;

/** Prints the measurements of one work: a line per size and figure, and how the time per unit grows. */
export function printWork(work: Work, sizes: readonly number[], results: Results): void {
	const sides = sidesOf(work);
	const heads = [...sides, "host : raw", "host : v2"].map((name) => name.padStart(cellWidth)).join("");
	console.log(`\n${work.name}`.padEnd(labelWidth + 1).slice(0, Math.max(labelWidth + 1, work.name.length + 1)));
	console.log(`${"".padEnd(labelWidth)}${heads}`);
	for (const size of sizes) {
		for (const figure of work.figures) {
			const cells = sides.map((side) => shown(results.median(work.run, size, side, figure.key), figure.unit));
			const ratios = (["raw", "SDK v2"] as const).map((to) =>
				times(results.ratio(work.run, size, figure.key, "MCP Host", to)),
			);
			printLine(`${size} ${work.of}, ${figure.label}`, [...cells, ...ratios]);
		}
	}
	const { spared } = work;
	if (spared !== undefined && sizes.includes(spared.size)) {
		console.log(`  (${spared.sides.join(" and ")} are spared ${spared.size} ${work.of}: ${spared.why})`);
	}
	const [smaller, larger] = [sizes.at(-2), sizes.at(-1)];
	if (work.grows === undefined || smaller === undefined || larger === undefined) return;
	const { grows } = work;
	const growth = sides.map((side) => times(results.growth(work.run, [smaller, larger], side, grows)));
	printLine(`per unit, ${larger} : ${smaller}`, growth);
}

/** Prints which goals were met in this run. */
export function printGoals(verdicts: readonly Verdict[]): void {
	if (verdicts.length > 0) console.log("\nGoals");
	for (const { name, value, limit, unit, isMet } of verdicts) {
		console.log(`  ${isMet ? "met   " : "MISSED"}  ${shown(value, unit)} of ${shown(limit, unit)}  ${name}`);
	}
}

function printLine(label: string, cells: readonly string[]): void {
	console.log(`  ${label.padEnd(labelWidth - 2)}${cells.map((cell) => cell.padStart(cellWidth)).join("")}`);
}

function shown(value: number, unit: Figure["unit"] | "×"): string {
	if (Number.isNaN(value)) return "-";
	if (unit === "×") return times(value);
	const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 3;
	return `${value.toFixed(digits)} ${unit}`.trim();
}

function times(value: number): string {
	return Number.isFinite(value) ? `${value.toFixed(2)}×` : "";
}
