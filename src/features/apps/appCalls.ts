import type { Deciding } from "../tools/deciding.ts";
import { exactJson } from "../../base/exactJson.ts";
import { canonicalJson, type JsonObject } from "../../base/json.ts";
import { jsonObjectOf, jsonOf } from "../../base/guards.ts";
import { type Rate, RateLimit } from "../../base/rateLimit.ts";
import { oneLine } from "../../base/text.ts";
import type { UserRequests, Session } from "../../servers/sessions/session.ts";
import { badgeLine, destructive } from "../../permissions/catalog/annotations.ts";
import type { CallingApp, ToolApprovals, ToolQuestion } from "../tools/approval.ts";
import { isAppTool } from "../../permissions/catalog/appTools.ts";
import { runCall, type ToolOutcome } from "../tools/call.ts";
import { readCatalog, type ToolEntry, type RawToolResult } from "../../permissions/catalog/catalog.ts";
import { changedFields } from "../../permissions/pinning/toolFields.ts";
import { readEntry } from "../tools/resourceRead.ts";
import { AppGrants } from "./appGrants.ts";
import type { AppQuestion, AppQuestions } from "./appQuestions.ts";
import { AppRefusal, rpcCodes } from "./bridgeMessages.ts";

/** The services for calls of apps: the same as for a model's calls. */
export interface AppCallServices extends Deciding {
	/** Those of the chat, so that the pending list answers an app's calls as well. */
	readonly approvals: () => ToolApprovals;
	/** Answers `sampling/createMessage` of a server; its review names the call or app that caused it. */
	readonly createMessage: UserRequests["createMessage"];
}

/** The calling app, its server, and where its questions are shown. */
export interface CallerApp {
	readonly session: Session;
	readonly app: CallingApp;
	readonly questions: AppQuestions;
}

type CallConsent = "deny" | "open" | "once";

/** The revision of the requests that apps send, by which completions are worded. */
const samplingRevision = "2025-11-25";
/** An app that shows a machine's load asks twice a second; one that asks for more is slowed down. */
const usualRate: Rate = { burst: 60, perSecond: 3 };
/** How many calls of an app may be open, including those that wait for the user. */
const mostUnderWay = 20;
/** How long a list may be that an app gets, and all of one load together, in characters of JSON. */
const longestList = 4_000_000;
const mostListed = 40_000_000;
/** After this many denials of a tool the user is not asked about it again until the app is reloaded. */
const mostRefusals = 3;

/**
 * Makes the calls of one app as those of a model are made: schema, policy, question, pins, journal and trace. An app
 * reaches only its own server (MCP Apps 2026-01-26, "Tool Visibility").
 */
export class AppCalls {
	private readonly services: AppCallServices;
	private readonly caller: CallerApp;
	private readonly grants: AppGrants;
	private readonly rate: RateLimit;
	/** The calls, by their keys, that the user denied: a repeated call is refused immediately. */
	private readonly denied = new Set<string>();
	/** How often the user denied a tool. */
	private readonly refusals = new Map<string, number>();
	private underWay = 0;
	/** The characters of the lists that were given to the present load. */
	private listed = 0;
	/** Represents the load of the app in counts within it. */
	private load = {};

	constructor(services: AppCallServices, caller: CallerApp, rate = new RateLimit(usualRate)) {
		this.services = services;
		this.caller = caller;
		this.rate = rate;
		this.grants = new AppGrants(services.policy);
	}

	/**
	 * Calls a tool of the app's server.
	 * @throws AppRefusal when the tool does not exist for apps, or the call is not made.
	 */
	async callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<RawToolResult> {
		const { session } = this.caller;
		// The very session: one that runs another definition under the same id is another server.
		const entry = readCatalog(this.services.directory).entries.find(
			(one) => one.tool.name === name && one.session === session,
		);
		if (entry === undefined || !isAppTool(entry.tool))
			throw new AppRefusal(rpcCodes.invalidParams, `This server offers no tool ${oneLine(name, 80)} to apps.`);
		return this.make(entry, args, signal);
	}

