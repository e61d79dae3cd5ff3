import type {
	CredentialStore,
	RedirectReceiver,
	SignInBrowser,
	SignInRequest,
} from "../../src/protocol/authorization.ts";

/** A browser without a user: it follows the one redirect of an authorization server that asks no question. */
export class HeadlessBrowser implements SignInBrowser {
	/** Every URL that it was asked to open, oldest first. */
	readonly opened: SignInRequest[] = [];
	/** The requested ports for the redirect. */
	readonly ports: (number | undefined)[] = [];
	private readonly redirectUrl: string;
	private callback = Promise.withResolvers<URLSearchParams>();

	/** `redirectUrl` is never served: the redirect is read, not followed. */
	constructor(redirectUrl = "http://127.0.0.1:3000/callback") {
		this.redirectUrl = redirectUrl;
	}

	openReceiver(port: number | undefined): Promise<RedirectReceiver> {
		this.ports.push(port);
		this.callback = Promise.withResolvers();
		const { promise, reject } = this.callback;
		return Promise.resolve({
			redirectUrl: this.redirectUrl,
			receive: (_state, signal) => {
				signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
				return promise;
			},
			dispose() {},
		});
	}

	async open(request: SignInRequest, _signal: AbortSignal): Promise<void> {
		this.opened.push(request);
		if (request.reason === "credentials") return;
		const response = await fetch(request.url, { redirect: "manual" });
		const location = response.headers.get("location");
		if (location === null) throw new Error(`The authorization server answered ${response.status} without a redirect.`);
		this.callback.resolve(new URL(location).searchParams);
	}
}

/** A key store in memory. */
export class MemoryCredentials implements CredentialStore {
	readonly values = new Map<string, string>();

	get(key: string): Promise<string | undefined> {
		return Promise.resolve(this.values.get(key));
	}

	set(key: string, value: string): Promise<boolean> {
		this.values.set(key, value);
		return Promise.resolve(true);
	}

	signOuts(): Promise<string> {
		return Promise.resolve("");
	}

	delete(key: string): Promise<void> {
		this.values.delete(key);
		return Promise.resolve();
	}
}
