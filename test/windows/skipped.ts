/** A test that is not run under Wine. */
export interface SkippedTest {
	/** Its file, by its path in the repository. */
	readonly file: string;
	/** Matches its name, with those of the groups around it; all of the file without one. */
	readonly tests?: RegExp;
	readonly reason: string;
	/** The test that shows the same on every system with recorded inputs. */
	readonly shownBy: ShownBy;
}

/** A file of unit tests, and the name of a test in it, or of a group, as it is written there. */
export type ShownBy = readonly [file: string, name: string];

const links = "Node under Wine 8 makes no links that Wine follows";
const sh = "it starts scripts of sh, which Windows does not have";
const signals = "it is about signals and groups of processes, which Windows does not have";
const census = "MCP Host takes no census of the processes of Windows";
const variables = "its variables and lists of folders are those of other systems";
const slash = "Node doubles the slash of the root directory of another system";

const stdio = "test/unit/protocol/stdio";
const commands: ShownBy = [`${stdio}/findCommand.test.ts`, "The files that a command may mean on Windows (CFG-15)"];
const searched: ShownBy = [`${stdio}/findCommand.test.ts`, "reads %s in PATH"];
const interpreters: ShownBy = [`${stdio}/findCommand.test.ts`, "The interpreter of a script that begins with %j"];
const shells: ShownBy = [`${stdio}/windowsCommand.test.ts`, "A batch file of Windows"];
const ends: ShownBy = [`${stdio}/windowsProcesses.test.ts`, "A server of Windows that is stopped (PRC-02)"];
const trees: ShownBy = [`${stdio}/windowsProcesses.test.ts`, "The processes below one of Windows"];
const behindLinks: ShownBy = [`${stdio}/insideFolders.test.ts`, "A folder of Windows that is open by its short name"];
const names: ShownBy = [`${stdio}/serverEnvironment.test.ts`, "The variables that a server of Windows inherits"];

export const skipped: readonly SkippedTest[] = [
	{ file: "test/integration/consent.test.ts", tests: /symbolic link/, reason: links, shownBy: behindLinks },
	{ file: "test/integration/roots.test.ts", tests: /symbolic link/, reason: links, shownBy: behindLinks },
	{ file: "test/integration/entryVariables.test.ts", tests: /home folder/, reason: links, shownBy: commands },
	{ file: "test/integration/startDependencies.test.ts", reason: sh, shownBy: shells },
	{
		file: "test/integration/whoStarts.test.ts",
		reason: census,
		shownBy: [
			"test/unit/servers/otherHosts/census.test.ts",
			"identifies a program independent of its folder, ending and interpreter",
		],
	},
	{
		file: "test/integration/onWindows.test.ts",
		tests: /behind npx ends with all/,
		reason: "Wine does not say when a process was made, by which one is found whose parent is gone",
		shownBy: [
			`${stdio}/windowsProcesses.test.ts`,
			"are found when it is gone, as Windows ends it with the host (PRC-03)",
		],
	},
	{
		file: "test/integration/onWindows.test.ts",
		tests: /signs of percent/,
		reason: "the command processor of Wine takes % for a variable although ^ is before it",
		shownBy: [`${stdio}/windowsCommand.test.ts`, "receives %j as they are, and starts nothing else"],
	},
	{
		file: "test/integration/bundles.test.ts",
		tests: /a program of its own|in Python/,
		reason: "the program of the bundle is a script of sh, and there is no Python",
		shownBy: ["test/unit/setup/bundles/bundleEntry.test.ts", "differs by platform if the manifest defines it"],
	},
	{
		file: "test/integration/namedCalls.test.ts",
		tests: /on a signal/,
		reason: signals,
		shownBy: [
			"test/unit/surfaces/namedCalls/callRun.test.ts",
			"ends with the run when that is cancelled, and the rest is skipped",
		],
	},
	{
		file: "test/unit/features/prompts/commandOutput.test.ts",
		tests: /cancelling ends all/,
		reason: signals,
		shownBy: ends,
	},
	{ file: `${stdio}/endProcess.test.ts`, reason: signals, shownBy: ends },
	{ file: `${stdio}/watchdog.test.ts`, reason: signals, shownBy: trees },
	{ file: `${stdio}/processTable.test.ts`, reason: signals, shownBy: trees },
	{
		file: `${stdio}/childProcess.test.ts`,
		tests: /interpreter is missing|not executable/,
		reason: sh,
		shownBy: interpreters,
	},
	{ file: `${stdio}/childProcess.test.ts`, tests: /relative parts of/, reason: sh, shownBy: searched },
	{
		file: `${stdio}/childProcess.test.ts`,
		tests: /arguments are too long/,
		reason: "Wine starts programs with longer arguments than Windows",
		shownBy: [`${stdio}/startFault.test.ts`, "ERROR_FILENAME_EXCED_RANGE"],
	},
	{
		file: `${stdio}/stdioTransport.test.ts`,
		tests: /unrelated process that holds the pipes|closed while it starts/,
		reason: signals,
		shownBy: ends,
	},
	{
		file: `${stdio}/stdioTransport.test.ts`,
		tests: /closes its (?:in|out)put and keeps running|closed its input or is gone/,
		reason: "Node on Windows keeps the pipes open with which it was started",
		shownBy: [`${stdio}/closedPipes.test.ts`, "A server that closes its standard %s and keeps running is ended"],
	},
	{ file: `${stdio}/serverEnvironment.test.ts`, tests: /exactly the variables/, reason: variables, shownBy: names },
	{ file: `${stdio}/serverEnvironment.test.ts`, tests: /^PATH of a server/, reason: variables, shownBy: searched },
	{ file: `${stdio}/serverEnvironment.test.ts`, tests: /link\.env/, reason: links, shownBy: behindLinks },
	{
		file: "test/unit/servers/definitions/followedFile.test.ts",
		tests: /behind links/,
		reason: links,
		shownBy: behindLinks,
	},
	{ file: "test/unit/servers/definitions/partInside.test.ts", reason: links, shownBy: behindLinks },
	{
		file: "test/unit/servers/definitions/workspacePlace.test.ts",
		tests: /^An approval is bound to the target/,
		reason: links,
		shownBy: behindLinks,
	},
	{
		file: "test/unit/servers/roots/offer.test.ts",
		tests: /the whole machine/,
		reason: slash,
		shownBy: ["test/unit/servers/roots/rootsOnWindows.test.ts", "on Windows %s holds the home folder: %s (ROOT-01)"],
	},
	{
		file: "test/unit/servers/roots/roots.test.ts",
		tests: /the root directory/,
		reason: slash,
		shownBy: ["test/unit/servers/roots/roots.test.ts", "a drive in a capital letter"],
	},
	{
		file: "test/unit/setup/templates/serverTemplates.test.ts",
		tests: /in Python/,
		reason: "there is no Python",
		shownBy: [
			"test/unit/setup/templates/serverTemplates.test.ts",
			"has an entry without a fault ($language, $install)",
		],
	},
	{
		file: "test/unit/surfaces/handover/launcher.test.ts",
		tests: /when its version is gone|by its user alone|user may not write/,
		reason: "it is about scripts of sh, and rights of other systems",
		shownBy: ["test/unit/surfaces/handover/launcher.test.ts", "is VS Code as Node on Windows"],
	},
];
