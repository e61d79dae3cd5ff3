import { packageOf } from "../../servers/definitions/packageOf.ts";
import { type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isProtected } from "../../base/addresses.ts";
import { isObject } from "../../servers/formats/data.ts";
import type { ForeignServer } from "../../servers/formats/foreignServer.ts";
import { targetText } from "../../servers/formats/targetText.ts";
import { idOf } from "../entryInputs.ts";
import type { RegistryServer } from "./registryServer.ts";
import { plain, ServerInputs, Unusable } from "./serverInputs.ts";

/** A way to have a server: a package that is run here, an address, or a bundle that holds all of it. */
export type ServerWay = DefinedWay | BundleWay;

interface Way {
	/** Its kind, such as `npm package @acme/weather 1.2.0`. */
	readonly label: string;
	/** Its command or URL, on one line. */
	readonly runs: string;
	/** The inputs that the user is asked for. */
	readonly asks: readonly string[];
}

/** A way whose definition is in the `server.json`. */
export interface DefinedWay extends Way {
	readonly server: ForeignServer;
	/** The package by the name that its kind has for it; undefined for an address. */
	readonly package: { readonly kind: PackageKind; readonly name: string; readonly isPinned: boolean } | undefined;
}

/** A way whose definition is in a file to be fetched. */
export interface BundleWay extends Way {
	readonly bundle: { readonly url: string; readonly sha256: string | undefined };
	/** The publisher's instructions for manual steps: our sentences around their words. */
	readonly steps: readonly string[];
}

/** The kinds of packages that can be run. */
export type PackageKind = "npm" | "pypi" | "oci" | "nuget";

/** A kind of package: the form of its names, its runner, and its default source. */
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
const mostSteps = 5;
const versionForm = /^[a-z\d][\w.+-]*$/i;

