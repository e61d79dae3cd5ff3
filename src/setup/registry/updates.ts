import { stringOf } from "../../base/guards.ts";
import { isEditable } from "../entries/editable.ts";
import type { RowTexts } from "../../questions/listRow.ts";
import { HostError } from "../../base/errors.ts";
import { type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isObject } from "../../servers/formats/data.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { isUnpinned, type LaunchedPackage, packageOf, withVersion } from "../../servers/definitions/packageOf.ts";
import type { BundledServer } from "../entries/bundleUpdate.ts";
import type { CandidateSource } from "../entries/candidateSource.ts";
import type { NewServer } from "../newServer.ts";
import { type ExistingServer, likenessOf } from "../entries/sameServer.ts";
import { keyOf } from "../entries/serverEdits.ts";
import type { RegistryClient } from "./registryClient.ts";
import type { RegistryServer } from "../serverJson/registryServer.ts";
import { type BundleWay, type DefinedWay, type ServerWay, waysOf } from "../serverJson/serverJson.ts";
import { ago } from "./trust.ts";

/** A server that is configured and runs one version of a package. */
export interface PackagedServer {
	readonly definition: ServerDefinition;
	readonly launched: VersionedPackage;
}

type VersionedPackage = LaunchedPackage & { readonly version: string };

/** A newer version of such a package, as a registry lists it. */
export interface PackageUpdate {
	readonly installed: PackagedServer;
	readonly server: RegistryServer;
	readonly way: DefinedWay;
	readonly version: string;
}

/** A newer version of a bundle from a registry, as that lists it. */
export interface BundleUpdate {
	readonly installed: BundledServer;
	readonly server: RegistryServer;
	readonly way: BundleWay;
	readonly version: string;
}

/** The newer versions of configured servers. */
export type Update = PackageUpdate | BundleUpdate;

/** The registries' entries for configured servers. */
export interface FoundUpdates {
	readonly updates: readonly Update[];
	/** The names of the servers that they do not list. */
	readonly unlisted: readonly string[];
}

/** The servers that run one version of a package of npm or PyPI, and whose files MCP Host may write. */
export function packagedServers(definitions: readonly ServerDefinition[]): readonly PackagedServer[] {
	return definitions.flatMap((definition): readonly PackagedServer[] => {
		const { config, origin } = definition;
		if (config.kind !== "stdio" || !isEditable(origin)) return [];
		const launched = packageOf(config.command, config.args);
		return isOfOneVersion(launched) ? [{ definition, launched }] : [];
	});
}

/** The configured entries that a server of a registry is a newer version of; the first matching way counts for each. */
export function updatesBy(server: RegistryServer, installed: readonly PackagedServer[]): readonly PackageUpdate[] {
	const ways = waysOf(server).ways.filter(isDefined);
	return installed.flatMap((one): readonly PackageUpdate[] => {
		for (const way of ways) {
			const launched = packageIn(way);
			if (!isOfOneVersion(launched) || !isSame(launched, one.launched)) continue;
			const { version } = launched;
			return isNewer(version, one.launched.version) ? [{ installed: one, server, way, version }] : [];
		}
		return [];
	});
}

/**
 * The relation of a registry's server to the configured ones, for its row: which it would update, or its configured
 * name and its cost for models.
 */
export function marksOf(
	server: RegistryServer,
	ways: readonly ServerWay[],
	packaged: readonly PackagedServer[],
	existing: readonly ExistingServer[],
): readonly string[] {
	const newer = updatesBy(server, packaged).map(({ installed: { definition, launched } }) => {
		return `newer than “${oneLine(definition.name, 40)}” (${oneLine(launched.version, 30)})`;
	});
	const [there] = ways.filter(isDefined).flatMap(({ server: { entry } }) => {
		const likeness = likenessOf(entry, existing);
		return likeness.kind === "same" ? [likeness] : [];
	});
	if (there === undefined) return newer.slice(0, 1);
	return [`configured as “${oneLine(there.name, 40)}”`, ...(there.cost === undefined ? [] : [there.cost])];
}

