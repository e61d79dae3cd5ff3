import { isAbsolute, delimiter, dirname, resolve } from "node:path";
import { homedir } from "node:os";
import { editDistance } from "../../base/nearest.ts";
import { commandFault } from "../../protocol/stdio/commandFault.ts";
import { oneLine } from "../../base/text.ts";
import { programName } from "../../protocol/stdio/launchers.ts";
import type { Launch } from "../../protocol/launch.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding, Fix } from "./finding.ts";
import { open, setIn } from "./definitionChecks.ts";
import { packageOf } from "../../servers/definitions/packageOf.ts";
import { placeIn } from "./place.ts";
import type { FoundProgram, Probes } from "./probes.ts";

/** The program that starts a process. */
type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/** The programs that are asked for their version, by their launchers: servers themselves are not run. */
const runtimes: Readonly<Record<string, string>> = {
	node: "node",
	npx: "node",
	npm: "node",
	pnpm: "node",
	python: "python",
	python3: "python3",
	uv: "uv",
	uvx: "uv",
	docker: "docker",
	deno: "deno",
	bun: "bun",
	bunx: "bun",
};

/** The results of the command's check, and the parts that the check of the start needs. */
export interface CommandCheck {
	readonly findings: readonly Finding[];
	/** The runtime of the server, such as Node.js, if known. */
	readonly runtime: (FoundProgram & { readonly name: string }) | undefined;
}

/** Whether VS Code's PATH may be the cause of a failed start's message. */
function mayBeOfPath({ state }: DoctorFacts): boolean {
	return state.kind === "failed" && (state.cause?.kind === "old-runtime" || state.cause?.kind === "no-program");
}

/** Whether the command of a server is found, on which PATH, and in which version. */
export async function checkCommand(
	facts: DoctorFacts,
	launch: StdioLaunch,
	probes: Probes,
	signal: AbortSignal,
): Promise<CommandCheck> {
	const { command } = launch;
	const where = placeIn(facts.entry, ["command"]);
	const at = where === undefined ? {} : { where };
	const toOpen: readonly Fix[] = where === undefined ? [] : [open(where)];
	const path = await probes.path(launch).catch(() => undefined);
	// Its own message is sufficient: the file of the environment cannot be read, or sets a forbidden variable.
	if (path === undefined) return { findings: [], runtime: undefined };
	const found = await probes.find(command, launch, path);
	signal.throwIfAborted();
	if (found === undefined) {
		const finding = /[\\/]/.test(command)
			? await missingFile(launch, probes)
			: await missingProgram(facts, launch, path, probes, signal);
		return {
			findings: [
				{ layer: "command", weight: "cause", ...finding, ...at, fixes: [...(finding.fixes ?? []), ...toOpen] },
			],
			runtime: undefined,
		};
	}
	const name = runtimes[programName(command)];
	const program = name === undefined || name === programName(command) ? found : await probes.find(name, launch, path);
	const version =
		name === undefined || program === undefined ? undefined : await probes.version(program, launch, path, signal);
	const runtime = name === undefined || program === undefined ? undefined : { name, path: program, version };
	const findings: Finding[] = [
		{
			layer: "command",
			weight: "fine",
			what: `${programName(command)} is ${tidy(found)}${versionWords(programName(command), runtime)}.`,
		},
	];
	if (mayBeOfPath(facts)) {
		const wanted =
			facts.state.kind === "failed" && facts.state.cause?.kind === "no-program" ? facts.state.cause.subject : name;
		const other =
			wanted === undefined
				? undefined
				: await inShell(wanted, launch, { path, shell: await probes.shellPath(signal) }, probes, signal);
		if (other !== undefined && other.path !== runtime?.path) {
			findings.push({
				layer: "command",
				weight: "warning",
				what: `A terminal uses a different ${wanted ?? ""}: ${tidy(other.path)}${other.version === undefined ? "" : ` (${other.version})`}.`,
				why: "The PATH of VS Code differs from that of your login shell. Put that folder first in PATH to run the server as in a terminal.",
				fixes: [usePath(facts, other.path)],
			});
		}
	}
	findings.push(...(await notDownloaded(facts, launch, probes)));
	return { findings, runtime };
}

/** The version of a program, or its runtime: `, v22.14.0`, `, which runs with node v22.14.0`. */
function versionWords(program: string, runtime: CommandCheck["runtime"]): string {
	if (runtime?.version === undefined) return "";
	const version = oneLine(runtime.version.replace(/^(?:node|python|uv|docker|deno|bun)\b ?/i, ""), 60);
	return program === runtime.name ? `, ${version}` : `, which runs with ${runtime.name} ${version}`;
}

async function missingFile(launch: StdioLaunch, probes: Probes): Promise<Pick<Finding, "what" | "why" | "fixes">> {
	const { command, cwd } = launch;
	const fault = commandFault(command, launch.args.length > 0);
	if (fault !== undefined) return { what: `The command “${oneLine(command, 200)}” ${fault.what}.`, why: fault.advice };
	const file = resolve(cwd, command);
	const standing = await probes.standing(file);
	if (standing === "not-executable")
		return {
			what: `The file ${tidy(file)} cannot be run: it is not executable.`,
			why: `Make it executable with chmod +x, or run it with its interpreter, such as "command": "node".`,
		};
	if (standing === "folder") return { what: `The command ${tidy(file)} is a folder.`, why: "Name the program in it." };
	return {
		what: `There is no file ${tidy(file)}.`,
		why: isAbsolute(command)
			? `Check the path. If it is your own server, build it first.`
			: `A relative path starts at the working directory, ${tidy(cwd)}. Enter the full path, or set "cwd".`,
	};
}

