import { describeSignedIn, transportName } from "../../servers/sessions/connectionWords.ts";
import { codeBlock, escapeMarkdown } from "../../base/markdown.ts";
import { cap, oneLine } from "../../base/text.ts";
import { appsExtension } from "../../protocol/apps.ts";
import type { ServerFacts } from "../../protocol/connection.ts";
import { signInExtensions } from "../../protocol/signInExtensions.ts";
import { amountOf, digestOf, skillsExtension, whyNotUsed } from "../../protocol/skill.ts";
import { isKnown } from "../../protocol/extensions.ts";
import { freshUntil } from "../../servers/sessions/freshness.ts";
import { tasksExtension } from "../../protocol/tasks.ts";
import { toolBadges } from "../../permissions/catalog/annotations.ts";
import { changedFields } from "../../permissions/pinning/toolFields.ts";
import { readableSize } from "../../base/amounts.ts";
import type { ServerConfig } from "../../servers/definitions/config.ts";
import type { RequestLog, RequestOutcome } from "../../servers/sessions/requestLog.ts";
import type { Roots } from "../../servers/roots/roots.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";
import type { GroupNode, ResourceNode, ServerNode, SkillNode, TreeNode } from "./nodes.ts";
import type {
	BillsOfServers,
	CheckedTools,
	CostsOfTools,
	DefinitionStates,
	LiveStates,
	RefusalsOfModels,
	SharedStates,
} from "./sources.ts";
import { billOfServer, changesOfTool, costOfServer, costOfTool } from "./toolCost.ts";
import { type GroupMarks, sortWords, toolLabel } from "./view.ts";
import { stateWord } from "../../servers/sessions/describeState.ts";
import type { ServerProcess } from "../../servers/otherHosts/census.ts";
import { tooltipRemark } from "../../servers/otherHosts/remarks.ts";
import { noSandbox } from "../../servers/definitions/sandboxRequest.ts";
import { keysOf } from "../../base/guards.ts";
import { timeOfDay } from "../../base/shownTime.ts";

/** How much of a server's text a tooltip shows. */
const proseLimit = 1500;
const codeLimit = 3000;

interface TooltipStates {
	readonly live?: Pick<LiveStates, "stateOf" | "answeredAs">;
	readonly definitions?: Pick<DefinitionStates, "stateOf" | "warningsOf" | "instructionChange">;
	readonly costs?: CostsOfTools;
	readonly bills?: BillsOfServers;
	readonly refusals?: RefusalsOfModels;
	readonly sharedFiles?: SharedStates;
	/** The processes of other hosts that run a server as well. */
	readonly elsewhere?: readonly ServerProcess[];
	readonly roots?: Pick<Roots, "remark">;
	readonly checked?: Pick<CheckedTools, "ofTool">;
	readonly marks?: (group: GroupNode) => Pick<GroupMarks, "sort" | "filter">;
}

/**
 * The facts about a node, as markdown that renders a server's text literally (RES-08). It is to be shown untrusted,
 * without HTML and without theme icons. Undefined for nodes whose row shows everything. `states` returns the states of
 * resources and tools.
 */
export function tooltipOf(node: TreeNode, states: TooltipStates = {}): string | undefined {
	switch (node.kind) {
		case "server":
			return tooltipOfServer(node, states);
		case "tool":
			return tooltipOfTool(node.session, node.tool, states);
		case "resource":
			return tooltipOfResource(node, states.live);
		case "part":
			return blocks(
				codeBlock(node.partUri),
				facts([
					["Type", node.mimeType],
					["Size", readableSize(node.size)],
				]),
			);
		case "template-result":
			return codeBlock(node.uri);
		case "template":
			return blocks(
				heading(node.template.title ?? node.template.name),
				codeBlock(node.uriTemplate),
				prose(node.template.description),
				facts([["Type", node.template.mimeType]]),
			);
		case "prompt":
			return blocks(
				heading(node.item.title ?? node.prompt),
				prose(node.item.description),
				...(node.item.arguments ?? [])
					.slice(0, 30)
					.map(
						({ name, description, required }) =>
							`- **${inline(name)}**${required === true ? " (required)" : ""}${description === undefined ? "" : `: ${inline(description)}`}`,
					),
			);
		case "skill":
			return tooltipOfSkill(node);
		case "root":
			return codeBlock(node.root.uri);
		case "server-problem":
		case "list-problem":
			return codeBlock(cap(node.message, codeLimit));
		case "output-line":
			return codeBlock(cap(node.line, codeLimit));
		case "config-problem":
			return blocks(prose(node.problem.message), prose(node.problem.origin.file ?? node.problem.origin.label));
		case "folder":
			return codeBlock(node.folder);
		case "group":
			return tooltipOfGroup(node, states) || undefined;
		case "running-tasks":
		case "task":
		case "no-match":
		case "more":
		case "note":
		case "list-note":
			return undefined;
	}
}