	/**
	 * Reads a resource of the app's server.
	 * @throws AppRefusal when it is not read.
	 */
	async readResource(uri: string, signal: AbortSignal): Promise<JsonObject> {
		const { content = [] } = await this.make(readEntry(this.caller.session), { uri }, signal);
		return { contents: content.flatMap((block) => (block.type === "resource" ? [jsonObjectOf(block.resource)] : [])) };
	}

	/**
	 * Asks the user's model (`sampling/createMessage`, MCP Apps draft) as the app's server could: with the same review,
	 * limits and budgets. The guard counts within one load of an app instead of within one call.
	 * @throws RequestRefusal as for a server; AppRefusal when the model is not asked.
	 */
	async createMessage(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
		const { session, app } = this.caller;
		return this.counted(async () => {
			// The schema is the SDK's, which a window does not load before it is needed.
			const { readSamplingParams } = await import("./samplingParams.ts");
			const request = readSamplingParams(params);
			if (session.state.kind !== "running")
				throw new AppRefusal(rpcCodes.refused, "The server of this app is not running.");
			const during = `its ${app.name}`;
			const context = { signal, protocolVersion: samplingRevision, during, calls: [this.load] };
			return jsonObjectOf(await this.services.createMessage(session, request, context));
		});
	}

	/**
	 * Returns a list of the app's server, which is counted as a call is.
	 * @throws AppRefusal when that is too often, or too much at once.
	 */
	async list(what: "resources" | "resourceTemplates"): Promise<JsonObject> {
		const { session } = this.caller;
		return this.counted(async () => {
			const items = jsonOf([...session[what].items]);
			const length = JSON.stringify(items).length;
			if (length > longestList)
				throw new AppRefusal(rpcCodes.refused, `The list has more than ${longestList / 1_000_000} MB.`);
			this.listed += length;
			if (this.listed > mostListed)
				throw new AppRefusal(
					rpcCodes.refused,
					`This app has already received lists of more than ${mostListed / 1_000_000} MB.`,
				);
			return { [what]: items };
		});
	}

	/** Forgets grants and denials: another page is loaded. */
	reset(): void {
		this.load = {};
		this.listed = 0;
		this.grants.clear();
		this.denied.clear();
		this.refusals.clear();
	}

	private async make(entry: ToolEntry, args: JsonObject, signal: AbortSignal): Promise<RawToolResult> {
		const key = canonicalJson([entry.tool.name, args]);
		const { name } = entry.tool;
		return this.counted(async () => {
			if (this.denied.has(key) || (this.refusals.get(name) ?? 0) >= mostRefusals) throw refusalOf({ kind: "denied" });
			const outcome = await this.run(entry, args, key, signal);
			if (outcome.kind !== "done") throw refusalOf(outcome);
			return outcome.result.raw;
		});
	}

	/** Runs a request of the app, unless that is too often or too much at once. */
	private async counted<T>(work: () => Promise<T>): Promise<T> {
		if (!this.rate.take())
			throw new AppRefusal(rpcCodes.refused, "This app calls too often. Wait before the next call.");
		if (this.underWay >= mostUnderWay)
			throw new AppRefusal(rpcCodes.refused, `${mostUnderWay} calls of this app are already running.`);
		this.underWay++;
		try {
			return await work();
		} finally {
			this.underWay--;
		}
	}

