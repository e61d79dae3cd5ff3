/** How fast and capable a model is, from 0 to 1; approximate, for comparing models. */
export interface ModelStrengths {
	readonly speed: number;
	readonly intelligence: number;
}

/** The data in a model's name. */
export interface ModelNature extends ModelStrengths {
	readonly family: string | undefined;
	/** Equally strong models of other providers have the same size. Undefined when the name does not show it. */
	readonly size: "small" | "medium" | "large" | undefined;
}

type Pair = readonly [speed: number, intelligence: number];

/** The makers' names for the sizes of their models. */
const sizeWords: ReadonlyMap<string, Pair> = new Map<string, Pair>([
	["nano", [0.95, 0.25]],
	["micro", [0.95, 0.25]],
	["tiny", [0.95, 0.25]],
	["lite", [0.9, 0.3]],
	["mini", [0.85, 0.4]],
	["small", [0.8, 0.4]],
	["instant", [0.85, 0.4]],
	["haiku", [0.85, 0.45]],
	["flash", [0.85, 0.45]],
	["fast", [0.85, 0.45]],
	["luna", [0.85, 0.45]],
	["air", [0.75, 0.48]],
	["turbo", [0.7, 0.55]],
	["medium", [0.6, 0.6]],
	["plus", [0.6, 0.65]],
	["terra", [0.6, 0.65]],
	["sonnet", [0.6, 0.7]],
	["sol", [0.5, 0.8]],
	["large", [0.4, 0.8]],
	["pro", [0.35, 0.85]],
	["max", [0.35, 0.85]],
	["opus", [0.35, 0.9]],
	["ultra", [0.3, 0.9]],
	["astra", [0.3, 0.95]],
	["fable", [0.3, 0.95]],
	["mythos", [0.3, 0.95]],
	["heavy", [0.2, 0.95]],
]);

/** The defaults of a family's members without a further word. */
const familyUsual: ReadonlyMap<string, Pair> = new Map<string, Pair>([
	["claude", [0.6, 0.7]],
	["gpt", [0.55, 0.75]],
	["gemini", [0.6, 0.7]],
	["grok", [0.55, 0.75]],
	["deepseek", [0.5, 0.7]],
	["kimi", [0.5, 0.75]],
	["glm", [0.5, 0.7]],
	["minimax", [0.5, 0.7]],
]);

/** Words for models that think before they answer. */
const thinking: ReadonlySet<string> = new Set(["thinking", "reasoner", "reasoning", "r1", "qwq", "magistral"]);
const unknown: Pair = [0.5, 0.5];

/** The names of models are read again whenever a request is edited. */
const known = new Map<string, ModelNature>();
const most = { names: 2000, characters: 200 };

/** Reads a model's name, or a hint at one. Never throws. */
export function natureOf(name: string): ModelNature {
	const nature = known.get(name) ?? read(name);
	if (known.size >= most.names) known.clear();
	if (name.length <= most.characters) known.set(name, nature);
	return nature;
}

function read(name: string): ModelNature {
	const words = wordsOf(name);
	const family = familyOf(words);
	const rating = ofParameters(words) ?? ofWords(words, family) ?? ofFamily(words, family);
	const [speed, intelligence] = rating ?? unknown;
	const isThinking = words.some((word) => thinking.has(word) || /^o[1-9]$/.test(word));
	return {
		family,
		speed: clamp(speed - (isThinking ? 0.25 : 0)),
		intelligence: clamp(intelligence + (isThinking ? 0.15 : 0)),
		size: rating === undefined ? undefined : sizeOf(clamp(intelligence + (isThinking ? 0.15 : 0))),
	};
}

/**
 * By the number of parameters, `8b` or, of effective ones, `e4b`: all of them count for its capability, the active ones
 * (`30b-a3b`) for its speed.
 */
function ofParameters(words: readonly string[]): Pair | undefined {
	let total: number | undefined;
	let active: number | undefined;
	for (const word of words) {
		const [, kind = "", experts, number = "", unit = ""] =
			/^([ae]?)(?:(\d+)x)?(\d+(?:\.\d+)?)([mbt])$/.exec(word) ?? [];
		const billions = Number(number) * (unit === "m" ? 0.001 : unit === "t" ? 1000 : 1);
		if (number === "" || billions === 0) continue;
		if (kind === "a") active ??= billions;
		else if (experts === undefined) total ??= billions;
		else {
			total ??= Number(experts) * billions;
			// Mixtures of that kind use two experts at a time.
			active ??= 2 * billions;
		}
	}
	if (total === undefined) return undefined;
	return [clamp(1 - share(active ?? total)), clamp(share(total))];
}

