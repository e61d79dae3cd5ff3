/** A test that is not run under Wine. */
export interface SkippedTest {
	/** Its file, by its path in the repository. */
	readonly file: string;
	/** Its name with those of the groups around it; all of the file without one. */
	readonly test?: string;
	readonly reason: string;
	/** The unit test that shows the same on every system, with its inputs recorded. */
	readonly shownBy: string;
}

export const skipped: readonly SkippedTest[] = [];
