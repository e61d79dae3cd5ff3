import { hasHiddenCharacters } from "../base/text.ts";
import type { Approval } from "./approvals.ts";
import type { ServerConfig, ServerDefinition } from "./config.ts";
import { variablesOf } from "./variables.ts";

/** One line of what a server would do, in the order in which it is shown. */
export interface ReviewRow {
	readonly label: string;
	readonly values: readonly string[];
	/** The values that were approved before, when they differ. */
	readonly former?: readonly string[];
}

/** All that a person needs to decide whether a server may start (SEP-1024; security.md CFG-07, CFG-08). */
export interface ServerReview {
	readonly name: string;
	readonly origin: string;
	readonly rows: readonly ReviewRow[];
	readonly warnings: readonly string[];
	readonly isChange: boolean;
}

/** Describes a definition completely: every argument on a line of its own, environment and header names, never a secret. */
export function reviewServer(definition: ServerDefinition, former: Approval | undefined): ServerReview {
	const rows = describe(definition.config, definition.origin.folder);
	const before = former === undefined ? undefined : describe(former.config, definition.origin.folder);
	const compared = rows.map((row) => {
		const old = before?.find(({ label }) => label === row.label)?.values ?? [];
		const isSame = before === undefined || JSON.stringify(old) === JSON.stringify(row.values);
		return isSame ? row : { ...row, former: old };
	});
	const removed = (before ?? []).filter(({ label }) => !rows.some((row) => row.label === label));
	return {
		name: definition.name,
		origin: definition.origin.file ?? definition.origin.label,
		rows: [...compared, ...removed.map(({ label, values }) => ({ label, values: [], former: values }))],
		warnings: warningsFor(definition.config),
		isChange: former !== undefined,
	};
}

function describe(config: ServerConfig, folder: string | undefined): readonly ReviewRow[] {
	const rows: ReviewRow[] = [];
	const add = (label: string, values: readonly string[]): void => {
		if (values.length > 0) rows.push({ label, values });
	};
	if (config.kind === "stdio") {
		add("Command", [config.command]);
		add("Arguments", config.args);
		add("Working directory", [config.cwd ?? folder ?? "your home folder"]);
		add("Environment", Object.entries(config.env).map(([name, value]) => `${name}=${masked(value)}`));
		add("Environment file", config.envFile === undefined ? [] : [config.envFile]);
	} else {
		add("URL", [config.url]);
		add("Headers", Object.entries(config.headers).map(([name, value]) => `${name}: ${masked(value)}`));
	}
	const read = variablesOf(config).filter((name) => name.startsWith("env:"));
	add("Reads from your environment", read.map((name) => name.slice("env:".length)));
	return rows;
}

/** A value as it may be shown: a reference in full, a literal only by its length, for it may be a secret. */
function masked(value: string): string {
	return /^(\$\{[^{}]*\}|true|false|\d{1,6}|)$/.test(value) ? value : `(${value.length} characters)`;
}

const suspicious: readonly (readonly [RegExp, string])[] = [
	[/(^|[\s/\\])(sudo|doas|runas)(\s|$)/i, "It asks for administrator rights."],
	[/\brm\s+-[a-z]*[rf]|\bdel\s+\/[sq]|\bmkfs\b|\bdd\s+if=/i, "It deletes or overwrites files."],
	[/\b(curl|wget|iwr|invoke-webrequest)\b[^|]*\|\s*(ba|z|da)?sh\b|\biex\b/i, "It downloads a script and runs it."],
	[/[~\w/\\]*\.(ssh|aws|gnupg|kube)\b|id_rsa|id_ed25519/i, "It touches a folder that holds keys."],
	[/\bbase64\s+(-d|--decode)|-enc(odedcommand)?\s|frombase64string/i, "It runs encoded text that cannot be read here."],
	[/\b(nc|ncat|netcat)\s+-[a-z]*e|\/dev\/tcp\//i, "It opens a raw network connection to a shell."],
];

/** What is unusual about a command; a hint for the reader, never a verdict. */
export function warningsFor(config: ServerConfig): readonly string[] {
	if (config.kind !== "stdio") {
		const isPlain = /^http:\/\/(?!(127\.0\.0\.1|localhost|\[::1\])([:/]|$))/i.test(config.url);
		return isPlain ? ["The connection is not encrypted (http)."] : [];
	}
	const words = [config.command, ...config.args];
	const line = words.join(" ");
	const warnings = suspicious.filter(([pattern]) => pattern.test(line)).map(([, warning]) => warning);
	if (/(^|[/\\])((ba|z|da|fi|c|k)?sh|cmd|powershell|pwsh)(\.exe)?$/i.test(config.command)) {
		warnings.unshift("It runs a shell, which can run any command.");
	}
	if (words.some(hasHiddenCharacters)) warnings.push("It contains characters that cannot be seen; they are shown as escapes.");
	return warnings;
}
