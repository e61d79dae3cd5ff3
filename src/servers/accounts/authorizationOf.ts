import { HostError } from "../../base/errors.ts";
import type { Authorization, OAuthConfig } from "../../protocol/authorization.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { SignInAsks } from "../sessions/sessionServices.ts";
import type { IdentityProviders } from "./identityProviders.ts";
import type { SignIns } from "./signIns.ts";

/** The host's part in a sign-in: what is kept, and the identity provider, where there may be one. */
interface SignInHost {
	readonly signIns: SignIns;
	readonly identity?: { get(): Promise<IdentityProviders> };
}

/** How a connection to a server signs in; `config` is its `oauth` part with the variables resolved. */
export function authorizationOf(
	{ signIns, identity }: SignInHost,
	definition: ServerDefinition,
	config: OAuthConfig,
	asks: SignInAsks,
): Authorization {
	const refuse = async (): Promise<never> => {
		throw new HostError("needs-sign-in", `Server "${definition.name}" requires you to sign in. Try again.`);
	};
	const { browser, accounts } = signIns;
	const kept = signIns.credentials;
	const credentials = kept.of(definition);
	return {
		server: definition.name,
		config,
		credentials,
		browser: browser ?? { openReceiver: refuse, open: refuse },
		identityProvider: async () => (await identity?.get())?.current(),
		onDidChangeSignedIn: (account) => {
			if (kept.isInUse(definition.id, credentials)) accounts.set(definition.id, account);
		},
		...asks,
	};
}
