import { canonicalJson } from "../../base/json.ts";
import { isProgram, readCommandLines } from "./commandLines.ts";
import type { ForeignServer, ForeignServers } from "./foreignServer.ts";
import { isLauncher } from "../../protocol/stdio/launchers.ts";
import { purposeOf } from "./linePurpose.ts";
import { linksIn, readInstallLink } from "./installLinks.ts";
import { readConfiguration } from "./readConfiguration.ts";
import { readPage } from "./packagePages.ts";
import { withRemarks } from "./remarks.ts";
import { readShell, type ShellLine } from "./shellWords.ts";
import { readAddress, readDomain } from "./targetText.ts";

/** The maximum length of a pasted text, in characters: a whole README has fewer. */
const longest = 500_000;
/** The line before and behind a code block of Markdown. */
const fence = /^[ \t]{0,8}(`{3,40}|~{3,40})/;
/** The address of a bundle: a URL, or the path of a file. */
const bundle =
	/^(?:(?:https?|file):\/\/\S{1,2000}|(?:~?\/|[A-Za-z]:[\\/])[^\n]{1,1000})\.(?:mcpb|dxt)(?:[?#]\S{0,1000})?$/i;
const inlineCode = /`([^`\n]{3,2000})`/g;

const none = (format: string, reason: string): ForeignServers => ({ format, servers: [], refused: [{ reason }] });
const notSure = "This may not be a server. Choose it only if the page says that it is.";
const notUnderstood =
	"No server was found in this text. Paste a command line, a URL, an install link, or a configuration in JSON, TOML or YAML.";

/**
 * Reads a text that a user pastes to add servers: a configuration in any host's shape, a command line, an install link,
 * a URL or a domain, or a page that contains one of these. Runs, opens and fetches nothing, and never throws; an
 * unknown text is refused with the reason.
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
	if (blocks.length > 0) return readPageText(plain, blocks) ?? none("Text", notUnderstood);
	const whole = readBlock(plain);
	const within = whole !== undefined && whole.servers.length > 0 ? undefined : readWithin(plain);
	return (
		(within !== undefined && within.servers.length > 0 ? within : (whole ?? within)) ?? none("Text", notUnderstood)
	);
}

/**
 * Reads a page with code blocks. Its configurations and links take precedence. Commands that start a server are used
 * only without a configuration, because they are another way to run it. Other lines of a shell are not servers and are
 * ignored.
 */
function readPageText(text: string, blocks: readonly string[]): ForeignServers | undefined {
	const parts = blocks.map((block) => readConfigured(block));
	const written = parts.flatMap((part) => (part !== undefined && part.servers.length > 0 ? [part] : []));
	const isNamed = written.some((part) => part.servers.some(({ name }) => name !== undefined));
	const found = blocks.flatMap((block, index) => (parts[index] === undefined ? [readShellBlock(block)] : []));
	// On a page with configurations, commands without a name are the same servers, with options that it explains.
	const commands = isNamed ? found.map(namedOnly) : found;
	const links = written.length > 0 ? [] : linksIn(text).map(readInstallLink);
	const all: readonly (ForeignServers | undefined)[] = [...written, ...links, ...commands];
	const certain = all.some((part) => part?.servers.some(({ isDoubtful }) => isDoubtful !== true) === true);
	const within = certain ? undefined : readWithin(text);
	const read = joined(
		[...parts, ...links, ...commands, ...(within === undefined ? [] : [onPage(within)])],
		"Code blocks",
	);
	if (read === undefined || (read.servers.length === 0 && read.refused.length === 0)) return undefined;
	const names = new Set<string>();
	/** Whether an earlier one has no name: they are alternatives for the same one. */
	let isAnotherUnnamed = isNamed;
	const servers = read.servers.map((server): ForeignServer => {
		// Hosts, systems and ways to run it get names such as `time`, `Time` and `mcp-server-time`.
		const name = server.name?.toLowerCase().replace(/mcp|server|[^\p{L}\d]/gu, "");
		const isAnother = name === undefined ? isAnotherUnnamed : names.has(name);
		if (name !== undefined) names.add(name);
		else if (server.isDoubtful !== true) isAnotherUnnamed = true;
		return isAnother ? doubted(server, "The page shows another way to run this server above.") : server;
	});
	return { ...read, servers };
}

function namedOnly(part: ForeignServers | undefined): ForeignServers | undefined {
	return part === undefined ? undefined : { ...part, servers: part.servers.filter(({ name }) => name !== undefined) };
}

function doubted(server: ForeignServer, why: string): ForeignServer {
	return server.isDoubtful === true ? server : { ...server, isDoubtful: true, remarks: [...server.remarks, why] };
}

/** The commands of a block of a page that start servers. */
function readShellBlock(block: string): ForeignServers | undefined {
	const address = /^https?:/i.test(block) ? readAddressBlock(block) : undefined;
	if (address !== undefined) return onPage(address);
	const read = isCommand(block) ? readCommandLines(block) : joined(commandLinesIn(block), "Command lines");
	return read === undefined ? undefined : onPage(read);
}

/** The commands and addresses of a page that are offered; other commands are part of the page's own work. */
function onPage(read: ForeignServers): ForeignServers {
	const servers = read.servers.flatMap((server): readonly ForeignServer[] => {
		const { command, args, url } = server.entry;
		if (typeof url === "string") return [/mcp|sse/i.test(url) ? server : doubted(server, notSure)];
		// A command that adds it to another host gives a name.
		if (server.name !== undefined || typeof command !== "string") return [server];
		// A word behind a slash alone is a command of a chat.
		if (!isLauncher(command) && (!/mcp/i.test(command) || /^\/[\w-]+$/.test(command))) return [];
		const purpose = purposeOf(command, Array.isArray(args) ? args.map(String) : []);
		if (purpose === "set-up" || purpose === "other") return [];
		return [purpose === "server" ? server : doubted(server, notSure)];
	});
	return { ...read, servers, refused: [] };
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
	return readConfigured(text) ?? readAddressBlock(text) ?? (isCommand(text) ? readCommandLines(text) : undefined);
}

/** A text that is a configuration, or holds install links. */
function readConfigured(text: string): ForeignServers | undefined {
	const link = /\s/.test(text) ? undefined : readInstallLink(text);
	if (link !== undefined) return link;
	const configuration = readConfiguration(text);
	if (configuration !== undefined && configuration.servers.length > 0) return configuration;
	const found = linksIn(text);
	if (found.length > 0) return joined(found.map(readInstallLink), "Install links");
	return configuration;
}

function readAddressBlock(text: string): ForeignServers | undefined {
	const address = readAddress(text);
	if (address === undefined) return undefined;
	if ("reason" in address) return none("URL", address.reason);
	const domain = readDomain(text);
	return {
		format: "URL",
		servers: [{ ...address, inputs: [], isOff: false, tools: {} }],
		refused: [],
		...(domain === undefined ? {} : { domain: domain.href }),
	};
}

/** Whether a text looks like terminal input: all its lines begin as commands do. */
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

function commandLinesIn(text: string): readonly (ForeignServers | undefined)[] {
	return text
		.replace(/([\\`^])[ \t]*\n/g, "$1\u0000")
		.split("\n")
		.filter((line) => isLauncher(firstWord(line.trim())) && /\s/.test(line.trim()))
		.map((line) => readCommandLines(line.replaceAll("\u0000", "\n")));
}

/** Reads the parts between words: an object in braces, commands on lines of their own, code in backticks. */
function readWithin(text: string): ForeignServers | undefined {
	const start = text.search(/^[ \t]*(?:"[^"\n]{1,200}"[ \t]*:[ \t]*)?\{/m);
	const end = text.lastIndexOf("}");
	const object = start === -1 || end < start ? undefined : readConfiguration(text.slice(start, end + 1).trim());
	const lines = commandLinesIn(text);
	const code = [...text.matchAll(inlineCode)]
		.map(([, inside = ""]) => inside.trim())
		.filter((inside) => isLauncher(firstWord(inside)) && /\s/.test(inside))
		.map((inside) => readCommandLines(inside));
	const found = object !== undefined && object.servers.length > 0 ? [object] : lines.length > 0 ? lines : code;
	const read = joined(found, "Text");
	if (read === undefined) return object;
	return withRemarks(read, "The text around it was ignored.");
}

/**
 * The servers of several parts, each once: pages print the same one for each host. Refusals are dropped if other parts
 * hold servers.
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
