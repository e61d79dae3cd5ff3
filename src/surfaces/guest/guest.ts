import type { Deciding } from "../../features/tools/deciding.ts";
import { checkArguments } from "../../base/schema/schema.ts";
import type { JsonObject } from "../../base/json.ts";
import { jsonObjectOf } from "../../base/guards.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { oneLine } from "../../base/text.ts";
import { argumentList } from "../../features/agentTools/argumentList.ts";
import { ComingServers } from "../../features/agentTools/comingServers.ts";
import { listResourcesTool, readResourceTool, sessionsAsDirectory } from "../../features/agentTools/resourceTool.ts";
import { openToolBox, type SearchableToolBox } from "../../features/agentTools/toolBox.ts";
import type { ModelPart } from "../../models/model.ts";
import { whenListed } from "../../features/resources/listed.ts";
import { badgeLine } from "../../permissions/catalog/annotations.ts";
import type { ForeignCaller, ToolCall } from "../../features/tools/approval.ts";
import { repairedCall } from "../../features/tools/call.ts";
import type { HostToolAnswer } from "../../features/tools/hostTools.ts";
import type { TracedCall } from "../../protocol/wireTap.ts";
import { asTold, resultForModel } from "../../features/tools/outcome.ts";
import { FinishedCalls } from "../../features/tools/results/finishedCalls.ts";
import { KeptResults, readingLimits, ResultReading } from "../../features/tools/results/resultReading.ts";
import { AgentCalls, type AgentCallServices } from "./agentCalls.ts";
import { findTools, guestTools, readArguments } from "./guestTools.ts";

/** The dependencies of serving other agents on the host. */
export interface GuestServices extends Required<Deciding>, AgentCallServices {
	/** Puts the questions about calls before the user. */
	readonly caller: ForeignCaller;
	/** Whether the user lets other agents in at all. */
	readonly isOn: () => boolean;
}

/**
 * The text that VS Code shows about a call before it is made, as Markdown in which others' text is escaped. With a
 * title VS Code asks its own question first.
 */
export interface GuestPreview {
	readonly message: string;
	readonly confirmation?: { readonly title: string; readonly message: string };
}

/** The result for an agent. */
export interface GuestAnswer {
	readonly content: readonly ModelPart[];
	readonly isError: boolean;
}

/** A call of an agent, looked up. */
type Target = { readonly call: Pick<ToolCall, "entry" | "arguments"> } | { readonly problem: string };

/** How many of the agents' results are kept for their links. */
const toldLimits = { calls: 50, characters: 20_000_000 };
/** How many tokens of an answer an agent takes, if VS Code does not say. */
const usualTokens = 100_000;

/**
 * Serves VS Code's own agent, and any other that VS Code lets call tools: they find tools of the running servers, call
 * them and read resources. Each call is handled as every call of ours: schema, pins, rules, grants, journal, trace.
 *
 * VS Code's own question does not count as the user's consent: an extension cannot know whether it was shown, skipped
 * by a setting, or answered once for all later calls. So if our policy asks about a call, only we ask. A call that the
 * user allowed here before is confirmed by VS Code, which they may turn off. Every call has a question unless the user
 * turned it off in both places (GST-02).
 */
export class Guest {
	private readonly services: GuestServices;
	private readonly box: SearchableToolBox;
	private readonly coming = new ComingServers();
	private readonly kept = new KeptResults();
	/** The results that agents received, for the resources that these link to. */
	private readonly told = new FinishedCalls(toldLimits);
	private readonly calls: AgentCalls;

	constructor(services: GuestServices) {
		this.services = services;
		this.calls = new AgentCalls(services);
		const { directory, pins } = services;
		// Without a limit: agents search, and receive no tools before.
		this.box = openToolBox({ directory, pins, budgetTokens: 0 });
	}

	/** The text that VS Code shows before a call. Never throws. */
	async preview(tool: string, input: JsonObject, signal: AbortSignal): Promise<GuestPreview> {
		await this.listed(tool, signal);
		const target = this.services.isOn() ? this.targetOf(tool, input) : undefined;
		if (target === undefined) return { message: quietWords(tool, input) };
		if ("problem" in target) return { message: `Not called: ${escapeMarkdown(oneLine(target.problem, 300))}` };
		await this.services.refreshRules();
		const call = await repairedCall(target.call);
		const { decision, by } = this.calls.decide(call);
		const { inputSchema } = call.entry.tool;
		const problems = await checkArguments(jsonObjectOf(inputSchema), call.arguments);
		const which = `**${escapeMarkdown(oneLine(call.entry.tool.name, 80))}** of **${escapeMarkdown(oneLine(call.entry.session.definition.name, 60))}**`;
		const badges = escapeMarkdown(badgeLine(call.entry.tool.annotations));
		const label = escapeMarkdown(oneLine(by.label, 300));
		const not = (why: string): GuestPreview => ({ message: `${which} is not called: ${why}` });
		if (problems.length > 0) return not("the arguments do not match the tool's schema");
		if (this.calls.isDenied(call)) return not("you have just denied it");
		if (decision === "deny") return not(`denied by ${label}`);
		const exactly = argumentList(call.arguments);
		// Stays in the transcript, so it must be true afterwards, too; and it is shown in one line there.
		if (decision === "ask") return { message: `${which} (${badges}) needs your decision in MCP Host:\n\n${exactly}` };
		const message = `${badges}\n\n${exactly}\n\nMCP Host does not ask, because of ${label}.`;
		return { message: which, confirmation: { title: `Call ${which}?`, message } };
	}

