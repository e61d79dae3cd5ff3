import type { ConfigProblem, ConfigSource, ServerDefinition } from "./config.ts";
import { define, mergeDefinitions, parseConfig } from "./parseConfig.ts";

/** Reads all sources of configuration together, and remembers the last valid contents of each. */
export class ConfiguredServers {
	readonly define = define;
	readonly merge = mergeDefinitions;
	private lastIntact: ReadonlyMap<string, readonly ServerDefinition[]> = new Map();

	/**
	 * The servers of all sources except those that are left out, in the order of the sources, and the problems. A source
	 * that is broken at the moment keeps its former servers.
	 */
	read(
		sources: readonly ConfigSource[],
		isIgnored: (definition: ServerDefinition) => boolean,
	): { readonly definitions: ServerDefinition[]; readonly problems: readonly ConfigProblem[] } {
		const kept = new Map<string, readonly ServerDefinition[]>();
		const problems: ConfigProblem[] = [];
		const definitions = sources.flatMap((source) => {
			const { origin } = source;
			const parsed = parseConfig(source);
			problems.push(...parsed.problems);
			const key = `${origin.kind}:${origin.file ?? origin.folder ?? ""}`;
			// While a user edits a file it is broken now and then; that must not stop its servers (CFG-20).
			const used = parsed.isIntact ? parsed.definitions : (this.lastIntact.get(key) ?? parsed.definitions);
			if (parsed.isIntact || this.lastIntact.has(key)) kept.set(key, used);
			return used.filter((definition) => !isIgnored(definition));
		});
		this.lastIntact = kept;
		return { definitions, problems };
	}
}
