import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { HostError, messageOf } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json.ts";
import { SafeWriter } from "../../../base/secrets/writer.ts";
import { cap, oneLine, showHidden } from "../../../base/text.ts";
import { prepareForModels } from "../../../permissions/catalog/modelTool.ts";
import { Recorder } from "../../../records/trace/recorder.ts";
import type { ConfigOrigin } from "../../../servers/definitions/config.ts";
import { namesOf } from "../../../servers/definitions/serverNames.ts";
import type { McpHost } from "../../../servers/host.ts";
import { stateWord } from "../../../servers/sessions/describeState.ts";
import type { Session } from "../../../servers/sessions/session.ts";
import { inputVariableName, terminalHost } from "../../namedCalls/commandLine/terminalHost.ts";
import { configureUnderMachine } from "../../namedCalls/commandLine/machineRules.ts";
import { describeProblem, logOf, readConfig, type Terminal } from "../../namedCalls/commandLine/testCommand.ts";
import { examine } from "../examine.ts";
import { type Finding, inOrder } from "../finding.ts";
import { gatherFacts } from "../gatherFacts.ts";
import { kindOf } from "../ignored.ts";
import { machineProbes } from "../machineProbes.ts";
import { placeIn } from "../place.ts";
import { settled } from "../settled.ts";
import {
	type CheckedServer,
	type CheckReporter,
	isFailure,
	junitCheckReport,
	type ReportedFinding,
	sarifCheckReport,
	textCheckReport,
} from "./checkReports.ts";

/** How `check` is used. */
export const checkUsage = `Usage: mcp-host check NAME… [options]
       mcp-host check [options] -- COMMAND [ARGUMENT…]
       mcp-host check [options] --url URL

Starts servers and checks what they do against the protocol, and what they offer. Nothing else starts. A server is asked
only for its lists and for what has no effect. Exits with 0 if there is no error and no warning, 1 if there is one, and 2
if the command or a file is not valid.

  --config FILE      where the servers are configured; by default .vscode/mcp.json or .mcp.json here
  --all              every server of the configuration
  --demo             adds the demo server "travel"
  --reporter NAME    text, junit or sarif; text by default
  --ignore RULE      leaves out the findings of a rule, such as no-mime-type; may be given several times;
                     "dev": { "ignoredFindings": […] } of an entry does the same
  --strict           notes count as well
  --verbose          writes the logs of servers to standard error

The value of an input "api-token" of a server is read from ${inputVariableName("api-token")}.
`;

const reporters: Readonly<Record<string, CheckReporter>> = {
	text: textCheckReport,
	junit: junitCheckReport,
	sarif: sarifCheckReport,
};

/** How many lines of others are shown of one finding. */
const mostLines = 12;

/** The options of the command. */
interface Options {
	readonly names: readonly string[];
	/** A server that no configuration has. */
	readonly given: JsonObject | undefined;
	readonly config: string | undefined;
	readonly isAll: boolean;
	readonly isDemoOffered: boolean;
	readonly report: CheckReporter;
	readonly ignored: readonly string[];
	readonly isStrict: boolean;
	readonly isVerbose: boolean;
}

/**
 * `check`: starts the servers that the command names and reports what *Check Server* finds (DOC-10). Resolves with the exit
 * code: 0 without errors and warnings, 1 with one, 2 when the command or a file is not valid. Never rejects.
 */
export async function checkCommand(args: readonly string[], terminal: Terminal): Promise<number> {
	try {
		const options = readOptions(args);
		if (options === undefined) {
			terminal.write(checkUsage);
			return 0;
		}
		return await run(options, terminal);
	} catch (error) {
		terminal.writeError(`${showHidden(messageOf(error))}\n`);
		return 2;
	}
}

