import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { resolve, sep } from "node:path";
import type { Launch } from "../../protocol/launch.ts";
import { folderOfPath } from "../../protocol/stdio/findCommand.ts";
import { unsafeFolders } from "../../protocol/stdio/searchedFolders.ts";
import type { ServerDefinition } from "./config.ts";
import { partInside } from "./partInside.ts";
import { folderOf, type NamedFolder } from "./folderVariable.ts";
import { EntryTexts, variablesAround, variablesOf } from "./entryTexts.ts";
import { environmentValue, environmentVariable } from "./variableNames.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Definition = Pick<ServerDefinition, "config" | "origin">;

/**
 * The folders that a definition depends on while `folders` are open, if other folders, or another `environment`, would
 * change it: the values of its folder variables, each separately, and the targets of its environment variables, or of
 * PATH for its command. Undefined if nothing of it depends on the open folders. Never rejects.
 */
export async function placeOf(
	definition: Definition,
	folders: readonly NamedFolder[],
	environment: Environment = process.env,
): Promise<string | undefined> {
	const { config, origin } = definition;
	const meanings = variablesOf(config).flatMap((expression) => {
		const [, kind, name] = /^(workspaceFolder|workspaceRoot|workspaceFolderBasename)(?::(.*))?$/.exec(expression) ?? [];
		if (kind === undefined || (name === undefined && origin.folder !== undefined)) return [];
		const meaning = folderOf(name === "" ? undefined : name, origin, folders);
		return [{ expression, path: "path" in meaning ? meaning.path : "(no folder)" }];
	});
	const reached: { readonly expression: string; readonly path: string }[] = [];
	const part = partOfEnvironment(definition, folders, environment, await searchesIn(folders));
	// A folder's own servers belong to it, including all its subfolders.
	for (const { path } of part === undefined ? [] : folders)
		if (path !== origin.folder && (await partInside(part?.launch ?? nothing, [path], part?.namesCwd === true)))
			reached.push({ expression: "env:…", path });
	const all = [...meanings, ...reached];
	const [first] = all;
	if (first === undefined) return undefined;
	const isOne = all.every(({ path }) => path === first.path) && (meanings.length === 0 || reached.length === 0);
	if (isOne) return first.path;
	// Which is which counts: two folders that change places make it another server.
	return all.map(({ expression, path }) => `\${${expression}} is ${JSON.stringify(path)}`).join(", ");
}

/**
 * The same definition, bound to the folders that it takes something from: in another folder the same words run other code,
 * so that they are another definition, which is approved on its own (CFG-26).
 */
export async function bindToPlace(
	definition: ServerDefinition,
	folders: readonly NamedFolder[],
): Promise<ServerDefinition> {
	const place = await placeOf(definition, folders);
	if (place === undefined) return definition;
	const hash = createHash("sha256")
		.update(JSON.stringify([definition.hash, place]))
		.digest("hex");
	return { ...definition, place, hash };
}

type StdioLaunch = Extract<Launch, { kind: "stdio" }>;

const nothing: StdioLaunch = { kind: "stdio", command: "", args: [], env: {}, envFile: undefined, cwd: homedir() };

/** Whether VS Code's PATH leads into one of these folders. */
async function searchesIn(folders: readonly NamedFolder[]): Promise<boolean> {
	const paths = folders.map(({ path }) => path);
	const leading = await unsafeFolders(process.env["PATH"] ?? "", paths);
	return [...leading].some((entry) => folderOfPath(entry) !== undefined);
}

/**
 * The parts of a definition that depend on the environment, as far as its variables have values without asking the
 * user; undefined if there are none. Literal text is approved as it is written; `searches` says whether a command
 * without a path may be found in an open folder.
 */
function partOfEnvironment(
	{ config, origin }: Definition,
	folders: readonly NamedFolder[],
	environment: Environment,
	searches: boolean,
): { readonly launch: StdioLaunch; readonly namesCwd: boolean } | undefined {
	if (config.kind !== "stdio") return undefined;
	if (!searches && !variablesOf(config).some((name) => name.startsWith("env:"))) return undefined;
	const { env: own } = config;
	const dependsOn = (make: (texts: EntryTexts) => unknown): boolean =>
		variablesAround(own, make).some((name) => name.startsWith("env:"));
	const valueOf = (expression: string): string | undefined => {
		const [kind = "", ...rest] = expression.split(":");
		const argument = rest.join(":");
		const read = environmentVariable(expression);
		if (read !== undefined) return environmentValue(read, environment);
		if (kind === "userHome") return homedir();
		if (kind === "pathSeparator" || kind === "/") return sep;
		const meaning = folderOf(argument === "" ? undefined : argument, origin, folders);
		if (!kind.startsWith("workspace") || "fault" in meaning) return undefined;
		return kind === "workspaceFolderBasename" ? meaning.path.split(/[\\/]/).at(-1) : meaning.path;
	};
	const texts = new EntryTexts(own, valueOf);
	const textDepends = (text: string): boolean => dependsOn((asked) => asked.text(text));
	const namesCwd = config.cwd !== undefined && textDepends(config.cwd);
	/** Where it runs decides about all paths that are not absolute. */
	const counts = (text: string): boolean => namesCwd || textDepends(text);
	const searched = Object.keys(own).find((name) => /^path$/i.test(name));
	/** Whether a variable of its own environment counts; one that names itself is that of the environment around it. */
	const ownDepends = (name: string): boolean => dependsOn((asked) => asked.own(name));
	const isFound = !/[\\/]/.test(config.command) && (searched === undefined ? searches : ownDepends(searched));
	const launch: StdioLaunch = {
		kind: "stdio",
		command: isFound || counts(config.command) ? texts.text(config.command) : "",
		args: config.args.map((text) => (counts(text) ? texts.text(text) : "")),
		env: Object.fromEntries(Object.entries(texts.environment()).filter(([name]) => namesCwd || ownDepends(name))),
		envFile: config.envFile !== undefined && counts(config.envFile) ? texts.text(config.envFile) : undefined,
		cwd: resolve(origin.folder ?? homedir(), config.cwd === undefined ? "." : texts.text(config.cwd)),
	};
	return { launch, namesCwd };
}
