import { DpopSession, OAuthError, type OAuthTokens, generateDpopKeyPair } from "@modelcontextprotocol/client";
import { setTimeout } from "node:timers/promises";
import { HostError } from "../../base/errors.ts";
import { canonicalJson } from "../../base/json.ts";
import type { Authorization, CredentialStore } from "../authorization.ts";
import { type Discovery, revocationOf } from "./discovery.ts";
import { keptIdentity } from "./identity.ts";
import { isSameAddress, shownAddress } from "./sameAddress.ts";
import { accountOf, describeTokens } from "./signedIn.ts";
import { configuredClient } from "./signInProvider.ts";
import { type KeptTokens, StoredCredentials } from "./storedCredentials.ts";
import { orAborted } from "../../base/abort.ts";

/** The sign-in at an identity provider that tokens end with. */
type VouchedBy = Pick<KeptTokens, "provider" | "providerSession">;

/** How long another window may take to store the result of a refresh token that it used first, in milliseconds. */
export const otherWindowMs = 1000;

/** The shared state of all connections with the same credentials, in sequence or in parallel. */
interface Shared {
	/** The tokens in use; `unread` until the key store was asked. */
	tokens: KeptTokens | undefined | "unread";
	/** The sign-out text of the key store before it gave these tokens, or when they were obtained. */
	since: string | undefined;
	/** Whether the key store has these tokens; tokens that it did not accept are known here only. */
	isStored: boolean;
	/** The access token that was obtained last, by this process. */
	obtained: string | undefined;
	readonly renewal: SharedTask;
	/** Keys for bound tokens, by issuer; they hold the nonces too. */
	readonly sessions: Map<string, Promise<DpopSession>>;
}

const sharedByStore = new WeakMap<CredentialStore, Shared>();

/** The tokens of one server, in memory and in the key store, and who is notified of them. */
export class TokenKeeper {
	readonly credentials: StoredCredentials;
	private readonly authorization: Authorization;
	/** The purpose of the tokens. */
	private readonly server: string;
	private readonly shared: Shared;
	private isRead = false;

	constructor(authorization: Authorization, { origin, pathname }: URL) {
		this.authorization = authorization;
		this.server = `${origin}${pathname}`;
		this.credentials = new StoredCredentials(authorization.credentials);
		this.shared = sharedOf(authorization.credentials);
	}

	/** The one renewal of the tokens that may run. */
	get renewal(): SharedTask {
		return this.shared.renewal;
	}

	/** The tokens in use; undefined when nobody is signed in. */
	async tokens(): Promise<KeptTokens | undefined> {
		return this.isRead ? this.usable(this.shared.tokens) : this.reload();
	}

	/** The same, read again: another window may have signed in, out, or refreshed. */
	async reload(): Promise<KeptTokens | undefined> {
		const { shared } = this;
		const former = shared.tokens;
		if (shared.isStored) {
			const since = await this.credentials.signOuts();
			const read = await this.vouched(await this.credentials.currentTokens());
			// Newer tokens may have arrived in the meantime.
			if (shared.tokens === former) Object.assign(shared, { tokens: read, since });
		}
		this.isRead = true;
		return this.usable(shared.tokens);
	}

	/** The tokens that an issuer gave for this server, whether or not they are in use. */
	async former(issuer: string): Promise<KeptTokens | undefined> {
		const { shared } = this;
		if (!shared.isStored && shared.tokens !== "unread" && shared.tokens?.issuer === issuer) {
			return this.usable(shared.tokens);
		}
		return this.usable(await this.credentials.tokens(issuer));
	}

	/** Whether these tokens are the last that this process obtained. */
	hasObtained({ access_token: token }: KeptTokens): boolean {
		return token === this.shared.obtained;
	}

	/** The key that tokens of an issuer are bound to (RFC 9449). */
	session(issuer: string): Promise<DpopSession> {
		const { sessions } = this.shared;
		const existing = sessions.get(issuer);
		if (existing !== undefined) return existing;
		const made = dpopSession(this.credentials, issuer);
		sessions.set(issuer, made);
		return made;
	}

