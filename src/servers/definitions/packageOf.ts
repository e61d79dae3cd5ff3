import { programName } from "../../protocol/stdio/launchers.ts";

/** A package or an image that a command line brings along and runs. */
export interface LaunchedPackage {
	readonly launcher: "npx" | "uvx" | "dnx" | "docker";
	readonly name: string;
	/** The text after the name; undefined if there is none. */
	readonly version: string | undefined;
	/** Which of the arguments it is. */
	readonly index: number;
}

/** Options of these programs that are followed by a value of their own. */
const valued: Readonly<Record<LaunchedPackage["launcher"], ReadonlySet<string>>> = {
	npx: new Set(["-c", "--call", "-w", "--workspace", "--cache", "--registry", "--prefix"]),
	uvx: new Set([
		"-p",
		"--python",
		"--with",
		"--with-editable",
		"--index",
		"--index-url",
		"--extra-index-url",
		"--default-index",
		"-f",
		"--find-links",
		"--cache-dir",
		"--directory",
	]),
	dnx: new Set(["--version", "--source", "--add-source", "--configfile", "-v", "--verbosity", "--framework"]),
	docker: new Set(
		"-e --env --env-file -v --volume --mount -p --publish --name --network --net -w --workdir -u --user --add-host --entrypoint --platform --memory -m --cpus --gpus --label -l --hostname -h --pull --security-opt --cap-add --cap-drop --device --tmpfs --log-driver".split(
			" ",
		),
	),
};

/** The package that a command line runs; undefined where it runs none that it names. */
export function packageOf(command: string, args: readonly string[]): LaunchedPackage | undefined {
	const program = programName(command);
	const start = beginning(program, args);
	if (start === undefined) return undefined;
	const { launcher, from } = start;
	for (let index = from; index < args.length; index++) {
		const argument = args[index] ?? "";
		const named = launcher === "npx" ? /^(?:--package=|-p=)(.+)$/.exec(argument) : /^--from=(.+)$/.exec(argument);
		if (named?.[1] !== undefined) return { ...split(launcher, named[1]), launcher, index };
		if (argument === "--") continue;
		const isNamedNext = launcher === "npx" ? argument === "-p" || argument === "--package" : argument === "--from";
		if (isNamedNext && (launcher === "npx" || launcher === "uvx")) {
			const next = args[index + 1];
			return next === undefined ? undefined : { ...split(launcher, next), launcher, index: index + 1 };
		}
		if (valued[launcher].has(argument)) index++;
		else if (!argument.startsWith("-")) return { ...split(launcher, argument), launcher, index };
	}
	return undefined;
}

function beginning(
	program: string,
	args: readonly string[],
): { readonly launcher: LaunchedPackage["launcher"]; readonly from: number } | undefined {
	const [first, second] = args;
	// Windows runs the batch file of a launcher by its command processor, and many configurations say so.
	if (program === "cmd" && /^\/[cCkK]$/.test(first ?? "")) return behind(args, 1);
	if (program === "npx" || program === "bunx" || program === "pnpx") return { launcher: "npx", from: 0 };
	if (program === "npm" && (first === "exec" || first === "x")) return { launcher: "npx", from: 1 };
	if ((program === "pnpm" || program === "yarn") && first === "dlx") return { launcher: "npx", from: 1 };
	if (program === "uvx") return { launcher: "uvx", from: 0 };
	if (program === "uv" && first === "tool" && second === "run") return { launcher: "uvx", from: 2 };
	if (program === "pipx" && first === "run") return { launcher: "uvx", from: 1 };
	if (program === "dnx") return { launcher: "dnx", from: 0 };
	if ((program === "docker" || program === "podman") && first === "run") return { launcher: "docker", from: 1 };
	return undefined;
}

/** The same for a program among the arguments of another one. */
function behind(args: readonly string[], at: number): ReturnType<typeof beginning> {
	const start = beginning(programName(args[at] ?? ""), args.slice(at + 1));
	return start === undefined ? undefined : { ...start, from: start.from + at + 1 };
}

/** A name and the text after it: `@scope/name@1.2.3`, `name==1.2.3`, `registry:5000/image:tag`. */
function split(
	launcher: LaunchedPackage["launcher"],
	text: string,
): { readonly name: string; readonly version: string | undefined } {
	const at =
		launcher === "docker"
			? (/@|:(?=[^/]*$)/.exec(text)?.index ?? -1)
			: launcher === "npx" || launcher === "dnx"
				? text.indexOf("@", 1)
				: text.search(/[@=<>~!]/);
	if (at <= 0) return { name: text, version: undefined };
	return { name: text.slice(0, at), version: text.slice(at).replace(/^(?:[@:]|==)/, "") };
}

/** Whether each start may run another version than the one before. */
export function isUnpinned({ launcher, name, version }: LaunchedPackage): boolean {
	// A local file, or an address, is not a package of a registry.
	if (/^[./~]|^[\w+]+:\/\/|\$\{/.test(name)) return false;
	return launcher === "docker"
		? version === undefined || version === "latest"
		: version === undefined || !/^\d[\w.+-]*$/.test(version);
}

/**
 * The argument that names a package, with its version replaced. `launched` is the result of `packageOf`: a package of
 * npm or PyPI.
 */
export function withVersion(argument: string, { launcher, name }: LaunchedPackage, to: string): string {
	const start = argument.indexOf(name);
	if (start === -1) return argument;
	const rest = argument.slice(start + name.length);
	const usual = start > 0 && launcher === "uvx" ? "==" : "@";
	const sign = /^(?:==|@)/.exec(rest)?.[0] ?? usual;
	return `${argument.slice(0, start)}${name}${sign}${to}`;
}