	/** Runs an agent's call. Never throws; `tokens` is the limit of the answer, undefined if unknown. */
	async answer(tool: string, input: JsonObject, tokens: number | undefined, signal: AbortSignal): Promise<GuestAnswer> {
		if (!this.services.isOn())
			return said(
				"The user does not allow other agents to use their servers (setting mcpHost.chat.otherAgents).",
				true,
			);
		await this.listed(tool, signal);
		const reading = new ResultReading(this.kept, limitsFor(tokens), guestTools.readOn);
		switch (tool) {
			case guestTools.find:
				return said(findTools(this.box.searchable, input));
			case guestTools.list:
				return this.list(input, signal);
			case guestTools.readOn:
				return reading.read(input);
			default:
				return this.call(this.targetOf(tool, input), reading, signal);
		}
	}

	/** Waits a moment for servers that are about to run, and for the lists that a tool is about. */
	private async listed(tool: string, signal: AbortSignal): Promise<void> {
		const { directory, isOn } = this.services;
		if (!isOn()) return;
		const { sessions } = directory;
		await this.coming.wait({ sessions, signal, say: () => undefined });
		const isOfResources = tool === guestTools.list || tool === guestTools.read;
		if (isOfResources) await whenListed(sessionsAsDirectory(this.box.sessions), "resources", signal);
	}

	private async list(input: JsonObject, signal: AbortSignal): Promise<HostToolAnswer> {
		const list = listResourcesTool(this.box.sessions);
		if (list.kind === "local") return list.run(input, signal);
		return { content: [], isError: true, note: "" };
	}

	private async call(target: Target | undefined, reading: ResultReading, signal: AbortSignal): Promise<GuestAnswer> {
		if (target === undefined) return said("There is no such tool.", true);
		if ("problem" in target) return said(`This call was not sent: ${target.problem}`, true);
		const { refreshRules, caller } = this.services;
		await refreshRules();
		let traced: TracedCall | undefined;
		const onFollowed = (followed: TracedCall): void => void (traced = followed);
		const outcome = await this.calls.run(await repairedCall(target.call), { caller, signal, onFollowed });
		if (outcome.kind === "done") this.told.add({ entry: target.call.entry, outcome }, "chat");
		const part = resultForModel("", outcome, reading);
		traced?.told(() => asTold(part));
		return part.type === "tool-result" ? part : said("", true);
	}

	/** The subject of a call; undefined for the tools that reach no server. */
	private targetOf(tool: string, input: JsonObject): Target | undefined {
		if (tool === guestTools.read) {
			const { sessions } = this.box;
			const read = readResourceTool({
				sessions,
				isLinked: (...link) => this.told.isLinked(...link),
				listTool: guestTools.list,
			});
			const resolved = read.resolve(input);
			return "problem" in resolved ? resolved : { call: resolved };
		}
		if (tool !== guestTools.call) return undefined;
		const name = typeof input["tool"] === "string" ? input["tool"] : "";
		const found = this.box.find(name);
		if (found === undefined || !("entry" in found)) {
			return { problem: `There is no tool named "${oneLine(name, 80)}". Search for it with ${guestTools.find}.` };
		}
		const args = readArguments(input["arguments"]);
		if (args === undefined) return { problem: "The arguments are not a JSON object." };
		return { call: { entry: found.entry, arguments: args } };
	}
}

function quietWords(tool: string, { query, server }: JsonObject): string {
	const about = [query, server].flatMap((one) => (typeof one === "string" && one !== "" ? [one] : [])).join(", ");
	const what = tool === guestTools.list ? "Lists resources of MCP servers" : "Looks for tools of MCP servers";
	if (tool === guestTools.readOn) return "Reads more of a result of an MCP server";
	return about === "" ? what : `${what}: ${escapeMarkdown(oneLine(about, 100))}`;
}

function limitsFor(tokens: number | undefined): ReturnType<typeof readingLimits> {
	const limits = readingLimits({ maxInputTokens: usualTokens, supportsTools: true });
	if (tokens === undefined) return limits;
	const most = Math.max(500, Math.floor(tokens * 3));
	return {
		...limits,
		each: Math.min(limits.each, most),
		head: Math.min(limits.head, most),
		least: Math.min(limits.least, most),
	};
}

function said(text: string, isError = false): GuestAnswer {
	return { content: [{ type: "text", text }], isError };
}