/** Asks a registry about each server, and nothing about others: which of them it has newer versions of. */
export class UpdateSearch {
	private readonly client: Pick<RegistryClient, "known" | "latest" | "search">;

	constructor(client: Pick<RegistryClient, "known" | "latest" | "search">) {
		this.client = client;
	}

	/**
	 * The newer versions, and the names of the servers that the registry does not list.
	 * @throws HostError `unreachable` where it cannot be asked; the reason of `signal`.
	 */
	async run(
		packaged: readonly PackagedServer[],
		bundled: readonly BundledServer[],
		signal: AbortSignal,
	): Promise<FoundUpdates> {
		const updates: Update[] = [];
		const unlisted: string[] = [];
		for (const one of packaged) {
			const server = await this.listed(one, signal);
			if (server === undefined) unlisted.push(one.definition.name);
			else updates.push(...updatesBy(server, [one]));
		}
		for (const one of bundled) {
			const { listedAs } = one.installed;
			const server = listedAs === undefined ? undefined : await this.latest(listedAs, signal);
			if (server === undefined) unlisted.push(one.definition.name);
			else updates.push(...bundleUpdateBy(server, one));
		}
		return { updates, unlisted };
	}

	/** The registry's entry for a package: among the earlier results, otherwise by a search for the package's name. */
	private async listed({ launched }: PackagedServer, signal: AbortSignal): Promise<RegistryServer | undefined> {
		const holds = (server: RegistryServer): boolean =>
			waysOf(server).ways.some((way) => {
				const listed = isDefined(way) ? packageIn(way) : undefined;
				return listed !== undefined && isSame(listed, launched);
			});
		const [known] = await this.client.known(holds);
		if (known !== undefined) return this.latest(known, signal);
		const words = launched.name.slice(launched.name.lastIndexOf("/") + 1);
		const { servers, offline } = await this.client.search(words, undefined, signal);
		if (offline !== undefined) throw new HostError("unreachable", offline.reason);
		return servers.find(holds);
	}

	/** One that was taken off the list is not listed. */
	private async latest(name: string, signal: AbortSignal): Promise<RegistryServer | undefined> {
		try {
			return await this.client.latest(name, signal);
		} catch (error) {
			if (HostError.is(error, "invalid")) return undefined;
			throw error;
		}
	}
}

function bundleUpdateBy(server: RegistryServer, installed: BundledServer): readonly BundleUpdate[] {
	const { manifest, sha256 } = installed.installed;
	const { version } = server;
	const way = waysOf(server).ways.find((one) => "bundle" in one);
	if (way === undefined || way.bundle.sha256 === sha256 || !isNewer(version, manifest.version)) return [];
	return [{ installed, server, way, version }];
}

/**
 * A server with the newer version: the user's entry, with that version, and its additional inputs. `written` is the
 * entry as it is written now, `write` replaces it.
 */
export function sourceOfUpdate(
	update: PackageUpdate,
	written: Pick<NewServer, "entry" | "inputs">,
	known: Required<Pick<CandidateSource, "about" | "cautions">>,
	write: (server: NewServer) => Promise<void>,
): CandidateSource {
	const { installed, version, way } = update;
	const { optional, inputs } = way.server;
	const { definition, launched } = installed;
	const { entry: before } = written;
	const args = textsIn(before, "args");
	const argument = args[launched.index] ?? "";
	const changed = withVersion(argument, launched, version);
	const env = pairsIn(before);
	const more = Object.entries(pairsIn(way.server.entry)).filter(([name]) => !Object.hasOwn(env, name));
	const names = more.map(([name]) => name);
	const ids = new Set(written.inputs.map(({ id }) => id));
	const entry: JsonObject = {
		...before,
		...(args.length === 0 ? {} : { args: args.with(launched.index, changed) }),
		...(more.length === 0 ? {} : { env: { ...env, ...Object.fromEntries(more) } }),
	};
	const listed = textsIn(way.server.entry, "args").filter((_, index) => index !== packageIn(way)?.index);
	const own = args.filter((_, index) => index !== launched.index);
	return {
		heading: keyOf(definition),
		found: {
			format: "server.json",
			servers: [
				{
					name: definition.name,
					entry,
					...(optional === undefined ? {} : { optional }),
					inputs: [...written.inputs, ...inputs.filter(({ id }) => !ids.has(stringOf(id)))],
					isOff: false,
					tools: {},
					remarks: [
						"It receives the values of the previous version, including secrets.",
						...(JSON.stringify(listed) === JSON.stringify(own)
							? []
							: [`Your arguments are kept. The registry lists: ${listed.join(" ") || "none"}.`]),
					],
				},
			],
			refused: [],
		},
		about: [
			{
				label: "What changes",
				values: [
					`Package: ${argument} → ${changed}`,
					...(names.length === 0 ? [] : [`Environment: ${names.join(", ")} ${names.length === 1 ? "is" : "are"} new`]),
				],
			},
			...known.about,
		],
		cautions: known.cautions,
		isListed: true,
		replaces: { definition, write },
	};
}

