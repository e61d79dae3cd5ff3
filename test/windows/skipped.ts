/** A test that is not run under Wine. */
export interface SkippedTest {
	/** Its file, by its path in the repository. */
	readonly file: string;
	/** Matches its name, with those of the groups around it; all of the file without one. */
	readonly tests?: RegExp;
	readonly reason: string;
	/** The unit test that shows the same on every system, with its inputs recorded. */
	readonly shownBy: string;
}

const links = "Wine 8 makes links that it does not follow itself";

export const skipped: readonly SkippedTest[] = [
	{
		file: "test/integration/activity.test.ts",
		tests: /^100 windows/,
		reason: "a hundred starts of Node take Wine more than five minutes",
		shownBy: "test/unit/base/store/patientFiles.test.ts",
	},
	{
		file: "test/integration/consent.test.ts",
		tests: /symbolic link/,
		reason: links,
		shownBy: "test/unit/base/folderPaths.test.ts",
	},
];
