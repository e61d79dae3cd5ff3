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
export async function authorizationOf(
	{ signIns, identity }: SignInHost,
	definition: ServerDefinition,
	config: OAuthConfig,
	asks: SignInAsks,
): Promise<Authorization> {
	const refuse = async (): Promise<never> => {
		throw new HostError("needs-sign-in", `Server "${definition.name}" requires you to sign in. Try again.`);
	};
	const { browser, accounts } = signIns;
	const stored = await signIns.kept.get();
	const { credentials: kept, choice } = stored;
	// Another window may have signed in since the configuration was read.
	if (accounts.get(definition.id) === undefined) await stored.restore(definition);
	const { id } = choice.at(definition);
	const credentials = kept.of({ ...definition, id });
	return {
		server: definition.name,
		config,
		credentials,
		browser: browser ?? { openReceiver: refuse, open: refuse },
		identityProvider: async () => (await identity?.get())?.current(),
		onDidChangeSignedIn: (account) => {
			// Another account may have been chosen meanwhile.
			if (!kept.isInUse(id, credentials) || choice.at(definition).id !== id) return;
			accounts.set(definition.id, account && choice.marked(definition.id, account));
		},
		...asks,
	};
}