	private async run(entry: ToolEntry, args: JsonObject, key: string, signal: AbortSignal): Promise<ToolOutcome> {
		const { approvals, pins, notes, refreshRules } = this.services;
		const { app } = this.caller;
		await refreshRules();
		const events = runCall(
			{ callId: crypto.randomUUID(), entry, arguments: args, app },
			{
				approvals: approvals(),
				policy: this.grants,
				pins,
				signal,
				asker: "app",
				...(notes === undefined ? {} : { noting: { notes, origin: "app" } }),
			},
		);
		for (;;) {
			const next = await events.next();
			if (next.done === true) return next.value;
			const event = next.value;
			if (event.type === "asked") void this.ask(event.question);
			if (event.type === "decided") {
				const { settled } = event;
				if (settled.by === "lapse" || settled.answer.kind !== "deny") continue;
				this.denied.add(key);
				this.refusals.set(entry.tool.name, (this.refusals.get(entry.tool.name) ?? 0) + 1);
			}
		}
	}

	/** Puts the question beside the app. It may also be answered, or end, elsewhere. */
	private async ask(question: ToolQuestion): Promise<void> {
		const { decision, call, notice } = question;
		const ended = new AbortController();
		void decision.settled.then(() => ended.abort());
		const isGrantable = notice.pin.kind !== "changed" && this.grants.isGrantable(call.entry, call.arguments);
		const answer = await this.caller.questions.ask(questionView(question, isGrantable), ended.signal);
		switch (answer) {
			case "once":
				decision.answer({ kind: "allow" });
				return;
			case "open": {
				const grant = this.grants.describe(call.entry);
				if (decision.answer({ kind: "allow", grant })) this.grants.grant(call.entry);
				return;
			}
			case "deny":
				decision.answer({ kind: "deny" });
				return;
			case undefined:
				// Too many waited, which is not an answer of the user.
				decision.lapse("cancelled");
		}
	}
}

/** The question about one call, with exactly the data that would be sent. */
function questionView({ call, notice }: ToolQuestion, isGrantable: boolean): AppQuestion {
	const { session, tool, perform } = call.entry;
	const server = oneLine(session.definition.name, 60);
	const what = perform === undefined ? `run ${oneLine(tool.name, 100)}` : "read a resource";
	const { pin, warnings, why } = notice;
	const changed = pin.kind === "changed" ? [`Changed since you approved it: ${changedFields(pin.changes)}.`] : [];
	const asked = why === undefined ? [] : [`Confirmation required by ${oneLine(why.label, 300)}.`];
	return {
		heading: `The ${call.app?.name ?? "app"} of ${server} wants to ${what}`,
		notes: [badgeLine(tool.annotations), ...asked],
		warnings: [
			...changed,
			...(destructive(tool.annotations) === "stated"
				? ["According to its server, this may delete or overwrite something."]
				: []),
			...warnings.map(({ text }) => oneLine(text, 500)),
		],
		exact: exactJson(call.arguments),
		answers: [
			{ answer: "deny" satisfies CallConsent, label: "Deny" },
			...(isGrantable
				? [
						{
							answer: "open" satisfies CallConsent,
							label: "Allow While Open",
							hint: "This tool with any arguments, until this app is closed or reloaded",
						},
					]
				: []),
			{ answer: "once" satisfies CallConsent, label: "Allow Once" },
		],
	};
}

/** A call without a result. */
type EndWithout = Exclude<ToolOutcome, { kind: "done" }>;

/** The answer to an app about its own call that was not made or has no result. */
function refusalOf(outcome: EndWithout): AppRefusal {
	return new AppRefusal(outcome.kind === "invalid" ? rpcCodes.invalidParams : rpcCodes.refused, endedWithout(outcome));
}

/** Why a call has no result, in words for an app. */
export function endedWithout(outcome: EndWithout): string {
	switch (outcome.kind) {
		case "denied":
			return "The call was denied.";
		case "invalid":
			return outcome.problems.join("; ");
		case "failed":
			return outcome.error.message;
		case "cancelled":
			if (outcome.isAlone === true) return "The user cancelled the call while it ran.";
			return outcome.isSent === true
				? "The call was stopped while it ran."
				: "The call was cancelled before you decided.";
		case "continued":
			return "The call continues as a task in the background.";
		case "lapsed":
			return "The call was cancelled before you decided.";
	}
}
