import { homedir } from "node:os";
import { dirname, resolve as resolvePath, sep } from "node:path";
import type { Launch } from "../../protocol/launch.ts";
import { HostError } from "../../base/errors.ts";
import { folderOf } from "./folderVariable.ts";
import type { ServerDefinition } from "./config.ts";
import { changeTexts, EntryTexts, variablesAround } from "./entryTexts.ts";
import { environmentValue, environmentVariable, variablesIn } from "./variableNames.ts";
import { partInside } from "./partInside.ts";
import { NeedsTrust, noteTrustWait } from "./trustWait.ts";
import { placeOf } from "./workspacePlace.ts";

/** Where variables get their values. */
export interface VariableContext {
	/** Absolute paths of the workspace folders on this machine, by name, in order. */
	readonly folders: readonly { readonly name: string; readonly path: string }[];
	/** Whether code of these folders may run. */
	readonly isWorkspaceTrusted: () => boolean;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** The value of `${input:id}`, asked once and kept as a secret; undefined when the user gave none. */
	readonly input: (id: string) => Promise<string | undefined>;
	/** Takes a remark on how a variable was understood. */
	readonly note?: (message: string) => void;
}

/**
 * Resolves every variable of a definition.
 * @throws HostError `invalid` that names the variable when one is unknown or has no value, when a workspace's URL would
 * carry an environment variable away (CFG-10), or when a part of what would run is in an untrusted workspace (CFG-26);
 * `cancelled` when the user gave no input.
 */
export async function resolveVariables(definition: ServerDefinition, context: VariableContext): Promise<Launch> {
	const { config, origin, name } = definition;
	const fail = (message: string): never => {
		// A row and a notice name the server before it.
		throw new HostError("invalid", `${message.charAt(0).toUpperCase()}${message.slice(1)}`);
	};
	if (definition.place !== (await placeOf(definition, context.folders, context.environment)))
		fail(
			"its variables have other values now, because the open folders or linked files changed. Start the server again. If that fails, reload the window.",
		);
	const notes = new Set<string | undefined>();
	const folder = (expression: string, folderName: string | undefined): string => {
		const meaning = folderOf(folderName, origin, context.folders);
		if ("fault" in meaning) return fail(`\${${expression}} has no value, because ${meaning.fault}.`);
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
				return fail(`\${${expression}} is not a known variable.`);
		}
	};
	/** The result of `make` for the texts; each external variable is resolved once, one after the other. */
	const settled = async <T>(env: Readonly<Record<string, string>>, make: (texts: EntryTexts) => T): Promise<T> => {
		const values = new Map<string, string>();
		for (const expression of variablesAround(env, make)) values.set(expression, await valueOf(expression));
		return make(new EntryTexts(env, (expression) => values.get(expression)));
	};
	const resolve = <T>(value: T): Promise<T> => settled({}, (texts) => changeTexts(value, (text) => texts.text(text)));

	if (config.kind === "stdio") {
		const envFolder = origin.isWorkspace ? (origin.folder ?? (origin.file && dirname(origin.file))) : undefined;
		const launch = await settled(config.env, (texts): Launch & { readonly kind: "stdio" } => ({
			kind: "stdio",
			args: config.args.map((argument) => texts.text(argument)),
			command: texts.text(config.command),
			env: texts.environment(),
			envFile: config.envFile === undefined ? undefined : texts.text(config.envFile),
			...(config.debug === undefined ? {} : { debug: changeTexts(config.debug, (text) => texts.text(text)) }),
			...(envFolder === undefined ? {} : { envFolder }),
			// A user's own servers do not change with the folder that happens to be open.
			cwd: resolvePath(origin.folder ?? homedir(), config.cwd === undefined ? "." : texts.text(config.cwd)),
		}));
		const isTrusted = context.isWorkspaceTrusted();
		const folders = context.folders.map(({ path }) => path);
		const part = isTrusted ? undefined : await partInside(launch, folders, config.cwd !== undefined);
		noteTrustWait(definition.id, part !== undefined);
		if (part !== undefined) throw new NeedsTrust(part);
		if (isTrusted) return launch;
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
	const launch = { kind: config.kind, url, headers: await resolve(config.headers) };
	if (config.oauth === undefined) return launch;
	// An author who names the client may also name who gets its secret.
	if (origin.isWorkspace && variablesIn(config.oauth).some((name) => name.startsWith("env:"))) {
		fail(`"oauth" from a workspace may not contain environment variables. Use an input.`);
	}
	return { ...launch, oauth: await resolve(config.oauth) };
}
