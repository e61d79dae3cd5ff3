import { globSync } from "node:fs";
import { repositoryRoot } from "../tasks/paths.ts";

/** What differs on Windows: processes, paths, files, stores, configurations, command lines and the command-line program. */
const patterns = [
	"test/integration/{activity,bundles,checkCommand,consent,demo,development,doctor,entryVariables,failures}.test.ts",
	"test/integration/{keptSecrets,namedCalls,policy,processes,prompts,reset,resourceFiles,roots,smallServer}.test.ts",
	"test/integration/{startDependencies,toolResults,traceFiles,twoWindows,twoWriters,whoStarts}.test.ts",
	"test/unit/base/{globs,readings,configText,secrets/*}.test.ts",
	"test/unit/base/store/*.test.ts",
	"test/unit/features/prompts/commandOutput.test.ts",
	"test/unit/features/resources/fileNames.test.ts",
	"test/unit/permissions/policy/*.test.ts",
	"test/unit/protocol/stdio/*.test.ts",
	"test/unit/records/activity/**/*.test.ts",
	"test/unit/servers/{approval,definitions,development,formats,review,roots}/*.test.ts",
	"test/unit/setup/{bundles,entries,templates}/*.test.ts",
	"test/unit/surfaces/{namedCalls,doctor}/**/*.test.ts",
];

/** The tests that concern this, by their paths in the repository. */
export function chosenTests(): readonly string[] {
	const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: repositoryRoot }));
	return [...new Set(files)].filter((file) => !file.endsWith(".limits.test.ts")).toSorted();
}