function tooltipOfGroup(node: GroupNode, { costs, roots, marks }: TooltipStates): string {
	const { session, group } = node;
	const { sort, filter } = marks?.(node) ?? {};
	const status = group === "roots" ? undefined : session[group].status;
	return facts([
		["Not offered", status?.kind === "ready" ? status.note : undefined],
		...(group === "roots" ? [] : [freshness(freshUntil(session[group]))]),
		["Filter", filter],
		["Sorted", sort && sortWords[sort]],
		...(group === "tools" && costs !== undefined ? costOfServer(session, costs) : []),
		["Roots", group === "roots" ? roots?.remark(session.definition)?.text : undefined],
	]);
}

/** Until when a list is used as it is. VS Code asks for a tooltip once, so the words stay true when the time has passed. */
function freshness(until: number | undefined): readonly [string, string | undefined] {
	if (until !== undefined && until < Date.now()) {
		return ["Out of date since", `${timeOfDay(until)}, read again before its next use`];
	}
	return ["Fresh until", until === undefined ? undefined : `${timeOfDay(until)}, then read again before its next use`];
}

function tooltipOfServer(
	{ session, account: signedIn }: ServerNode,
	{ definitions, costs, bills, sharedFiles, elsewhere = [] }: TooltipStates,
): string {
	const { definition, state, requestLog } = session;
	const { config, origin } = definition;
	const running = state.kind === "running" ? state.facts : undefined;
	const reason = "reason" in state ? state.reason : "message" in state ? state.message : undefined;
	const says = running?.server && `${running.server.title ?? running.server.name} ${running.server.version}`;
	return blocks(
		`${heading(definition.name)} (${stateWord(state)})`,
		prose(reason),
		codeBlock(cap(commandLine(config), codeLimit)),
		facts([
			["Configured in", origin.file ?? origin.label],
			["Environment", config.kind === "stdio" ? Object.keys(config.env).join(", ") : undefined],
			["Headers", config.kind === "stdio" ? undefined : Object.keys(config.headers).join(", ")],
			["Connection", running && `${transportName(running)}, revision ${running.protocolVersion}`],
			["Process", running && processWords(running)],
			["Also run by", elsewhere.map(({ by, pid }) => `${by} (pid ${pid})`).join(", ")],
			["Signed in", signedIn && describeSignedIn(signedIn)],
			["Scopes", signedIn?.scopes.join(", ")],
			["Server name", says],
			["Restarts", state.kind === "failed" ? timeOf(state.retryAt) : undefined],
			["Requests", account(requestLog.counts)],
			["Protocol", departureWords(session)],
			["Offers", running && capabilityNames(running.capabilities).join(", ")],
			["Extensions", running && extensionNames(running.capabilities.extensions).join(", ")],
			...(running === undefined || costs === undefined ? [] : costOfServer(session, costs)),
			["Sent to models", bills && billOfServer(session, bills)],
		]),
		prose(sharedFiles && tooltipRemark(sharedFiles, origin)),
		definition.wantsSandbox === true ? prose(noSandbox) : "",
		definitions?.instructionChange(session) === undefined
			? ""
			: "**Its instructions changed since you approved them.** They are not sent to models until you accept the change.",
		running?.instructions === undefined ? "" : `Instructions of the server:\n\n${prose(running.instructions)}`,
	);
}

/** Which process runs a server, and where, if it is not of this window; undefined for one without a process. */
function processWords({ pid, isElsewhere }: ServerFacts): string | undefined {
	if (isElsewhere !== true || pid === undefined) return pid?.toString();
	return `Runs in another window of VS Code (process ${pid})`;
}

/** The violations of the protocol by a server, in a line; undefined without any. */
function departureWords({ departures = [] }: Session): string | undefined {
	const [first, ...more] = departures.filter(({ rule }) => rule !== "trouble");
	if (first === undefined) return undefined;
	const others = more.length === 0 ? "" : ` ${more.length} more.`;
	return `${oneLine(first.message === undefined ? first.what : `${first.message}: ${first.what}`, 200)}${others} Check Server shows all.`;
}

function tooltipOfResource(
	{ server, uri, resource }: ResourceNode,
	live: Pick<LiveStates, "stateOf" | "answeredAs"> | undefined,
): string {
	const { audience, priority, lastModified } = resource.annotations ?? {};
	const state = live?.stateOf({ server, uri });
	const answered = live?.answeredAs({ server, uri });
	return blocks(
		heading(resource.title ?? resource.name),
		codeBlock(uri),
		prose(resource.description),
		facts([
			["Name", resource.title === undefined ? undefined : resource.name],
			["Type", resource.mimeType],
			["Size", resource.size === undefined ? undefined : readableSize(resource.size)],
			["Audience", audience?.join(", ")],
			["Priority", priority?.toString()],
			["Last modified", lastModified],
		]),
		answered === undefined ? "" : `The server answered with the contents of ${inline(answered)}.`,
		state?.isChanged === true ? "It changed since you opened it." : "",
	);
}

