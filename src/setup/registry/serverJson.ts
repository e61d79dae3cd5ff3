import type { JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isLoopback } from "../../base/url.ts";
import { isObject, own } from "../../formats/data.ts";
import type { ForeignServer } from "../../formats/foreignServer.ts";
import { targetText } from "../../formats/targetText.ts";
import { idOf } from "../entryInputs.ts";
import type { RegistryServer } from "./registryServer.ts";
import { plain, ServerInputs, Unusable } from "./serverInputs.ts";

/** A way to have a server: a package that is run here, an address, or a bundle that holds all of it. */
export type ServerWay = DefinedWay | BundleWay;

interface Way {
	/** What it is, such as `npm package @acme/weather 1.2.0`. */
	readonly label: string;
	/** What it runs or speaks with, on one line. */
	readonly runs: string;
	/** What the person is asked for. */
	readonly asks: readonly string[];
}

/** One whose definition stands in the `server.json`. */
export interface DefinedWay extends Way {
	readonly server: ForeignServer;
	/** The package by the name that its kind has for it; undefined for an address. */
	readonly package: { readonly kind: PackageKind; readonly name: string; readonly isPinned: boolean } | undefined;
}

/** One whose definition stands in a file to be fetched. */
export interface BundleWay extends Way {
	readonly bundle: { readonly url: string; readonly sha256: string | undefined };
}

/** The kinds of packages that can be run. */
export type PackageKind = "npm" | "pypi" | "oci" | "nuget";

/** A kind of package: how its names look, what runs it, and where it comes from unless something else is said. */
interface Kind {
	readonly noun: string;
	readonly name: RegExp;
	readonly runtimes: readonly string[];
	readonly homes: readonly string[];
	/** The option that names another place to get it from. */
	readonly from?: string;
}

const kinds: Readonly<Record<PackageKind, Kind>> = {
	npm: {
		noun: "npm package",
		name: /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/i,
		runtimes: ["npx", "bunx"],
		homes: ["registry.npmjs.org"],
		from: "--registry",
	},
	pypi: {
		noun: "PyPI package",
		name: /^[a-z\d][\w.-]*$/i,
		runtimes: ["uvx"],
		homes: ["pypi.org"],
		from: "--default-index",
	},
	oci: {
		noun: "container image",
		name: /^[a-z\d][\w.-]*(?::\d+)?(?:\/[a-z\d][\w.-]*){0,8}(?::[\w][\w.-]*)?(?:@sha256:[a-f\d]{64})?$/i,
		runtimes: ["docker", "podman"],
		homes: ["docker.io"],
	},
	nuget: {
		noun: "NuGet package",
		name: /^[a-z\d][\w.-]*$/i,
		runtimes: ["dnx"],
		homes: ["api.nuget.org"],
		from: "--source",
	},
};
const versionForm = /^[a-z\d][\w.+-]*$/i;

/**
 * The ways in which a server can be had, in the order of its `server.json`: packages of npm, PyPI and NuGet, images of
 * containers, bundles, addresses. Others are left out; what cannot be used of these is refused with the reason.
 */
export function waysOf(server: RegistryServer): {
	readonly ways: readonly ServerWay[];
	readonly refused: readonly string[];
} {
	const ways: ServerWay[] = [];
	const refused: string[] = [];
	const attempt = (what: string, make: () => ServerWay | undefined): void => {
		try {
			const way = make();
			if (way !== undefined) ways.push(way);
		} catch (error) {
			if (!(error instanceof Unusable)) throw error;
			refused.push(`${what} cannot be used: ${error.message}`);
		}
	};
	for (const one of server.remotes) attempt("One of its addresses", () => remoteWay(server, one));
	for (const one of server.packages) attempt("One of its packages", () => packageWay(server, one));
	return { ways, refused };
}

function packageWay(server: RegistryServer, one: JsonObject): ServerWay | undefined {
	const type = own(one, "registryType");
	if (type === "mcpb") return bundleWay(one);
	const kind = type === "npm" || type === "pypi" || type === "oci" || type === "nuget" ? type : undefined;
	if (kind === undefined) return undefined;
	const { noun, name: form, runtimes, homes, from } = kinds[kind];
	const transport = own(one, "transport");
	const way = isObject(transport) ? own(transport, "type") : undefined;
	if (way !== undefined && way !== "stdio")
		throw new Unusable("It has to be started by hand and is reached at an address, not over standard input.");
	const name = plain(own(one, "identifier"), "Its name") ?? "";
	if (!form.test(name)) throw new Unusable(`“${oneLine(name, 80)}” is not a valid name of ${article(noun)}.`);
	const version = plain(own(one, "version"), "Its version");
	if (version !== undefined && version !== "" && !versionForm.test(version))
		throw new Unusable(`“${oneLine(version, 40)}” is not a valid version.`);
	const runtime = plain(own(one, "runtimeHint"), "What runs it") ?? runtimes[0] ?? "";
	if (!runtimes.includes(runtime)) throw new Unusable(`“${oneLine(runtime, 40)}” does not run ${article(noun)}.`);
	const inputs = new ServerInputs();
	const before = [...inputs.args(own(one, "runtimeArguments"))];
	const behind = inputs.args(own(one, "packageArguments"));
	const env = inputs.pairs(own(one, "environmentVariables"), "variable");
	const remarks = homeRemarks(one, homes, from, before);
	const isPinned =
		kind === "oci" ? name.includes("@sha256:") : version !== undefined && version !== "" && version !== "latest";
	const args = argumentsFor(kind, { name, version, before, behind, env });
	const entry: JsonObject = {
		type: "stdio",
		command: runtime,
		args,
		...(Object.keys(env).length === 0 ? {} : { env }),
	};
	const hash = own(one, "fileSha256");
	if (hash !== undefined) remarks.push(`A hash of the package is given, and ${runtime} does not compare it.`);
	return {
		label: `${noun} ${name}${version === undefined || kind === "oci" ? "" : ` ${version}`}`,
		...wayOf(server, entry, inputs, remarks),
		package: { kind, name, isPinned },
	};
}

