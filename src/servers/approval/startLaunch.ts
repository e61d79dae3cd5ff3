import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { isWithin } from "../../base/folderPaths.ts";
import { HostError, messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import { findCommand, searchPath } from "../../protocol/stdio/findCommand.ts";
import { insideFolders, realPath } from "../../protocol/stdio/insideFolders.ts";
import { readEnvFile, serverEnvironment } from "../../protocol/stdio/serverEnvironment.ts";
import type { Log } from "../../base/log.ts";
import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import type { Secrets } from "../../base/storage.ts";
import { secretsOfLaunch } from "../accounts/serverSecrets.ts";
import { Debugging } from "../development/debugging.ts";
import type { InputValues } from "../definitions/inputValues.ts";
import type { Session } from "../sessions/session.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import { NeedsTrust } from "../definitions/trustWait.ts";
import { resolveVariables, type VariableContext } from "../definitions/variables.ts";
import type { Approvals } from "./approvals.ts";
import { isBound, type StartDependencies } from "./dependencies.ts";
import { runnerFiles } from "./runnerFiles.ts";

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

/** A prepared start: how the server is reached, and its dependencies, each file read once. */
interface ReadStart {
	/** With the variables of its environment file; the file is not read again. */
	readonly launch: Launch;
	/** The variables of its environment file. */
	readonly file: Readonly<Record<string, string>>;
	readonly dependencies: StartDependencies;
}

const none: StartDependencies = { contents: new Map(), remarks: [] };

/**
 * Reads how a server is reached, and its start's dependencies beside the definition.
 * @throws HostError as `resolveVariables` and `readEnvFile` do.
 */
async function readStart(definition: ServerDefinition, context: VariableContext): Promise<ReadStart> {
	const launch = await resolveVariables(definition, context);
	if (launch.kind !== "stdio") return { launch, file: {}, dependencies: none };
	const file = await readEnvFile(launch);
	// Values in the entry itself take precedence.
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
	return !isWithin(homedir(), folder);
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

interface StartHost {
	readonly approvals: Pick<Approvals, "of" | "outdate">;
	readonly registry: { get(id: string): Pick<Session, "state"> | undefined };
	readonly secretsInUse: Pick<SecretsInUse, "add" | "log">;
	whyNot(definition: ServerDefinition): unknown;
}

/** The dependencies of starts on VS Code. */
interface StartServices {
	readonly isWorkspaceTrusted: () => boolean;
	readonly secrets: Secrets;
	serverLog(name: string): Log;
}

/** Reads how servers are reached and their dependencies, and compares them with the approvals. */
export class Starts {
	private readonly host: StartHost;
	private readonly services: StartServices;
	private readonly inputs: { get(): Promise<InputValues> };
	private readonly folders: () => VariableContext["folders"];
	/** Which servers are started for a debugger. */
	readonly debugging = new Debugging();

	constructor(
		host: StartHost,
		services: StartServices,
		inputs: { get(): Promise<InputValues> },
		folders: () => VariableContext["folders"],
	) {
		this.host = host;
		this.services = services;
		this.inputs = inputs;
		this.folders = folders;
	}

	/**
	 * The current variables of the environment file of a server that may start. @throws HostError as `resolveVariables`
	 * and `readEnvFile` do.
	 */
	async environmentFile(definition: ServerDefinition): Promise<Readonly<Record<string, string>>> {
		return (await readStart(definition, this.context(definition))).file;
	}

	/**
	 * The current dependencies of a start, for a review and the approval after it: inputs without a value stay as
	 * written. Unreadable contents count as absent, so that the start asks again once they can be read, and a remark says
	 * so. Nothing is read for an untrusted definition, nor on other machines. Never rejects.
	 */
	async now(definition: ServerDefinition): Promise<StartDependencies> {
		const context = this.context(definition);
		const known = definition.inputs.map(async ({ id }) => ({
			id,
			isFilled: (await context.input(id).catch(() => undefined)) !== undefined,
		}));
		const filled = (await Promise.all(known)).flatMap(({ id, isFilled }) => (isFilled ? [id] : []));
		return { ...(await this.contents(definition, context)), filled };
	}

	private async contents(definition: ServerDefinition, context: VariableContext): Promise<StartDependencies> {
		const { config, origin, place } = definition;
		if (config.kind !== "stdio") return none;
		if ((origin.isWorkspace || place !== undefined) && !context.isWorkspaceTrusted()) return none;
		const input = async (id: string): Promise<string> => (await context.input(id)) ?? `\${input:${id}}`;
		// The log shows how a server was started, not how it would be.
		const known = { ...context, input, note: () => undefined };
		try {
			const launch = await resolveVariables(definition, known);
			const words = launch.kind === "stdio" ? [launch.command, ...launch.args] : [];
			const paths = launch.kind === "stdio" ? [launch.cwd, launch.envFile ?? "", ...words] : [];
			// On Windows such a path alone has the machine that it names sent who the user is.
			if (process.platform === "win32" && paths.some((path) => /^(?:-[^=]*=)?[\\/]{2}/.test(path))) return none;
			return (await readStart(definition, known)).dependencies;
		} catch (error) {
			// The review says it itself, with the way to trust.
			if (error instanceof NeedsTrust) return none;
			return { ...none, remarks: [`The files that it depends on cannot be read: ${oneLine(messageOf(error))}`] };
		}
	}

	/**
	 * How a server is reached, its secrets noted, if what its start depends on is what was approved; for a start, `isStart`, with
	 * what a debugger needs where the user wants one.
	 * @throws HostError `not-approved` when it is not: the user is to be asked again; and as `resolveVariables` and
	 * `readEnvFile` do.
	 */
	async bound(definition: ServerDefinition, isAwaited: () => boolean, isStart = false): Promise<Launch> {
		const { approvals, registry, secretsInUse } = this.host;
		const { launch, file, dependencies } = await readStart(definition, this.context(definition, isAwaited));
		if (definition.origin.kind !== "demo") {
			const approval = approvals.of(definition);
			if (approval === undefined || !isBound(approval, dependencies.contents)) {
				// A running server was started by its approval.
				const isRunning = registry.get(definition.id)?.state.kind === "running";
				if (approval !== undefined && !isRunning) approvals.outdate(approval);
				throw new HostError(
					"not-approved",
					`Server "${definition.name}" was not started: files that it depends on changed after you approved it. Review it again.`,
				);
			}
		}
		await secretsInUse.add(await secretsOfLaunch(definition, launch, file, this.services.secrets, process.env));
		if (!isStart || launch.kind !== "stdio") return launch;
		return this.debugging.prepare(definition, launch, (message) =>
			secretsInUse.log(this.services.serverLog(definition.name)).info(message),
		);
	}

	/** Where the variables of a definition get their values; inputs are asked for while `isAwaited` says so. */
	private context(definition: ServerDefinition, isAwaited = () => false): VariableContext {
		const { host, services } = this;
		return {
			folders: this.folders(),
			isWorkspaceTrusted: services.isWorkspaceTrusted,
			environment: process.env,
			input: async (id) =>
				(await this.inputs.get()).get(definition, id, isAwaited, () => host.whyNot(definition) === undefined),
			note: (message) => host.secretsInUse.log(services.serverLog(definition.name)).info(message),
		};
	}
}
