import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How one scenario of the suite ended. */
export interface ScenarioResult {
	readonly scenario: string;
	/** Without a failed check and without a warning, as defined by the suite. */
	readonly isPassed: boolean;
	readonly passedChecks: number;
	readonly failedChecks: number;
	readonly warnings: number;
	/** The failures, and the end of the client's output; empty for a scenario that passed. */
	readonly messages: readonly string[];
}

const line = /^([✓✗]) (\S+): (\d+) passed, (\d+) failed(?:, (\d+) warnings)?$/gm;

/** Reads the summary that the suite prints at its end; `folder` holds its records of each scenario. */
export function readSummary(text: string, folder: string): readonly ScenarioResult[] {
	return [...text.matchAll(line)].map(([, mark, scenario = "", passed, failed, warnings]) => ({
		scenario,
		isPassed: mark === "✓",
		passedChecks: Number(passed),
		failedChecks: Number(failed),
		warnings: Number(warnings ?? 0),
		messages: mark === "✓" ? [] : messagesOf(scenario, folder),
	}));
}

function messagesOf(scenario: string, folder: string): readonly string[] {
	const [found] = globSync(`${scenario}-????-??-??T*`, { cwd: folder });
	if (found === undefined) return ["The suite wrote nothing about it."];
	const read = (file: string): string => {
		const path = join(folder, found, file);
		return existsSync(path) ? readFileSync(path, "utf8") : "";
	};
	const checks = JSON.parse(read("checks.json") || "[]") as readonly {
		readonly id: string;
		readonly status: string;
		readonly description: string;
		readonly errorMessage?: string;
	}[];
	const wrong = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
	const told = wrong.map(
		({ status, id, errorMessage, description }) => `${status} ${id}: ${errorMessage ?? description}`,
	);
	return [...told, read("stderr.txt").slice(-3000)];
}
