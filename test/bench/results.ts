import type { Sample } from "./doWork.ts";
import { median } from "./measure.ts";
import { sideNames, type SideName } from "./side.ts";
import type { WorkName } from "./workName.ts";
import type { Work } from "./work.ts";

/** The medians of one figure at one size. */
export interface Row {
	readonly work: WorkName;
	readonly size: number;
	readonly figure: string;
	readonly medians: Readonly<Partial<Record<SideName, number>>>;
}

/** The measurements: every sample, by work, size and side. */
export class Results {
	private readonly samples = new Map<string, Sample[]>();

	add({ run }: Work, size: number, side: SideName, sample: Sample): void {
		const key = keyOf(run, size, side);
		this.samples.set(key, [...(this.samples.get(key) ?? []), sample]);
	}

	/** The median of a figure; NaN when the side was not measured. */
	median(run: WorkName, size: number, side: SideName, figure: string): number {
		const values = (this.samples.get(keyOf(run, size, side)) ?? []).map((sample) => sample[figure] ?? Number.NaN);
		return median(values.filter((value) => !Number.isNaN(value)));
	}

	/** How many times as much one side takes as another. */
	ratio(run: WorkName, size: number, figure: string, side: SideName, to: SideName): number {
		return this.median(run, size, side, figure) / this.median(run, size, to, figure);
	}

	/** How many times as much a unit takes at one size as at a smaller one: 1 is linear. */
	growth(run: WorkName, [smaller, larger]: readonly [number, number], side: SideName, figure: string): number {
		const perUnit = (size: number): number => this.median(run, size, side, figure) / size;
		return perUnit(larger) / perUnit(smaller);
	}

	/** All measurements, in the order of the works. */
	rows(works: readonly Work[]): readonly Row[] {
		return works.flatMap(({ run, sizes, figures }) =>
			sizes.flatMap((size) =>
				figures.flatMap(({ key: figure }) => {
					const medians = sideNames.flatMap((side) => {
						const value = this.median(run, size, side, figure);
						return Number.isNaN(value) ? [] : [[side, Number(value.toPrecision(4))] as const];
					});
					return medians.length === 0 ? [] : [{ work: run, size, figure, medians: Object.fromEntries(medians) }];
				}),
			),
		);
	}
}

function keyOf(run: WorkName, size: number, side: SideName): string {
	return `${run} ${size} ${side}`;
}
