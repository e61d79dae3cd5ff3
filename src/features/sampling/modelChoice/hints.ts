import type { ModelInfo } from "../../../models/model.ts";
import { type ModelNature, natureOf } from "../../../models/strengths.ts";

/**
 * How models match a hint: they have the name; it is part of their name, or of their source's name; they have the same
 * family and size, the same size in any family, or the same family.
 */
export type HintFit = "name" | "part" | "provider" | "kin" | "size" | "family";

/** The first hint that fits models. */
export interface HintMatch {
	readonly fit: HintFit;
	readonly hint: string;
	/** In the order in which they were given; never empty. */
	readonly models: readonly ModelInfo[];
	/** The hints before it that are part of no model's name. */
	readonly missed: readonly string[];
}

/** A model as hints are held against it: made once, since there may be hundreds of models and dozens of hints. */
interface Candidate {
	readonly model: ModelInfo;
	/** Its name, with and without the provider, and its id. */
	readonly names: readonly string[];
	readonly flatName: string;
	readonly segments: readonly string[];
	readonly nature: ModelNature;
}

type Test = (candidate: Candidate) => boolean;

/** The limit for a server's hints, above any reasonable use (SMP-08). */
const most = { hints: 32, characters: 200 };

/**
 * The models that the hints request. All of them are tried in order for names, because the first that is part of a name
 * counts (specification, "Model Preferences"). Only if there is none, substitutes are looked for: of the hints'
 * families, or of other providers. A small and cheap model is never replaced by a large one of its family while there
 * is another small one. Undefined when nothing fits.
 */
export function matchHints(models: readonly ModelInfo[], hints: readonly string[]): HintMatch | undefined {
	const readable = hints.slice(0, most.hints).flatMap((hint) => {
		const text = hint.slice(0, most.characters).trim();
		return text === "" ? [] : [text];
	});
	const candidates = models.map(candidateOf);
	const passes: readonly (readonly HintFit[])[] = [["name", "part", "provider"], ["kin"], ["size", "family"]];
	for (const [pass, fits] of passes.entries()) {
		for (const [index, hint] of readable.entries()) {
			for (const fit of fits) {
				const found = candidates.filter(tests[fit](hint)).map(({ model }) => model);
				if (found.length > 0) return { fit, hint, models: found, missed: readable.slice(0, pass === 0 ? index : 0) };
			}
		}
	}
	return undefined;
}

function candidateOf(model: ModelInfo): Candidate {
	const name = model.name.toLowerCase();
	const id = model.id.toLowerCase();
	return {
		model,
		names: [name, tailOf(name), id],
		flatName: flat(name),
		segments: id.split("/"),
		nature: natureOf(name),
	};
}

const tests: Readonly<Record<HintFit, (hint: string) => Test>> = {
	name(hint) {
		const wanted = hint.toLowerCase();
		return ({ names }) => names.includes(wanted);
	},
	part(hint) {
		const wanted = hint.toLowerCase();
		const tail = tailOf(wanted);
		const forms = [wanted, tail, undated(tail)].map(flat).filter((form) => form !== "");
		return ({ names: [name = ""], flatName }) => name.includes(wanted) || forms.some((form) => flatName.includes(form));
	},
	provider(hint) {
		const wanted = hint.toLowerCase();
		// As a whole: `llama` does not match every model of Ollama.
		return ({ segments }) => segments.includes(wanted);
	},
	kin(hint) {
		const { family, size } = natureOf(hint);
		const isKnown = family !== undefined && size !== undefined;
		return ({ nature }) => isKnown && nature.family === family && nature.size === size;
	},
	size(hint) {
		const { size } = natureOf(hint);
		return ({ nature }) => size !== undefined && nature.size === size;
	},
	family(hint) {
		const { family } = natureOf(hint);
		return ({ nature }) => family !== undefined && nature.family === family;
	},
};

/** The part after the provider: `openai/gpt-4o` is `gpt-4o`. */
function tailOf(name: string): string {
	return name.slice(name.lastIndexOf("/") + 1);
}

/** Without the release that a hint names: `claude-3-5-sonnet-20241022`, `gpt-4o-2024-08-06`, `mistral-small-latest`. */
function undated(name: string): string {
	return name.replace(/[-@:](\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/, "");
}

/** Without differences of punctuation: `claude-3.5 sonnet` is `claude-3-5-sonnet`. */
function flat(text: string): string {
	return text.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
}
