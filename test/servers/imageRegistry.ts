import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Registries of images on this machine, in place of those with the requested addresses. */
export interface TestImageRegistry extends AsyncDisposable {
	/** The requests: method, host and path. */
	readonly asked: string[];
	/** The public images: by `host/path:tag`, the digest. */
	readonly images: Map<string, string>;
	/** Answers every question with this status instead. */
	status: number | undefined;
	/** Sends requests for the internet here. */
	fetch(url: string | URL, init?: RequestInit): Promise<Response>;
}

/** The tokens that a registry requires of readers without an account; those that are not here require none. */
const services: Readonly<Record<string, string>> = { "registry-1.docker.io": "auth.docker.io", "ghcr.io": "ghcr.io" };

/**
 * Starts registries that are as strict as Docker's and GitHub's: without a token for the image they answer 401, and a
 * client that accepts no index of images gets the digest of an image for one machine. Shapes:
 * distribution.github.io/distribution/spec/auth/token, docs.docker.com/docker-hub/usage/pulls, and the OCI Distribution
 * Specification 1.1, "Pulling manifests".
 */
export async function startImageRegistry(): Promise<TestImageRegistry> {
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? "/", "http://registry");
		const [, host = "", ...rest] = url.pathname.split("/");
		const path = `/${rest.join("/")}`;
		registry.asked.push(`${request.method} ${host}${path}${url.search}`);
		const fail = (status: number, code: string): void => {
			const headers = {
				"content-type": "application/json",
				"www-authenticate": `Bearer realm="https://elsewhere.example"`,
			};
			response.writeHead(status, headers);
			response.end(JSON.stringify({ errors: [{ code, message: code, detail: [] }] }));
		};
		if (registry.status !== undefined) return fail(registry.status, "TOOMANYREQUESTS");
		if (path === "/token" && Object.values(services).includes(host)) {
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ token: tokenOf(url.searchParams.get("scope") ?? ""), expires_in: 300 }));
			return;
		}
		const [, name = "", tag = ""] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(path) ?? [];
		const wanted = services[host] === undefined ? undefined : `Bearer ${tokenOf(`repository:${name}:pull`)}`;
		const digest = registry.images.get(`${host}/${name}:${tag}`);
		if (request.headers.authorization !== wanted) return fail(401, "UNAUTHORIZED");
		if (digest === undefined) return fail(404, "MANIFEST_UNKNOWN");
		const isIndex = request.headers.accept?.includes("application/vnd.oci.image.index.v1+json") === true;
		const type = `application/vnd.oci.image.${isIndex ? "index" : "manifest"}.v1+json`;
		const headers = { "content-type": type, "docker-content-digest": isIndex ? digest : `sha256:${"1".repeat(64)}` };
		response.writeHead(200, headers).end();
	});
	server.listen(0, "127.0.0.1");
	await new Promise<void>((resolve) => server.once("listening", () => resolve()));
	const { port } = server.address() as AddressInfo;
	const registry: TestImageRegistry = {
		asked: [],
		images: new Map(),
		status: undefined,
		fetch: (url, init) => {
			const { protocol, host, pathname, search } = new URL(url);
			if (protocol !== "https:") throw new Error("Not encrypted.");
			return fetch(`http://127.0.0.1:${port}/${host}${pathname}${search}`, init);
		},
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return registry;
}

function tokenOf(scope: string): string {
	return Buffer.from(scope).toString("base64url");
}
