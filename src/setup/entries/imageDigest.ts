import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { isObject, own } from "../../servers/formats/data.ts";
import type { Network } from "../../protocol/http/network.ts";
import { askHeader, askJson } from "../../protocol/http/askJson.ts";

/** Where an image lies: a registry that shows public images to everyone. */
export interface ImagePlace {
	/** What people call the registry. */
	readonly home: keyof typeof imageHomes;
	/** The image's name within it. */
	readonly path: string;
}

/**
 * The registries whose public images need no account, by the names that images have. `tokens` gives the token that each wants of
 * readers without one: which machine that is, no answer says.
 */
const imageHomes = {
	// docs.docker.com/docker-hub/usage/pulls, "View pull rate and limit".
	// The others: github.com/richlander/container-registry-api.
	"docker.io": { host: "registry-1.docker.io", tokens: "https://auth.docker.io/token?service=registry.docker.io" },
	"ghcr.io": { host: "ghcr.io", tokens: "https://ghcr.io/token?service=ghcr.io" },
	"mcr.microsoft.com": { host: "mcr.microsoft.com", tokens: undefined },
} as const;

/** An index of images for several machines comes before an image for one: it is what `docker pull` takes. */
const accept = [
	"application/vnd.oci.image.index.v1+json",
	"application/vnd.docker.distribution.manifest.list.v2+json",
	"application/vnd.oci.image.manifest.v1+json",
	"application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/**
 * Where the image of a name lies; undefined where that is another registry, or no name of an image. Where Podman looks for one
 * that names no registry, its own configuration says.
 */
export function placeOfImage(program: string, name: string): ImagePlace | undefined {
	const parts = name.split("/");
	const isNamed = parts.length > 1 && /[.:]|^localhost$/.test(parts[0] ?? "");
	const home = isNamed ? parts.shift() : program === "podman" ? undefined : "docker.io";
	if (home !== "docker.io" && home !== "ghcr.io" && home !== "mcr.microsoft.com") return undefined;
	const isName = parts.length <= 8 && parts.every((part) => /^[a-z\d][a-z\d._-]{0,127}$/.test(part));
	if (!isName) return undefined;
	return { home, path: parts.length === 1 && home === "docker.io" ? `library/${parts.join("/")}` : parts.join("/") };
}

/**
 * What the tag of a public image stands for now, as `sha256:…` (OCI Distribution 1.1, "Checking if content exists in the
 * registry"). Sends the image's name and the tag, and nothing else.
 * @throws HostError that names the registry and says why it does not say; the reason of `signal`.
 */
export async function digestOf(
	{ home, path }: ImagePlace,
	tag: string,
	network: Pick<Network, "fetch">,
	signal: AbortSignal,
): Promise<string> {
	const { host, tokens } = imageHomes[home];
	const missing = `has no image “${oneLine(path, 80)}:${oneLine(tag, 40)}” that everyone may read`;
	const asked = { network, who: home, signal, missing };
	let authorization = {};
	if (tokens !== undefined) {
		const answer = await askJson(`${tokens}&scope=${encodeURIComponent(`repository:${path}:pull`)}`, asked);
		const token = isObject(answer?.body) ? own(answer.body, "token") : undefined;
		// Goes back to the same registry as a header.
		if (typeof token !== "string" || !/^[\w.~+/=-]{1,10000}$/.test(token))
			throw new HostError("invalid", `${home} gave no token to read with.`);
		authorization = { authorization: `Bearer ${token}` };
	}
	const headers = { accept, ...authorization };
	const url = `https://${host}/v2/${path}/manifests/${encodeURIComponent(tag)}`;
	const digest = await askHeader(url, "docker-content-digest", { ...asked, headers });
	if (digest === undefined || !/^sha256:[a-f\d]{64}$/.test(digest))
		throw new HostError("invalid", `${home} does not say which image “${oneLine(path, 80)}:${oneLine(tag, 40)}” is.`);
	return digest;
}
