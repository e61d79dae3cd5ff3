import { oneLine } from "../../base/text.ts";
import { programName } from "../../protocol/stdio/launchers.ts";

/**
 * Programs that run a text as code, each with the option for it, and with the options that take a value of their own if
 * known: otherwise any option may. Windows compares case-insensitively.
 */
const evaluators: readonly (readonly [program: RegExp, option: RegExp, valued?: RegExp])[] = [
	[/^(?:node|nodejs|bun|tsx|ts-node|electron)$/i, /^(?:-[a-z]*[ep]|--eval|--print)(?:=|$)/],
	[/^deno$/i, /^eval$/],
	[/^(?:python|pypy)[\d.]*w?$|^py$/i, /^-[a-zA-Z]*c/, /^-[WX]$/],
	[/^(?:ba|z|da|fi|c|k|tc|a)?sh$/i, /^[-+][a-zA-Z]*c|^--command(?:=|$)/],
	[/^cmd$/i, /^\/[a-z]*[ckr]/i],
	[/^(?:powershell|pwsh)$/i, /^[-/](?:c|com\w*|cwa|e|ec|enc\w*)(?::|$)/i],
	[/^perl[\d.]*$/i, /^-[a-zA-Z\d]*[eE]/],
	[/^ruby[\d.]*$/i, /^-[a-zA-Z]*e/],
	[/^php[\d.]*$/i, /^-[rBR]/],
	[/^(?:lua[\d.]*|luajit|osascript|Rscript|R|julia|elixir|groovy)$/i, /^(?:-e|-E|--eval)(?:=|$)/],
	[/^(?:npx|npm|pnpx)$/i, /^(?:-c|--call)(?:=|$)/, /^(?:-p|-w|--(?:package|workspace|cache|registry|prefix))$/],
];

const shells = /^(?:(?:ba|z|da|fi|c|k|tc|a)?sh|cmd|powershell|pwsh)$/i;

/**
 * Warns of a command line by which an interpreter runs a text as code, at any position of the interpreter. `masked` are
 * the variables whose values the reader does not see: the text may run them.
 */
export function runsText(words: readonly string[], masked: readonly string[]): readonly string[] {
	const found = evaluation(words.flatMap(splitByEnv));
	if (found === undefined) return [];
	const warning = `It runs text as code (${oneLine(found.words, 80)}).`;
	// That a shell runs commands has a warning of its own.
	if (masked.length === 0) return found.isShell ? [] : [warning];
	const names = oneLine(masked.join(", "), 300);
	return [
		`${warning} This code may use or run the masked values of ${names}. Approve it only if you know these values.`,
	];
}

/** `env -S` takes several words in one. */
function splitByEnv(word: string, index: number, words: readonly string[]): readonly string[] {
	const before = words[index - 1] ?? "";
	const [, attached] = /^(?:-[a-zA-Z]*S|--split-string=)(.+)$/s.exec(word) ?? [];
	if (attached !== undefined) return attached.slice(0, 4096).trim().split(/\s+/);
	return /^-[a-zA-Z]*S$|^--split-string$/.test(before) ? word.slice(0, 4096).trim().split(/\s+/) : [word];
}

/** The first program among words that runs a text as code, with the option that says so. */
function evaluation(words: readonly string[]): { readonly words: string; readonly isShell: boolean } | undefined {
	for (const [index, word] of words.entries()) {
		const [, option, valued = /^[-+/]/] = evaluators.find(([program]) => program.test(programName(word))) ?? [];
		if (option === undefined) continue;
		for (let next = index + 1; next < words.length; next++) {
			const text = words[next] ?? "";
			if (option.test(text)) {
				const name = programName(word);
				return { words: `${name} ${/^--?[\w-]+|^\/\w+|^\w+/.exec(text)?.[0] ?? text}`, isShell: shells.test(name) };
			}
			// After an option may follow its value; any other word is a script, and the options after it belong to the
			// script.
			const isOption = /^[-+/]/.test(text);
			if (!isOption && (next === index + 1 || !valued.test(words[next - 1] ?? ""))) break;
		}
	}
	return undefined;
}

