import { globSync } from "node:fs";
import { repositoryRoot } from "../tasks/paths.ts";

/** Files of tests about processes, paths, files, stores, configurations, command lines and the command-line program. */
const patterns = [
	"test/integration/{activity,bundles,checkCommand,consent,entryVariables,failures}.test.ts",
	"test/integration/{keptSecrets,namedCalls,processes,reset,resourceFiles,roots,smallServer}.test.ts",
	"test/integration/{startDependencies,traceFiles,twoWindows,twoWriters,whoStarts}.test.ts",
	"test/integration/{filesOnWindows,onWindows}.test.ts",
	"test/unit/base/{configText,fileText,folderPaths,shortNames}.test.ts",
	"test/unit/base/store/{fileLock,patientFiles,versionedState}.test.ts",
	"test/unit/features/prompts/commandOutput.test.ts",
	"test/unit/features/resources/fileNames.test.ts",
	"test/unit/permissions/policy/except.test.ts",
	"test/unit/protocol/stdio/*.test.ts",
	"test/unit/servers/{approval,definitions,formats,roots}/*.test.ts",
	"test/unit/setup/{bundles,entries,templates}/*.test.ts",
	"test/unit/surfaces/{handover,namedCalls}/**/*.test.ts",
];

/** The tests that concern this, by their paths in the repository. */
export function chosenTests(): readonly string[] {
	const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: repositoryRoot }));
	return [...new Set(files)].filter((file) => !file.endsWith(".limits.test.ts")).toSorted();
}
