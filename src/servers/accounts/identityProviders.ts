import type { Disposable } from "../../base/lifecycle.ts";
import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import type { Secrets } from "../../base/storage.ts";
import type { CredentialStore, IdentityProvider } from "../../protocol/authorization.ts";
import { keptIdentity } from "../../protocol/authorization/identity.ts";
import type { NetworkSettings } from "../../protocol/limits.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { ConfiguredProvider } from "../definitions/identityProviderSetting.ts";
import { changeValues, forgetValues, serverOfSecret, signOutsAt, signOutsOf, valuesOf } from "./credentialEntry.ts";
import type { SignIns } from "./signIns.ts";

/** The dependencies on the host. */
interface IdentityHost {
	readonly secrets: Secrets;
	readonly secretsInUse: SecretsInUse;
	readonly signIns: Pick<SignIns, "accounts" | "kept">;
	readonly registry: {
		readonly sessions: readonly {
			readonly definition: ServerDefinition;
			requireSignIn(reason: string): Promise<unknown>;
		}[];
	};
}

/** The settings of an editor, or of a test. */
export interface ProviderServices {
	/** The identity provider that is configured now; absent where there can be none. */
	identityProvider?(): Promise<ConfiguredProvider | undefined>;
}

/** The dependencies on the editor. */
interface IdentityServices extends ProviderServices {
	readonly network: NetworkSettings;
	readonly secrets: Pick<Secrets, "onDidChange">;
}

/** In the place of a server's id, which always names its origin. */
const identityId = "identity-provider";

/** The sign-in at the identity provider of an organization, which all servers share. */
export class IdentityProviders implements Disposable {
	private readonly host: IdentityHost;
	private readonly services: IdentityServices;
	private readonly credentials: CredentialStore;
	/** To sign-outs in any window. */
	private readonly subscription: Disposable | undefined;

	constructor(host: IdentityHost, services: IdentityServices) {
		this.host = host;
		this.services = services;
		this.credentials = storeOf(host.secrets);
		this.subscription = services.secrets.onDidChange?.(({ key }) => {
			if (key === signOutsOf(identityId)) void this.endIfSignedOut();
		});
	}

	/** The provider that is configured now; undefined if none is. @throws HostError if its setting cannot be read */
	async current(): Promise<IdentityProvider | undefined> {
		const setting = await this.services.identityProvider?.();
		if (setting === undefined) return undefined;
		const { config, source } = setting;
		const secrets = [config, ...config.clients.values()].flatMap(({ clientSecret }) => clientSecret ?? []);
		await this.host.secretsInUse.add(
			secrets.map((value) => ({ value, name: "client secret", label: `client secret of ${source}` })),
		);
		return { config, source, credentials: this.credentials };
	}

	/**
	 * Signs out at the provider: no server keeps tokens that it vouched for, in any window. The sign-in is revoked there; a
	 * network failure does not prevent the rest.
	 */
	async signOut(): Promise<void> {
		const { secrets } = this.host;
		const provider = await this.current().catch(() => undefined);
		const identity = provider === undefined ? undefined : await keptIdentity(provider);
		// First, so that no server gets new tokens meanwhile.
		await forgetValues(secrets, identityId, true);
		await this.end();
		for (const key of await secrets.keys()) {
			const server = serverOfSecret(key);
			if (server === undefined || (await secrets.get(key))?.includes(vouched) !== true) continue;
			await forgetValues(secrets, server, true);
		}
		if (provider === undefined || identity === undefined) return;
		const { revokeIdentity } = await import("../../protocol/authorization/signOut.ts");
		await revokeIdentity(provider, identity, this.services.network);
	}

	dispose(): void {
		this.subscription?.dispose();
	}

	/** Ends the connections of servers that a provider vouched for, once nobody is signed in there any more. */
	private async endIfSignedOut(): Promise<void> {
		const provider = await this.current().catch(() => undefined);
		if (provider === undefined || (await keptIdentity(provider)) === undefined) await this.end();
	}

	private async end(): Promise<void> {
		const { registry, signIns } = this.host;
		for (const session of registry.sessions) {
			const { definition } = session;
			if (signIns.accounts.get(definition.id)?.provider === undefined) continue;
			await session.requireSignIn("You signed out of your identity provider.");
			await (await signIns.kept.get()).forgetAccount(definition);
		}
	}
}

/** In the values of a server's sign-in, which are JSON texts in JSON. */
const vouched = String.raw`\"providerSession\"`;

function storeOf(secrets: Secrets): CredentialStore {
	const entry = { secrets, id: identityId, reached: identityId };
	let last: Promise<unknown> = Promise.resolve();
	/** Changes follow each other, so that none is lost. */
	const queued = <T>(run: () => Promise<T>): Promise<T> => {
		const done = last.then(run, run);
		last = done.catch(() => undefined);
		return done;
	};
	return {
		get: (key) => queued(async () => (await valuesOf(entry)).get(key)),
		set: (key, value, since) => queued(() => changeValues(entry, (values) => values.set(key, value), since)),
		delete: (key) => queued(async () => void (await changeValues(entry, (values) => values.delete(key), undefined))),
		signOuts: () => queued(() => signOutsAt(entry)),
	};
}