/** Folders of a machine that contain its programs or its users' data. */
const systemFolder =
	/^(?:[a-z]:)?\/(?:(?:etc|root|proc|sys|dev|var|usr|boot|s?bin|lib\d*|home|Users|run|Windows)(?:\/|$)|$)/i;
const homeFolder = /^(?:~|\$\{?HOME\}?|\$\{userHome\})\/?$/;
const dangerousCapabilities =
	/^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH|DAC_OVERRIDE|NET_ADMIN|BPF)$/i;

/** Warns of options by which a container is given the machine that it runs on. */
export function handsOverMachine(words: readonly string[]): readonly string[] {
	const program = words.findIndex((word) => /^(?:docker|podman|nerdctl)$/i.test(programName(word)));
	if (program === -1) return [];
	const start = words.findIndex((word, index) => index > program && (word === "run" || word === "create"));
	if (start === -1) return [];
	const warnings = new Set<string>();
	const args = words.slice(start + 1);
	for (const [index, argument] of args.entries()) {
		const [, long, attached] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
		const [, volume] = /^-[a-uw-z]*v=?(.*)$/s.exec(argument) ?? [];
		const option = long ?? (volume === undefined ? "" : "--volume");
		const given = long === undefined ? volume : attached;
		const value = given === undefined || given === "" ? (args[index + 1] ?? "") : given;
		for (const warning of warningsOf(option, value, attached)) warnings.add(warning);
	}
	return [...warnings];
}

function warningsOf(option: string, value: string, attached: string | undefined): readonly string[] {
	switch (option) {
		case "--privileged":
			return /^(?:false|0)$/i.test(attached ?? "")
				? []
				: ["It gives the container full access to this machine (--privileged)."];
		case "--volume":
			return ofMount(/^[a-z]:[\\/][^:]*/i.exec(value)?.[0] ?? value.split(":")[0] ?? "");
		case "--mount":
			return ofMount(/(?:^|,)"?(?:source|src)=([^,"]*)/i.exec(value)?.[1] ?? "");
		case "--pid":
		case "--ipc":
		case "--userns":
		case "--uts":
		case "--cgroupns":
			return value === "host"
				? [`It gives the container access to other processes on this machine (${option}=host).`]
				: [];
		case "--network":
		case "--net":
			return value === "host" ? [`It lets the container use the network of this machine (${option}=host).`] : [];
		case "--cap-add":
			return value.split(",").some((one) => dangerousCapabilities.test(one))
				? [`It gives the container administrator rights (--cap-add=${oneLine(value, 60)}).`]
				: [];
		case "--device":
			return [`It gives the container a device of this machine (${oneLine(value, 100)}).`];
		case "--security-opt":
			return /unconfined|label[:=]disable|systempaths=/i.test(value)
				? [`It turns off a protection of the container (--security-opt=${oneLine(value, 60)}).`]
				: [];
		default:
			return [];
	}
}

/** Warns of folders that are mounted into a container. */
function ofMount(source: string): readonly string[] {
	const path = normalized(source);
	if (/\.sock$|\/pipe\/docker/i.test(path)) {
		return [
			`It gives the container a socket of this machine (${oneLine(source, 100)}). Docker's socket controls the whole machine.`,
		];
	}
	if (path === "/" || /^[a-z]:\/$/i.test(path)) return ["It gives the container access to all files on this machine."];
	return systemFolder.test(path) || homeFolder.test(path)
		? isDeepHome(path)
			? []
			: [`It gives the container access to system or user files of this machine (${oneLine(source, 100)}).`]
		: [];
}

/** A folder inside a user's home is a usual target of servers. */
function isDeepHome(path: string): boolean {
	return /^(?:[a-z]:)?\/(?:home|Users)\/[^/]+\/./i.test(path);
}

/** A path with `/` between its parts, and without `.` and `..`. */
function normalized(source: string): string {
	const text = source.replaceAll("\\", "/");
	if (!/^(?:[a-z]:)?\//i.test(text)) return text;
	const [, drive = ""] = /^([a-z]:)/i.exec(text) ?? [];
	const parts: string[] = [];
	for (const part of text.slice(drive.length).split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	return `${drive}/${parts.join("/")}`;
}
