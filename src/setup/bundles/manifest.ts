import { isTextObject } from "../../base/guards.ts";
import { HostError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, own } from "../../base/json.ts";
import { isSecret } from "../../base/secrets/judge.ts";
import { oneLine } from "../../base/text.ts";
import { pathFault } from "./archivePath.ts";

/** How the server of a bundle runs. */
export type BundleServerKind = "node" | "python" | "uv" | "binary";

/** A command as the manifest has it, with its variables. */
export interface BundleCommand {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** A setting that the server of a bundle requests from the user (`user_config`). */
export interface BundleSetting {
	readonly key: string;
	readonly type: "string" | "number" | "boolean" | "directory" | "file";
	readonly title: string;
	readonly description: string;
	readonly isRequired: boolean;
	/** Whether it is kept only in the secret store: by the manifest, or by its name. */
	readonly isSensitive: boolean;
	/** Whether it is a list of values. */
	readonly isMultiple: boolean;
	readonly min?: number;
	readonly max?: number;
	readonly defaultValue?: SettingValue;
}

/** The possible values of a bundle's setting. */
export type SettingValue = string | number | boolean | readonly string[];

/** The `manifest.json` of a bundle, as far as it counts here. All texts are its author's: untrusted. */
export interface BundleManifest {
	readonly name: string;
	/** Its display name; its key, unless the manifest has another. */
	readonly displayName: string;
	readonly version: string;
	readonly description: string;
	/** Its author by its own statement: nobody vouches for that. */
	readonly author: string;
	readonly homepage?: string;
	/** Where its source is. */
	readonly repository?: string;
	/** The privacy policies of the services that it uses. */
	readonly privacyPolicies: readonly string[];
	readonly server: {
		readonly kind: BundleServerKind;
		/** The path of its main file within the bundle. */
		readonly entryPoint: string;
		readonly base: BundleCommand;
		/** The differences on a platform, by its name in Node. */
		readonly overrides: ReadonlyMap<string, Partial<BundleCommand>>;
	};
	readonly settings: readonly BundleSetting[];
	/** The names of the tools that it says it has. */
	readonly tools: readonly string[];
	/** Whether it says that it has more of them once it runs. */
	readonly hasMoreTools: boolean;
	/** The platforms that it runs on; absent where it says nothing. */
	readonly platforms?: readonly string[];
	/** The versions of runtimes that it wants, such as `node >=18`. */
	readonly runtimes: readonly string[];
}

/** The versions of the format that are read (the manifest of the MCPB specification). */
const versions = ["0.1", "0.2", "0.3", "0.4"];
const kinds: readonly BundleServerKind[] = ["node", "python", "uv", "binary"];
const settingTypes = ["string", "number", "boolean", "directory", "file"] as const;
const mostSettings = 100;
const mostTools = 500;
const mostPolicies = 5;

/**
 * Reads the manifest of a bundle. Unknown members are ignored.
 * @throws HostError `invalid` whose message describes the problem, in a sentence about the manifest.
 */
export function parseManifest(text: string): BundleManifest {
	let root: unknown;
	try {
		root = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (cause) {
		throw new HostError("invalid", "Its manifest.json is not valid JSON.", { cause });
	}
	if (!isJsonObject(root)) return fail("Its manifest.json is not an object.");
	const manifestVersion = textAt(root, "manifest_version") ?? textAt(root, "dxt_version");
	if (manifestVersion === undefined || !versions.includes(manifestVersion)) {
		const said = manifestVersion === undefined ? "none" : oneLine(manifestVersion, 40);
		return fail(`Its manifest has version ${said}, but MCP Host supports ${versions.join(", ")}.`);
	}
	const name = required(root, "name");
	const author = objectAt(root, "author");
	const homepage = textAt(root, "homepage");
	const repository = textAt(objectAt(root, "repository") ?? {}, "url");
	const platforms = textsAt(objectAt(root, "compatibility"), "platforms");
	return {
		name,
		displayName: textAt(root, "display_name") ?? name,
		version: required(root, "version"),
		description: textAt(root, "description") ?? "",
		author: textAt(author ?? {}, "name") ?? fail("Its manifest does not name its author (author.name)."),
		...(homepage === undefined ? {} : { homepage }),
		...(repository === undefined ? {} : { repository }),
		privacyPolicies: listAt(root, "privacy_policies")
			.slice(0, mostPolicies)
			.flatMap((policy) => (typeof policy === "string" ? [policy] : [])),
		server: parseServer(objectAt(root, "server") ?? fail("Its manifest has no server.")),
		settings: parseSettings(root),
		tools: listAt(root, "tools")
			.slice(0, mostTools)
			.flatMap((tool) => (isJsonObject(tool) ? (textAt(tool, "name") ?? []) : [])),
		hasMoreTools: own(root, "tools_generated") === true,
		...(platforms === undefined ? {} : { platforms }),
		runtimes: Object.entries(objectAt(objectAt(root, "compatibility"), "runtimes") ?? {}).flatMap(([runtime, range]) =>
			typeof range === "string" ? [`${runtime} ${range}`] : [],
		),
	};
}

function parseServer(server: JsonObject): BundleManifest["server"] {
	const kind = kinds.find((one) => one === textAt(server, "type"));
	if (kind === undefined) return fail(`The type of its server is not one of ${kinds.join(", ")}.`);
	const entryPoint = required(server, "entry_point").replace(/^\.\//, "");
	if (pathFault(entryPoint, false) !== undefined)
		return fail(`The main file of its server, ${oneLine(entryPoint, 120)}, is not inside the bundle.`);
	const config = objectAt(server, "mcp_config");
	// A bundle for uv may leave it to the host how uv is called.
	const base =
		config === undefined && kind === "uv"
			? { command: "uv", args: ["run", "--directory", "${__dirname}", entryPoint], env: {} }
			: parseCommand(config ?? fail("Its manifest does not define how to start its server (mcp_config)."));
	const { command } = base;
	if (command === undefined || command.trim() === "") return fail("Its server has no command.");
	const overrides = Object.entries(objectAt(config, "platform_overrides") ?? {});
	return {
		kind,
		entryPoint,
		base: { command, args: base.args ?? [], env: base.env ?? {} },
		overrides: new Map(
			overrides.flatMap(([platform, override]) =>
				isJsonObject(override) ? [[platform, parseCommand(override)] as const] : [],
			),
		),
	};
}

function parseCommand(config: JsonObject): Partial<BundleCommand> {
	const command = textAt(config, "command");
	const args = textsAt(config, "args");
	const env = objectAt(config, "env");
	if (env !== undefined && !isTextObject(env))
		return fail("The environment of its server contains a value that is not a string.");
	return {
		...(command === undefined ? {} : { command }),
		...(args === undefined ? {} : { args }),
		...(env === undefined ? {} : { env }),
	};
}

function parseSettings(root: JsonObject): readonly BundleSetting[] {
	const settings = Object.entries(objectAt(root, "user_config") ?? {});
	if (settings.length > mostSettings) return fail(`It asks for more than ${mostSettings} settings.`);
	return settings.map(([key, setting]) => parseSetting(key, setting));
}

function parseSetting(key: string, setting: unknown): BundleSetting {
	const what = `its setting ${oneLine(key, 60)}`;
	// A name that is valid in a variable, and that no object has already.
	if (!/^[\w.-]{1,100}$/.test(key) || key in Object.prototype) return fail(`The name of ${what} cannot be used.`);
	if (!isJsonObject(setting)) return fail(`In its manifest, ${what} is not an object.`);
	const type = settingTypes.find((one) => one === textAt(setting, "type"));
	if (type === undefined) return fail(`The type of ${what} is not one of ${settingTypes.join(", ")}.`);
	const { min, max } = setting as { min?: unknown; max?: unknown };
	const isMultiple = own(setting, "multiple") === true;
	const defaultValue = defaultOf(type, isMultiple, own(setting, "default"));
	const title = textAt(setting, "title") ?? key;
	// An author may forget to say so.
	const isCalledSecret =
		type === "string" && !isMultiple && (isSecret(key, undefined, "entry") || isSecret(title, undefined, "asked"));
	return {
		key,
		type,
		title,
		description: textAt(setting, "description") ?? "",
		isRequired: own(setting, "required") === true,
		isSensitive: own(setting, "sensitive") === true || (isCalledSecret && defaultValue === undefined),
		isMultiple,
		...(typeof min === "number" ? { min } : {}),
		...(typeof max === "number" ? { max } : {}),
		...(defaultValue === undefined ? {} : { defaultValue }),
	};
}

/** The default of a setting; one of another type counts for nothing. */
function defaultOf(type: BundleSetting["type"], isMultiple: boolean, value: unknown): SettingValue | undefined {
	if (type === "number") return typeof value === "number" ? value : undefined;
	if (type === "boolean") return typeof value === "boolean" ? value : undefined;
	const isTexts = Array.isArray(value) && value.every((item): item is string => typeof item === "string");
	if (isMultiple) return isTexts ? value : typeof value === "string" ? [value] : undefined;
	return typeof value === "string" ? value : undefined;
}

function fail(message: string): never {
	throw new HostError("invalid", message);
}

function textAt(object: JsonObject, key: string): string | undefined {
	const value = own(object, key);
	return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function required(object: JsonObject, key: string): string {
	return textAt(object, key) ?? fail(`Its manifest has no “${key}”.`);
}

function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
	const value = object === undefined ? undefined : own(object, key);
	return isJsonObject(value) ? value : undefined;
}

function listAt(object: JsonObject, key: string): readonly unknown[] {
	const value = own(object, key);
	return Array.isArray(value) ? value : [];
}

/** A list of texts; undefined if it is not one. */
function textsAt(object: JsonObject | undefined, key: string): readonly string[] | undefined {
	const value = object === undefined ? undefined : own(object, key);
	if (value === undefined) return undefined;
	if (!Array.isArray(value) || !value.every((item): item is string => typeof item === "string"))
		return fail(`“${key}” in its manifest is not a list of strings.`);
	return value;
}
