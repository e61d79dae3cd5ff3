import { globSync } from "node:fs";
import { repositoryRoot } from "../tasks/paths.ts";

/** The tests that concern what differs on Windows, by their paths in the repository. */
export function chosenTests(): readonly string[] {
	const files = [
		...globSync("test/integration/*.test.ts", { cwd: repositoryRoot }),
		...globSync("test/unit/**/*.test.ts", { cwd: repositoryRoot }),
	];
	return files.filter((file) => !file.endsWith(".limits.test.ts")).toSorted();
}
