import { homedir } from "node:os";
import { isAbsolute, sep } from "node:path";
import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import { findCommand, searchPath } from "../../protocol/stdio/findCommand.ts";
import { insideFolders, realPath } from "../../protocol/stdio/insideFolders.ts";
import { readEnvFile, serverEnvironment } from "../../protocol/stdio/serverEnvironment.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import { resolveVariables, type VariableContext } from "../definitions/variables.ts";
import type { Approvals } from "./approvals.ts";
import { isBound, type StartDependencies } from "./dependencies.ts";
import { runnerFiles } from "./runnerFiles.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/** A start as it would be: how the server is reached, and what that depends on, each file read once. */
interface ReadStart {
	/** With what its environment file sets; nobody reads the file again. */
	readonly launch: Launch;
	/** What its environment file sets. */
	readonly file: Readonly<Record<string, string>>;
	readonly dependencies: StartDependencies;
}

const none: StartDependencies = { contents: new Map(), remarks: [] };

/**
 * Reads how a server is reached, and what its start depends on beside the definition.
 * @throws HostError as `resolveVariables` and `readEnvFile` do.
 */
export async function readStart(definition: ServerDefinition, context: VariableContext): Promise<ReadStart> {
	const launch = await resolveVariables(definition, context);
	if (launch.kind !== "stdio") return { launch, file: {}, dependencies: none };
	const file = await readEnvFile(launch);
	// What the entry itself sets wins.
	const whole = { ...launch, env: { ...file, ...launch.env }, envFile: undefined };
	return { launch: whole, file, dependencies: await dependenciesOf(whole, file, context) };
}

async function dependenciesOf(
	launch: StdioLaunch,
	file: Readonly<Record<string, string>>,
	{ folders, environment }: VariableContext,
): Promise<StartDependencies> {
	const contents = new Map(Object.entries(file).map(([name, value]) => [`variable ${name}`, value]));
	const around = [...folders.map(({ path }) => path), ...(launch.envFolder === undefined ? [] : [launch.envFolder])];
	if (isProject(launch.cwd)) around.push(launch.cwd);
	const command = await commandInside(launch, around, environment);
	if (command !== undefined) contents.set("command", command);
	const found = await runnerFiles(launch, isProject);
	for (const [name, content] of found.contents) contents.set(name, content);
	return { contents, remarks: found.remarks };
}

/** Whether a folder is one of a project: neither the home folder nor one around it, where all that users have lies. */
function isProject(folder: string): boolean {
	const home = homedir();
	return home !== folder && !home.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The program that a command leads to, where it lies in one of these folders or depends on where it is started. */
async function commandInside(
	launch: StdioLaunch,
	folders: readonly string[],
	environment: VariableContext["environment"],
): Promise<string | undefined> {
	const path = searchPath(await serverEnvironment(launch, environment));
	const found = await findCommand(launch.command, launch.cwd, path);
	if (found === undefined) return undefined;
	const real = await realPath(found);
	const { isInside } = await insideFolders(folders);
	const isRelative = /[\\/]/.test(launch.command) && !isAbsolute(launch.command);
	return isRelative || isInside(found) || isInside(real) ? JSON.stringify([found, real]) : undefined;
}

/**
 * What a start depends on as it is now, for a review and the approval after it: inputs that were not given yet stay as they
 * are written. What cannot be read counts as absent, so that the start asks again once it can, and is told in a remark.
 * Nothing is read for what is not trusted, nor at other machines.
 */
export async function dependenciesNow(
	definition: ServerDefinition,
	context: VariableContext,
): Promise<StartDependencies> {
	const { config, origin, place } = definition;
	if (config.kind !== "stdio") return none;
	if ((origin.isWorkspace || place !== undefined) && !context.isWorkspaceTrusted()) return none;
	const known: VariableContext = {
		...context,
		input: async (id) => (await context.input(id)) ?? `\${input:${id}}`,
	};
	try {
		const launch = await resolveVariables(definition, known);
		// On Windows such a path alone has the machine that it names sent who the user is.
		const isElsewhere =
			launch.kind === "stdio" && [launch.cwd, launch.envFile ?? ""].some((path) => /^[\\/]{2}/.test(path));
		if (isElsewhere && process.platform === "win32") return none;
		return (await readStart(definition, known)).dependencies;
	} catch (error) {
		return { ...none, remarks: [`What it depends on cannot be read now: ${oneLine(messageOf(error))}`] };
	}
}

/**
 * How a server is reached, if what its start depends on is what was approved.
 * @throws HostError `not-approved` when it is not: the user is to be asked again.
 */
export async function boundStart(
	definition: ServerDefinition,
	context: VariableContext,
	approvals: Pick<Approvals, "of" | "outdate">,
	isRunning: boolean,
): Promise<ReadStart> {
	const start = await readStart(definition, context);
	if (definition.origin.kind === "demo") return start;
	const approval = approvals.of(definition);
	if (approval !== undefined && isBound(approval, start.dependencies.contents)) return start;
	// One that runs was started by what was approved.
	if (approval !== undefined && !isRunning) approvals.outdate(approval);
	throw new HostError(
		"not-approved",
		`${definition.name} may not start: what it depends on changed after you approved it.`,
	);
}