/** An update as a row: all texts fit for a line. */
export function rowOfUpdate(update: Update, now: number): RowTexts {
	const { installed, version, server, way } = update;
	const was = "launched" in installed ? installed.launched.version : installed.installed.manifest.version;
	const { publishedAt } = server;
	const published = publishedAt === undefined ? [] : [`published ${ago(publishedAt, now)}`];
	return {
		label: oneLine(installed.definition.name, 80),
		description: [`${oneLine(was, 40)} → ${oneLine(version, 40)}`, ...published].join(" · "),
		detail: `${oneLine(way.label, 160)} of ${oneLine(server.name, 120)}`,
	};
}

/** Whether it is one of a bundle, whose definition is in its file. */
export function isBundleUpdate(update: Update): update is BundleUpdate {
	return !isDefined(update.way);
}

/** Whether one version is later than another; versions that are not numbers are newer if they differ. */
export function isNewer(version: string, than: string): boolean {
	const [a, b] = [version, than].map((text) => /^v?(\d+(?:\.\d+)*)(?:[-.]?([A-Za-z-][\w.-]*))?(?:\+.*)?$/.exec(text));
	if (a === null || b === null || a === undefined || b === undefined) return version !== than;
	const [numbers, others] = [a, b].map((found) => (found[1] ?? "").split(".").map(Number));
	for (let index = 0; index < Math.max(numbers?.length ?? 0, others?.length ?? 0); index++) {
		const difference = (numbers?.[index] ?? 0) - (others?.[index] ?? 0);
		if (difference !== 0) return difference > 0;
	}
	// A pre-release has words after its numbers.
	if (a[2] === undefined || b[2] === undefined) return a[2] === undefined && b[2] !== undefined;
	return a[2].localeCompare(b[2], "en", { numeric: true }) > 0;
}

function isDefined(way: ServerWay): way is DefinedWay {
	return !("bundle" in way);
}

function packageIn({ server: { entry } }: DefinedWay): LaunchedPackage | undefined {
	const command = own(entry, "command");
	return typeof command === "string" ? packageOf(command, textsIn(entry, "args")) : undefined;
}

/** Whether it is a package of npm or PyPI with a version. */
function isOfOneVersion(launched: LaunchedPackage | undefined): launched is VersionedPackage {
	if (launched?.version === undefined || isUnpinned(launched)) return false;
	return launched.launcher === "npx" || launched.launcher === "uvx";
}

function isSame(one: LaunchedPackage, other: LaunchedPackage): boolean {
	const [a, b] = [one, other].map(({ launcher, name }) =>
		// PyPI takes these signs for one another, and does not mind the case.
		launcher === "uvx" ? name.toLowerCase().replace(/[-_.]+/g, "-") : name,
	);
	return one.launcher === other.launcher && a === b;
}

function textsIn(entry: JsonObject, key: string): readonly string[] {
	const list = own(entry, key);
	return Array.isArray(list) ? list.map(String) : [];
}

function pairsIn(entry: JsonObject): JsonObject {
	const env = own(entry, "env");
	return isObject(env) ? env : {};
}