	/**
	 * Uses new tokens from now on. Members that a refresh leaves out stay unchanged; a sign-in may be for another user.
	 * `by` is the sign-in at an identity provider that the tokens end with.
	 * @throws HostError `needs-sign-in` when another window signed out while they were refreshed: nothing of them is
	 * kept.
	 */
	async keep(tokens: OAuthTokens, discovery: Discovery, refreshed?: KeptTokens, by?: VouchedBy): Promise<void> {
		const { shared } = this;
		const { issuer } = discovery;
		const { id_token: idToken, ...rest } = tokens;
		const account = accountOf(idToken) ?? refreshed?.account;
		const scope = tokens.scope ?? refreshed?.scope;
		const kept: KeptTokens = {
			...rest,
			...revocationOf(discovery),
			...by,
			issuer,
			server: this.server,
			...(scope === undefined ? {} : { scope }),
			...(account === undefined ? {} : { account }),
		};
		// A grant that was signed out after it was obtained does not continue in its refreshed tokens (AUT-17).
		const since = refreshed === undefined ? await this.credentials.signOuts().catch(() => undefined) : shared.since;
		// First, so that they are of use even where the key store is not.
		Object.assign(shared, { tokens: kept, since, isStored: false, obtained: kept.access_token });
		const outcome = await this.store(kept, since).catch(() => "unstored" as const);
		if (outcome === "signed out") {
			Object.assign(shared, { tokens: undefined, isStored: true, obtained: undefined });
			this.authorization.onDidChangeSignedIn(undefined);
			throw new HostError("needs-sign-in", "You have signed out of the server. Sign in again to use it.");
		}
		shared.isStored = outcome === "stored";
		const description = describeTokens(kept);
		const isSame = refreshed !== undefined && canonicalJson(description) === canonicalJson(describeTokens(refreshed));
		if (!isSame) this.authorization.onDidChangeSignedIn(description);
	}

	/**
	 * After a refused refresh: whether another window has refreshed meanwhile, or does so in the next moment. If not, the
	 * refused tokens are forgotten, and nobody is signed in.
	 */
	async isReplaced(error: unknown, former: KeptTokens): Promise<boolean> {
		const { credentials, shared } = this;
		if (await this.takeNewer(former)) return true;
		if (!(error instanceof OAuthError)) return false;
		if (error.code === "invalid_grant") {
			await setTimeout(otherWindowMs);
			if (await this.takeNewer(former)) return true;
		}
		if (error.code === "invalid_client" || error.code === "unauthorized_client") {
			await credentials.deleteClient(former.issuer);
		} else if (error.code !== "invalid_grant" && error.code !== "invalid_dpop_proof") return false;
		await credentials.deleteTokens(former.issuer);
		shared.tokens = undefined;
		shared.isStored = true;
		this.authorization.onDidChangeSignedIn(undefined);
		return false;
	}

	/**
	 * Configured credentials go to one authorization server: the configured one, otherwise the one that the user
	 * confirmed.
	 * @throws HostError `denied` for another one.
	 */
	async requireBinding(issuer: string): Promise<void> {
		const { config } = this.authorization;
		if (config.clientId === undefined || config.issuer !== undefined) return;
		const bound = await this.credentials.boundIssuer();
		if (bound === undefined || isSameAddress(bound, issuer)) return;
		throw new HostError(
			"denied",
			`The server now asks for a sign-in at ${shownAddress(issuer)}, but its client was used at ${shownAddress(bound)} before, so nothing was sent. If the new address is right, sign out first, or set "issuer" in its "oauth".`,
		);
	}

	/** Notes that the user confirmed an authorization server for the configured credentials, where none is configured. */
	async bind(issuer: string): Promise<void> {
		const { config } = this.authorization;
		if (config.clientId === undefined || config.issuer !== undefined) return;
		// Where the key store does not work, the user is asked again.
		await this.credentials.bindIssuer(issuer).catch(() => undefined);
	}

	/** Uses the tokens of the key store in place of the former ones; false if it has no others. */
	private async takeNewer(former: KeptTokens): Promise<boolean> {
		const since = await this.credentials.signOuts();
		const now = this.usable(await this.credentials.tokens(former.issuer));
		if (now === undefined || now.access_token === former.access_token) return false;
		Object.assign(this.shared, { tokens: now, since, isStored: true });
		return true;
	}

