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
const sh = "it starts scripts of sh, which Windows does not have";
const signals = "it is about signals and groups of processes, which Windows does not have";
const census = "MCP Host takes no census of the processes of Windows";
const posix = "its paths, rights or lists of folders are those of other systems";

const commands = "test/unit/protocol/stdio/findCommand.test.ts";
const shells = "test/unit/protocol/stdio/windowsCommand.test.ts";
const processes = "test/unit/protocol/stdio/windowsProcesses.test.ts";
const paths = "test/unit/base/folderPaths.test.ts";

export const skipped: readonly SkippedTest[] = [
	{
		file: "test/integration/activity.test.ts",
		tests: /^100 windows/,
		reason: "a hundred starts of Node take Wine more than five minutes",
		shownBy: "test/unit/base/store/patientFiles.test.ts",
	},
	{ file: "test/integration/consent.test.ts", tests: /symbolic link/, reason: links, shownBy: paths },
	{ file: "test/integration/entryVariables.test.ts", reason: links, shownBy: commands },
	{ file: "test/integration/startDependencies.test.ts", reason: sh, shownBy: shells },
	{
		file: "test/integration/whoStarts.test.ts",
		reason: census,
		shownBy: "test/unit/servers/otherHosts/census.test.ts",
	},
	{
		file: "test/integration/bundles.test.ts",
		tests: /a program of its own|in Python/,
		reason: "the program of the bundle is a script of sh, and there is no Python",
		shownBy: "test/unit/setup/bundles/bundleEntry.test.ts",
	},
	{
		file: "test/integration/failures.test.ts",
		tests: /working directory that is not a folder|is restarted automatically/,
		reason: "it expects the paths and signals of other systems in messages",
		shownBy: processes,
	},
	{ file: "test/unit/protocol/stdio/endProcess.test.ts", reason: signals, shownBy: processes },
	{ file: "test/unit/protocol/stdio/watchdog.test.ts", reason: signals, shownBy: processes },
	{ file: "test/unit/protocol/stdio/processTable.test.ts", reason: signals, shownBy: processes },
	{
		file: "test/unit/protocol/stdio/childProcess.test.ts",
		tests: /interpreter is missing|relative parts of|not executable/,
		reason: sh,
		shownBy: commands,
	},
	{
		file: "test/unit/protocol/stdio/serverEnvironment.test.ts",
		tests: /^PATH of a server|exactly the variables|link\.env/,
		reason: posix,
		shownBy: commands,
	},
	{ file: "test/unit/servers/definitions/partInside.test.ts", reason: links, shownBy: paths },
	{
		file: "test/unit/servers/definitions/workspacePlace.test.ts",
		tests: /^An approval is bound to the target/,
		reason: posix,
		shownBy: paths,
	},
];
