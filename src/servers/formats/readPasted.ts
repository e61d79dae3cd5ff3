import { canonicalJson } from "../../base/json.ts";
import { isProgram, readCommandLines } from "./commandLines.ts";
import type { ForeignServer, ForeignServers } from "./foreignServer.ts";
import { isLauncher } from "./launchers.ts";
import { linksIn, readInstallLink } from "./installLinks.ts";
import { readConfiguration } from "./readConfiguration.ts";
import { readPage } from "./packagePages.ts";
import { withRemarks } from "./remarks.ts";
import { readShell, type ShellLine } from "./shellWords.ts";
import { readAddress, readDomain } from "./targetText.ts";

/** Longest text that is looked at, in characters: a whole README has fewer. */
const longest = 500_000;
/** The line before and behind a code block of Markdown. */
const fence = /^[ \t]{0,8}(`{3,40}|~{3,40})/;
/** The address of a bundle: a URL, or the path of a file. */
const bundle =
	/^(?:(?:https?|file):\/\/\S{1,2000}|(?:~?\/|[A-Za-z]:[\\/])[^\n]{1,1000})\.(?:mcpb|dxt)(?:[?#]\S{0,1000})?$/i;
const inlineCode = /`([^`\n]{3,2000})`/g;

const none = (format: string, reason: string): ForeignServers => ({ format, servers: [], refused: [{ reason }] });
const notUnderstood =
	"No server was found in this text. Paste a command line, a URL, an install link, or a configuration of any host in JSON, TOML or YAML.";

/**
 * Reads what a person pastes to add servers: a configuration in any host's shape, a command line, an install link, a URL
 * or a domain, or a page that holds one of these. Runs, opens and fetches nothing, and never throws; what is not
 * understood is refused with the reason.
 */
export function readPasted(text: string): ForeignServers {
	if (text.length > longest)
		return none("Text", `The text has more than ${longest.toLocaleString("en-US")} characters and was not read.`);
	const plain = text
		.replaceAll("\r\n", "\n")
		.replace(/[\u00A0\u202F]/g, " ")
		.replace(/^\uFEFF/, "")
		.trim();
	if (plain === "") return { format: "Nothing", servers: [], refused: [] };
	const page = readPage(plain);
	if (page !== undefined) return page;
	if (bundle.test(plain)) return { format: "MCP bundle", servers: [], refused: [], bundle: plain };
	const blocks = codeBlocksOf(plain);
	if (blocks.length > 0) return joined(blocks.map(readBlock), "Code blocks") ?? none("Text", notUnderstood);
	const whole = readBlock(plain);
	const within = whole !== undefined && whole.servers.length > 0 ? undefined : readWithin(plain);
	return (
		(within !== undefined && within.servers.length > 0 ? within : (whole ?? within)) ?? none("Text", notUnderstood)
	);
}

/** The code blocks of a page, the last one also where it is not closed. */
function codeBlocksOf(text: string): readonly string[] {
	const blocks: string[] = [];
	let open: { readonly mark: string; readonly lines: string[] } | undefined;
	for (const line of text.split("\n")) {
		const [, mark] = fence.exec(line) ?? [];
		if (open === undefined) open = mark === undefined ? undefined : { mark, lines: [] };
		else if (mark?.startsWith(open.mark) === true) {
			blocks.push(open.lines.join("\n").trim());
			open = undefined;
		} else open.lines.push(line);
	}
	return open === undefined ? blocks : [...blocks, open.lines.join("\n").trim()];
}

/** Reads a text that is one thing as a whole. Undefined where it seems to be prose. */
function readBlock(text: string): ForeignServers | undefined {
	const link = /\s/.test(text) ? undefined : readInstallLink(text);
	if (link !== undefined) return link;
	const configuration = readConfiguration(text);
	if (configuration !== undefined && configuration.servers.length > 0) return configuration;
	const found = linksIn(text);
	if (found.length > 0) return joined(found.map(readInstallLink), "Install links");
	if (configuration !== undefined) return configuration;
	const address = readAddress(text);
	if (address !== undefined) {
		if ("reason" in address) return none("URL", address.reason);
		const domain = readDomain(text);
		return {
			format: "URL",
			servers: [{ ...address, inputs: [], isOff: false, tools: {} }],
			refused: [],
			...(domain === undefined ? {} : { domain: domain.href }),
		};
	}
	return isCommand(text) ? readCommandLines(text) : undefined;
}

/** Whether a text is what people type into a terminal: all its lines begin as commands do. */
function isCommand(text: string): boolean {
	if (/^[{[<]/.test(text)) return false;
	const lines = readShell(text).filter(({ words }) => words.length > 0);
	const [only, ...more] = lines;
	if (more.length === 0) return only !== undefined && !isProse(text, only);
	return lines.every(({ words: [first = ""] }) => isProgram(first));
}

function isProse(text: string, line: ShellLine): boolean {
	const [first = "", ...rest] = line.words;
	const isPrefixed = "environment" in line && Object.keys(line.environment).length > 0;
	if (isPrefixed || isLauncher(first)) return false;
	if (!/^[\w@.~/\\:+${}= -]+$/.test(first)) return true;
	return rest.length > 2 && (/^[A-Z][a-z]*,?$/.test(first) || /[^.][.!?:]$/.test(text));
}

function firstWord(line: string): string {
	const [first = ""] = line
		.replace(/^[$%>] +/, "")
		.replace(/^(?:[A-Za-z_]\w*=\S* +)+/, "")
		.split(/\s+/);
	return first;
}

/** Reads what stands between words: an object in braces, commands on lines of their own, code in backticks. */
function readWithin(text: string): ForeignServers | undefined {
	const start = text.search(/^[ \t]*(?:"[^"\n]{1,200}"[ \t]*:[ \t]*)?\{/m);
	const end = text.lastIndexOf("}");
	const object = start === -1 || end < start ? undefined : readConfiguration(text.slice(start, end + 1).trim());
	const lines = text
		.replace(/([\\`^])[ \t]*\n/g, "$1\u0000")
		.split("\n")
		.filter((line) => isLauncher(firstWord(line.trim())) && /\s/.test(line.trim()))
		.map((line) => readCommandLines(line.replaceAll("\u0000", "\n")));
	const code = [...text.matchAll(inlineCode)]
		.map(([, inside = ""]) => inside.trim())
		.filter((inside) => isLauncher(firstWord(inside)) && /\s/.test(inside))
		.map((inside) => readCommandLines(inside));
	const found = object !== undefined && object.servers.length > 0 ? [object] : lines.length > 0 ? lines : code;
	const read = joined(found, "Text");
	if (read === undefined) return object;
	return withRemarks(read, "The words around it were left out.");
}

/**
 * What several parts hold together, each server once: pages print the same one for each host. Parts that hold none say
 * nothing where others hold some.
 */
function joined(parts: readonly (ForeignServers | undefined)[], format: string): ForeignServers | undefined {
	const read = parts.filter((part) => part !== undefined);
	const [only, ...more] = read.filter(({ servers }) => servers.length > 0);
	if (only === undefined) {
		const refused = read.flatMap((part) => part.refused);
		return read.length === 0
			? undefined
			: { format: read.length === 1 ? (read[0]?.format ?? format) : format, servers: [], refused };
	}
	if (more.length === 0) return only;
	const servers = new Map<string, ForeignServer>();
	for (const server of [only, ...more].flatMap((part) => part.servers)) {
		const key = canonicalJson([server.name ?? null, server.entry]);
		if (!servers.has(key)) servers.set(key, server);
	}
	return { format, servers: [...servers.values()], refused: [only, ...more].flatMap((part) => part.refused) };
}
