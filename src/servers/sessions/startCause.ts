import { oneLine } from "../../base/text.ts";
import { decoded } from "../../base/words.ts";
import { brokenInside } from "./brokenPackage.ts";
import { oldNode, withNode } from "./nodeVersion.ts";
import type { LaunchedPackage } from "../definitions/packageOf.ts";

/** Why a server did not start, as far as its output shows. */
export interface StartCause {
	readonly kind:
		| "missing-value"
		| "no-package"
		| "no-version"
		| "broken-package"
		| "no-program"
		| "registry"
		| "old-runtime"
		| "no-module"
		| "no-file"
		| "no-permission"
		| "port-in-use"
		| "no-docker"
		| "no-image"
		| "unreachable"
		| "refused-key"
		| "not-stdio"
		| "said";
	/** The cause and the remedy, in one or two of our sentences; the server's words in it are in quotes. */
	readonly words: string;
	/** The variable, package, program, port, address or file that it is about. */
	readonly subject?: string;
}

/** A kind of cause, and how to recognize it in a line. Each pattern is run once per line. */
interface Sign {
	readonly kind: StartCause["kind"];
	/** The pattern; the first group is the subject. */
	readonly pattern: RegExp;
	/** A further pattern for the line, if the subject's own pattern is too wide. */
	readonly beside?: RegExp;
	readonly words: (subject: string, other: string) => string;
}

const quoted = (text: string): string => `“${oneLine(text, 160)}”`;

