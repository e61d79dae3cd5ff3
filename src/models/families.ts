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

/** The words of a model's name without what stands before its last slash: `openai/gpt-4o-mini` has gpt, 4o, mini. */
export function wordsOf(name: string): readonly string[] {
	const tail = name.slice(-200).toLowerCase().split("/").at(-1) ?? "";
	// A dot belongs to a version, `3.5`, and stands between words otherwise.
	return tail.split(/[^a-z0-9.]+|(?<!\d)\.|\.(?!\d)/).filter((word) => word !== "");
}

/** The family that a model's name, or a hint at one, speaks of: `claude`, `qwen`. Undefined for names that tell none. */
export function familyOf(words: readonly string[]): string | undefined {
	for (const [index, word] of words.entries()) {
		if (/^o[1-9]$/.test(word)) return "gpt";
		const family = byWord.get(/^[a-z]+/.exec(word)?.[0] ?? "");
		// OpenAI's open weights are another family than what it serves.
		if (family === "gpt" && words[index + 1] === "oss") return "gpt-oss";
		if (family !== undefined) return family;
	}
	return undefined;
}

/** Whether a model is served by its maker alone, so that even what answers on this machine passes it on. */
export function isHostedOnly(name: string): boolean {
	const words = wordsOf(name);
	// Ollama has models that it does not run itself: `gpt-oss:120b-cloud`.
	return words.at(-1) === "cloud" || hosted.has(familyOf(words) ?? "");
}
