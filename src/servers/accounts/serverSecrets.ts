import { isJsonObject, parseJson } from "../../base/json.ts";
import type { KnownSecret } from "../../base/secrets/knownSecret.ts";
import { isSecret, secretsIn } from "../../base/secrets/judge.ts";
import { nameSort } from "../../base/secrets/secretNames.ts";
import type { Secrets } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import type { ServerConfig, ServerDefinition } from "../definitions/config.ts";
import type { Credentials } from "./credentialStore.ts";
import { InputValues } from "../definitions/inputValues.ts";
import { environmentVariable, variablesIn } from "../definitions/variableNames.ts";

/** The environment of this process, which servers get variables from. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The secrets that a server gets at its start, and those of the environment. `file` contains the variables of its
 * environment file. Does not ask the user, and never rejects.
 */
export async function secretsOfLaunch(
	definition: ServerDefinition,
	launch: Launch,
	file: Readonly<Record<string, string>>,
	store: Secrets,
	environment: Environment,
): Promise<readonly KnownSecret[]> {
	return [
		...(await inputSecrets(store, definition).catch(() => [])),
		...environmentSecrets(environment),
		...configuredSecrets({ name: definition.name, config: launch }, environment),
		...configuredSecrets(definition, environment),
		...fileSecrets(definition, file),
	];
}

/**
 * The secrets in an entry of the key store, by its key: of a sign-in, or an API key. Text that a user typed may not be
 * secret: that is decided with the server that receives it (see `secretsOfLaunch`).
 */
export function secretsOfEntry(key: string, value: string): readonly KnownSecret[] {
	if (key.startsWith("mcpHost.input/")) return [];
	const parts = secretsOfSignIn(value);
	if (parts.length > 0) return parts.map((part) => ({ value: part, name: "sign-in", label: key }));
	return isJsonObject(parseJson(value)) ? [] : [{ value, name: "API key", label: key }];
}

/** The values of an environment that look secret, by name. */
export function environmentSecrets(environment: Environment): readonly KnownSecret[] {
	return Object.entries(environment).flatMap(([name, value]) =>
		value !== undefined && nameSort(name) !== undefined && secretsIn(name, value, "entry").length > 0
			? [environmentSecret(name, value)]
			: [],
	);
}

function environmentSecret(name: string, value: string): KnownSecret {
	return { value, name: "environment variable", label: `environment variable ${oneLine(name, 60)}` };
}

/** The secret values that a user typed for a server. Does not ask the user. */
export async function inputSecrets(store: Secrets, definition: ServerDefinition): Promise<readonly KnownSecret[]> {
	const inputs = new InputValues(store, async () => undefined);
	const used = new Set(
		configuredTexts(definition.config).flatMap(({ text, name }) =>
			name !== "" && isSecret(name, undefined, "entry") ? variablesIn(text) : [],
		),
	);
	const secrets: KnownSecret[] = [];
	for (const { id, description, isPassword } of definition.inputs) {
		const value = await inputs.get(definition, id, () => false);
		if (value === undefined) continue;
		const isAsked = used.has(`input:${id}`) || [id, description].some((text) => isSecret(text, undefined, "asked"));
		if (isPassword || secretsIn(isAsked ? "secret" : "", value, "entry").length > 0) {
			secrets.push({ value, name: "input value", label: `value of input “${oneLine(id, 60)}”` });
		}
	}
	return secrets;
}

/** The secret members of a sign-in's stored data (RFC 6749, RFC 7591, RFC 7517). */
const secretMembers = new Set([
	"access_token",
	"refresh_token",
	"id_token",
	"client_secret",
	"registration_access_token",
	"d",
]);

/** The stored sign-in data of a server. */
export async function signInSecrets(
	credentials: Credentials,
	definition: ServerDefinition,
): Promise<readonly KnownSecret[]> {
	const label = `sign-in at “${oneLine(definition.name, 60)}”`;
	const kept = credentials.of(definition);
	const secrets: string[] = [];
	for (const key of await credentials.keys(definition))
		secrets.push(...secretsOfSignIn(parseJson((await kept.get(key)) ?? "")));
	return secrets.map((value) => ({ value, name: "sign-in", label }));
}

/** The secrets in a sign-in's stored data, also in JSON within JSON. */
export function secretsOfSignIn(value: unknown): readonly string[] {
	if (typeof value === "string") return value.startsWith("{") ? secretsOfSignIn(parseJson(value)) : [];
	if (!isJsonObject(value)) return [];
	return Object.entries(value).flatMap(([key, member]) =>
		typeof member === "string" && secretMembers.has(key) ? [member] : secretsOfSignIn(member),
	);
}

/**
 * The values in a server's entry that are in places of secrets, or look like secrets; `config` may be the resolved
 * entry.
 */
export function configuredSecrets(
	{ name, config }: { readonly name: string; readonly config: ServerConfig | Launch },
	environment: Environment,
): readonly KnownSecret[] {
	const label = `secret in the entry of “${oneLine(name, 60)}”`;
	return configuredTexts(config).flatMap(({ text, name: own }): readonly KnownSecret[] => {
		const fromVariables = variablesIn(text).flatMap((variable) => {
			const key = environmentVariable(variable)?.name ?? "";
			const value = environment[key];
			return value !== undefined && secretsIn(own, value, "entry").length > 0 ? [environmentSecret(key, value)] : [];
		});
		return secretPartsOf(own, text, label).concat(fromVariables);
	});
}

/** The secret parts of a value: the value itself, or parts such as the password of an address. */
function secretPartsOf(name: string, text: string, label: string): readonly KnownSecret[] {
	return secretsIn(name, text, "entry").map(({ start, end }) => ({
		value: text.slice(start, end),
		name: "configured value",
		label,
	}));
}

/** The values in a server's environment file that look secret. */
export function fileSecrets(
	{ name }: ServerDefinition,
	values: Readonly<Record<string, string>>,
): readonly KnownSecret[] {
	const label = `secret in the environment file of “${oneLine(name, 60)}”`;
	return Object.entries(values).flatMap(([variable, value]) => secretPartsOf(variable, value, label));
}

/** A text of a server's entry, unresolved, and its name. */
interface ConfiguredText {
	readonly text: string;
	readonly name: string;
}

/** The texts of an entry that may be, or name, a secret: variables, arguments, headers, the URL, and the client. */
function configuredTexts(config: ServerConfig | Launch): readonly ConfiguredText[] {
	if (config.kind === "stdio") return [...named(config.env), ...argumentTexts(config.args)];
	return [...named(config.headers), { text: config.url, name: "" }, ...clientTexts(config.oauth)];
}

function named(texts: Readonly<Record<string, string>>): readonly ConfiguredText[] {
	return Object.entries(texts).map(([name, text]) => ({ text, name }));
}

/** Arguments, each under the option before it. */
function argumentTexts(args: readonly string[]): readonly ConfiguredText[] {
	return args.map((text, index) => {
		const [, flag = ""] = /^--?([\w-]+)$/.exec(args[index - 1] ?? "") ?? [];
		return { text, name: text.startsWith("-") ? "" : flag };
	});
}

/** The members of `oauth` that are always secret. */
const clientSecrets = new Set(["clientSecret", "privateKey", "assertion", "idpIdToken"]);

function clientTexts(value: unknown, key = ""): readonly ConfiguredText[] {
	if (typeof value === "string") return [{ text: value, name: clientSecrets.has(key) ? "secret" : "" }];
	return isJsonObject(value) ? Object.entries(value).flatMap(([name, part]) => clientTexts(part, name)) : [];
}