/** A path, in contrast to the name of a package. */
const isPath = /^[./\\]|^[a-z]:/i;
/** A position in code, in Node's form for the origin of an error: such a line is not a message. */
const place = /^\s{1,40}at\s.*:\d+:\d+\)?(?: \{)?$/;

/** A Python package that is missing has another name than its module, at times. */
const installModule = (module: string): string =>
	`The program or module ${quoted(module)} is missing where the server looks for it. Install it there, or check the path in "args".`;

/**
 * The causes that are distinguished, the more specific ones first: npm reports that a package is missing, and then that
 * it failed. The texts are those of npm 7 to 11, uv, Node, Python, Docker and Go.
 */
const signs: readonly Sign[] = [
	{
		kind: "no-docker",
		pattern: /(docker|podman)(?: daemon|\.sock|_engine|Desktop)/i,
		beside: /cannot connect|error during connect|failed to connect|is the docker daemon running|cannot find the file/i,
		words: () => "Docker is not running, and the server needs it. Start Docker, then start the server again.",
	},
	{
		kind: "no-permission",
		pattern: /(docker) (?:daemon|API)/i,
		beside: /permission denied/i,
		words: () =>
			"Your account may not use Docker on this machine (permission denied). Add your account to the group docker, and sign in to the system again.",
	},
	{
		kind: "no-image",
		pattern: /pull access denied for ([^\s,]+)|manifest for (\S+) not found|manifest unknown/i,
		words: (image) =>
			`Docker found no image${image === "" ? "" : ` ${quoted(image)}`}, or is not allowed to download it. Check its name in "args", or sign in with docker login.`,
	},
	{
		kind: "port-in-use",
		pattern: /EADDRINUSE[^\d]{0,80}[\d.:a-f[\]]{0,60}:(\d{1,5})\b/i,
		words: portInUse,
	},
	{
		kind: "port-in-use",
		pattern: /:(\d{1,5})\b|$/,
		beside: /EADDRINUSE|address already in use|port is already allocated|only one usage of each socket address/i,
		words: portInUse,
	},
	{
		kind: "no-package",
		pattern:
			/npm (?:error|ERR!) (?:code E)?404\s+['"]?((?:@[\w.~-]+\/)?[\w.~-]+)@[^'"\s]*['"]? is not in (?:this|the npm) registry/,
		words: (name) => noPackage(name, "npm"),
	},
	{
		kind: "no-package",
		pattern: /npm (?:error|ERR!) 404 Not Found - GET https?:\/\/[^/\s]+\/(\S+)/,
		words: (name) => noPackage(name, "npm"),
	},
	{
		kind: "no-package",
		pattern: /Because ([\w.-]+) was not found in the package registry/,
		words: (name) => noPackage(name, "Python (PyPI)"),
	},
	{
		kind: "no-package",
		pattern: /No matching distribution found for ([\w.=<>~-]+)/,
		words: (name) => noPackage(name, "Python (PyPI)"),
	},
	{
		kind: "no-version",
		pattern: /npm (?:error|ERR!) notarget No matching version found for (\S+?)\.?$|there is no version of (\S+)/,
		words: (name) =>
			`There is no such version of the package: ${quoted(name)}. Check the version after the @ in "args".`,
	},
	{
		kind: "no-program",
		pattern: /npm (?:error|ERR!) (could not determine executable to run)/,
		words: () =>
			"The package was found, but contains no program to run: it may be a library, or was published without its program. See its documentation for how to start it.",
	},
	{
		kind: "no-program",
		pattern: /An executable named `([^`]{1,100})` is not provided by package/,
		words: (name) =>
			`The package was found, but contains no program ${quoted(name)}. Check "args", or name it by --from.`,
	},
	{
		kind: "old-runtime",
		pattern: /required: \{ node: '([^']{1,60})'/,
		words: (version) => oldNode(version),
	},
	{
		kind: "old-runtime",
		pattern:
			/(?:requires?|needs?|unsupported|must use|minimum)[^\n]{0,60}?\bNode(?:\.js)?\b[^\d\n]{0,30}(\d+(?:\.\d+)*)/i,
		words: (version) => oldNode(version),
	},
	{
		kind: "old-runtime",
		pattern: /\bNode(?:\.js)?\b[^\d\n]{0,20}(\d+(?:\.\d+)*)[^\n]{0,40}(?:is required|or (?:newer|higher|later|above))/i,
		words: (version) => oldNode(version),
	},
	{
		kind: "old-runtime",
		pattern:
			/ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module|ERR_UNKNOWN_FILE_EXTENSION|does not provide an export named|Unexpected token '(?:\?\?=|\|\|=|\?|\.|with)'/,
		words: () => oldNode(""),
	},
	{
		kind: "old-runtime",
		pattern:
			/(?:No interpreter found for |requires-python|requires a different Python|does not satisfy )(Python ?[>=<~!]*\d[\d.]*)?/,
		words: (version) =>
			`The server needs another version of Python${version === "" ? "" : ` (${oneLine(version, 40)})`}. Install it, or run the server with uvx, which can download one.`,
	},
	{
		kind: "registry",
		pattern:
			/npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|E401|E403|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED)/,
		words: (code) =>
			`npm could not get the package from its registry (${code}). Check the network, the proxy and the registry in .npmrc, then start again.`,
	},
	{
		kind: "registry",
		pattern: /Failed to (?:fetch|download)[^h\n]{0,80}`?(https?:\/\/[^`\s/]+)?/,
		words: (host) =>
			`uv could not download${host === "" ? "" : ` from ${quoted(host)}`}. Check the network and the proxy, then start again.`,
	},
	{
		kind: "no-permission",
		pattern:
			/npm (?:error|ERR!) code (?:EACCES|EPERM)|EACCES: permission denied, \w+ '([^']{1,300})'|PermissionError: [^']{0,60}(?:'([^']{1,300})')?/,
		words: (path) =>
			`The server has no permission to read, write or run ${path === "" ? "a file that it needs" : quoted(path)} (permission denied). Check its owner.`,
	},
	{
		kind: "no-module",
		pattern: /ModuleNotFoundError: No module named '([^']{1,200})'|: No module named ([\w.]{1,200})/,
		words: installModule,
	},
	{
		kind: "no-module",
		pattern: /Cannot find (?:module|package) '([^']{1,300})'/,
		words: (module, line) =>
			module.startsWith(".") || (isPath.test(module) && / imported from /.test(line))
				? `The server was not installed or built completely: it lacks ${quoted(module)}. Install it again. If it is your own server, build it.`
				: isPath.test(module)
					? `The file ${quoted(module)} does not exist. Check the path in "args". If it is your own server, build it first.`
					: `The package ${quoted(module)}, which the server needs, is not installed. Run npm install in the server's folder.`,
	},
	{
		kind: "no-file",
		pattern: /can't open file '([^']{1,300})'/,
		words: (file) => `The file ${quoted(file)} does not exist. Check the path in "args".`,
	},
	{
		kind: "no-program",
		pattern: /env: [‘'`"]?([\w.+-]{1,80})[’'"]?: No such file|(?:^|: )([\w./+-]{1,120}): (?:command )?not found$/,
		words: (program) =>
			`The program ${quoted(program)}, which the server runs, was not found on its PATH. Install it, or set PATH in "env" of the server.`,
	},
	{
		kind: "unreachable",
		pattern: /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]{1,200})/,
		words: (host) =>
			`The server could not find the host ${quoted(host)}. Check the address in its configuration, and the network.`,
	},
	{
		kind: "unreachable",
		pattern: /connect ECONNREFUSED ([\w.:[\]-]{1,100})/,
		words: (address) =>
			`Nothing answers at ${quoted(address)}, which the server needs. Start that program, or correct the address.`,
	},
];

function portInUse(port: string): string {
	const which = port === "" ? "A port that the server needs" : `Port ${port}, which the server needs,`;
	return `${which} is in use by another program, perhaps another copy of the same server. Stop that program, or configure another port.`;
}

function noPackage(name: string, registry: string): string {
	const plain = name.includes("%") ? decoded(name) : name;
	return `There is no package ${quoted(plain)} in the registry of ${registry}. Check its name for a typo, and whether you are signed in if it is private.`;
}

/** A variable as programs name it; error codes look the same. */
const variableNames = /\b(?!ERR_|UND_ERR_|MODULE_NOT|HTTP_STATUS|NODE_ENV)[A-Z][A-Z\d]{1,40}(?:_[A-Z\d]{1,40}){1,8}\b/g;
const isMissing =
	/\brequired?\b|\brequires\b|missing|not (?:been )?(?:set|found|provided|defined|specified|configured|given)|must (?:be|provide|specify|have)|undefined|unset|\bset\b|\bprovide\b|\bexport\b|KeyError|\bempty\b|\bneeds?\b|expected/i;
const option = /(?:^|\s)['"`<]?(--[a-z][\w-]{1,60})/;
const keyWords = /(?:api|access|secret|auth)[\s_-]?(?:key|token)|\btoken\b|credentials?|password/i;

function missingValue(lines: readonly string[], given: ReadonlySet<string>): StartCause | undefined {
	let general: StartCause | undefined;
	for (const line of lines) {
		if (!isSpoken(line)) continue;
		const variable = line.match(variableNames)?.find((name) => !given.has(name));
		if (variable !== undefined && isMissing.test(line)) {
			const words = `${variable} is not set, and the server needs it. Add it to "env" of the server.`;
			return { kind: "missing-value", subject: variable, words };
		}
		const argument = option.exec(line)?.[1];
		if (argument !== undefined && /required|missing|must|expected|no value/i.test(line)) {
			const words = `The server requires the argument ${argument}. Add it to "args" of the server.`;
			general ??= { kind: "missing-value", words };
		} else if (keyWords.test(line) && /required|missing|not (?:set|found|provided)|must|\bno\b/i.test(line)) {
			const words = `The server has no key or token. It wrote: ${quoted(line)}. See its documentation for the variable to set in "env".`;
			general ??= { kind: "missing-value", words };
		}
	}
	return general;
}

const refusal =
	/invalid (?:api[ _-]?key|token|credentials)|incorrect api key|bad credentials|authentication failed|\b401\b.{0,20}unauthorized|unauthorized.{0,20}\b401\b/i;

/** Lines without a meaning of their own: code, positions in code, and the path of a log. */
const frame =
	/^(?:\s{4}|\s{0,3}(?:at\s|File "|node:internal|Node\.js v|npm notice|npm warn|throw |Traceback|During handling|\|))|\.(?:[cm]?js|ts|py):\d+$/;
const ofNpm = /^npm (?:error|ERR!)\s{0,2}(?:A complete log|code |This is|errno|syscall|path)/;

/** Two letters in a row: without them a line is a caret, a bracket or a number. */
function isSpoken(line: string): boolean {
	return !frame.test(line) && !ofNpm.test(line) && /\p{L}{2}/u.test(line);
}

const isFault =
	/\b\w*(?:Error|Exception)\b|\berror\b|fatal|panic|fail(?:ed|ure)|cannot|could not|can't|unable|invalid|denied|refused|required|missing|usage:/i;
const listens =
	/(?:listening|running|started|serving|ready|available|uvicorn)\b[^\n]{0,80}?(https?:\/\/[\w.[\]:-]{1,100}[\w./-]{0,100}|\bport:? ?\d{2,5})/i;

/**
 * The most informative line: the last one that looks like an error, or the last one with any content; whole, as
 * received.
 */
export function tellingLine(lines: readonly string[]): string | undefined {
	const spoken = lines.filter(isSpoken);
	return spoken.findLast((line) => isFault.test(line)) ?? spoken.at(-1);
}

/** How the lines are read. */
interface CauseOptions {
	/** Whether a line that nothing is known of is quoted, as where the server ended before it ran. */
	readonly mayGuess: boolean;
	/** The variables that the server was given: none of them is missing. */
	readonly given?: ReadonlySet<string>;
	/** The package that was run. */
	readonly launched?: LaunchedPackage;
}

/**
 * The cause in the lines that a server wrote before it ended. `noise` is its first line on standard output that is not
 * a message. The lines are without control characters and of a bounded length; quotes of them are cut, and still
 * untrusted. Undefined if they give no cause.
 */
export function causeOf(
	lines: readonly string[],
	noise: string | undefined,
	{ mayGuess, given = new Set(), launched }: CauseOptions,
): StartCause | undefined {
	// Node shows the line of code that threw, with a caret below: it is not a message.
	const written = lines.filter((_line, index) => !/^\s{0,200}\^/.test(lines[index + 1] ?? ""));
	const messages = written.filter((line) => !place.test(line));
	const all = noise === undefined ? messages : [...messages, noise];
	for (const { kind, pattern, beside, words } of signs) {
		for (const line of all) {
			if (beside !== undefined && !beside.test(line)) continue;
			const found = pattern.exec(line);
			if (found === null) continue;
			const subject = found.slice(1).find((group) => group !== undefined) ?? "";
			const broken = launched === undefined ? undefined : brokenInside(launched, kind, subject, line);
			if (broken !== undefined) return { kind: "broken-package", words: broken, subject: oneLine(subject, 200) };
			return {
				kind,
				words: withNode(words(subject, line), lines),
				...(subject === "" ? {} : { subject: oneLine(subject, 200) }),
			};
		}
	}
	const missing = missingValue(all, given);
	if (missing !== undefined) return missing;
	const refused = all.find((line) => refusal.test(line));
	if (refused !== undefined) {
		const words = `A key or token of the server was rejected: ${quoted(refused)}. Check its value, and whether it has expired.`;
		return { kind: "refused-key", words };
	}
	return mayGuess ? guess(written, noise) : undefined;
}

function guess(lines: readonly string[], noise: string | undefined): StartCause | undefined {
	const address = [...(noise === undefined ? [] : [noise]), ...lines]
		.map((line) => listens.exec(line)?.[1])
		.find((found) => found !== undefined);
	if (address !== undefined) {
		const words = `This is a server for HTTP, not for standard input and output: it listens at ${quoted(address)}. Start it yourself and configure its "url", or look for an option such as --stdio.`;
		return { kind: "not-stdio", subject: oneLine(address, 200), words };
	}
	const line = tellingLine(lines);
	if (line !== undefined && (noise === undefined || isFault.test(line)))
		return { kind: "said", words: `Its last output was: ${quoted(line)}.` };
	if (noise === undefined) return undefined;
	const words = `It wrote text to standard output, where only MCP messages are allowed: ${quoted(noise)}. Logs must go to standard error.`;
	return { kind: "not-stdio", words };
}
