import { oneLine } from "../../base/text.ts";
import { starterNames, type Starter } from "./startFacts.ts";

/** A process of this machine, with the words of its command line. */
export interface RunningProcess {
	readonly pid: number;
	readonly parent: number;
	readonly words: readonly string[];
	/** The folder in which it runs, where that is known. */
	readonly folder?: string;
}

/** A command of a configuration; its texts may contain variables. */
export interface ConfiguredCommand {
	readonly command: string;
	readonly args: readonly string[];
}

/** A process that runs a server. */
export interface ServerProcess {
	readonly pid: number;
	/** The host that started it; `here` for MCP Host of this window. */
	readonly host: Starter | "here" | "other";
	/** The name of the program that runs it, such as `copilot-runtime`: one line, as its command line has it. */
	readonly by: string;
}

/** The data that a census needs about this window. */
export interface CensusWindow {
	/** The processes that MCP Host started. */
	readonly ours: ReadonlySet<number>;
	/** The process of the extension host, in which VS Code's own MCP host runs servers as well. */
	readonly extensionHost: number;
}

/** The runtimes of agent sessions, by the name of their program or by the folder of their package. */
const runtimes: readonly (readonly [Starter, RegExp])[] = [
	["copilot", /(?:^|\/)copilot(?:-runtime)?$|\/@github\/copilot[\w-]*\//],
	["claude", /(?:^|\/)claude$|\/@anthropic-ai\/claude-(?:code|agent-sdk)[\w-]*\//],
	["codex", /(?:^|\/)codex$|\/@openai\/codex[\w-]*\//],
];
/** Most processes between a server and its host: a list takes a moment to read, and may lead in a circle. */
const longestChain = 32;

/** The processes of this user at a moment, and who started which server. */
export class Census {
	private readonly byPid: ReadonlyMap<number, RunningProcess>;
	private readonly window: CensusWindow;

	constructor(processes: readonly RunningProcess[], window: CensusWindow) {
		this.byPid = new Map(processes.map((one) => [one.pid, one]));
		this.window = window;
	}

	/**
	 * The processes that run a command, each with its starter. `ours` is MCP Host's own process of it, if there is one:
	 * then every process with exactly its command line counts, too. A file that is named relative to another folder is
	 * another server.
	 */
	of(command: ConfiguredCommand, ours?: number): readonly ServerProcess[] {
		const own = ours === undefined ? undefined : this.byPid.get(ours);
		const isElsewhere = ({ folder }: RunningProcess): boolean =>
			folder !== undefined && own?.folder !== undefined && folder !== own.folder && command.args.some(isRelativeFile);
		const isOne = (one: RunningProcess): boolean =>
			!isElsewhere(one) && (runsCommand(one.words, command) || (own !== undefined && isSame(own.words, one.words)));
		const found = [...this.byPid.values()].filter(isOne);
		const pids = new Set(found.map(({ pid }) => pid));
		// A launcher and its child may have the same words; they are one server.
		return found.filter(({ parent }) => !pids.has(parent)).map((one) => this.hosted(one));
	}

	private hosted(process: RunningProcess): ServerProcess {
		const { pid } = process;
		const { ours, extensionHost } = this.window;
		let at: RunningProcess | undefined = process;
		for (let steps = 0; at !== undefined && steps < longestChain; steps++) {
			if (ours.has(at.pid)) return { pid, host: "here", by: "MCP Host" };
			if (at.pid === extensionHost) return { pid, host: "local", by: "VS Code" };
			const runtime = at === process ? undefined : runtimeOf(at.words);
			if (runtime !== undefined) return { pid, ...runtime };
			if (at.words.includes("--type=extensionHost")) return { pid, host: "other", by: "another window of VS Code" };
			at = this.byPid.get(at.parent);
		}
		const parent = this.byPid.get(process.parent);
		return { pid, host: "other", by: parent === undefined ? "another program" : nameOf(parent.words) };
	}
}

/** The processes of a text of `ps -xww -o pid=,ppid=,args=`. Words with blanks in them fall apart. */
export function processesOfPs(text: string): readonly RunningProcess[] {
	return text.split("\n").flatMap((line) => {
		const [, pid, parent, words = ""] = /^\s*(\d+)\s+(\d+)\s+(\S.*)$/.exec(line) ?? [];
		return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), words: words.trim().split(/\s+/) }];
	});
}

/**
 * The words of a command line in the form of `/proc/PID/cmdline`: NULs end them, and fill up parts that a program
 * overwrote.
 */
export function wordsOfCmdline(text: string): readonly string[] {
	const words = text.split("\0");
	return words.slice(0, words.findLastIndex((word) => word !== "") + 1);
}

/** Whether an argument is a source file by a path that depends on the folder of the process. */
function isRelativeFile(arg: string): boolean {
	return /^(?![-\\/]|[A-Za-z][\w+.-]*:|\$\{)[^@]*\.(?:[cm]?[jt]sx?|py|rb|php|sh|jar|dll)$/i.test(arg);
}

/** Whether a command line is that of a command, after any interpreter. */
function runsCommand(words: readonly string[], { command, args }: ConfiguredCommand): boolean {
	const at = words.length - args.length - 1;
	const program = words[at];
	if (program === undefined || bareName(program) !== bareName(command)) return false;
	return args.every((arg, index) => fits(arg, words[at + 1 + index] ?? ""));
}

/** Whether a word is a possible value of a configuration's text; its variables are not resolved. */
function fits(text: string, word: string): boolean {
	const start = text.indexOf("${");
	if (start === -1) return text === word;
	const end = text.lastIndexOf("}") + 1;
	const [before, after] = [text.slice(0, start), text.slice(end)];
	return word.length >= before.length + after.length && word.startsWith(before) && word.endsWith(after);
}

function runtimeOf(words: readonly string[]): Pick<ServerProcess, "host" | "by"> | undefined {
	// The second word is the script of an interpreter.
	for (const word of words.slice(0, 2)) {
		const program = word.replaceAll("\\", "/");
		const host = runtimes.find(([, pattern]) => pattern.test(program))?.[0];
		if (host === undefined) continue;
		const name = bareName(program);
		// A script has a name that says nothing, such as `index.js`.
		return { host, by: /\.[cm]?js$/.test(name) ? starterNames[host] : oneLine(name, 60) };
	}
	return undefined;
}

function nameOf([program = ""]: readonly string[]): string {
	return oneLine(bareName(program), 60);
}

function bareName(program: string): string {
	return (program.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd|bat)$/i, "");
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((word, index) => word === other[index]);
}
