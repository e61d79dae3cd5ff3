import { duration } from "../../../base/amounts.ts";
import { showHidden } from "../../../base/text.ts";
import type { CallFailure } from "../checkAnswer.ts";
import type { CallVerdict } from "../callRun.ts";
import { keysOf } from "../../../base/guards.ts";

/** A call that has run, for a report. */
export interface ReportedCall {
	/** The file as it was named. */
	readonly file: string;
	readonly name: string;
	readonly verdict: CallVerdict;
	/** The place of each failure in the file, such as `calls.json:12:3`, in their order. */
	readonly places: readonly string[];
}

/** Writes the report, once all calls have ended. */
export type Reporter = (calls: readonly ReportedCall[]) => string;

/** One line about a failure. */
interface Detail {
	readonly message: string;
	readonly place: string | undefined;
	readonly difference: CallFailure["difference"];
}

function detailsOf({ verdict, places }: ReportedCall): readonly Detail[] {
	switch (verdict.kind) {
		case "failed":
			return verdict.failures.map(({ message, difference }, index) => ({ message, place: places[index], difference }));
		case "errored":
		case "refused":
			return [{ message: verdict.message, place: places[0], difference: undefined }];
		case "passed":
		case "skipped":
			return [];
	}
}

function timeOf(verdict: CallVerdict): number | undefined {
	return "milliseconds" in verdict ? verdict.milliseconds : undefined;
}

const marks: Readonly<Record<CallVerdict["kind"], string>> = {
	passed: "ok",
	failed: "FAILED",
	errored: "ERROR",
	refused: "NOT ALLOWED",
	skipped: "skipped",
};

/** For users: a line for each call, the expected and actual values, and the totals. */
export const textReport: Reporter = (calls) => {
	const lines: string[] = [];
	for (const call of calls) {
		const time = timeOf(call.verdict);
		const took = time === undefined ? "" : ` (${duration(time)})`;
		lines.push(`${marks[call.verdict.kind]}  ${plain(call.file)} › ${plain(call.name)}${took}`);
		for (const { message, place, difference } of detailsOf(call)) {
			lines.push(`    ${plain(message)}`);
			if (place !== undefined) lines.push(`    at ${plain(place)}`);
			if (difference === undefined) continue;
			for (const [label, text] of Object.entries(difference)) {
				lines.push(`    ${label}:`, ...indented(text, "      "));
			}
		}
	}
	const kinds = Object.groupBy(calls, ({ verdict }) => verdict.kind);
	const words = { passed: "passed", failed: "failed", errored: "errors", refused: "not allowed", skipped: "skipped" };
	const sum = keysOf(words).flatMap((kind) => {
		const count = kinds[kind]?.length ?? 0;
		return count === 0 ? [] : [`${count} ${words[kind]}`];
	});
	return `${[...lines, sum.join(", ")].join("\n")}\n`;
};

/** The Test Anything Protocol, version 14. */
export const tapReport: Reporter = (calls) => {
	const lines = ["TAP version 14", `1..${calls.length}`];
	for (const [index, call] of calls.entries()) {
		const { kind } = call.verdict;
		// In a description a number sign begins a directive.
		const name = plain(`${call.file} › ${call.name}`).replace(/[\\#]/g, String.raw`\$&`);
		const skip = kind === "skipped" ? " # SKIP the run was stopped" : "";
		lines.push(`${kind === "passed" || kind === "skipped" ? "ok" : "not ok"} ${index + 1} - ${name}${skip}`);
		const details = detailsOf(call);
		const time = timeOf(call.verdict);
		if (details.length === 0 && time === undefined) continue;
		// Texts are in JSON, which is YAML as well.
		lines.push("  ---");
		if (time !== undefined) lines.push(`  duration_ms: ${Math.round(time)}`);
		if (details.length > 0) lines.push("  failures:");
		for (const { message, place, difference } of details) {
			lines.push(`    - message: ${JSON.stringify(message)}`);
			if (place !== undefined) lines.push(`      at: ${JSON.stringify(place)}`);
			for (const [label, text] of Object.entries(difference ?? {})) {
				lines.push(`      ${label}: ${JSON.stringify(text)}`);
			}
		}
		lines.push("  ...");
	}
	return `${lines.join("\n")}\n`;
};

/** The XML that JUnit began and build servers read: a suite for each file. */
export const junitReport: Reporter = (calls) => {
	const suites = [...Map.groupBy(calls, ({ file }) => file)].map(([file, ofFile]) => {
		const cases = ofFile.map((call) => {
			const time = timeOf(call.verdict) ?? 0;
			const start = `\t\t<testcase classname="${xml(file)}" name="${xml(call.name)}" time="${seconds(time)}"`;
			if (call.verdict.kind === "passed") return `${start}/>`;
			if (call.verdict.kind === "skipped") return `${start}>\n\t\t\t<skipped/>\n\t\t</testcase>`;
			const tag = call.verdict.kind === "failed" ? "failure" : "error";
			const inner = detailsOf(call).map(({ message, place, difference }) => {
				const texts = Object.entries(difference ?? {}).map(([label, text]) => `${label}:\n${text}`);
				const body = [...(place === undefined ? [] : [`at ${place}`]), ...texts].join("\n");
				return `\t\t\t<${tag} message="${xml(message)}">${xml(body)}</${tag}>`;
			});
			return [`${start}>`, ...inner, "\t\t</testcase>"].join("\n");
		});
		const count = (...kinds: readonly CallVerdict["kind"][]): number =>
			ofFile.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
		const total = ofFile.reduce((sum, { verdict }) => sum + (timeOf(verdict) ?? 0), 0);
		const numbers = `tests="${ofFile.length}" failures="${count("failed")}" errors="${count("errored", "refused")}" skipped="${count("skipped")}"`;
		return `\t<testsuite name="${xml(file)}" ${numbers} time="${seconds(total)}">\n${cases.join("\n")}\n\t</testsuite>`;
	});
	return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
};

function seconds(milliseconds: number): string {
	return (milliseconds / 1000).toFixed(3);
}

/** A text on one line of a terminal: nothing in it moves the cursor or begins a line. */
export function plain(text: string): string {
	return showHidden(text).replace(/[\n\t]/g, " ");
}

function indented(text: string, by: string): readonly string[] {
	return showHidden(text)
		.split("\n")
		.map((line) => by + line);
}

/** A text of an attribute or an element. Characters that XML 1.0 cannot hold are written as escapes of ours. */
export function xml(text: string): string {
	const entities: Readonly<Record<string, string>> = {
		"&": "&amp;",
		"<": "&lt;",
		">": "&gt;",
		'"': "&quot;",
		"\n": "&#10;",
		"\t": "&#9;",
	};
	return showHidden(text)
		.replace(/[\uFFFE\uFFFF]/g, "\uFFFD")
		.replace(/[&<>"\n\t]/g, (character) => entities[character] ?? character);
}
