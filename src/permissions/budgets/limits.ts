import { fitsName, type GlobLibrary } from "../../base/globs.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { entriesFor, isAboutAll, type NamedServer } from "../../servers/definitions/serverNames.ts";

/** The limits of one server, or of all together, for the user's models. Infinity means no limit, 0 nothing. */
export interface Limits {
	/** Requests that are taken in within a minute. */
	readonly requestsPerMinute: number;
	/** Requests that are before the user, wait for that, or are answered, at a time. */
	readonly waiting: number;
	/** Tokens of requests and answers in a day. */
	readonly tokensPerDay: number;
	/** US dollars in a day. */
	readonly costPerDay: number;
	/** The most tokens of one answer. */
	readonly maxTokens: number;
	/** Characters of the texts of one request. */
	readonly requestLength: number;
}

/** The limits of sampling as the user set them. */
export interface SamplingLimits {
	/** For all servers together. */
	readonly total: Limits;
	/**
	 * For one server, by its names. A workspace's server gets nothing wider than the limits for all, under any name
	 * (CFG-35).
	 */
	of(server: NamedServer): Limits;
	/** The unreadable parts, a sentence each. They count as the strictest. */
	readonly problems: readonly string[];
	/** Whether a limit may be missing, so that nothing is sent unasked. */
	readonly isIncomplete: boolean;
}

/** The limits, kept current. */
export interface ObservedLimits {
	readonly current: SamplingLimits;
	readonly onDidChange: (listener: () => void) => { dispose(): void };
}

export const limitKeys = [
	"requestsPerMinute",
	"waiting",
	"tokensPerDay",
	"costPerDay",
	"maxTokens",
	"requestLength",
] as const satisfies readonly (keyof Limits)[];

/** The setting of limits. */
export const limitsSetting = "mcpHost.sampling.limits";

/** The same limit for everything. */
function all(limit: number): Limits {
	return {
		requestsPerMinute: limit,
		waiting: limit,
		tokensPerDay: limit,
		costPerDay: limit,
		maxTokens: limit,
		requestLength: limit,
	};
}

const unlimited = all(Infinity);
const nothing = all(0);

/**
 * The default limits of one server: as many concurrent requests as may wait for the user (see `DecisionQueue`), and no
 * more in a minute, which nobody could review. Tokens and money are not limited, because the user sees each request and
 * its cost; requests without a review have the budget of their rule.
 */
export const serverDefaults: Limits = { ...unlimited, requestsPerMinute: 20, waiting: 20 };

/** The same for all servers together: three of them at their limit. */
export const totalDefaults: Limits = { ...unlimited, requestsPerMinute: 60, waiting: 60, requestLength: 2_000_000 };

/** The stricter of both in everything. */
export function stricter(a: Limits, b: Limits): Limits {
	const entries = limitKeys.map((key) => [key, Math.min(a[key], b[key])] as const);
	return { ...a, ...(Object.fromEntries(entries) as Partial<Limits>) };
}

const mostPatterns = 200;

type Given = Partial<Limits>;

/**
 * Reads the setting `mcpHost.sampling.limits`. Unreadable parts count as the strictest: a limit as 0, a pattern as one
 * that fits every server, a setting that is not an object as a limit of 0 on everything. An unknown key may be a
 * misspelt limit, so nothing is sent without a review meanwhile. Without `library` no pattern can be read.
 */
export function parseLimits(value: unknown, library: GlobLibrary | undefined): SamplingLimits {
	const problems: string[] = [];
	let isIncomplete = false;
	const report = (place: string, problem: string): void =>
		void problems.push(`“${oneLine(place, 100)}” of ${limitsSetting} ${problem}`);
	/** Limits as they are written at a place, such as `servers.git*.`. */
	const read = (written: JsonObject, place: string): Given => {
		const given: Record<string, number> = {};
		for (const [key, limit] of Object.entries(written)) {
			const known = limitKeys.find((one) => one === key);
			if (known === undefined) {
				isIncomplete = true;
				report(place + key, "is not a known limit. Until you fix it, no request is sent without asking you.");
				continue;
			}
			const isWhole = known === "costPerDay" || Number.isSafeInteger(limit);
			const isLimit = typeof limit === "number" && Number.isFinite(limit) && limit >= 0 && isWhole;
			if (limit !== null && !isLimit)
				report(place + key, "must be a number of 0 or more, or null for no limit. Until you fix it, the limit is 0.");
			given[known] = limit === null ? Infinity : isLimit ? limit : 0;
		}
		return given;
	};
	/** Nothing is allowed, because the whole cannot be read. */
	const refuse = (problem: string): SamplingLimits => {
		problems.push(`The setting ${limitsSetting} ${problem}. Until you fix it, no sampling request is accepted.`);
		return { total: nothing, of: () => nothing, problems, isIncomplete: true };
	};
	if (!isJsonObject(value ?? {})) return refuse("must be an object");
	const { servers = {}, ...total } = jsonObjectOf(value);
	const given = read(total, "");
	if (!isJsonObject(servers)) return refuse("“servers” must be an object");
	const entries = Object.entries(servers);
	if (entries.length > mostPatterns) return refuse(`“servers” has more than ${mostPatterns} entries`);
	const named = entries.map(([pattern, limits]) => {
		const place = `servers.${pattern}`;
		if (!isJsonObject(limits)) report(place, "must be an object. Until you fix it, all its limits are 0.");
		const onPattern = (problem: string): void => report(place, `applies to every server because ${problem}.`);
		return {
			pattern,
			given: isJsonObject(limits) ? read(limits, `${place}.`) : nothing,
			fits: library === undefined ? () => true : fitsName(pattern, library, onPattern),
		};
	});
	return {
		total: { ...totalDefaults, ...given },
		of(server) {
			const fitting = entriesFor(server, named);
			const own = strictest(fitting.map((entry) => entry.given));
			if (!server.isOfWorkspace) return { ...serverDefaults, ...own };
			const ofAll = strictest(fitting.filter(isAboutAll).map((entry) => entry.given));
			return stricter({ ...serverDefaults, ...ofAll }, { ...unlimited, ...own });
		},
		problems,
		isIncomplete,
	};
}

/** Whether the setting holds patterns, for which the library of globs is needed. */
export function hasPatterns(value: unknown): boolean {
	return isJsonObject(value) && isJsonObject(value["servers"]) && Object.keys(value["servers"]).length > 0;
}

/** The lowest of several limits. */
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
