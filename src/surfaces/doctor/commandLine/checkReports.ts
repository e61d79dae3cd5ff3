import { plain, xml } from "../../namedCalls/commandLine/reports.ts";
import type { Clause, Weight } from "../finding.ts";

/** One finding for a report: texts without secrets, otherwise as received. */
export interface ReportedFinding {
	/** The name of its kind. */
	readonly rule: string;
	readonly weight: Exclude<Weight, "fine">;
	readonly what: string;
	readonly why?: string;
	/** Lines of others that show it. */
	readonly evidence: readonly string[];
	/** Where in what the server sent or offers, or in its entry. */
	readonly at?: string;
	readonly clause?: Clause;
	/** The file in which the server is configured, as a path relative to the current folder, and the line. */
	readonly file?: string;
	readonly line?: number;
}

/** A server that was checked. */
export interface CheckedServer {
	readonly name: string;
	/** Its state in a word. */
	readonly state: string;
	readonly findings: readonly ReportedFinding[];
	/** How many findings of ignored kinds were left out. */
	readonly ignored: number;
}

/** Writes the findings about all servers. `version` is that of MCP Host. */
export type CheckReporter = (servers: readonly CheckedServer[], version: string) => string;

const marks: Readonly<Record<ReportedFinding["weight"], string>> = {
	cause: "ERROR",
	waiting: "ERROR",
	warning: "WARNING",
	note: "note",
};

/** Whether a finding lets the check fail. */
export function isFailure({ weight }: ReportedFinding): boolean {
	return weight !== "note";
}

function sum({ findings, ignored }: CheckedServer): string {
	const count = (what: string, wanted: readonly Weight[]): readonly string[] => {
		const found = findings.filter(({ weight }) => wanted.includes(weight)).length;
		return found === 0 ? [] : [`${found} ${what}${found === 1 ? "" : "s"}`];
	};
	const words = [...count("error", ["cause", "waiting"]), ...count("warning", ["warning"]), ...count("note", ["note"])];
	const left = ignored === 0 ? [] : [`${ignored} ignored`];
	return [...(words.length === 0 ? ["no problems were found"] : words), ...left].join(", ");
}

/** For users: each finding, its place, and the fix. */
export const textCheckReport: CheckReporter = (servers) =>
	servers
		.flatMap((server) => [
			`${plain(server.name)} (${plain(server.state)}): ${sum(server)}`,
			...server.findings.flatMap(({ rule, weight, what, why, at, clause, file, line, evidence }) => [
				`  ${marks[weight]}  ${plain(what)} [${rule}]`,
				...(at === undefined ? [] : [`    at ${plain(at)}`]),
				...(file === undefined ? [] : [`    in ${plain(file)}${line === undefined ? "" : `:${line}`}`]),
				...(why === undefined ? [] : [`    ${plain(why)}`]),
				...(clause === undefined ? [] : [`    ${clause.words} ${clause.url}`]),
				...evidence.map((one) => `      | ${plain(one)}`),
			]),
		])
		.map((line) => `${line}\n`)
		.join("");

/** The XML that JUnit began and build servers read: a suite for each server, a case for its start and for each finding. */
export const junitCheckReport: CheckReporter = (servers) => {
	const suites = servers.map(({ name, findings }) => {
		const cases = findings.map((finding) => {
			const { rule, what, why = "", at = "", clause } = finding;
			const start = `\t\t<testcase classname="${xml(name)}" name="${xml(at === "" ? rule : `${rule}: ${at}`)}"`;
			const body = xml(
				[what, why, clause === undefined ? "" : `${clause.words} ${clause.url}`].filter(Boolean).join("\n"),
			);
			return isFailure(finding)
				? `${start}>\n\t\t\t<failure type="${xml(rule)}" message="${xml(what)}">${body}</failure>\n\t\t</testcase>`
				: `${start}>\n\t\t\t<system-out>${body}</system-out>\n\t\t</testcase>`;
		});
		const checked = `\t\t<testcase classname="${xml(name)}" name="check"/>`;
		const failures = findings.filter(isFailure).length;
		return [
			`\t<testsuite name="${xml(name)}" tests="${cases.length + 1}" failures="${failures}" errors="0" skipped="0">`,
			checked,
			...cases,
			"\t</testsuite>",
		].join("\n");
	});
	return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
};

/** The Static Analysis Results Interchange Format, version 2.1.0, which code scanning reads. */
export const sarifCheckReport: CheckReporter = (servers, version) => {
	const found = servers.flatMap(({ name, findings }) => findings.map((finding) => ({ name, finding })));
	const rules = new Map(found.map(({ finding }) => [finding.rule, finding] as const));
	const results = found.map(({ name, finding }) => {
		const { rule, weight, what, why, at, file, line } = finding;
		const place = at === undefined ? name : `${name}: ${at}`;
		const region = line === undefined ? {} : { region: { startLine: line } };
		return {
			ruleId: rule,
			level: weight === "note" ? "note" : weight === "warning" ? "warning" : "error",
			message: { text: plain([what, why].filter((part) => part !== undefined).join(" ")) },
			locations: [
				{
					...(file === undefined
						? {}
						: { physicalLocation: { artifactLocation: { uri: encodeURI(file.replaceAll("\\", "/")) }, ...region } }),
					logicalLocations: [{ fullyQualifiedName: plain(place) }],
				},
			],
		};
	});
	const log = {
		$schema: "https://json.schemastore.org/sarif-2.1.0.json",
		version: "2.1.0",
		runs: [
			{
				tool: {
					driver: {
						name: "MCP Host",
						semanticVersion: version,
						rules: [...rules].map(([id, { why, clause }]) =>
							Object.assign({ id }, why && { help: { text: plain(why) } }, clause && { helpUri: clause.url }),
						),
					},
				},
				results,
			},
		],
	};
	return `${JSON.stringify(log, undefined, "\t")}\n`;
};
