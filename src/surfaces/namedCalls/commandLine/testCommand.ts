import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { textOfBytes } from "../../../base/fileText.ts";
import { HostError, messageOf } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import { oneLine, showHidden } from "../../../base/text.ts";
import type { ConfigOrigin, ConfigProblem } from "../../../servers/definitions/config.ts";
import type { McpHost } from "../../../servers/host.ts";
import { namesOf } from "../../../servers/definitions/serverNames.ts";
import type { Session } from "../../../servers/sessions/session.ts";
import type { ToolEntry } from "../../../permissions/catalog/catalog.ts";
import { PinnedDefinitions } from "../../../permissions/pinning/pinnedDefinitions.ts";
import type { ToolPolicy } from "../../../permissions/policy/verdict.ts";
import { runCalls, type CallVerdict, type WantedCall } from "../callRun.ts";
import type { CallsFile, NamedCall } from "../namedCall.ts";
import { parseCalls } from "../parseCalls.ts";
import { placesIn } from "../places.ts";
import { configureUnderMachine, underRules } from "./machineRules.ts";
import { junitReport, type ReportedCall, type Reporter, tapReport, textReport } from "./reports.ts";
import { callInputVariable, inputVariableName, terminalHost } from "./terminalHost.ts";

/** The terminal, as far as a command sees it. */
export interface Terminal {
	readonly folder: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly version: string;
	/** Where the policy of the machine is; absent for its usual place. */
	readonly policyFile?: string;
	/** Aborted when the user or the build stops the command. */
	readonly signal: AbortSignal;
	write(text: string): void;
	writeError(text: string): void;
}

/** How `test` is used. */
export const testUsage = `Usage: mcp-host test FILE… [options]

Runs the named calls of files. Exits with 0 if all passed, 1 if one did not, and 2 if
something was not allowed, or the command or a file is not valid.

  --config FILE      where the servers are configured; by default .vscode/mcp.json or .mcp.json here
  --allow NAME       a server that may start, with all its tools ("travel"), or one tool ("travel/searchFlights");
                     may be given several times. Nothing else starts or is called. A slash begins the name of a
                     tool: write one in the name of a server as "%2F", as in "team%2Ftravel"
  --allow-all        everything that the files ask for
  --demo             adds the demo server "travel"
  --reporter NAME    text, tap or junit; text by default
  --verbose          writes the logs of servers to standard error

The value of an input "api-token" of a server is read from ${inputVariableName("api-token")}; that of a call of the
server "travel" from ${callInputVariable("travel", "api-token")}.
`;

const reporters: Readonly<Record<string, Reporter>> = { text: textReport, tap: tapReport, junit: junitReport };

/** The parsed arguments of the command. */
interface Options {
	readonly files: readonly string[];
	readonly config: string | undefined;
	readonly allowed: Allowed;
	readonly isDemoOffered: boolean;
	readonly report: Reporter;
	readonly isVerbose: boolean;
}

/** The servers that may start and the tools that may be called. */
interface Allowed {
	readonly all: boolean;
	readonly names: ReadonlySet<string>;
}

interface ReadCalls {
	readonly place: string;
	readonly text: string;
	readonly file: CallsFile;
}

/**
 * `test`: runs the named calls of files against the servers of a configuration, without an editor and without a user:
 * only what the command names may start and be called (CAL-09). Resolves with the exit code: 0 when all passed, 1 when one
 * did not, 2 when something was not allowed, or the command or a file is not valid. Never rejects.
 */
export async function testCommand(args: readonly string[], terminal: Terminal): Promise<number> {
	try {
		const options = readOptions(args);
		if (options === undefined) {
			terminal.write(testUsage);
			return 0;
		}
		return await run(options, terminal);
	} catch (error) {
		terminal.writeError(`${showHidden(messageOf(error))}\n`);
		return 2;
	}
}

function readOptions(args: readonly string[]): Options | undefined {
	const { values, positionals } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			config: { type: "string" },
			allow: { type: "string", multiple: true, default: [] },
			"allow-all": { type: "boolean", default: false },
			demo: { type: "boolean", default: false },
			reporter: { type: "string", default: "text" },
			verbose: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) return undefined;
	const report = Object.hasOwn(reporters, values.reporter) ? reporters[values.reporter] : undefined;
	if (report === undefined) {
		throw new HostError("invalid", `There is no reporter "${values.reporter}". Use text, tap or junit.`);
	}
	if (positionals.length === 0) throw new HostError("invalid", `Name a file of calls.\n\n${testUsage}`);
	return {
		files: positionals,
		config: values.config,
		allowed: { all: values["allow-all"], names: new Set(values.allow) },
		isDemoOffered: values.demo,
		report,
		isVerbose: values.verbose,
	};
}

