import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import type { ConfigOrigin } from "../../servers/definitions/config.ts";
import type { Census, ServerProcess } from "../../servers/otherHosts/census.ts";
import { accessSetting } from "../../servers/otherHosts/left.ts";
import { chooseRunner, moveRootFile } from "../../servers/otherHosts/remarks.ts";
import {
	cellOf,
	measuredWith,
	starterNames,
	starters,
	startPlaces,
	stillStarted,
	turnedOff,
	type EditorAccess,
	type StartPlace,
} from "../../servers/otherHosts/startFacts.ts";
import { isSameServer, type PlacedServer, type PlaceFile } from "./whoStarts.ts";

/** A server of MCP Host, as far as the page is about it. */
export interface HostedServer extends PlacedServer {
	readonly origin: ConfigOrigin;
	/** Its process, while it runs. */
	readonly pid?: number;
	readonly isLeft: boolean;
}

/** The parts of the page. */
export interface WhoStartsFacts {
	readonly files: readonly PlaceFile[];
	readonly servers: readonly HostedServer[];
	/** The servers that this editor's own host may start; undefined if it has none. */
	readonly access: EditorAccess | undefined;
	/** The processes of this machine; undefined on systems without a census. */
	readonly census: Census | undefined;
	/** A path as it is shown, such as with `~`. */
	readonly shorten: (path: string) => string;
	/** Whether the window works on another machine than the user's own. */
	readonly isRemote: boolean;
}

const mostNames = 12;

/** The page *Who Starts What*, as Markdown in which texts of files are only text. */
export function whoStartsPage(facts: WhoStartsFacts): string {
	const { access, isRemote } = facts;
	const heads = ["Place", "Servers", "MCP Host", ...starters.map((host) => starterNames[host])];
	const rows = startPlaces.flatMap((place) => rowsOf(place, facts));
	return [
		"# Who Starts What",
		"Which host starts the servers of which place, and when. Hosts other than MCP Host do not ask before they start one. This page is based on files and running processes. It did not start anything.",
		stateOf(access),
		table(heads, rows),
		[
			`- Measured with ${plain(measuredWith)}. Other versions may differ.`,
			"- *not seen*: not started when it was measured. On a desktop, the session may start it.",
			"- Extensions cannot see which servers other extensions provide.",
			...(isRemote ? ["- This window is remote. Your user `mcp.json` on your own computer is not in the table."] : []),
			...(facts.files.some(({ place }) => place === "root")
				? [
						`- \`MCP Host: ${moveRootFile.button}\` moves servers to \`.vscode/mcp.json\`, which agent sessions do not read without VS Code.`,
					]
				: []),
		].join("\n"),
		"## What Runs Now",
		running(facts),
		"",
	].join("\n\n");
}

function stateOf(access: EditorAccess | undefined): string {
	const change = `\`${chooseRunner.title}\` changes that.`;
	switch (access) {
		case "all":
			return `VS Code's own MCP host is on (\`${accessSetting}\`). ${change}`;
		case "registry":
			return `VS Code's own MCP host starts only servers of its registry (\`${accessSetting}\`), and none of \`.mcp.json\` or other extensions. ${change}`;
		case "none":
			return `${plain(turnedOff())} ${plain(stillStarted())}`;
		case undefined:
			return "This editor has no MCP host of its own.";
	}
}

function rowsOf(place: StartPlace, facts: WhoStartsFacts): readonly (readonly string[])[] {
	const { files, access = "none" } = facts;
	const cells = starters.map((host) => cellOf(place, host, access));
	const ofPlace = files.filter((file) => file.place === place.id);
	if (ofPlace.length === 0) {
		const names = place.id === "extension" ? "not known" : "–";
		return [[plain(place.name), names, "–", ...cells]];
	}
	return ofPlace.map((file) => [plain(facts.shorten(file.path)), namesIn(file), hereOf(file, facts)].concat(cells));
}

function namesIn({ servers, problem }: PlaceFile): string {
	const more = servers.length > mostNames ? [`${servers.length - mostNames} more`] : [];
	const all = [...servers.slice(0, mostNames).map(({ name }) => plain(oneLine(name, 40))), ...more];
	return problem === undefined ? (all.length === 0 ? "none" : all.join(", ")) : plain(problem);
}

function hereOf({ path }: PlaceFile, { servers }: WhoStartsFacts): string {
	const own = servers.filter(({ origin }) => origin.file === path);
	if (own.length === 0) return "–";
	return own.every(({ isLeft }) => isLeft) ? "left to VS Code" : "after approval";
}

function running({ census, files, servers }: WhoStartsFacts): string {
	if (census === undefined) return "Processes are not inspected on Windows.";
	const known: (PlacedServer & { readonly pid?: number })[] = [];
	for (const server of [...servers, ...files.flatMap((file) => file.servers)])
		if (server.command !== undefined && !known.some((one) => isSameServer(one, server))) known.push(server);
	const rows = known.flatMap(({ name, command, pid }) => {
		const found = command === undefined ? [] : census.of(command, pid);
		return found.map((process) => [plain(oneLine(name, 60)), String(process.pid), byOf(process)]);
	});
	if (rows.length === 0) return "No process of these servers was found. Servers with a URL have no process here.";
	return table(["Server", "Process", "Run by"], rows);
}

function byOf({ host, by }: ServerProcess): string {
	return host === "here" || host === "other" || by === starterNames[host]
		? plain(by)
		: `${plain(by)} (${starterNames[host]})`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
	return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

function plain(text: string): string {
	return escapeMarkdown(oneLine(text, 400));
}
