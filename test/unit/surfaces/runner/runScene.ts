import type { JsonObject } from "../../../../src/base/json.ts";
import type { ObjectEditRequest } from "../../../../src/questions/form/formQuestion.ts";
import { LastArguments, RecentTools } from "../../../../src/surfaces/runner/runnerMemory.ts";
import { ToolRun } from "../../../../src/surfaces/runner/toolRun.ts";
import { ToolRunner } from "../../../../src/surfaces/runner/toolRunner.ts";
import { ToolRuns } from "../../../../src/surfaces/runner/toolRuns.ts";
import { FinishedCalls, type MemoryLimits } from "../../../../src/features/tools/results/finishedCalls.ts";
import type { ServerConfig } from "../../../../src/servers/definitions/config.ts";
import type { Session } from "../../../../src/servers/sessions/session.ts";
import { readCatalog, type ToolEntry } from "../../../../src/permissions/catalog/catalog.ts";
import { definition, MemoryStore, stdioConfig } from "../../servers/fixtures.ts";
import { directoryOf, User, tool, type ToolSession } from "../../features/tools/toolSession.ts";

/** The entry of a server's tool. */
export function entryOf(session: ToolSession, name?: string): ToolEntry {
	const entry = readCatalog(directoryOf(session)).entries.find((one) => name === undefined || one.tool.name === name);
	if (entry === undefined) throw new Error(`no tool ${name ?? ""}`);
	return entry;
}

/** A runner whose user fills in forms, and the shown forms. */
export class RunScene {
	readonly user = new User({ kind: "deny" });
	readonly state = new MemoryStore();
	readonly runs: ToolRuns;
	readonly runner: ToolRunner;
	readonly last = new LastArguments(this.state);
	readonly forms: ObjectEditRequest[] = [];
	readonly confirmed: string[] = [];
	readonly shown: ToolRun[] = [];
	/** The user's input in a form; undefined leaves it. */
	fill: (form: ObjectEditRequest) => JsonObject | undefined = ({ initial }) => initial;
	/** The servers that were to run what their source files say, in order. */
	readonly brought: string[] = [];
	/** Whether the user confirms what is asked once more. */
	confirms = true;

	constructor(sessions: readonly ToolSession[], limits?: MemoryLimits) {
		const { policy, pins, approvals } = this.user;
		this.runs = new ToolRuns({ policy, pins, approvals, calls: new FinishedCalls(limits) });
		this.runner = new ToolRunner({
			policy,
			pins,
			approvals,
			directory: directoryOf(...sessions),
			runs: this.runs,
			last: this.last,
			recent: new RecentTools(this.state),
			editObject: async (form) => {
				this.forms.push(form);
				return this.fill(form);
			},
			refreshRules: async () => undefined,
			bringUpToDate: async (server, isWanted) => void (isWanted && this.brought.push(server)),
			confirm: async (question) => {
				this.confirmed.push(question);
				return this.confirms;
			},
		});
		this.runner.onDidStart((run) => this.shown.push(run));
	}
}

/** Resolves when a run has ended. */
export async function ended(run: ToolRun | undefined): Promise<ToolRun> {
	if (run === undefined) throw new Error("nothing was run");
	while (run.outcome === undefined) await new Promise((resolve) => setImmediate(resolve));
	return run;
}

/** A run of a tool at a server with this configuration and these facts. */
export function runAt(
	config: ServerConfig = stdioConfig(),
	facts: { readonly era: "legacy" | "modern"; readonly protocolVersion: string; readonly transport?: string },
	args: JsonObject = {},
	named: ReturnType<typeof tool> = tool("echo"),
): ToolRun {
	const session = {
		definition: definition("travel", config),
		state: { kind: "running", facts },
	} as unknown as Session;
	return new ToolRun({ session, tool: named, modelName: "x", hidden: undefined }, args);
}