function readOptions(args: readonly string[]): Options | undefined {
	const end = args.indexOf("--");
	const command = end === -1 ? [] : args.slice(end + 1);
	const { values, positionals } = parseArgs({
		args: args.slice(0, end === -1 ? args.length : end),
		allowPositionals: true,
		options: {
			config: { type: "string" },
			url: { type: "string" },
			all: { type: "boolean", default: false },
			demo: { type: "boolean", default: false },
			reporter: { type: "string", default: "text" },
			ignore: { type: "string", multiple: true, default: [] },
			strict: { type: "boolean", default: false },
			verbose: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) return undefined;
	const report = Object.hasOwn(reporters, values.reporter) ? reporters[values.reporter] : undefined;
	if (report === undefined)
		throw new HostError("invalid", `There is no reporter "${values.reporter}". Use text, junit or sarif.`);
	const [program, ...rest] = command;
	const given =
		program === undefined
			? values.url === undefined
				? undefined
				: { url: values.url }
			: { command: program, args: rest };
	const isNamed = positionals.length > 0 || values.all;
	if ((given !== undefined) === isNamed)
		throw new HostError("invalid", `Name the servers to check, or give one command or URL.\n\n${checkUsage}`);
	return {
		names: positionals,
		given,
		config: values.config,
		isAll: values.all,
		isDemoOffered: values.demo,
		report,
		ignored: values.ignore,
		isStrict: values.strict,
		isVerbose: values.verbose,
	};
}

async function run(options: Options, terminal: Terminal): Promise<number> {
	const { environment, version, signal } = terminal;
	const config =
		options.given === undefined ? await readConfig(options, terminal.folder) : givenConfig(options.given, terminal);
	const host: McpHost = terminalHost({
		folder: config.folder,
		environment,
		version,
		log: (server) => logOf(server, options.isVerbose, terminal),
		tap: (server, name) => trace.tap(server, name),
	});
	const trace = new Recorder({ wanted: () => "bodies", redactor: host.secretsInUse });
	try {
		const { problems } = await configureUnderMachine(host, config, options.isDemoOffered, terminal.policyFile);
		for (const problem of problems) terminal.writeError(`${describeProblem(problem)}\n`);
		const servers: CheckedServer[] = [];
		for (const session of wanted(host, options)) {
			signal.throwIfAborted();
			await host.approve(session.definition);
			await host.start(session.definition.id);
			await settled(session, signal);
			servers.push(await checked(host, trace, session, options, terminal));
		}
		terminal.write(options.report(servers, version));
		const counts = (finding: ReportedFinding): boolean => options.isStrict || isFailure(finding);
		return servers.some(({ findings }) => findings.some(counts)) ? 1 : 0;
	} finally {
		trace.dispose();
		await host.shutdown();
	}
}

/** A configuration with the one server of the command line. */
function givenConfig(given: JsonObject, { folder }: Terminal): Awaited<ReturnType<typeof readConfig>> {
	const origin: ConfigOrigin = { kind: "mcp-json", label: "the command line", folder, isWorkspace: false };
	return { folder, sources: [{ origin, content: { value: { server: given } } }] };
}

/** @throws HostError `invalid` when one that is named is not configured. */
function wanted(host: McpHost, { names, isAll, given }: Options): readonly Session[] {
	const { sessions } = host.registry;
	const isNamed = (session: Session, name: string): boolean => namesOf(session.definition).names.includes(name);
	for (const name of names)
		if (!sessions.some((session) => isNamed(session, name))) {
			const known = sessions.map(({ definition }) => oneLine(definition.name, 80)).join(", ");
			throw new HostError(
				"invalid",
				`There is no server "${oneLine(name, 80)}". The configuration has: ${known || "none"}.`,
			);
		}
	if (given !== undefined && sessions.length === 0)
		throw new HostError("invalid", "The command or URL cannot be used.");
	return isAll || given !== undefined ? sessions : sessions.filter((one) => names.some((name) => isNamed(one, name)));
}

async function checked(
	host: McpHost,
	trace: Recorder,
	session: Session,
	{ ignored }: Options,
	{ environment, signal, folder }: Terminal,
): Promise<CheckedServer> {
	const { definition } = session;
	const facts = await gatherFacts(
		{
			directory: host.registry,
			problems: () => [],
			whyNot: (one) => host.whyNot(one),
			resolve: (one) => host.resolve(one, () => false),
			textOf: async ({ file }) =>
				file === undefined ? Promise.reject(new Error("It has no file.")) : readFile(file, "utf8"),
			isWorkspaceTrusted: () => true,
			environment,
			costs: {
				of: () => undefined,
				isLazy: () => false,
				whyHidden: (tool) => {
					const prepared = prepareForModels(tool);
					return "hidden" in prepared ? prepared.hidden : undefined;
				},
			},
			trace,
			otherHost: () => undefined,
			elsewhere: async () => [],
			placeFiles: async () => [],
		},
		definition.id,
	);
	if (facts === undefined) throw new HostError("invalid", "The server is not configured.");
	const writer = new SafeWriter(host.secretsInUse);
	const clean = (text: string): string => cap(writer.text(text), 2000);
	const entry = placeIn(facts.entry);
	const reported = (finding: Finding): readonly ReportedFinding[] => {
		const { weight, what, why, at, clause, evidence = [], where = entry } = finding;
		if (weight === "fine") return [];
		const place = where?.file === undefined ? {} : { file: relative(folder, where.file) };
		return [
			{
				rule: kindOf(finding),
				weight,
				what: clean(what),
				evidence: evidence.slice(0, mostLines).map(clean),
				...(why === undefined ? {} : { why: clean(why) }),
				...(at === undefined ? {} : { at: clean(at) }),
				...(clause === undefined ? {} : { clause }),
				...place,
				...(where?.line === undefined ? {} : { line: where.line }),
			},
		];
	};
	const findings: Finding[] = [];
	const probes = machineProbes({ environment, network: { environment } });
	for await (const layer of examine(facts, probes, signal, ignored)) findings.push(...layer.findings);
	return {
		name: definition.name,
		state: stateWord(session.state),
		findings: inOrder(findings).flatMap(reported),
		ignored: findings.reduce((sum, one) => sum + (one.ignored ?? 0), 0),
	};
}