	/** Tokens that an identity provider vouched for end with the sign-in there. */
	private async vouched(tokens: KeptTokens | undefined): Promise<KeptTokens | undefined> {
		if (tokens?.providerSession === undefined) return tokens;
		const provider = await this.authorization.identityProvider?.();
		const identity = provider === undefined ? undefined : await keptIdentity(provider);
		return identity?.session === tokens.providerSession ? tokens : undefined;
	}

	/** Tokens go only where they are for: the same words of a URL with variables may lead elsewhere now (AUT-10). */
	private usable(tokens: Shared["tokens"]): KeptTokens | undefined {
		return tokens === "unread" || tokens?.server !== this.server ? undefined : tokens;
	}

	/** If the key store does not work, tokens last as long as the connection; VS Code informs the user. */
	private async store(tokens: KeptTokens, since: string | undefined): Promise<"stored" | "signed out"> {
		const { credentials } = this;
		const { config } = this.authorization;
		const { issuer } = tokens;
		if (!(await credentials.saveTokens(tokens, since))) return "signed out";
		const client = configuredClient(config, issuer);
		if (client === undefined) return "stored";
		// With the tokens, so that signing out needs no configuration.
		await credentials.saveClient(issuer, client, since);
		return "stored";
	}
}

function sharedOf(store: CredentialStore): Shared {
	const existing = sharedByStore.get(store);
	if (existing !== undefined) return existing;
	const made: Shared = {
		tokens: "unread",
		since: undefined,
		isStored: true,
		obtained: undefined,
		renewal: new SharedTask(),
		sessions: new Map(),
	};
	sharedByStore.set(store, made);
	return made;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/**
 * The key with which tokens of an issuer are bound to this host (RFC 9449), made at first use. It is kept in the key
 * store with the tokens: without it the refresh token would be lost with the window.
 */
export async function dpopSession(credentials: StoredCredentials, issuer: string): Promise<DpopSession> {
	const kept = await credentials.dpopKey(issuer);
	if (kept !== undefined) {
		try {
			const { privateJwk, publicJwk, thumbprint } = kept;
			const [privateKey, publicKey] = await Promise.all([
				crypto.subtle.importKey("jwk", privateJwk, algorithm, false, ["sign"]),
				crypto.subtle.importKey("jwk", publicJwk, algorithm, true, ["verify"]),
			]);
			return await DpopSession.create({ keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: "ES256" } });
		} catch {
			// A damaged key is unusable; tokens that are bound to it require a new sign-in.
		}
	}
	const keyPair = await generateDpopKeyPair({ alg: "ES256", extractable: true });
	const privateJwk = { ...(await crypto.subtle.exportKey("jwk", keyPair.privateKey)) };
	const { alg, thumbprint } = keyPair;
	const publicJwk = { ...keyPair.publicJwk };
	// Where the key store does not work, the key lasts as long as the connection.
	await credentials.saveDpopKey(issuer, { alg, privateJwk, publicJwk, thumbprint }).catch(() => undefined);
	return DpopSession.create({ keyPair });
}

interface Running {
	readonly promise: Promise<void>;
	/** Resolves when the task has ended, however. */
	readonly ended: Promise<void>;
	readonly controller: AbortController;
	waiters: number;
}

/** One task at a time for any number of waiters: a caller that arrives while it runs waits for the same task. */
export class SharedTask {
	private running: Running | undefined;

	/**
	 * Starts the task, or joins the running one. Its signal is aborted when nobody waits any more. No other task starts
	 * until it has really ended.
	 * @throws the error of the task; the waiter's own reason if its signal is aborted first.
	 */
	async join(start: (signal: AbortSignal) => Promise<void>, waiter: AbortSignal): Promise<void> {
		while (this.running?.controller.signal.aborted === true) await orAborted(this.running.ended, waiter);
		waiter.throwIfAborted();
		const task = (this.running ??= this.start(start));
		task.waiters++;
		try {
			await orAborted(task.promise, waiter);
		} finally {
			if (--task.waiters === 0 && task === this.running) task.controller.abort(waiter.reason);
		}
	}

	private start(start: (signal: AbortSignal) => Promise<void>): Running {
		const controller = new AbortController();
		const promise = start(controller.signal);
		const end = (): void => {
			if (this.running === task) this.running = undefined;
		};
		const task: Running = { promise, ended: promise.then(end, end), controller, waiters: 0 };
		return task;
	}
}