async function missingProgram(
	facts: DoctorFacts,
	launch: StdioLaunch,
	path: string,
	probes: Probes,
	signal: AbortSignal,
): Promise<Pick<Finding, "what" | "why" | "evidence" | "evidenceTitle" | "fixes">> {
	const { command } = launch;
	const shown = `“${oneLine(command, 80)}”`;
	const folders = path.split(delimiter).map(tidy);
	const shell = await probes.shellPath(signal);
	const other = await inShell(command, launch, { path, shell }, probes, signal);
	if (other !== undefined) {
		return {
			what: `VS Code does not find ${shown}, but a terminal does: ${tidy(other.path)}${other.version === undefined ? "" : ` (${other.version})`}.`,
			why: "VS Code was started with a different PATH than your login shell sets. Put the folder first in the server's PATH, or start VS Code from a terminal.",
			evidence: folders,
			evidenceTitle: "Folders That Were Searched",
			fixes: [usePath(facts, other.path)],
		};
	}
	const near = nearest(command);
	const fault = commandFault(command, launch.args.length > 0);
	return {
		what: `There is no command ${shown} on the PATH of VS Code${shell === undefined ? "" : ", nor on that of a terminal"}.`,
		why:
			fault !== undefined
				? `It ${fault.what}. ${fault.advice}`
				: near === undefined
					? `Check its name for a typo. ${howToGet(command)}`
					: `Did you mean “${near}”? Check its name for a typo.`,
		evidence: folders,
		evidenceTitle: "Folders That Were Searched",
		fixes: near === undefined ? [] : [setIn(facts.definition, `Use ${near}`, [{ path: ["command"], value: near }])],
	};
}

/** A program that the login shell's PATH has. */
async function inShell(
	name: string,
	launch: StdioLaunch,
	{ path, shell }: { readonly path: string; readonly shell: string | undefined },
	probes: Probes,
	signal: AbortSignal,
): Promise<FoundProgram | undefined> {
	if (shell === undefined || shell === path) return undefined;
	const found = await probes.find(name, launch, shell);
	if (found === undefined) return undefined;
	const isKnown = Object.hasOwn(runtimes, name);
	return { path: found, version: isKnown ? await probes.version(found, launch, shell, signal) : undefined };
}

/**
 * Puts the folder of a program in front of the server's PATH: bare names that the program runs are found there, too.
 */
function usePath({ definition }: DoctorFacts, program: string): Fix {
	const { config } = definition;
	const former = config.kind === "stdio" ? (config.env["PATH"] ?? "${env:PATH}") : "${env:PATH}";
	const value = `${dirname(program)}${delimiter}${former}`;
	return setIn(definition, "Use This PATH", [{ path: ["env", "PATH"], value }]);
}

async function notDownloaded(
	{ state }: DoctorFacts,
	{ command, args }: StdioLaunch,
	probes: Probes,
): Promise<readonly Finding[]> {
	const launched = packageOf(command, args);
	if (launched?.launcher !== "npx" || state.kind === "running") return [];
	if (/^[./~]|:\/\//.test(launched.name) || (await probes.isCached(launched.name))) return [];
	return [
		{
			layer: "command",
			weight: "note",
			what: `The package “${oneLine(launched.name, 100)}” has not been downloaded yet.`,
			why: "npx downloads it at the first start, which takes longer and needs the network.",
		},
	];
}

const known = [
	"node",
	"npx",
	"npm",
	"python",
	"python3",
	"uv",
	"uvx",
	"docker",
	"deno",
	"bun",
	"bunx",
	"pnpm",
	"pipx",
	"podman",
];

/** A well-known program whose name differs from the command by one letter or by two swapped ones. */
function nearest(command: string): string | undefined {
	const lower = command.toLowerCase();
	const sorted = (text: string): string => text.split("").toSorted().join("");
	return known.find(
		(name) =>
			name !== lower &&
			name.length > 2 &&
			(editDistance(lower, name) === 1 || (editDistance(lower, name) === 2 && sorted(lower) === sorted(name))),
	);
}

function howToGet(command: string): string {
	const homes: Readonly<Record<string, string>> = {
		node: "It comes with Node.js (nodejs.org).",
		npx: "It comes with Node.js (nodejs.org).",
		npm: "It comes with Node.js (nodejs.org).",
		uv: "It is uv (docs.astral.sh/uv).",
		uvx: "It comes with uv (docs.astral.sh/uv).",
		docker: "It comes with Docker (docs.docker.com/get-started).",
	};
	return Object.hasOwn(homes, command)
		? `${homes[command] ?? ""} Install it, then restart VS Code.`
		: "If the name is right, install the program, or enter its full path.";
}

/** A path for display: on one line, with the home folder as ~. */
export function tidy(path: string): string {
	const home = homedir();
	return oneLine(
		home.length > 1 && (path === home || [`${home}/`, `${home}\\`].some((start) => path.startsWith(start)))
			? `~${path.slice(home.length)}`
			: path,
		300,
	);
}
