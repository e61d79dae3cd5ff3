import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import type { Secrets } from "../../base/storage.ts";

/** The same key store; every value that is read or written is noted before it can be used. */
export function notedSecrets(secrets: Secrets, inUse: SecretsInUse): Secrets {
	const note = async (key: string, value: string | undefined): Promise<void> => {
		if (value !== undefined) await inUse.add((await import("./serverSecrets.ts")).secretsOfEntry(key, value));
	};
	return {
		get: async (key) => {
			const value = await secrets.get(key);
			await note(key, value);
			return value;
		},
		store: async (key, value) => {
			await note(key, value);
			await secrets.store(key, value);
		},
		delete: (key) => secrets.delete(key),
		keys: () => secrets.keys(),
		...(secrets.onDidChange === undefined ? {} : { onDidChange: secrets.onDidChange }),
	};
}