/**
 * The ways to run a server, in the order of its `server.json`: packages of npm, PyPI and NuGet, container images,
 * bundles, addresses. Others are left out; unusable ones of these are refused with the reason.
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
		throw new Unusable("You must start it yourself. It is reached at an address, not over standard input.");
	const home = homeOf(one, homes);
	const name = nameIn(kind, plain(own(one, "identifier"), "Its name") ?? "", home);
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
	if (home !== undefined && from !== undefined) before.unshift(from, home.href);
	const remarks = home === undefined ? [] : [`It comes from ${oneLine(home.host, 80)}, not from ${homes[0]}.`];
	const isPinned =
		kind === "oci" ? name.includes("@sha256:") : version !== undefined && version !== "" && version !== "latest";
	// Missing values cannot be passed on.
	const names = [...Object.keys(env), ...inputs.optional.map((offered) => offered.name)];
	const args = argumentsFor(kind, { name, version, before, behind, variables: names });
	const entry: JsonObject = {
		type: "stdio",
		command: runtime,
		args,
		...(Object.keys(env).length === 0 ? {} : { env }),
	};
	// The label is not what runs if an option names another package.
	const run = kind === "oci" ? name : launchedBy(runtime, args, name);
	const isOther = run.toLowerCase() !== name.toLowerCase();
	if (isOther) remarks.push(`It is listed as ${name}, but it runs “${oneLine(run, 80)}”.`);
	remarks.push(...stepsAfter(one));
	const hash = own(one, "fileSha256");
	if (hash !== undefined) remarks.push(`The registry lists a hash of the package, but ${runtime} does not verify it.`);
	return {
		label: isOther
			? `${noun} ${oneLine(run, 80)}`
			: `${noun} ${name}${version === undefined || kind === "oci" ? "" : ` ${version}`}`,
		...wayOf(server, entry, inputs, remarks),
		package: { kind, name: run, isPinned: isPinned && !isOther },
	};
}

/** The package that a command line runs; `name` where it names none, or only what may be the value of an option. */
function launchedBy(runtime: string, args: readonly string[], name: string): string {
	const launched = packageOf(runtime, args);
	if (launched === undefined) return name;
	const before = args[launched.index - 1] ?? "";
	const isValue = /^--?[a-z][\w-]*$/i.test(before) && !/^(?:-p|--package|--from|-y|--yes|-q|--quiet)$/.test(before);
	return isValue ? name : launched.name.replace(/\[.*$/, "");
}

/**
 * A publisher's instructions after the installation of a package (`postInstallInstructions`, draft schema): shown,
 * never run.
 */
function stepsAfter(one: JsonObject): readonly string[] {
	const steps = own(one, "postInstallInstructions");
	return (Array.isArray(steps) ? steps : []).slice(0, mostSteps).flatMap((step: unknown): readonly string[] => {
		const text = isObject(step) ? own(step, "description") : undefined;
		if (!isObject(step) || typeof text !== "string" || text.trim() === "") return [];
		const [command, page] = ["command", "documentation"].map((key) => own(step, key));
		const more = [
			...(typeof command === "string" ? [`run ${oneLine(command, 120)}`] : []),
			...(typeof page === "string" ? [`see ${oneLine(page, 120)}`] : []),
		];
		const kind = own(step, "optional") === true ? "Optional manual step" : "Manual step";
		const how = more.length === 0 ? "" : ` (${more.join("; ")})`;
		return [`${kind} after installing, according to its publisher: ${oneLine(text, 160)}${how}.`];
	});
}

/** Clients must compare the hash of a bundle (`Package`, `fileSha256`). */
function bundleWay(one: JsonObject): BundleWay {
	const url = plain(own(one, "identifier"), "Its address") ?? "";
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	if (parsed === undefined || !isProtected(parsed) || parsed.username !== "" || parsed.password !== "")
		throw new Unusable(`“${oneLine(url, 80)}” is not the https address of a bundle.`);
	const hash = plain(own(one, "fileSha256"), "The hash of the bundle");
	if (hash !== undefined && !/^[a-f\d]{64}$/i.test(hash)) throw new Unusable("The hash of the bundle is not valid.");
	return {
		label: `MCP bundle from ${parsed.host}`,
		runs: parsed.href,
		asks: [],
		steps: stepsAfter(one),
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
		variables,
	}: {
		readonly name: string;
		readonly version: string | undefined;
		readonly before: readonly string[];
		readonly behind: readonly string[];
		/** The names of those that it may be given. */
		readonly variables: readonly string[];
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
			// A container receives variables by name, and reads standard input as long as it is kept open.
			const passed = variables.flatMap((variable) => ["-e", variable]);
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

/** The source of a package, by its `server.json`; undefined for the default one. */
function homeOf(one: JsonObject, homes: readonly string[]): URL | undefined {
	const base = plain(own(one, "registryBaseUrl"), "The address of its package registry");
	if (base === undefined || base === "") return undefined;
	const url = URL.canParse(base) ? new URL(base) : undefined;
	if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
		throw new Unusable("The address of its package registry does not use https.");
	return homes.includes(url.hostname) ? undefined : url;
}

/** The name of a package; that of an image includes its registry, which older forms give separately. */
function nameIn(kind: PackageKind, name: string, home: URL | undefined): string {
	if (kind !== "oci" || home === undefined || name.startsWith(`${home.host}/`)) return name;
	const [first = "", ...rest] = name.split("/");
	if (rest.length > 0 && /[.:]|^localhost$/.test(first))
		throw new Unusable(`It comes from ${oneLine(home.host, 80)}, but its name refers to ${oneLine(first, 80)}.`);
	return `${home.host}/${name}`;
}

function remoteWay(server: RegistryServer, one: JsonObject): DefinedWay {
	const type = own(one, "type");
	if (type !== "streamable-http" && type !== "sse")
		throw new Unusable("It uses a transport that MCP Host does not support.");
	const inputs = new ServerInputs();
	const url = inputs.filled(own(one, "url"), own(one, "variables"), "The address");
	// It may begin with a value of the user: `{baseUrl}/mcp`.
	const isGiven = /^\$\{input:[^{}]*\}/.test(url);
	const example = url.replace(/^\$\{[^{}]*\}/, "https://x").replace(/\$\{[^{}]*\}/g, "x");
	if (!/^https?:\/\//i.test(example) || !URL.canParse(example))
		throw new Unusable(`“${oneLine(url, 80)}” is not the address of a server.`);
	const { username, password, host } = new URL(example);
	if (username !== "" || password !== "") throw new Unusable("The address contains a user name or a password.");
	const headers = inputs.pairs(own(one, "headers"), "header");
	const entry: JsonObject = {
		type: type === "sse" ? "sse" : "http",
		url,
		...(Object.keys(headers).length === 0 ? {} : { headers }),
	};
	return {
		label: `Remote server at ${isGiven ? "an address that you enter" : host}${type === "sse" ? " (HTTP+SSE)" : ""}`,
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
			...(inputs.optional.length === 0 ? {} : { optional: inputs.optional }),
			isOff: false,
			tools: {},
			remarks: [...remarks, ...inputs.remarks],
		},
	};
}

function article(noun: string): string {
	return `${/^[aeinu]/i.test(noun) && !noun.startsWith("NuGet") ? "an" : "a"} ${noun}`;
}
