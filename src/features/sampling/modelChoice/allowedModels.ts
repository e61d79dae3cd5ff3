import { compile, fitsName, type Glob, type GlobLibrary } from "../../../base/globs.ts";
import { isJsonObject } from "../../../base/json.ts";
import { readName } from "../../../base/readings.ts";
import { oneLine } from "../../../base/text.ts";
import type { ModelInfo } from "../../../models/model.ts";
import { allowedModelsKey } from "../../../models/modelFacts.ts";
import { entriesFor, type NamedEntry, namesOf } from "../../../servers/definitions/serverNames.ts";
import type { Asker } from "../../../permissions/budgets/asker.ts";

/** Which models servers may use, as the user set it. */
export interface AllowedModels {
	/** Why a server may not use a model, in our words; undefined when it may. */
	whyNot(model: ModelInfo, asker: Asker): string | undefined;
	/** The problems of the setting, one sentence each. */
	readonly problems: readonly string[];
}

/** Without the setting every server may use every model: the user still reviews each request. */
export const everyModel: AllowedModels = { whyNot: () => undefined, problems: [] };

/** Until the setting is read nothing is allowed. */
export const notReadYet: AllowedModels = { whyNot: () => `${allowedModelsKey} is being read`, problems: [] };

const most = { servers: 200, patterns: 200, found: 5000 };

/** Whose models a rule is about, and which they are; undefined when that cannot be read, so that it allows none. */
interface Rule extends NamedEntry {
	readonly models: ModelList | undefined;
}

interface ModelList {
	readonly included: readonly Glob[];
	readonly excluded: readonly Glob[];
	/** Cached results for models: each edit of a request needs them again. */
	readonly found: Map<string, boolean>;
}

/**
 * Reads the setting `mcpHost.sampling.models`: lists of patterns for models, by server name or a pattern for names. The
 * entry for a server is the one under its exact name, otherwise the first matching pattern. A workspace's server, which
 * may have any name, may use only models that all matching entries allow (CFG-35). In a list `!` excludes models, and a
 * list with only exclusions allows all others; an empty list allows none (SMP-08).
 *
 * An unreadable entry never allows more than a readable one: an entry with a fault allows its servers no model.
 */
export function parseAllowedModels(setting: unknown, library: GlobLibrary): AllowedModels {
	if (setting === undefined || setting === null) return everyModel;
	const entries = isJsonObject(setting) ? Object.entries(setting) : undefined;
	if (entries === undefined || entries.length > most.servers) {
		const problem =
			entries === undefined
				? `${allowedModelsKey} must be an object that maps servers to lists of allowed models.`
				: `${allowedModelsKey} has more than ${most.servers} entries.`;
		return { whyNot: () => unreadable, problems: [`${problem} Until you fix it, no server may use a model.`] };
	}
	const problems: string[] = [];
	const rules = entries.map(([server, value]): Rule => {
		const report = (problem: string): undefined => {
			const consequence = "Until you fix it, it allows no model.";
			problems.push(`${allowedModelsKey}, "${oneLine(server, 60)}": ${problem} ${consequence}`);
			return undefined;
		};
		let isUsable = true;
		const fits = fitsName(server, library, (problem) => {
			isUsable = false;
			report(`the pattern cannot be used: ${problem}.`);
		});
		const models = readList(value, library, report);
		return { pattern: server, fits, models: isUsable ? models : undefined };
	});
	return {
		whyNot(model, asker) {
			const server = namesOf(asker.definition);
			const fitting = entriesFor(server, rules);
			// The first of the user's own counts, and for a workspace's server each that fits.
			const counting = server.isOfWorkspace ? fitting : fitting.slice(0, 1);
			for (const { models } of counting) {
				if (models === undefined) return unreadable;
				if (!isIn(model, models)) return "not allowed for this server";
			}
			return undefined;
		},
		problems,
	};
}

const unreadable = `not allowed, because ${allowedModelsKey} cannot be read`;

function readList(value: unknown, library: GlobLibrary, report: (problem: string) => undefined): ModelList | undefined {
	if (!Array.isArray(value)) return report("the models must be a list of patterns.");
	if (value.length > most.patterns) return report(`it has more than ${most.patterns} patterns.`);
	const included: Glob[] = [];
	const excluded: Glob[] = [];
	for (const [index, item] of (value as readonly unknown[]).entries()) {
		if (typeof item !== "string" || item.trim() === "") return report(`pattern ${index + 1} must be a string.`);
		const isExcluded = /^!(?!\()/.test(item);
		const pattern = item.toLowerCase();
		const whole = compile(pattern, "name", library);
		const compiled = isExcluded && "glob" in whole ? compile(pattern.slice(1), "name", library) : whole;
		if ("problem" in compiled) return report(`pattern ${index + 1} cannot be used: ${compiled.problem}.`);
		(isExcluded ? excluded : included).push(compiled.glob);
	}
	return { included, excluded, found: new Map() };
}

function isIn({ name, id }: ModelInfo, list: ModelList): boolean {
	const key = JSON.stringify([name, id]);
	const isFound = list.found.get(key) ?? fits([name, id], list);
	if (list.found.size >= most.found) list.found.clear();
	list.found.set(key, isFound);
	return isFound;
}

/** A permission needs a pattern that fits in every reading of the name; to leave a model out, one is enough. */
function fits(texts: readonly string[], { included, excluded }: ModelList): boolean {
	const names = texts.map((text) => readName(text.toLowerCase()));
	if (excluded.some((glob) => names.some((name) => glob(name) !== "none"))) return false;
	const isOnlyExcluding = included.length === 0 && excluded.length > 0;
	return isOnlyExcluding || included.some((glob) => names.some((name) => glob(name) === "all"));
}
