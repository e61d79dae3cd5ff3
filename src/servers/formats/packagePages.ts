import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { decoded } from "../../base/words.ts";
import type { ForeignServers } from "./foreignServer.ts";

/** A page of a package: its address, and the program that runs the package in the address. */
interface PackagePage {
	readonly format: string;
	/** On the host and path, without `www.` and without slashes at the end. */
	readonly pattern: RegExp;
	readonly entry: (name: string, version: string | undefined) => JsonObject;
}

const at = (name: string, version: string | undefined): string => (version === undefined ? name : `${name}@${version}`);
const stdio = (command: string, ...args: readonly string[]): JsonObject => ({ type: "stdio", command, args });

const pages: readonly PackagePage[] = [
	{
		format: "Page of an npm package",
		pattern: /^(?:npmjs\.com|npmjs\.org)\/package\/((?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*)(?:\/v\/(\d[\w.+-]*))?$/i,
		entry: (name, version) => stdio("npx", "-y", at(name, version)),
	},
	{
		format: "Page of a PyPI package",
		pattern: /^pypi\.org\/project\/([a-z\d][\w.-]*)(?:\/(\d[\w.+-]*))?$/i,
		entry: (name, version) => stdio("uvx", at(name, version)),
	},
	{
		format: "Page of a NuGet package",
		pattern: /^nuget\.org\/packages\/([a-z\d][\w.-]*)(?:\/(\d[\w.+-]*))?$/i,
		entry: (name, version) => stdio("dnx", at(name, version), "--yes"),
	},
	{
		format: "Page of a container image",
		pattern: /^hub\.docker\.com\/(?:r\/|_\/)([a-z\d][\w.-]*(?:\/[a-z\d][\w.-]*)?)(?:\/tags)?$/i,
		entry: (name) => stdio("docker", "run", "-i", "--rm", name),
	},
];

/** `vscode:mcp/by-name/NAME`, at any place in a link: a server by the name under which a registry lists it. */
const byName = /\bvscode(?:-insiders)?:(?:\/\/)?mcp\/by-name\/([\w.-]{1,100}(?:\/[\w.-]{1,100})?)/i;
/** A server in the API of a registry, on the pages of GitHub's, and the page of a repository. */
const inApi = /^[^/]+(?:\/[\w.-]+)*\/v0(?:\.\d+)?\/servers\/([^/]{1,300})(?:\/versions(?:\/[^/]+)?)?$/i;
const onGitHub = /^github\.com\/mcp\/([\w.-]{1,100}\/[\w.-]{1,100})$/i;
const repository =
	/^(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\/([\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/(?:tree|blob)\/.*)?$/i;

/**
 * The meaning of a pasted page address that is not a server itself: the package whose page it is, or the name to search
 * a registry for. Undefined for any other text. Nothing is fetched.
 */
export function readPage(text: string): ForeignServers | undefined {
	const link = text.trim().replace(/^<(.*)>$/s, "$1");
	if (/\s/.test(link) || link.length > 2000) return undefined;
	const [, named] = byName.exec(decoded(link)) ?? [];
	if (named !== undefined) return listed("Registry link", named);
	if (!/^https:\/\//i.test(link) || !URL.canParse(link)) return undefined;
	const url = new URL(link);
	const place = `${url.host.replace(/^www\./, "")}${decoded(url.pathname)}`.replace(/\/{1,5}$/, "");
	for (const { format, pattern, entry } of pages) {
		const [, name, version] = pattern.exec(place) ?? [];
		if (name === undefined) continue;
		const remarks = [
			"This was derived from the address of the page only. Compare it with the instructions on the page.",
		];
		return {
			format,
			servers: [{ entry: entry(name, version), inputs: [], isOff: false, tools: {}, remarks }],
			refused: [],
		};
	}
	const [, inRegistry] = inApi.exec(`${url.host}${url.pathname}`.replace(/\/{1,5}$/, "")) ?? onGitHub.exec(place) ?? [];
	if (inRegistry !== undefined) return listed("Registry page", decoded(inRegistry));
	const [, name] = repository.exec(place) ?? [];
	if (name === undefined) return undefined;
	const reason = `This is the page of a repository, not the address of a server. Paste the command or the configuration from its README, or search the registry for “${oneLine(name, 120)}”.`;
	return { format: "Page of a repository", servers: [], refused: [{ reason }], listed: name };
}

/** A server that is known by the name alone under which a registry lists it. */
function listed(format: string, name: string): ForeignServers {
	const reason = `This names the server “${oneLine(name, 200)}”, but not the command to run. Search the registry for it.`;
	return { format, servers: [], refused: [{ reason }], listed: name.slice(0, 200) };
}
