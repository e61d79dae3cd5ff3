import { isLauncher, programName } from "../../protocol/stdio/launchers.ts";

/**
 * The purpose of a command line: `server` starts one, `maybe` may do so, `set-up` asks questions or writes into files
 * of hosts, and `other` builds, installs or shows something.
 */
export type LinePurpose = "server" | "maybe" | "set-up" | "other";

/** The program that a launcher runs, after its own words: `npx -y`, `uv tool run`, `docker run -i`. */
const runners = /^(?:npx|bunx|pnpx|uvx|dnx)$/;
const runVerbs: Readonly<Record<string, RegExp>> = {
	npm: /^(?:exec|x)$/,
	pnpm: /^(?:dlx|exec)$/,
	yarn: /^(?:dlx|exec)$/,
	bun: /^(?:x|run)$/,
	pipx: /^run$/,
	uv: /^(?:run|tool)$/,
	go: /^run$/,
	cargo: /^run$/,
	dotnet: /^(?:run|exec|\S+\.dll)$/,
	docker: /^run$/,
	podman: /^run$/,
};
/** Other programs that instructions commonly run. */
const tools =
	/^(?:@modelcontextprotocol\/inspector|mcp-inspector|@mcpjam\/inspector|@modelcontextprotocol\/conformance|tsc|typescript|tsx|ts-node|eslint|prettier|vitest|jest|mocha|rimraf|degit|changeset|husky|lerna|nx|turbo|playwright|puppeteer|wrangler|vercel|pytest|ruff|mypy|black|isort|pre-commit|build|twine|venv|pip|ensurepip|http\.server|unittest|pyright|coverage|tox|nox|cowsay|hello-world)(?:@\S*)?$/i;
/** Packages that are not servers but install them, or make new ones. */
const makers =
	/(?:^|[@/])(?:create-|init-|setup-)|(?:-|\/)(?:setup|installer|install|wizard|init|cli-setup)(?:@|$)|^@smithery\/cli/i;
const setUpWords =
	/^(?:--?)?(?:init|setup|set-up|install|uninstall|configure|config|login|logout|auth|authenticate|onboard|wizard|add|remove|update|upgrade|doctor|validate|test|list|info|status|generate|migrate)$/i;
const asking = /^(?:--?(?:help|version)|-[hvV]|help|version)$/;
const likeServer = /mcp|modelcontextprotocol|server/i;

/** The purpose of a command line, by its program and arguments alone; nothing is run. */
export function purposeOf(program: string, args: readonly string[]): LinePurpose {
	const name = programName(program);
	const [first = "", ...rest] = args;
	if (
		/^(?:sudo|doas|nvm|make|curl|wget|ls|rm|mv|tail|grep|ps|kill|lsof|which|where|open|sh|bash|zsh|source)$/.test(name)
	)
		return "other";
	if (args.length === 1 && asking.test(first)) return "other";
	if (name === "cmd" && /^\/c$/i.test(first)) return purposeOf(rest[0] ?? "", rest.slice(1));
	if (!isLauncher(program) && name !== "npm") return setUpWords.test(first) ? "set-up" : "maybe";
	if (/^(?:claude|codex|gemini|qwen|code|code-insiders|codium|cursor|windsurf)$/.test(name))
		return /^mcp(?:-server| serve)?$/.test(args.slice(0, 2).join(" ")) ? "maybe" : "other";
	const verbs = Object.hasOwn(runVerbs, name) ? runVerbs[name] : undefined;
	// Its own options may precede the verb, as in `uv --directory x run`.
	const verbAt = first.startsWith("-") ? args.findIndex((word) => verbs?.test(word) === true) : 0;
	if (verbs !== undefined && !verbs.test(args[verbAt] ?? "")) return "other";
	const ran = verbs === undefined ? args : args.slice(verbAt + (name === "uv" && first === "tool" ? 2 : 1));
	const at = ran.findIndex((word) => !word.startsWith("-") && !/^(?:run|-m)$/.test(word));
	const subject = ran[at] ?? "";
	if (tools.test(subject) || (name.startsWith("python") && ran[0] === "-c")) return "other";
	const behind = ran.slice(at + 1);
	if (behind.length === 1 && asking.test(behind[0] ?? "")) return "other";
	if (/^(?:docker|podman)$/.test(name))
		return /^(?:-i\w*|-\w*i|--interactive)$/.test(ran.find((word) => /^-\w*i|^--interactive/.test(word)) ?? "")
			? "server"
			: "maybe";
	if (
		makers.test(subject) ||
		(behind[0] !== undefined && setUpWords.test(behind[0])) ||
		behind.some((word) => /^--(?:init|setup|install|login|configure)$/.test(word))
	)
		return "set-up";
	const isPackage = runners.test(name) || /^(?:npm|pnpm|yarn|pipx)$/.test(name) || (name === "uv" && first === "tool");
	return isPackage && likeServer.test(ran.join(" ")) ? "server" : "maybe";
}
