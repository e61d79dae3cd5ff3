import { type JsonObject, objectsIn, parseJsonObject } from "../../base/json.ts";
import type { ForeignServer, ForeignServers, RefusedServer } from "./foreignServer.ts";
import { hostCommandOf, readHostCommand } from "./hostCommands.ts";
import { isLauncher, programName } from "../../protocol/stdio/launchers.ts";
import { purposeOf } from "./linePurpose.ts";
import { inOwnWords } from "./ownVariables.ts";
import { readNamed } from "./namedConfiguration.ts";
import { withRemarks } from "./remarks.ts";
import { readShell, type ShellCommand } from "./shellWords.ts";

/** Editors that take `--add-mcp`: https://code.visualstudio.com/docs/copilot/customization/mcp-servers. */
const editors = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/;
/** Commands that precede the start of a server, and start none. */
const preparations: readonly RegExp[] = [
	/^(?:cd|mkdir|git|brew|apt|apt-get|winget|choco|scoop|curl|wget|make|touch|cp|chmod|source|echo|cat)(?: |$)/,
	/^(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|build|link|run build)\b/,
	/^(?:pip3?|pipx|uv pip|cargo|go|gem|composer|uv tool|dotnet tool) (?:install|add|sync)\b/,
	/^uv (?:sync|venv|add)\b/,
	/^(?:docker|podman) (?:pull|build|login|compose|network|volume|buildx)\b/,
	/^\S+ (?:login|auth|logout)$/,
];
/** Commands that other hosts understand alone. */
const withinHost =
	/^(?:(?:claude|gemini|qwen|codex) (?:plugins?|extensions?)|plugin|mcp) (?:install|add|enable|marketplace)\b/;
/** Programs that would write into the configurations of other hosts. */
const installers =
	/^(?:npx|bunx|pnpm|yarn|uvx|npm)(?: -\S+| dlx| exec)* (?:add-mcp|install-mcp|mcp-add|@smithery\/cli|mcp-installer)(?:@\S+)?(?: |$)/;

/** The beginnings of lines between those that add servers. */
const steps = /^(?:cd|mkdir|git|brew|apt|apt-get|curl|wget|npm|pip3?|cargo|export|set|sudo|source)$/;

/**
 * Whether a word is the name of a program that users type into terminals, so that a line that begins with it is not
 * prose.
 */
export function isProgram(word: string): boolean {
	return isLauncher(word) || steps.test(word) || /^(?:\.{0,2}\/|\$\{env:)/.test(word);
}

/**
 * Reads lines as a user would type them into a terminal: each a program with arguments, or the command that adds a
 * server to another host. Undefined when the text holds no command at all.
 */
export function readCommandLines(text: string): ForeignServers | undefined {
	const servers: ForeignServer[] = [];
	const refused: RefusedServer[] = [];
	const formats = new Set<string>();
	/** The settings of earlier lines for all that follow. */
	const exported: Record<string, string> = {};
	for (const line of readShell(text)) {
		if ("refusal" in line) {
			refused.push({ reason: `This command line is not one program with its arguments: ${line.refusal}.` });
			continue;
		}
		const set = settingOf(line);
		if (set !== undefined) {
			Object.assign(exported, set);
			continue;
		}
		const environment = { ...exported, ...line.environment };
		const read = withRemarks(readCommand(line.words, environment), ...line.remarks);
		formats.add(read.format);
		servers.push(...read.servers);
		refused.push(...read.refused);
	}
	if (servers.length === 0 && refused.length === 0) return undefined;
	return { format: formats.size > 1 ? "Command lines" : ([...formats][0] ?? "Command line"), servers, refused };
}

/**
 * The variables that a line sets for those that follow: `export NAME=value`, `set NAME=value`, `$env:NAME = "value"`,
 * or an assignment alone.
 */
function settingOf({ words, environment }: ShellCommand): Readonly<Record<string, string>> | undefined {
	const [first = "", second = "", ...rest] = words;
	const [, powershell, joined] = /^\$\{env:(\w+)\}(?:=([^]*))?$/.exec(first) ?? [];
	if (powershell !== undefined && joined !== undefined) return { [powershell]: joined };
	if (powershell !== undefined && second === "=") return { [powershell]: rest.join(" ") };
	if (words.length > 0 && !/^(?:export|set)$/.test(first)) return undefined;
	const pairs = words.slice(1).flatMap((word) => {
		const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word) ?? [];
		return name === undefined || value === undefined ? [] : [[name, value] as const];
	});
	return { ...environment, ...Object.fromEntries(pairs) };
}

