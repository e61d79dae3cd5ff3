import { homedir } from "node:os";
import { dirname, resolve as resolvePath, sep } from "node:path";
import type { Launch } from "../../protocol/launch.ts";
import { HostError } from "../../base/errors.ts";
import { folderOf } from "./folderVariable.ts";
import type { ServerDefinition } from "./config.ts";
import { environmentValue, environmentVariable, variable, variablesIn } from "./variableNames.ts";
import { partInside } from "./partInside.ts";
import { placeOf } from "./workspacePlace.ts";

/** Where variables get their values. */
export interface VariableContext {
	/** Absolute paths of the workspace folders on this machine, by name, in order. */
	readonly folders: readonly { readonly name: string; readonly path: string }[];
	/** Whether code of these folders may run. */
	readonly isWorkspaceTrusted: () => boolean;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** The value of `${input:id}`, asked once and kept as a secret; undefined when the person gave none. */
	readonly input: (id: string) => Promise<string | undefined>;
	/** Takes a remark on how a variable was understood. */
	readonly note?: (message: string) => void;
}

/** The same value with all its texts resolved, one after the other: each may ask the person. */
async function resolveIn<T>(value: T, resolve: (text: string) => Promise<string>): Promise<T>;
async function resolveIn(value: unknown, resolve: (text: string) => Promise<string>): Promise<unknown> {
	if (typeof value === "string") return resolve(value);
	if (typeof value !== "object" || value === null) return value;
	const entries: [string, unknown][] = [];
	for (const [key, part] of Object.entries(value)) entries.push([key, await resolveIn<unknown>(part, resolve)]);
	return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/**
 * Resolves every variable of a definition.
 * @throws HostError `invalid` that names the variable when one is unknown or has no value, when a workspace's URL
 * would carry an environment variable away (CFG-10), or when a part of what would run lies in a workspace that is not
 * trusted (CFG-26); `cancelled` when the person gave no input.
 */
export async function resolveVariables(definition: ServerDefinition, context: VariableContext): Promise<Launch> {
	const { config, origin, name } = definition;
	const fail = (message: string): never => {
		throw new HostError("invalid", `Server "${name}": ${message}`);
	};
	if (definition.place !== (await placeOf(definition, context.folders, context.environment)))
		fail(
			"its variables stand for something else since the folders of the window changed, or what they lead to. Start it again; if it fails the same way, reload the window.",
		);
	const notes = new Set<string | undefined>();
	const folder = (expression: string, folderName: string | undefined): string => {
		const meaning = folderOf(folderName, origin, context.folders);
		if ("fault" in meaning) return fail(`\${${expression}} has no value, since ${meaning.fault}.`);
		if (meaning.note !== undefined && !notes.has(meaning.note)) context.note?.(meaning.note);
		notes.add(meaning.note);
		return meaning.path;
	};
	const fromEnvironment = (expression: string): string => {
		const read = environmentVariable(expression) ?? { name: "" };
		return environmentValue(read, context.environment) ?? fail(`the environment variable ${read.name} is not set.`);
	};
	const valueOf = async (expression: string): Promise<string> => {
		const [kind = "", ...rest] = expression.split(":");
		const argument = rest.join(":");
		switch (kind) {
			case "workspaceFolder":
			case "workspaceRoot":
				return folder(expression, argument === "" ? undefined : argument);
			case "workspaceFolderBasename":
				return (
					folder(expression, argument === "" ? undefined : argument)
						.split(/[\\/]/)
						.at(-1) ?? ""
				);
			case "userHome":
				return homedir();
			case "editorNode":
				return process.execPath;
			case "pathSeparator":
			case "/":
				return sep;
			case "env":
				return fromEnvironment(expression);
			case "input": {
				if (!definition.inputs.some((input) => input.id === argument))
					return fail(`\${${expression}} is used, but "inputs" does not define ${argument}.`);
				const value = await context.input(argument);
				if (value !== undefined) return value;
				throw new HostError("cancelled", `Server "${name}" was not started: it needs a value for ${argument}.`);
			}
			default:
				return fail(`\${${expression}} is not a variable that MCP Host knows.`);
		}
	};
	const resolve = async (text: string): Promise<string> => {
		let result = "";
		let end = 0;
		for (const match of text.matchAll(variable)) {
			result += text.slice(end, match.index) + (await valueOf(match[1] ?? ""));
			end = match.index + match[0].length;
		}
		return result + text.slice(end);
	};
	const resolveAll = async (texts: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
		const result: [string, string][] = [];
		for (const [key, text] of Object.entries(texts)) result.push([key, await resolve(text)]);
		return Object.fromEntries(result);
	};

	if (config.kind === "stdio") {
		const args: string[] = [];
		const envFolder = origin.isWorkspace ? (origin.folder ?? (origin.file && dirname(origin.file))) : undefined;
		for (const argument of config.args) args.push(await resolve(argument));
		const launch: Launch = {
			kind: "stdio",
			command: await resolve(config.command),
			args,
			env: await resolveAll(config.env),
			envFile: config.envFile === undefined ? undefined : await resolve(config.envFile),
			...(envFolder === undefined ? {} : { envFolder }),
			// A person's own servers do not change with the folder that happens to be open.
			cwd: resolvePath(origin.folder ?? homedir(), config.cwd === undefined ? "." : await resolve(config.cwd)),
		};
		if (context.isWorkspaceTrusted()) return launch;
		const folders = context.folders.map(({ path }) => path);
		const part = await partInside(launch, folders, config.cwd !== undefined);
		if (part !== undefined)
			fail(
				`it was not started, since ${part} lies in this workspace, which is not trusted. Trust the workspace first.`,
			);
		return { ...launch, closedFolders: folders };
	}
	if (origin.isWorkspace && /\$\{env:/.test(config.url)) {
		fail("a URL from a workspace may not contain environment variables. Use a header or an input.");
	}
	const url = await resolve(config.url);
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) fail("the URL is not a valid http or https URL.");
	const { username, password } = new URL(url);
	if (username !== "" || password !== "")
		fail("the URL may not contain a user name or password. Use a header and an input.");
	const launch = { kind: config.kind, url, headers: await resolveAll(config.headers) };
	if (config.oauth === undefined) return launch;
	// Whoever names the client may name who gets its secret, too.
	if (origin.isWorkspace && variablesIn(config.oauth).some((name) => name.startsWith("env:"))) {
		fail(`"oauth" from a workspace may not contain environment variables. Use an input.`);
	}
	return { ...launch, oauth: await resolveIn(config.oauth, resolve) };
}