/** Clients must compare the hash of a bundle (`Package`, `fileSha256`). */
function bundleWay(one: JsonObject): BundleWay {
	const url = plain(own(one, "identifier"), "Its address") ?? "";
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	const isSafe = parsed?.protocol === "https:" || (parsed?.protocol === "http:" && isLoopback(parsed.hostname));
	if (parsed === undefined || !isSafe || parsed.username !== "" || parsed.password !== "")
		throw new Unusable(`“${oneLine(url, 80)}” is not the https address of a bundle.`);
	const hash = plain(own(one, "fileSha256"), "The hash of the bundle");
	if (hash !== undefined && !/^[a-f\d]{64}$/i.test(hash)) throw new Unusable("The hash of the bundle is not valid.");
	return {
		label: `MCP bundle from ${parsed.host}`,
		runs: parsed.href,
		asks: [],
		bundle: { url: parsed.href, sha256: hash?.toLowerCase() },
	};
}

function argumentsFor(
	kind: PackageKind,
	{
		name,
		version,
		before,
		behind,
		env,
	}: {
		readonly name: string;
		readonly version: string | undefined;
		readonly before: readonly string[];
		readonly behind: readonly string[];
		readonly env: Readonly<Record<string, string>>;
	},
): readonly string[] {
	const at = version === undefined || version === "" ? name : `${name}@${version}`;
	switch (kind) {
		case "npm":
			// Without it npx asks on the terminal, which a server does not have.
			return [...(before.includes("-y") || before.includes("--yes") ? [] : ["-y"]), ...before, at, ...behind];
		case "pypi":
			return [...before, at, ...behind];
		case "nuget":
			return [...before, at, "--yes", ...(behind.length === 0 ? [] : ["--", ...behind])];
		case "oci": {
			const hasTag = /[:@]/.test(name.slice(name.lastIndexOf("/") + 1));
			const image = hasTag || version === undefined || version === "" ? name : `${name}:${version}`;
			// A container is given variables by name, and reads standard input as long as it is kept open.
			const passed = Object.keys(env).flatMap((variable) => ["-e", variable]);
			return [
				"run",
				"-i",
				"--rm",
				...before.filter((word) => word !== "-i" && word !== "--rm"),
				...passed,
				image,
				...behind,
			];
		}
	}
}

/** Has the package taken from where its `server.json` says, where that is not the usual place. */
function homeRemarks(one: JsonObject, homes: readonly string[], from: string | undefined, before: string[]): string[] {
	const base = plain(own(one, "registryBaseUrl"), "The address of its package registry");
	if (base === undefined || base === "") return [];
	const url = URL.canParse(base) ? new URL(base) : undefined;
	if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
		throw new Unusable("The address of its package registry does not use https.");
	if (homes.includes(url.hostname)) return [];
	if (from === undefined) throw new Unusable(`It comes from ${oneLine(url.host, 80)}, which its name does not say.`);
	before.unshift(from, url.href);
	return [`It comes from ${oneLine(url.host, 80)}, not from ${homes[0]}.`];
}

function remoteWay(server: RegistryServer, one: JsonObject): DefinedWay {
	const type = own(one, "type");
	if (type !== "streamable-http" && type !== "sse")
		throw new Unusable("It is reached in a way that is not known here.");
	const inputs = new ServerInputs();
	const url = inputs.filled(own(one, "url"), own(one, "variables"), "The address");
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url.replace(/\$\{[^{}]*\}/g, "x")))
		throw new Unusable(`“${oneLine(url, 80)}” is not the address of a server.`);
	const { username, password } = new URL(url.replace(/\$\{[^{}]*\}/g, "x"));
	if (username !== "" || password !== "") throw new Unusable("The address contains a user name or a password.");
	const headers = inputs.pairs(own(one, "headers"), "header");
	const entry: JsonObject = {
		type: type === "sse" ? "sse" : "http",
		url,
		...(Object.keys(headers).length === 0 ? {} : { headers }),
	};
	const host = new URL(url.replace(/\$\{[^{}]*\}/g, "x")).host;
	return {
		label: `Remote server at ${host}${type === "sse" ? " (HTTP+SSE)" : ""}`,
		...wayOf(server, entry, inputs, []),
		package: undefined,
	};
}

function wayOf(
	server: RegistryServer,
	entry: JsonObject,
	inputs: ServerInputs,
	remarks: readonly string[],
): Pick<DefinedWay, "runs" | "asks" | "server"> {
	return {
		runs: targetText(entry),
		asks: inputs.inputs.map((input) => `${idOf(input)}${input["password"] === true ? " (secret)" : ""}`),
		server: {
			name: server.name.slice(server.name.indexOf("/") + 1),
			entry,
			inputs: inputs.inputs,
			isOff: false,
			tools: {},
			remarks: [...remarks, ...inputs.remarks],
		},
	};
}

function article(noun: string): string {
	return `${/^[aeinu]/i.test(noun) && !noun.startsWith("NuGet") ? "an" : "a"} ${noun}`;
}