function readCommand(words: readonly string[], environment: Readonly<Record<string, string>>): ForeignServers {
	const [program = "", ...args] = words;
	const name = programName(program);
	const line = [name, ...args].join(" ");
	const refuse = (format: string, reason: string): ForeignServers => ({ format, servers: [], refused: [{ reason }] });
	const hosts = hostCommandOf(words);
	if (hosts !== undefined) {
		if (hosts === "claude mcp add-json") return readAddJson(args.slice(2));
		const read = readHostCommand(words, environment);
		const format = `Command “${hosts}”`;
		return "server" in read
			? { format, servers: [read.server], refused: [] }
			: { format, servers: [], refused: [read.refused] };
	}
	if (editors.test(name) && args.some((word) => word.startsWith("--add-mcp"))) return readAddMcp(name, args);
	if (withinHost.test(line))
		return refuse(
			"Command line",
			`“${[name, ...args.slice(0, 1)].join(" ")}” is a command of another host and does not start a server.`,
		);
	if (args[0] === "mcp" && /^(?:add|install)/.test(args[1] ?? ""))
		return refuse(
			`Command “${name} mcp”`,
			`“${name} mcp ${args[1]}” is a command of another host that MCP Host does not know.`,
		);
	if (installers.test(line))
		return refuse("Command line", `“${name}” changes the configurations of other hosts and does not start a server.`);
	if (
		preparations.some((pattern) => pattern.test(line)) ||
		purposeOf(program, args) === "other" ||
		/^(?:sudo )?(?:export|set)$/.test(line)
	) {
		const step = [name, ...args.slice(0, 1)].join(" ");
		return refuse("Command line", `“${step}” does not start a server. Run it in a terminal.`);
	}
	return readProgram(program, args, environment);
}

/** Any program with arguments; `env NAME=value program` sets its environment. */
function readProgram(
	program: string,
	args: readonly string[],
	environment: Readonly<Record<string, string>>,
): ForeignServers {
	const format = programName(program) === "docker" ? "docker command line" : "Command line";
	if (programName(program) === "env" && /^[A-Za-z_]\w*=/.test(args[0] ?? "")) {
		const count = args.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
		const [command, ...rest] = count === -1 ? [] : args.slice(count);
		const pairs = args.slice(0, count).map((word) => {
			const equals = word.indexOf("=");
			return [word.slice(0, equals), word.slice(equals + 1)] as const;
		});
		if (command !== undefined) return readProgram(command, rest, { ...environment, ...Object.fromEntries(pairs) });
	}
	const env = { ...passedOn(program, args), ...environment };
	const entry = inOwnWords({
		type: "stdio",
		command: program,
		args: [...args],
		...(Object.keys(env).length === 0 ? {} : { env }),
	});
	if (typeof entry === "string") return { format, servers: [], refused: [{ reason: `${entry}.` }] };
	const isSetUp = purposeOf(program, args) === "set-up";
	const remarks = isSetUp
		? ["This looks like a setup program, not like a server. If it is one, run it in a terminal."]
		: [];
	const server = { entry, inputs: [], isOff: false, tools: {}, remarks };
	return { format, servers: [isSetUp ? { ...server, isDoubtful: true } : server], refused: [] };
}

/**
 * The variables that `docker run -e NAME` passes on from its own environment. A server's environment is different: it
 * holds the variables of its entry, and little else (https://docs.docker.com/reference/cli/docker/container/run/#env).
 */
function passedOn(program: string, args: readonly string[]): Readonly<Record<string, string>> {
	if (!/^(?:docker|podman)$/.test(programName(program)) || args[0] !== "run") return {};
	const names = args.flatMap((word, index) => {
		const before = args[index - 1];
		const [, joined] = /^--env=([A-Za-z_]\w*)$/.exec(word) ?? [];
		if (joined !== undefined) return [joined];
		return (before === "-e" || before === "--env") && /^[A-Za-z_]\w*$/.test(word) ? [word] : [];
	});
	return Object.fromEntries(names.map((name) => [name, `\${env:${name}}`]));
}

/** `claude mcp add-json NAME JSON`. */
function readAddJson(words: readonly string[]): ForeignServers {
	const format = "Command “claude mcp add-json”";
	const positional: string[] = [];
	for (let index = 0; index < words.length; index++) {
		const word = words[index] ?? "";
		if (word === "-s" || word === "--scope") index++;
		else if (!/^--(?:scope=|client-secret$)/.test(word)) positional.push(word);
	}
	const [name, text] = positional;
	if (name === undefined || text === undefined)
		return { format, servers: [], refused: [{ reason: "“claude mcp add-json” requires a name and JSON." }] };
	const entry = readJson(text);
	if (entry === undefined)
		return { format, servers: [], refused: [{ name, reason: "The text after the name is not a JSON object." }] };
	return readNamed(format, { name, entry, inputs: [] }, "claude-code");
}

/** `code --add-mcp JSON`, which may be there several times. */
function readAddMcp(name: string, args: readonly string[]): ForeignServers {
	const format = `Command “${name} --add-mcp”`;
	const texts = args.flatMap((word, index) =>
		word === "--add-mcp"
			? [args[index + 1] ?? ""]
			: word.startsWith("--add-mcp=")
				? [word.slice("--add-mcp=".length)]
				: [],
	);
	const read = texts.map((text): ForeignServers => {
		const config = readJson(text);
		if (config === undefined)
			return { format, servers: [], refused: [{ reason: "The text after --add-mcp is not a JSON object." }] };
		const { name: own, inputs, ...entry } = config;
		const kept = objectsIn(inputs);
		return readNamed(format, { ...(typeof own === "string" ? { name: own } : {}), entry, inputs: kept }, "vscode");
	});
	return { format, servers: read.flatMap(({ servers }) => servers), refused: read.flatMap(({ refused }) => refused) };
}

/** A JSON object; PowerShell 5 requires backslashes before its quotes, which are then in the quoted text. */
function readJson(text: string): JsonObject | undefined {
	return parseJsonObject(text) ?? parseJsonObject(text.replaceAll('\\"', '"'));
}