function tooltipOfSkill({ session, skill }: SkillNode): string {
	const { uri, frontmatter } = skill;
	const amount = amountOf(skill);
	return blocks(
		heading(frontmatter.name),
		codeBlock(uri),
		prose(frontmatter.description),
		facts([
			["From the MCP server", session.definition.name],
			["Files", amount && String(amount.files)],
			["Size", amount && readableSize(amount.bytes)],
			["Digest of SKILL.md", digestOf(skill)],
		]),
		prose(whyNotUsed(skill)),
		"A click opens SKILL.md, which is text of the server. Nothing is sent to a model.",
	);
}

function tooltipOfTool(session: Session, tool: Tool, { definitions, costs, refusals, checked }: TooltipStates): string {
	const state = definitions?.stateOf(session, tool);
	const changed = state?.kind === "changed" ? changedFields(state.changes) : "";
	const warnings = definitions?.warningsOf(session, tool) ?? [];
	const found = checked?.ofTool(session.definition.id, tool.name) ?? [];
	const claims = toolBadges(tool.annotations).flatMap(({ label, isStated }) => (isStated ? [label] : []));
	return blocks(
		heading(toolLabel(tool)),
		codeBlock(oneLine(tool.name)),
		changed === ""
			? ""
			: `**Changed since you approved it:** ${changed}. You are asked before every call until you accept it.`,
		warnings.map(({ text }) => `- ${inline(text)}`).join("\n"),
		found.length === 0 ? "" : ["Found by *Check Server*:", "", ...found.map((what) => `- ${inline(what)}`)].join("\n"),
		prose(tool.description),
		facts([
			["According to the server", claims.join(", ")],
			...(costs === undefined ? [] : costOfTool(session, tool, costs)),
			["Changed for models", refusals && changesOfTool(tool, refusals)],
		]),
		codeBlock(cap(JSON.stringify(tool.inputSchema, undefined, 2), codeLimit), "json"),
	);
}

/** The time of day. */
function timeOf(milliseconds: number | undefined): string | undefined {
	return milliseconds === undefined ? undefined : timeOfDay(milliseconds);
}

const outcomeWords: Readonly<Record<RequestOutcome, string>> = {
	result: "answered",
	error: "failed",
	cancelled: "cancelled",
	"timed-out": "timed out",
	unknown: "with unknown outcome",
};

/** How a server's requests ended, such as `12 answered, 1 cancelled`; undefined before the first. */
function account(counts: RequestLog["counts"]): string | undefined {
	const parts = keysOf(counts).filter((outcome) => counts[outcome] > 0);
	if (parts.length === 0) return undefined;
	return parts.map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`).join(", ");
}

/** The command with its arguments, each quoted if that is needed to separate them; or the URL. */
function commandLine(config: ServerConfig): string {
	if (config.kind !== "stdio") return config.url;
	return [config.command, ...config.args]
		.map((part) => (/^[\w@%+=:,./\\~${}-]+$/.test(part) ? part : JSON.stringify(part)))
		.join(" ");
}

/** The names of capabilities, with those of their options that are on: `resources (subscribe, listChanged)`. */
function capabilityNames(capabilities: object): readonly string[] {
	const { extensions: _, ...named }: { readonly extensions?: unknown } = capabilities;
	return Object.entries(named).map(([name, options]: [string, unknown]) => {
		const on =
			typeof options === "object" && options !== null
				? Object.entries(options).filter(([, value]) => value === true)
				: [];
		return on.length === 0 ? name : `${name} (${on.map(([option]) => option).join(", ")})`;
	});
}

/** The extensions that MCP Host uses. */
const usedExtensions: ReadonlySet<string> = new Set([
	...Object.keys({ ...appsExtension, ...tasksExtension }),
	skillsExtension,
	...Object.values(signInExtensions),
]);

/** The extensions of a server with their versions: `io.modelcontextprotocol/tasks`, `com.example/events 2 (not used)`. */
function extensionNames(extensions: ServerFacts["capabilities"]["extensions"]): readonly string[] {
	return Object.entries(extensions ?? {}).map(([name, settings]) => {
		const { version, revision = version }: { readonly version?: unknown; readonly revision?: unknown } = settings;
		const words = typeof revision === "string" || typeof revision === "number" ? ` ${revision}` : "";
		const isUsed = usedExtensions.has(name);
		const why = isUsed ? " (not used: MCP Host does not know this revision)" : " (not used)";
		return `${name}${words}${isUsed && isKnown(extensions, name) ? "" : why}`;
	});
}

function heading(text: string): string {
	return `**${inline(text)}**`;
}

function prose(text: string | undefined): string {
	return text === undefined ? "" : escapeMarkdown(cap(text, proseLimit));
}

function inline(text: string): string {
	return escapeMarkdown(oneLine(text, 300));
}

/** Named values as lines; those without a value are left out. */
function facts(rows: readonly (readonly [string, string | undefined])[]): string {
	return rows
		.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [`${name}: ${inline(value)}`]))
		.join("  \n");
}

function blocks(...parts: readonly string[]): string {
	return parts.filter((part) => part !== "").join("\n\n");
}
