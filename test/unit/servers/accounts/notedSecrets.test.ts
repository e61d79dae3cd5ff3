/** Everything that is read from or written to the key store is known to logs and states from then on (SEC-10). */
import { expect, test } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { SecretsInUse } from "../../../../src/base/secrets/secretsInUse.ts";
import type { Secrets } from "../../../../src/base/storage.ts";
import { ApiKeys } from "../../../../src/models/apiKeys.ts";
import { StoredCredentials } from "../../../../src/protocol/authorization/storedCredentials.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { Credentials } from "../../../../src/servers/accounts/credentialStore.ts";
import { notedSecrets } from "../../../../src/servers/accounts/notedSecrets.ts";

function memory(): Secrets {
	const values = new Map<string, string>();
	return {
		keys: async () => [...values.keys()],
		get: async (key) => values.get(key),
		store: async (key, value) => void values.set(key, value),
		delete: async (key) => void values.delete(key),
	};
}

const definition: ServerDefinition = {
	id: "settings:user/remote",
	name: "remote",
	config: { kind: "http", url: "https://example.org/mcp", headers: {}, protocol: "auto" },
	origin: { kind: "user-settings", label: "User Settings", isWorkspace: false },
	inputs: [],
	hash: "hash",
};
const endpoint = { baseURL: "https://models.example.org/v1" };

test.each(["stored", "read"])("tokens of sign-ins and API keys, as soon as they are %s", async (how) => {
	const store = memory();
	const written = new SecretsInUse();
	const kept = new StoredCredentials(new Credentials(notedSecrets(store, written)).of(definition));
	const issuer = "https://issuer.example.org";
	const tokens = { access_token: "access-token-1", refresh_token: "refresh-token-2", token_type: "Bearer" };
	await kept.saveTokens({ ...tokens, issuer, server: "https://example.org/mcp" });
	await new ApiKeys(notedSecrets(store, written)).set(endpoint, "models-key-3");

	const later = new SecretsInUse();
	if (how === "read") {
		const noted = notedSecrets(store, later);
		await new StoredCredentials(new Credentials(noted).of(definition)).currentTokens();
		await new ApiKeys(noted).get(endpoint);
	}
	const { redact } = how === "read" ? later : written;
	expect(redact("access-token-1 refresh-token-2 models-key-3 https://issuer.example.org Bearer")).toBe(
		"⟦sign-in⟧ ⟦sign-in⟧ ⟦API key⟧ https://issuer.example.org Bearer",
	);
});

test("a typed value is recorded with the server that receives it: not all of it is secret", async () => {
	const inUse = new SecretsInUse();
	await notedSecrets(memory(), inUse).store("mcpHost.input/server/hash/region", "europe-west");
	expect(inUse.redact("europe-west")).toBe("europe-west");
});

test("the changes of the store are those that other windows make in it (GST-15, GST-17)", () => {
	const changed = new Emitter<{ readonly key: string }>();
	const heard: string[] = [];
	const store = notedSecrets({ ...memory(), onDidChange: changed.event }, new SecretsInUse());
	store.onDidChange?.(({ key }) => void heard.push(key));
	changed.fire({ key: "revoked elsewhere" });
	expect(heard).toEqual(["revoked elsewhere"]);
});
