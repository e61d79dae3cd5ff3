import type { Secrets } from "../base/storage.ts";
import { originOf } from "./endpoints.ts";

type Addressed = { readonly baseURL: string };

/**
 * The API keys of the endpoints, kept in the secret store under the origin they were given for: an endpoint that moves
 * to another origin has no key there until the person gives one (security.md SEC-01, SEC-06).
 */
export class ApiKeys {
	private readonly secrets: Secrets;

	constructor(secrets: Secrets) {
		this.secrets = secrets;
	}

	/** The key for an endpoint's origin, or undefined when none is set. */
	async get(endpoint: Addressed): Promise<string | undefined> {
		return this.secrets.get(storageKey(endpoint));
	}

	/** Stores a key for an endpoint's origin; white space around it, as copied from a web page, is not part of it. */
	async set(endpoint: Addressed, key: string): Promise<void> {
		await this.secrets.store(storageKey(endpoint), key.trim());
	}

	async remove(endpoint: Addressed): Promise<void> {
		await this.secrets.delete(storageKey(endpoint));
	}
}

function storageKey(endpoint: Addressed): string {
	return `mcpHost.apiKey:${originOf(endpoint)}`;
}
