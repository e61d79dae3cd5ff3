import { oneLine } from "../../base/text.ts";
import type { Bundle } from "../bundles/bundle.ts";
import { commandFor } from "../bundles/bundleEntry.ts";
import type { BundleStore, InstalledBundle } from "../bundles/bundleStore.ts";
import type { BundleManifest } from "../bundles/manifest.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";

/** A server that is configured and runs from a bundle. */
export interface BundledServer {
	readonly definition: ServerDefinition;
	readonly installed: InstalledBundle;
}

/** The servers of a user that run from bundles which are unpacked here. */
export async function bundledServers(
	definitions: readonly ServerDefinition[],
	store: BundleStore,
): Promise<readonly BundledServer[]> {
	const found: BundledServer[] = [];
	for (const definition of definitions) {
		if (definition.config.kind !== "stdio" || definition.origin.kind !== "user-settings") continue;
		const id = store.idIn(definition.config);
		const installed = id === undefined ? undefined : await store.read(id);
		if (installed !== undefined) found.push({ definition, installed });
	}
	return found;
}

/** Those that run from an earlier bundle of the same name, by any author. */
export async function earlierServers(
	{ manifest }: Pick<Bundle, "manifest">,
	definitions: readonly ServerDefinition[],
	store: BundleStore,
): Promise<readonly BundledServer[]> {
	const all = await bundledServers(definitions, store);
	return all.filter(({ installed }) => installed.manifest.name === manifest.name);
}

/** The differences between two manifests that matter for a decision, a line each: `Version: 1.0.0 → 1.1.0`. */
export function manifestChanges(before: BundleManifest, after: BundleManifest, platform: string): readonly string[] {
	const factsOf = (manifest: BundleManifest): ReadonlyMap<string, string> => {
		const { command, args, env } = commandFor(manifest, platform);
		const settings = manifest.settings.map(
			({ key, isSensitive, isRequired }) =>
				`${key}${isSensitive ? " (secret)" : ""}${isRequired ? "" : " (may be left empty)"}`,
		);
		const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
		return new Map([
			["Publisher", manifest.author],
			["Version", manifest.version],
			["Server", `${manifest.server.kind}, ${manifest.server.entryPoint}`],
			["Command", [command, ...args].join(" ")],
			["Environment", variables.join(" ")],
			["Settings", settings.join(", ")],
			["Tools", manifest.tools.join(", ")],
		]);
	};
	const former = factsOf(before);
	return [...factsOf(after)].flatMap(([label, now]) => {
		const was = former.get(label) ?? "";
		if (was === now) return [];
		const [from, to] = [was, now].map((text) => (text === "" ? "nothing" : oneLine(text, 300)));
		return [`${label}: ${from} → ${to}`];
	});
}
