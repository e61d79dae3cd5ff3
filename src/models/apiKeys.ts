import type { Secrets } from "../base/storage.ts";
import { originOf } from "./endpoints.ts";

type Addressed = { readonly baseURL: string };

const prefix = "mcpHost.apiKey:";

/**
 * The API keys of the endpoints, kept in the secret store under the origin they were given for: an endpoint that moves
 * to another origin has no key there until the person gives one (SEC-01, SEC-06).
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

	/** The origins that a key is kept for although none of these endpoints is there, so that nothing is kept in hiding. */
	async unused(endpoints: readonly Addressed[]): Promise<readonly string[]> {
		const used = new Set(endpoints.map(originOf));
		const origins = (await this.secrets.keys()).filter((key) => key.startsWith(prefix));
		return origins.map((key) => key.slice(prefix.length)).filter((origin) => !used.has(origin));
	}
}
