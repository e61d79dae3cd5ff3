/** Programs that start servers, or add them to a host. */
const launchers =
	/^(?:npx|bunx|bun|pnpx|pnpm|yarn|uvx|uv|pipx|dnx|node|deno|python[\d.]*|py|docker|podman|java|dotnet|go|cargo|ruby|php|claude|codex|gemini|qwen|code|code-insiders|codium|cursor|windsurf|cmd|env)$/;

/** Whether a word is the name of a program that starts servers, be it a path. */
export function isLauncher(word: string): boolean {
	return launchers.test(programName(word));
}

/** The name of a program without its folder and the ending of Windows. */
export function programName(program: string): string {
	return (program.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd|bat|ps1)$/i, "");
}
