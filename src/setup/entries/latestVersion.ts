import { HostError } from "../../base/errors.ts";
import { type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isObject } from "../../servers/formats/data.ts";
import type { Network } from "../../protocol/http/network.ts";
import { isUnpinned, type LaunchedPackage, packageOf } from "../../servers/definitions/packageOf.ts";
import { askJson } from "../../protocol/http/askJson.ts";

/** A package of npm or PyPI that is not bound to a version. */
export type UnboundPackage = LaunchedPackage & { readonly launcher: keyof typeof packageHomes };

/** The registries of packages, by their runners. */
const packageHomes = { npx: "registry.npmjs.org", uvx: "pypi.org" } as const;

const nameForm = /^(?:@[a-z\d][\w.-]{0,100}\/)?[a-z\d][\w.-]{0,200}$/i;
/** Options and variables that select another source of packages. */
const otherHome = /^(?:--registry|--userconfig|--(?:default-|extra-)?index(?:-url)?|-i|--find-links|-f)(?:=|$)/;
const otherHomes = /^(?:npm_config_(?:registry|userconfig)|uv_(?:default_|extra_)?index(?:_url)?|pip_.*)$/i;

/** Who is asked for the latest version of a package, as a host. */
export function homeOf({ launcher }: UnboundPackage): string {
	return packageHomes[launcher];
}

/** The label for binding a package if nothing is beside it: it names the registry that is asked. */
export function bindTitle(unbound: UnboundPackage): string {
	return `Bind to the Latest Version (Asks ${homeOf(unbound)})`;
}

/** The package of an entry whose version may change at each start; undefined if it cannot be determined. */
export function unboundPackage(entry: JsonObject): UnboundPackage | undefined {
	const [command, args, env] = [own(entry, "command"), own(entry, "args"), own(entry, "env")];
	if (typeof command !== "string" || !Array.isArray(args)) return undefined;
	const words = args.map(String);
	const launched = packageOf(command, words);
	if (launched === undefined || !isUnpinned(launched)) return undefined;
	const { launcher } = launched;
	if (launcher !== "npx" && launcher !== "uvx") return undefined;
	const isElsewhere =
		words.some((word) => otherHome.test(word)) ||
		(isObject(env) && Object.keys(env).some((name) => otherHomes.test(name)));
	if (isElsewhere || !nameForm.test(launched.name)) return undefined;
	return { ...launched, launcher };
}

/** Where each registry says which versions there are of a package, and how. */
const questions: Readonly<
	Record<keyof typeof packageHomes, { path: (name: string) => string; versionIn: (answer: JsonObject) => unknown }>
> = {
	npx: { path: (name) => `/${name.replace("/", "%2F")}/latest`, versionIn: (answer) => own(answer, "version") },
	uvx: {
		path: (name) => `/pypi/${encodeURIComponent(name)}/json`,
		versionIn: (answer) => {
			const info = own(answer, "info");
			return isObject(info) ? own(info, "version") : undefined;
		},
	},
};

/**
 * The latest version of a package, by its registry. Sends only the name.
 * @throws HostError that names the registry and the reason; the reason of `signal`.
 */
export async function latestVersion(
	unbound: UnboundPackage,
	network: Pick<Network, "fetch">,
	signal: AbortSignal,
): Promise<string> {
	const { launcher, name } = unbound;
	const home = packageHomes[launcher];
	const shown = oneLine(name, 80);
	const { path, versionIn } = questions[launcher];
	const asked = { network, who: home, signal, missing: `has no package “${shown}”` };
	const answer = await askJson(`https://${home}${path(name)}`, asked);
	const version = isObject(answer?.body) ? versionIn(answer.body) : undefined;
	if (typeof version !== "string" || !/^\d[\w.+!-]{0,99}$/.test(version))
		throw new HostError("invalid", `${home} did not return the latest version of “${shown}”.`);
	return version;
}