async function run(options: Options, terminal: Terminal): Promise<number> {
	const { folder, environment, version, signal } = terminal;
	const read = await readCallFiles(options.files, terminal);
	if (read === undefined) return 2;
	const config = await readConfig(options, folder);
	const host = terminalHost({
		folder: config.folder,
		environment,
		version,
		log: (server) => logOf(server, options.isVerbose, terminal),
	});
	try {
		const { problems, rules } = await configureUnderMachine(host, config, options.isDemoOffered, terminal.policyFile);
		for (const problem of problems) terminal.writeError(`${describeProblem(problem)}\n`);
		const wanted = read.flatMap(({ file, place }) => file.calls.map((call): WantedCall => ({ call, file, place })));
		const verdicts = await runAll(wanted, underRules(policyOf(options.allowed), rules), options, host, terminal);
		const reported = [...verdicts].map(([one, verdict]) => toReported(one, verdict, read));
		terminal.write(options.report(reported));
		return exitCode(reported, options, signal, terminal);
	} finally {
		await host.shutdown();
	}
}

function exitCode(
	reported: readonly ReportedCall[],
	{ allowed }: Options,
	signal: AbortSignal,
	terminal: Terminal,
): number {
	if (reported.some(({ verdict }) => verdict.kind === "refused")) {
		if (!allowed.all) terminal.writeError("Some calls were not allowed: name their servers or tools with --allow.\n");
		return 2;
	}
	return !signal.aborted && reported.every(({ verdict }) => verdict.kind === "passed") ? 0 : 1;
}

/** The files, or undefined when one has a fault, which was reported: a missing call would pass unnoticed. */
async function readCallFiles(paths: readonly string[], terminal: Terminal): Promise<readonly ReadCalls[] | undefined> {
	let isSound = true;
	const read: ReadCalls[] = [];
	for (const place of paths) {
		const text = textOfBytes(await readFile(resolve(terminal.folder, place)));
		const file = parseCalls(text);
		for (const { message, severity, range } of file.problems) {
			if (severity === "error") isSound = false;
			terminal.writeError(`${placeOf(place, text, range.offset)}: ${severity}: ${message}\n`);
		}
		if (file.calls.length === 0 && file.problems.length === 0) {
			isSound = false;
			terminal.writeError(`${place}: error: This file contains no calls.\n`);
		}
		read.push({ place, text, file });
	}
	return isSound ? read : undefined;
}

/** Where the servers are configured, and the folder that the file belongs to. */
export async function readConfig(
	{ config, isDemoOffered }: Pick<Options, "config" | "isDemoOffered">,
	folder: string,
): Promise<{ readonly folder: string; readonly sources: Parameters<McpHost["configure"]>[0] }> {
	const candidates = config === undefined ? [".vscode/mcp.json", ".mcp.json"] : [config];
	for (const candidate of candidates) {
		const file = resolve(folder, candidate);
		const bytes = await readFile(file).catch((error: unknown) => {
			if (config !== undefined) throw error;
			return undefined;
		});
		if (bytes === undefined) continue;
		const text = textOfBytes(bytes);
		const own = basename(dirname(file)) === ".vscode" ? dirname(dirname(file)) : dirname(file);
		const origin: ConfigOrigin = {
			kind: basename(file) === ".mcp.json" ? "dot-mcp-json" : "mcp-json",
			label: candidate,
			file,
			folder: own,
			isWorkspace: true,
		};
		return { folder: own, sources: [{ origin, content: { text } }] };
	}
	if (isDemoOffered) return { folder, sources: [] };
	throw new HostError(
		"invalid",
		`There is neither ${candidates.join(" nor ")} here: name a configuration with --config.`,
	);
}

