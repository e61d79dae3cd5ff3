import { join } from "node:path";
import { HostError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { Bundle } from "./bundle.ts";
import type { BundleCommand, BundleManifest, BundleSetting, SettingValue } from "./manifest.ts";

/** The machine on which the server of a bundle runs. */
export interface BundleMachine {
	/** As `process.platform`. */
	readonly platform: string;
	readonly home: string;
	/** Whether a command is found in PATH. */
	readonly hasCommand: (command: string) => Promise<boolean>;
}

/** The server of a bundle: its entry, its inputs, and notes about it. */
export interface BundleServer {
	/** As in an `mcp.json`. Holds no secret. */
	readonly entry: JsonObject;
	readonly inputs: readonly JsonObject[];
	/** Files of the archive that are run directly. */
	readonly executables: ReadonlySet<string>;
	/** Possible obstacles to running it here: our sentences. */
	readonly cautions: readonly string[];
}

/** A whole argument that is the value of a setting. */
const wholeSetting = /^\$\{user_config\.([^{}]+)\}$/;
const variable = /\$\{([^{}]*)\}/g;

/**
 * Converts the server of a bundle to an `mcp.json` entry: for this platform, with the folder that it is to be unpacked
 * into and with the user's settings. A sensitive setting becomes an input, whose value is in the secret store only.
 * @throws HostError `invalid` if the manifest uses a variable that its format does not have, such as one of the
 * environment: no data of the user is read that they were not asked for.
 */
export async function bundleServer(
	{ manifest, archive }: Pick<Bundle, "manifest" | "archive">,
	folder: string,
	settings: Readonly<Record<string, SettingValue | undefined>>,
	machine: BundleMachine,
): Promise<BundleServer> {
	const { command, args, env } = commandFor(manifest, machine.platform);
	const inputs = new Map<string, JsonObject>();
	const values = new Map(manifest.settings.map((setting) => [setting.key, valueOf(setting, settings)]));
	const fail = (expression: string): never => {
		const shown = oneLine(`\${${expression}}`, 80);
		throw new HostError(
			"invalid",
			`It was not installed, because it uses ${shown}, which is not a variable of bundles.`,
		);
	};
	const textOf = (expression: string): string => {
		const place = placeOf(expression, folder, machine);
		if (place !== undefined) return place;
		const key = expression.startsWith("user_config.") ? expression.slice("user_config.".length) : "";
		const setting = manifest.settings.find((one) => one.key === key) ?? fail(expression);
		if (setting.isSensitive) {
			const input = inputFor(manifest, setting);
			inputs.set(key, input);
			return `\${input:${input.id}}`;
		}
		const value = values.get(key);
		if (typeof value === "object") return value.join(",");
		return value === undefined ? "" : String(value);
	};
	const resolve = (text: string): string => text.replace(variable, (_whole, expression: string) => textOf(expression));

	const words = args.flatMap((argument) => {
		const value = values.get(wholeSetting.exec(argument)?.[1] ?? "");
		return Array.isArray(value) ? (value as readonly string[]) : [resolve(argument)];
	});
	const variables = Object.entries(env).flatMap(([name, text]) => {
		const key = wholeSetting.exec(text)?.[1];
		const setting = manifest.settings.find((one) => one.key === key);
		// An empty setting is not set at all.
		return setting !== undefined && !setting.isSensitive && values.get(setting.key) === undefined
			? []
			: [[name, resolve(text)] as const];
	});
	const paths = new Set(archive.files.map(({ path }) => path));
	const named = resolve(command);
	// Paths without a variable are meant from its folder (MCPB specification, the examples of "User Configuration").
	const places = withFolders(paths);
	const isRelative = [...args, ...Object.values(env)].some((text) => namesInside(text, places));
	const inside = pathInside(named, folder, paths);
	const run = inside === undefined ? await runtime(named, machine) : { command: join(folder, inside) };
	const executables = new Set([
		...(inside === undefined ? [] : [inside]),
		...(manifest.server.kind === "binary" ? [manifest.server.entryPoint] : []),
	]);
	return {
		entry: {
			type: "stdio",
			command: run.command,
			args: words,
			env: { ...Object.fromEntries(variables), ...run.env },
			...(isRelative ? { cwd: folder } : {}),
		},
		inputs: [...inputs.values()],
		executables,
		cautions: [...(run.caution === undefined ? [] : [run.caution]), ...platformCautions(manifest, machine)],
	};
}

/** The initial value of a setting: its default, with its variables resolved. */
export function defaultSetting(
	{ defaultValue }: BundleSetting,
	machine: Pick<BundleMachine, "home">,
): SettingValue | undefined {
	const resolve = (text: string): string =>
		text.replace(variable, (whole, expression: string) => {
			const place = expression === "__dirname" ? undefined : placeOf(expression, "", machine);
			if (place !== undefined) return place;
			const shown = oneLine(whole, 80);
			throw new HostError(
				"invalid",
				`It was not installed, because one of its settings begins with ${shown}, which is not a variable of bundles.`,
			);
		});
	if (typeof defaultValue === "string") return resolve(defaultValue);
	return typeof defaultValue === "object" ? defaultValue.map(resolve) : defaultValue;
}

/** How the server is started on a platform: the manifest's values for it replace those for all. */
export function commandFor({ server }: BundleManifest, platform: string): BundleCommand {
	return { ...server.base, ...server.overrides.get(platform) };
}

/** The places of a bundle's variables (MCPB specification, "Variable Substitution"). */
function placeOf(expression: string, folder: string, { home }: Pick<BundleMachine, "home">): string | undefined {
	switch (expression) {
		case "__dirname":
			return folder;
		case "HOME":
			return home;
		case "DESKTOP":
			return join(home, "Desktop");
		case "DOCUMENTS":
			return join(home, "Documents");
		case "DOWNLOADS":
			return join(home, "Downloads");
		case "/":
		case "pathSeparator":
			return join("/");
		default:
			return undefined;
	}
}

/** The path within the archive of a command that names a file of it. */
function pathInside(command: string, folder: string, paths: ReadonlySet<string>): string | undefined {
	const unified = command.replaceAll("\\", "/");
	const base = `${folder.replaceAll("\\", "/")}/`;
	const path = unified.startsWith(base) ? unified.slice(base.length) : unified.replace(/^\.\//, "");
	// A bare name is a program of the machine, unless its place is given.
	const isBare = path === command && !path.includes("/");
	if (isBare) return undefined;
	return [path, `${path}.exe`].find((one) => paths.has(one));
}

/** Whether a text, such as `--config=server/config.json`, names a file or a folder of the archive as seen from its folder. */
function namesInside(text: string, places: ReadonlySet<string>): boolean {
	const parts = text.split(/[=:;]/).map((part) => part.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/$/, ""));
	return parts.some((part) => places.has(part));
}

/** The paths of an archive with all folders that they lie in. */
function withFolders(paths: ReadonlySet<string>): ReadonlySet<string> {
	const places = new Set(paths);
	for (const path of paths)
		for (
			let end = path.lastIndexOf("/");
			end > 0 && !places.has(path.slice(0, end));
			end = path.lastIndexOf("/", end - 1)
		)
			places.add(path.slice(0, end));
	return places;
}

/** The program that runs a command of the machine: without Node, VS Code's own. */
async function runtime(
	command: string,
	{ hasCommand }: BundleMachine,
): Promise<{ readonly command: string; readonly env?: JsonObject; readonly caution?: string }> {
	if (/[\\/]/.test(command) || (await hasCommand(command))) return { command };
	if (command === "node") return { command: "${editorNode}", env: { ELECTRON_RUN_AS_NODE: "1" } };
	if (command === "python" && (await hasCommand("python3"))) return { command: "python3" };
	const shown = oneLine(command, 60);
	return { command, caution: `${shown} was not found on this machine: install it before you start this server.` };
}

function platformCautions({ platforms }: BundleManifest, { platform }: BundleMachine): readonly string[] {
	const names: Readonly<Record<string, string>> = { darwin: "macOS", win32: "Windows", linux: "Linux" };
	const named = (one: string): string => names[one] ?? oneLine(one, 40);
	if (platforms === undefined || platforms.includes(platform)) return [];
	return [`It supports ${platforms.map(named).join(", ") || "no system"}, but this is ${named(platform)}.`];
}

/** The user's value for a setting; empty if they left it empty. */
function valueOf(
	{ key, isMultiple }: BundleSetting,
	settings: Readonly<Record<string, SettingValue | undefined>>,
): SettingValue | undefined {
	const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
	if (isMultiple) return value === undefined ? [] : typeof value === "object" ? value : [String(value)];
	return value === "" ? undefined : value;
}

function inputFor({ name }: BundleManifest, { key, title, isRequired }: BundleSetting): JsonObject & { id: string } {
	const id = `${name}-${key}`
		.toLowerCase()
		.replace(/[^a-z\d]+/g, "-")
		.replace(/^-|-$/g, "");
	const description = `${oneLine(title, 100)}${isRequired ? "" : " (may be left empty)"}`;
	return { id, type: "promptString", description, password: true };
}
