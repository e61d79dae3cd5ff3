import { isJsonObject, parseJson } from "../../base/json.ts";
import type { KnownSecret } from "../../base/secrets/knownSecret.ts";
import { secretName } from "../../base/secrets/secretNames.ts";
import { holdsKey, looksSecret } from "../../base/secretText.ts";
import type { Secrets } from "../../base/storage.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import type { ServerConfig, ServerDefinition } from "../definitions/config.ts";
import type { Credentials } from "./credentialStore.ts";
import { InputValues } from "../definitions/inputValues.ts";
import { environmentVariable, variablesIn } from "../definitions/variableNames.ts";

/** Of this process, from which servers get variables. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The secrets that a server gets at its start, and those of the environment. `file` is what its environment file sets. Asks
 * nobody, and never rejects.
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
 * The secrets in an entry of the key store, by its key: of a sign-in, or an API key. What was typed in may be none: that is
 * decided with the server that gets it (see `secretsOfLaunch`).
 */
export function secretsOfEntry(key: string, value: string): readonly KnownSecret[] {
	if (key.startsWith("mcpHost.input/")) return [];
	const parts = secretsOfSignIn(value);
	if (parts.length > 0) return parts.map((part) => ({ value: part, name: "sign-in", label: key }));
	return isJsonObject(parseJson(value)) ? [] : [{ value, name: "API key", label: key }];
}

/** What looks secret in an environment, by its name. */
export function environmentSecrets(environment: Environment): readonly KnownSecret[] {
	return Object.entries(environment).flatMap(([name, value]) =>
		// The working directory is called as passwords are.
		value === undefined || isPlace(value) || name === "PWD" || secretName(name) === undefined
			? []
			: [environmentSecret(name, value)],
	);
}

function environmentSecret(name: string, value: string): KnownSecret {
	return { value, name: "environment variable", label: `environment variable ${oneLine(name, 60)}` };
}

/** What a person typed in for a server where a secret belongs. Asks nobody. */
export async function inputSecrets(store: Secrets, definition: ServerDefinition): Promise<readonly KnownSecret[]> {
	const inputs = new InputValues(store, async () => undefined);
	const used = new Set(
		configuredTexts(definition.config).flatMap(({ text, isSecret }) => (isSecret ? variablesIn(text) : [])),
	);
	const secrets: KnownSecret[] = [];
	for (const { id, description, isPassword } of definition.inputs) {
		const value = await inputs.get(definition, id, () => false);
		if (value === undefined || (!isPassword && isPlace(value))) continue;
		if (isPassword || used.has(`input:${id}`) || looksSecret(id, description) || holdsKey(value)) {
			secrets.push({ value, name: "input value", label: `value of input “${oneLine(id, 60)}”` });
		}
	}
	return secrets;
}

/** The members of what a sign-in keeps that are secret (RFC 6749, RFC 7591, RFC 7517). */
const secretMembers = new Set([
	"access_token",
	"refresh_token",
	"id_token",
	"client_secret",
	"registration_access_token",
	"d",
]);

/** What is kept of the sign-in at a server. */
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

/** The secrets in what a sign-in keeps, also where it is kept as JSON within JSON. */
export function secretsOfSignIn(value: unknown): readonly string[] {
	if (typeof value === "string") return value.startsWith("{") ? secretsOfSignIn(parseJson(value)) : [];
	if (!isJsonObject(value)) return [];
	return Object.entries(value).flatMap(([key, member]) =>
		typeof member === "string" && secretMembers.has(key) ? [member] : secretsOfSignIn(member),
	);
}

