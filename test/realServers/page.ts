import { escapeMarkdown } from "../../src/base/markdown.ts";
import type { Row } from "./realServer.ts";

/** The page of the documentation with the results of a run. Texts of servers are untrusted, and escaped. */
export function pageOf(rows: readonly Row[], date: Date): string {
	const started = rows.filter(({ era }) => era !== "-");
	const names = new Set(started.map(({ server }) => server));
	const listening = started.filter(({ over }) => over !== "stdio").length;
	const modern = started.filter(({ era }) => era === "modern").length;
	const left = rows.reduce((sum, { processesLeft }) => sum + processesLeft, 0);
	return `# Real servers

${names.size} servers from npm in ${started.length} ways, ${listening} of them over HTTP, as \`npm run real-servers -- --write\` found them on
${date.toISOString().slice(0, 10)} (${process.platform}, Node ${process.versions.node}). That command writes this page anew; the servers and their
versions are in \`test/realServers\`.

Each is installed once in exactly this version, without running scripts of packages, and started in an empty home, with keys that open nothing.
Then its lists are read, and one tool is called that only reads and needs no network, where it has one. ${modern} of the ${started.length} spoke the modern era.
Processes left: ${left}.

*Ready* is the time from the start until every list is read. *Remarks* are what MCP Host says in the server's log, and what a list needs that was
not there.

${table(started)}

## Servers that do not start

They have reasons of their own. The remark is what the user reads.

${table(rows.filter(({ era }) => era === "-"))}
`;
}

function table(rows: readonly Row[]): string {
	const head = "Server|Over|SDK|Revision|Era|Tools|Resources|Templates|Prompts|Call|Ready|Remarks|Left".split("|");
	const lines = rows.map((row) => [
		code(row.server),
		row.over,
		row.sdk,
		row.revision,
		row.era,
		...[row.tools, row.resources, row.templates, row.prompts].map(String),
		row.call === "none" ? row.call : code(row.call),
		`${(row.readyMs / 1000).toFixed(1)} s`,
		escapeMarkdown(row.remarks),
		String(row.processesLeft),
	]);
	return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A text of a server, as code in a cell: it cannot be a link, HTML or the end of the cell. */
function code(text: string): string {
	return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