/** How much of the way a model is from the smallest to the largest, which have about a thousand times as many parameters. */
function share(billions: number): number {
	return (Math.log2(billions) + 1) / 10.5;
}

/** Of several words the one for the smallest counts: `flash-lite`. */
function ofWords(words: readonly string[], family: string | undefined): Pair | undefined {
	const found = words.map((word) => sizeWords.get(word)).filter((pair) => pair !== undefined);
	const smallest = found.toSorted(([, a], [, b]) => a - b)[0];
	// Google's name for its middle size.
	return family === "gemini" && smallest === sizeWords.get("pro") ? [0.5, 0.8] : smallest;
}

/** The name of a family alone refers to none of its members. */
function ofFamily(words: readonly string[], family: string | undefined): Pair | undefined {
	const isBare = words.length === 1 && /^[a-z]+$/.test(words[0] ?? "");
	return family === undefined || isBare ? undefined : familyUsual.get(family);
}

function sizeOf(intelligence: number): ModelNature["size"] {
	if (intelligence < 0.5) return "small";
	return intelligence < 0.82 ? "medium" : "large";
}

function clamp(value: number): number {
	return Math.min(1, Math.max(0, value));
}

/**
 * Which family a word of a model's name belongs to: the names of the families themselves, of their members, and of those
 * who make them, which servers hint at as well.
 */
const families: Readonly<Record<string, readonly string[]>> = {
	claude: ["claude", "anthropic", "haiku", "sonnet", "opus", "fable", "mythos"],
	gpt: ["gpt", "chatgpt", "openai", "codex"],
	gemini: ["gemini", "google"],
	gemma: ["gemma", "codegemma", "medgemma"],
	qwen: ["qwen", "qwq", "qvq", "alibaba", "tongyi"],
	llama: ["llama", "codellama", "tinyllama", "meta"],
	mistral: ["mistral", "mistralai", "mixtral", "ministral", "codestral", "magistral", "devstral", "pixtral", "voxtral"],
	deepseek: ["deepseek"],
	grok: ["grok", "xai"],
	phi: ["phi", "microsoft"],
	nova: ["nova", "amazon"],
	command: ["command", "cohere", "aya"],
	glm: ["glm", "chatglm", "zhipu"],
	kimi: ["kimi", "moonshot", "moonshotai"],
	minimax: ["minimax"],
	granite: ["granite", "ibm"],
	nemotron: ["nemotron", "nvidia"],
	smollm: ["smollm", "smolvlm"],
};

const byWord: ReadonlyMap<string, string> = new Map(
	Object.entries(families).flatMap(([family, words]) => words.map((word) => [word, family] as const)),
);

/** Families whose models run nowhere but at their makers. */
const hosted: ReadonlySet<string> = new Set(["claude", "gpt", "gemini", "grok", "nova"]);

/** The words of a model's name without the part before its last slash: `openai/gpt-4o-mini` has gpt, 4o, mini. */
function wordsOf(name: string): readonly string[] {
	const tail = name.slice(-200).toLowerCase().split("/").at(-1) ?? "";
	// A dot belongs to a version, `3.5`, and separates words otherwise.
	return tail.split(/[^a-z0-9.]+|(?<!\d)\.|\.(?!\d)/).filter((word) => word !== "");
}

/** The family in a model's name, or in a hint: `claude`, `qwen`. Undefined for names without one. */
function familyOf(words: readonly string[]): string | undefined {
	for (const [index, word] of words.entries()) {
		if (/^o[1-9]$/.test(word)) return "gpt";
		const family = byWord.get(/^[a-z]+/.exec(word)?.[0] ?? "");
		// OpenAI's open weights are another family than its hosted models.
		if (family === "gpt" && words[index + 1] === "oss") return "gpt-oss";
		if (family !== undefined) return family;
	}
	return undefined;
}

/** Whether a model is served by its maker alone, so that even an endpoint on this machine only passes it on. */
export function isHostedOnly(name: string): boolean {
	const words = wordsOf(name);
	// Ollama has models that it does not run itself: `gpt-oss:120b-cloud`.
	return words.at(-1) === "cloud" || hosted.has(familyOf(words) ?? "");
}
