import { isJsonObject, type JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { compile, type Glob, type GlobLibrary } from "../policy/globs.ts";
import { readName } from "../policy/readings.ts";
import { limitKeys, serverDefaults, totalDefaults, type Limits, type SamplingLimits } from "./limits.ts";

/** Most patterns that are read. */
const mostPatterns = 200;

type Given = Partial<Limits>;

/**
 * Reads the setting `mcpHost.sampling.limits`. What cannot be read counts as the strictest: a limit as 0, a pattern as one
 * that fits every server, a setting that is no object as a limit of 0 on everything. A key that is not known may be a
 * limit misspelt, so that nothing is sent unasked meanwhile. Without `library` no pattern can be read.
 */
export function parseLimits(value: unknown, library: GlobLibrary | undefined): SamplingLimits {
	const reader = new Reader();
	if (value === undefined || value === null) return reader.finish({}, [], library);
	if (!isJsonObject(value)) return reader.refuse("must be an object");
	const { servers = {}, ...total } = value;
	const given = reader.limits(total, "");
	if (!isJsonObject(servers)) return reader.refuse("“servers” must be an object");
	const entries = Object.entries(servers);
	if (entries.length > mostPatterns) return reader.refuse(`“servers” has more than ${mostPatterns} entries`);
	return reader.finish(
		given,
		entries.map(([pattern, limits]) => [pattern, reader.entry(pattern, limits)]),
		library,
	);
}

/** Whether the setting holds patterns, for which the library of globs is needed. */
export function hasPatterns(value: unknown): boolean {
	return isJsonObject(value) && isJsonObject(value["servers"]) && Object.keys(value["servers"]).length > 0;
}

class Reader {
	private readonly problems: string[] = [];
	private isIncomplete = false;

	/** Nothing is allowed, because the whole cannot be read. */
	refuse(problem: string): SamplingLimits {
		this.problems.push(`The setting mcpHost.sampling.limits ${problem}: until then no sampling request is taken in.`);
		return { total: nothing, of: () => nothing, problems: this.problems, isIncomplete: true };
	}

	/** Limits as they are written at a place, such as `servers.git*.`. */
	limits(value: JsonObject, place: string): Given {
		const given: Record<string, number> = {};
		for (const [key, limit] of Object.entries(value)) {
			const name = `“${oneLine(place + key, 100)}” of mcpHost.sampling.limits`;
			const known = limitKeys.find((one) => one === key);
			if (known === undefined) {
				this.isIncomplete = true;
				this.problems.push(`${name} is no limit: until it is corrected, no request is sent without asking you.`);
				continue;
			}
			const isWhole = known === "costPerDay" || Number.isSafeInteger(limit);
			const isLimit = typeof limit === "number" && Number.isFinite(limit) && limit >= 0 && isWhole;
			if (limit !== null && !isLimit)
				this.problems.push(`${name} must be a number from 0 on, or null for no limit: until then it is 0.`);
			given[known] = limit === null ? Infinity : isLimit ? limit : 0;
		}
		return given;
	}

	/** The limits of the servers that a pattern is about. */
	entry(pattern: string, value: unknown): Given {
		if (isJsonObject(value)) return this.limits(value, `servers.${pattern}.`);
		this.problems.push(
			`“${oneLine(`servers.${pattern}`, 100)}” of mcpHost.sampling.limits must be an object: until then all its limits are 0.`,
		);
		return nothing;
	}

	finish(
		total: Given,
		entries: readonly (readonly [string, Given])[],
		library: GlobLibrary | undefined,
	): SamplingLimits {
		const patterns = entries.map(([pattern, given]) => ({ given, name: pattern, glob: this.glob(pattern, library) }));
		return {
			total: { ...totalDefaults, ...total },
			of(server) {
				const exact = patterns.filter(({ name }) => name === server);
				const named = readName(server);
				const fitting = exact.length > 0 ? exact : patterns.filter(({ glob }) => glob(named) !== "none");
				return { ...serverDefaults, ...strictest(fitting.map(({ given }) => given)) };
			},
			problems: this.problems,
			isIncomplete: this.isIncomplete,
		};
	}

	private glob(pattern: string, library: GlobLibrary | undefined): Glob {
		if (library === undefined) return () => "all";
		const compiled = compile(pattern, "name", library);
		if ("glob" in compiled) return compiled.glob;
		this.problems.push(
			`“${oneLine(`servers.${pattern}`, 100)}” of mcpHost.sampling.limits is about every server because ${compiled.problem}.`,
		);
		return () => "all";
	}
}

const nothing = Object.fromEntries(limitKeys.map((key) => [key, 0])) as unknown as Limits;

/** Of several limits the lowest. */
function strictest(all: readonly Given[]): Given {
	const least: Record<string, number> = {};
	for (const given of all) {
		for (const key of limitKeys) {
			const limit = given[key];
			if (limit !== undefined) least[key] = Math.min(least[key] ?? Infinity, limit);
		}
	}
	return least;
}