/** What stands in the entry of a server where secrets do, or looks like one; `config` may be what it resolved to. */
export function configuredSecrets(
	{ name, config }: { readonly name: string; readonly config: ServerConfig | Launch },
	environment: Environment,
): readonly KnownSecret[] {
	const label = `secret in the entry of “${oneLine(name, 60)}”`;
	return configuredTexts(config).flatMap(({ text, isSecret }): readonly KnownSecret[] => {
		const variables = variablesIn(text);
		if (variables.length > 0) {
			return variables.flatMap((variable) => {
				const key = environmentVariable(variable)?.name ?? "";
				const value = environment[key];
				if (value === undefined || isPlace(value) || !(isSecret || holdsKey(value))) return [];
				return [environmentSecret(key, value)];
			});
		}
		if (isPlace(text) || !(isSecret || holdsKey(text))) return [];
		// Of `Bearer …` the secret is what follows.
		const value = text.replace(/^(?:bearer|basic|token|apikey)\s+/i, "");
		return [{ value, name: "configured value", label }];
	});
}

/** What looks secret of the values that the environment file of a server sets. */
export function fileSecrets(
	{ name }: ServerDefinition,
	values: Readonly<Record<string, string>>,
): readonly KnownSecret[] {
	const label = `secret in the environment file of “${oneLine(name, 60)}”`;
	return Object.entries(values).flatMap(([variable, value]) =>
		isPlace(value) || !(isNamedSecret(variable) || holdsKey(value)) ? [] : [{ value, name: "configured value", label }],
	);
}

/** A text of a server's entry, unresolved, and whether it stands where secrets do. */
interface ConfiguredText {
	readonly text: string;
	readonly isSecret: boolean;
}

/** The texts of an entry that may be, or name, a secret: variables, arguments, headers, the query, and the client. */
function configuredTexts(config: ServerConfig | Launch): readonly ConfiguredText[] {
	if (config.kind === "stdio") return [...named(config.env), ...argumentTexts(config.args)];
	return [...headerTexts(config.headers), ...queryTexts(config.url), ...clientTexts(config.oauth)];
}

/** Whether a value is a path or an address rather than a secret. */
function isPlace(value: string): boolean {
	return /^(?:\/(?:home|Users|usr|run|var|tmp|etc|opt|private|mnt|root|srv|workspaces?)\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/]|(?:https?|file|unix):\/\/[^@]*$)/.test(
		value,
	);
}

function named(texts: Readonly<Record<string, string>>): readonly ConfiguredText[] {
	return Object.entries(texts).map(([name, text]) => ({ text, isSecret: isNamedSecret(name) }));
}

function headerTexts(headers: Readonly<Record<string, string>>): readonly ConfiguredText[] {
	return Object.entries(headers).map(([name, text]) => ({
		text,
		isSecret: isNamedSecret(name) || /^(?:proxy-)?authorization$|^cookie$|[-_]key$/i.test(name),
	}));
}

/** Arguments, with `--name=value` and `--name value` told by their names. */
function argumentTexts(args: readonly string[]): readonly ConfiguredText[] {
	return args.map((argument, index) => {
		const [, name, value] = /^--?([\w-]+)=(.*)$/s.exec(argument) ?? [];
		if (name !== undefined && value !== undefined) return { text: value, isSecret: isNamedSecret(name) };
		const [, flag] = /^--?([\w-]+)$/.exec(args[index - 1] ?? "") ?? [];
		return { text: argument, isSecret: flag !== undefined && !argument.startsWith("-") && isNamedSecret(flag) };
	});
}

function queryTexts(url: string): readonly ConfiguredText[] {
	const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
	return query.split("&").flatMap((part) => {
		const [name = "", ...value] = part.split("=");
		return value.length === 0 ? [] : [{ text: value.join("="), isSecret: isNamedSecret(name) || name === "key" }];
	});
}

/** The members of `oauth` that are secret whatever they are called. */
const clientSecrets = new Set(["clientSecret", "privateKey", "assertion", "idpIdToken"]);

function clientTexts(value: unknown, key = ""): readonly ConfiguredText[] {
	if (typeof value === "string") return [{ text: value, isSecret: clientSecrets.has(key) }];
	return isJsonObject(value) ? Object.entries(value).flatMap(([name, part]) => clientTexts(part, name)) : [];
}

function isNamedSecret(name: string): boolean {
	return secretName(name) !== undefined || looksSecret(name);
}