async function runAll(
	wanted: readonly WantedCall[],
	policy: ToolPolicy,
	{ allowed }: Options,
	host: McpHost,
	{ environment, signal }: Terminal,
): Promise<ReadonlyMap<WantedCall, CallVerdict>> {
	const { registry, secretsInUse } = host;
	const verdicts = new Map<WantedCall, CallVerdict>();
	const store = await host.shared.get();
	const pins = new PinnedDefinitions(registry, store);
	const callsOf = (session: Session): readonly NamedCall[] =>
		wanted.flatMap(({ call }) => (namesOf(session.definition).names.includes(call.server) ? [call] : []));
	await runCalls(
		wanted,
		{
			isTrusted: () => true,
			directory: registry,
			policy,
			refreshRules: async () => undefined,
			pins,
			start: async (id) => {
				const session = registry.get(id);
				const server = oneLine(session?.definition.name ?? id);
				if (session === undefined || !mayStart(session, allowed, callsOf(session))) {
					const how = allowedName(server) === server ? "" : ` Write it as --allow "${allowedName(server)}".`;
					throw new HostError("denied", `the server "${server}" may not start: --allow does not name it.${how}`);
				}
				await host.approve(session.definition);
				return host.start(id);
			},
			inputValue: async ({ id, isPassword, defaultValue, description }, _place, { definition }) => {
				const variable = callInputVariable(definition.name, id);
				const value = environment[variable];
				if (value === undefined) {
					if (defaultValue !== undefined && !isPassword) return defaultValue;
					throw new HostError("invalid", `it needs a value for the input ${oneLine(id, 60)}: set ${variable}.`);
				}
				if (isPassword) await secretsInUse.add([{ value, name: oneLine(id, 40), label: oneLine(description) }]);
				return value;
			},
			redactor: secretsInUse,
			// Nobody is there.
			consent: async () => new Set(),
		},
		{
			started: () => undefined,
			logged: () => undefined,
			ended: (one, verdict) => void verdicts.set(one, verdict),
		},
		signal,
	);
	pins.dispose();
	return verdicts;
}

/** The form of a server in `--allow`: a slash in its name does not begin the name of a tool. */
function allowedName(server: string): string {
	return server.replaceAll("%", "%25").replaceAll("/", "%2F");
}

/** Whether a server may start: it is named, or a tool of it is that one of the calls is about. */
function mayStart({ definition }: Session, { all, names }: Allowed, calls: readonly NamedCall[]): boolean {
	const servers = namesOf(definition).names.map(allowedName);
	const tools = calls.map(({ target }) =>
		target.kind === "tool" ? target.name : target.kind === "prompt" ? "prompts/get" : "resources/read",
	);
	return all || servers.some((server) => names.has(server) || tools.some((tool) => names.has(`${server}/${tool}`)));
}

function policyOf({ all, names }: Allowed): ToolPolicy {
	const isNamed = ({ session, tool }: ToolEntry): boolean =>
		namesOf(session.definition)
			.names.map(allowedName)
			.some((server) => names.has(server) || names.has(`${server}/${tool.name}`));
	return {
		decide: (entry) =>
			all || isNamed(entry)
				? { decision: "allow", by: { kind: "rule", label: "--allow" } }
				: { decision: "ask", by: { kind: "default", label: "--allow does not name it" } },
		onDidChange: () => ({ dispose: () => undefined }),
	};
}

function toReported({ call, place }: WantedCall, verdict: CallVerdict, read: readonly ReadCalls[]): ReportedCall {
	const { file, text } = read.find((one) => one.place === place) ?? {};
	const at = (path: readonly (string | number)[]): string =>
		placeOf(place, text ?? "", file?.rangeOf(["calls", call.name, ...path]).offset ?? 0);
	const places =
		verdict.kind === "failed"
			? verdict.failures.map(({ path }) => at(path.length === 0 ? [] : ["expect", ...path]))
			: [at([])];
	return { file: place, name: call.name, verdict, places };
}

function placeOf(file: string, text: string, offset: number): string {
	const { line, column } = placesIn(text)(offset);
	return `${file}:${line}:${column}`;
}

/** A problem of a configuration, in a line. */
export function describeProblem({ origin, path, message, severity }: ConfigProblem): string {
	return showHidden(`${origin.label}: ${severity}: ${path.length === 0 ? "" : `${path.join(".")}: `}${message}`);
}

/** Where the log of a server goes: to standard error, where it is wanted. */
export function logOf(server: string, isVerbose: boolean, terminal: Terminal): Log {
	const write = (message: string): void => {
		if (isVerbose) terminal.writeError(`[${oneLine(server, 60)}] ${showHidden(message)}\n`);
	};
	return { trace: () => undefined, debug: () => undefined, info: write, warn: write, error: write };
}
