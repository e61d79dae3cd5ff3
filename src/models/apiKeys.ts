import type { Secrets } from "../base/storage.ts";
import { type ModelEndpoint, originOf } from "./endpoints.ts";

type Addressed = { readonly baseURL: string };

const prefix = "mcpHost.apiKey:";
/** For the value of a secret header: the origin and the name of the header follow, separated by a blank. */
const headerPrefix = "mcpHost.modelHeader:";

/**
 * The API keys and secret headers of the endpoints, kept in the secret store under the origin they were given for: an endpoint that moves
 * to another origin has no key there until the user gives one (SEC-01, SEC-06).
 */
export class ApiKeys {
	private readonly secrets: Secrets;

	constructor(secrets: Secrets) {
		this.secrets = secrets;
	}

	/** The key for an endpoint's origin, or undefined when none is set. */
	async get(endpoint: Addressed): Promise<string | undefined> {
		return this.secrets.get(prefix + originOf(endpoint));
	}

	/** Stores a key for an endpoint's origin; white space around it, as copied from a web page, is not part of it. */
	async set(endpoint: Addressed, key: string): Promise<void> {
		await this.secrets.store(prefix + originOf(endpoint), key.trim());
	}

	async remove(endpoint: Addressed): Promise<void> {
		await this.secrets.delete(prefix + originOf(endpoint));
	}

	/** The endpoint with the values of its secret headers, as far as they are set: the input of its requests. */
	async filled(endpoint: ModelEndpoint): Promise<ModelEndpoint> {
		if (endpoint.secretHeaders.length === 0) return endpoint;
		const kept = await this.headers(endpoint);
		const set = endpoint.secretHeaders.flatMap((name) => {
			const value = kept.get(name);
			return value === undefined ? [] : [[name, value] as const];
		});
		return { ...endpoint, secretValues: Object.fromEntries(set) };
	}

	/** The values of the secret headers that are kept for an endpoint's origin, by their names. */
	async headers(endpoint: Addressed): Promise<ReadonlyMap<string, string>> {
		const found = new Map<string, string>();
		for (const key of await this.headerKeys(endpoint)) {
			const value = await this.secrets.get(key);
			if (value !== undefined) found.set(key.slice(key.indexOf(" ") + 1), value);
		}
		return found;
	}

	/** Stores the value of a secret header for an endpoint's origin. */
	async setHeader(endpoint: Addressed, name: string, value: string): Promise<void> {
		await this.secrets.store(headerKey(endpoint, name), value.trim());
	}

	async removeHeader(endpoint: Addressed, name: string): Promise<void> {
		await this.secrets.delete(headerKey(endpoint, name));
	}

	/** Forgets the key and all secret headers of an endpoint's origin. */
	async removeAll(endpoint: Addressed): Promise<void> {
		await this.remove(endpoint);
		for (const key of await this.headerKeys(endpoint)) await this.secrets.delete(key);
	}

	/** The origins that something is kept for although none of these endpoints is there, so that nothing is kept in hiding. */
	async unused(endpoints: readonly Addressed[]): Promise<readonly string[]> {
		const used = new Set(endpoints.map(originOf));
		const origins = (await this.secrets.keys()).flatMap((key) => {
			if (key.startsWith(headerPrefix)) return key.slice(headerPrefix.length).split(" ", 1);
			return key.startsWith(prefix) ? [key.slice(prefix.length)] : [];
		});
		return [...new Set(origins)].filter((origin) => !used.has(origin));
	}

	private async headerKeys(endpoint: Addressed): Promise<readonly string[]> {
		return (await this.secrets.keys()).filter((key) => key.startsWith(headerKey(endpoint, "")));
	}
}

function headerKey(endpoint: Addressed, name: string): string {
	return `${headerPrefix}${originOf(endpoint)} ${name}`;
}
