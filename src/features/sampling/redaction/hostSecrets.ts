import type { KnownSecret } from "../../../base/secrets/knownSecret.ts";
import { oneLine } from "../../../base/text.ts";
import { ApiKeys } from "../../../models/apiKeys.ts";
import type { Secrets } from "../../../base/storage.ts";
import type { ModelEndpoint } from "../../../models/endpoints.ts";
import type { ServerDefinition } from "../../../servers/definitions/config.ts";
import { Credentials } from "../../../servers/accounts/credentialStore.ts";
import {
	configuredSecrets,
	environmentSecrets,
	fileSecrets,
	inputSecrets,
	signInSecrets,
} from "../../../servers/accounts/serverSecrets.ts";

/** Where the host keeps and finds secrets. */
export interface HostSecretSources {
	/** All configured servers. */
	readonly definitions: () => readonly ServerDefinition[];
	/** The configured endpoints of models. */
	readonly endpoints: () => readonly ModelEndpoint[];
	/** The current variables of a server's environment file, by name. Rejects when it cannot be read. */
	readonly environmentFile: (definition: ServerDefinition) => Promise<Readonly<Record<string, string>>>;
	/** VS Code's key store. */
	readonly store: Secrets;
	/** The environment of this process, which servers get variables from. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}

type Learned = Promise<readonly KnownSecret[]> | readonly KnownSecret[];

/**
 * All secrets that the host knows: values of inputs, API keys, sign-in data, and values that look secret in the entries
 * of servers and in the environment. Does not ask the user. Never rejects: unavailable secrets are reported.
 */
export async function hostSecrets(
	sources: HostSecretSources,
): Promise<{ readonly secrets: readonly KnownSecret[]; readonly problems: readonly string[] }> {
	const { definitions, endpoints, store, environment, environmentFile } = sources;
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
				[`The environment file of ${name}`, async () => fileSecrets(definition, await environmentFile(definition))],
			];
		}),
	];
	const learned = await Promise.all(
		parts.map(async ([what, learn]) => {
			try {
				return { secrets: await learn(), problems: [] };
			} catch {
				// The reason may quote the read value.
				const problem = `${what} could not be read, so the request was not searched for them.`;
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
		for (const [name, header] of await keys.headers(endpoint)) {
			secrets.push({ value: header, name, label: `${name} of ${oneLine(endpoint.name, 60)}` });
		}
	}
	return secrets;
}
