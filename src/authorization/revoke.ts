import type { NetworkSettings } from "../connection/limits.ts";
import { openNetwork } from "../http/network.ts";
import { plainFetch } from "../http/plainFetch.ts";
import type { CredentialStore } from "./authorization.ts";
import { signOut } from "./signOut.ts";

/**
 * Signs out at a server that has no connection any more: by the way to the network that connections take, which is closed
 * again. See `signOut`.
 */
export async function revoke(credentials: CredentialStore, serverUrl: URL, settings: NetworkSettings): Promise<void> {
	const network = openNetwork(settings);
	try {
		await signOut({ credentials, serverUrl, fetch: plainFetch(network), signal: new AbortController().signal });
	} finally {
		await network.close();
	}
}
