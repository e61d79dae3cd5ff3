import { Credentials } from "../authorization/credentialStore.ts";
import { isJsonObject } from "../base/json.ts";
import { holdsKey } from "../base/secretForms.ts";
import { looksSecret } from "../base/secretWords.ts";
import { oneLine } from "../base/text.ts";
import { ApiKeys, type ListedSecrets } from "../models/apiKeys.ts";
import type { ModelEndpoint } from "../models/endpoints.ts";
import type { ServerDefinition } from "../servers/config.ts";
import { InputValues } from "../servers/inputValues.ts";
import { variablesIn } from "../servers/variableNames.ts";
import { configuredTexts, isPlace } from "./configuredTexts.ts";
import type { KnownSecret } from "./knownSecret.ts";
import { secretName } from "./secretNames.ts";

/** Where the host keeps and finds secrets. */
export interface HostSecretSources {
	/** All configured servers. */
	readonly definitions: () => readonly ServerDefinition[];
	/** The configured endpoints of models. */
	readonly endpoints: () => readonly ModelEndpoint[];
	/** The editor's key store. */
	readonly store: ListedSecrets;
	/** Of this process, from which servers get variables. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}

type Learned = Promise<readonly KnownSecret[]> | readonly KnownSecret[];

/**
 * All secrets that the host knows: values of inputs, API keys, what sign-ins left, and what looks secret in the entries
 * of servers and in the environment. Asks nobody. Never rejects: what cannot be learned is told.
 */
export async function hostSecrets(
	sources: HostSecretSources,
): Promise<{ readonly secrets: readonly KnownSecret[]; readonly problems: readonly string[] }> {
	const { definitions, endpoints, store, environment } = sources;
	const servers = definitions();
	const credentials = new Credentials(store);
	const parts: readonly (readonly [what: string, () => Learned])[] = [
		["The API keys of models", () => apiKeys(new ApiKeys(store), endpoints())],
		["Secrets of the environment", () => environmentSecrets(environment)],
		...servers.flatMap((definition): readonly (readonly [string, () => Learned])[] => {
			const name = `“${oneLine(definition.name, 60)}”`;
			return [
				[`The inputs of ${name}`, () => inputSecrets(store, definition)],
				[`The sign-in at ${name}`, () => signInSecrets(credentials, definition)],
				[`The entry of ${name}`, () => configuredSecrets(definition, environment)],
			];
		}),
	];
	const learned = await Promise.all(
		parts.map(async ([what, learn]) => {
			try {
				return { secrets: await learn(), problems: [] };
			} catch {
				// The reason may quote what was read.
				const problem = `${what} could not be read, so the texts were not looked through for them.`;
				return { secrets: [], problems: [problem] };
			}
		}),
	);
	return {
		secrets: learned.flatMap(({ secrets }) => secrets),
		problems: learned.flatMap(({ problems }) => problems),
	};
}

async function apiKeys(keys: ApiKeys, endpoints: readonly ModelEndpoint[]): Promise<readonly KnownSecret[]> {
	const unused = (await keys.unused(endpoints)).map((origin) => ({ name: origin, baseURL: origin }));
	const secrets: KnownSecret[] = [];
	for (const endpoint of [...endpoints, ...unused]) {
		const value = await keys.get(endpoint);
		if (value !== undefined) {
			secrets.push({ value, name: "API key", label: `API key of ${oneLine(endpoint.name, 60)}` });
		}
	}
	return secrets;
}

function environmentSecrets(environment: HostSecretSources["environment"]): readonly KnownSecret[] {
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

async function inputSecrets(store: ListedSecrets, definition: ServerDefinition): Promise<readonly KnownSecret[]> {
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

async function signInSecrets(credentials: Credentials, definition: ServerDefinition): Promise<readonly KnownSecret[]> {
	const label = `sign-in at “${oneLine(definition.name, 60)}”`;
	const kept = credentials.of(definition);
	const secrets: KnownSecret[] = [];
	const collect = (value: unknown): void => {
		if (!isJsonObject(value)) return;
		for (const [key, member] of Object.entries(value)) {
			if (typeof member === "string" && secretMembers.has(key)) {
				secrets.push({ value: member, name: "sign-in", label });
			} else collect(member);
		}
	};
	for (const key of await credentials.keys(definition)) {
		const text = await kept.get(key);
		if (text !== undefined) collect(parse(text));
	}
	return secrets;
}

function configuredSecrets(
	{ name, config }: ServerDefinition,
	environment: HostSecretSources["environment"],
): readonly KnownSecret[] {
	const label = `secret in the entry of “${oneLine(name, 60)}”`;
	return configuredTexts(config).flatMap(({ text, isSecret }): readonly KnownSecret[] => {
		const variables = variablesIn(text);
		if (variables.length > 0) {
			return variables.flatMap((variable) => {
				const key = /^env:(.+)$/s.exec(variable)?.[1] ?? "";
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

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// What is no JSON is no record of a sign-in.
		return undefined;
	}
}
