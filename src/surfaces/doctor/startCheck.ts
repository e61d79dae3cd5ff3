import { oneLine } from "../../base/text.ts";
import { transportName } from "../../servers/sessions/connectionWords.ts";
import { describeState } from "../../servers/sessions/describeState.ts";
import type { SessionState } from "../../servers/sessions/session.ts";
import { tidy, type CommandCheck } from "./commandCheck.ts";
import { open, setIn } from "./definitionChecks.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding, Fix } from "./finding.ts";
import { placeIn } from "./place.ts";

type Failed = Extract<SessionState, { kind: "failed" }>;

const showLog: Fix = { kind: "command", title: "Show Log", command: "mcpHost.showLog" };

/** Whether the server may start, and whether and why its last start failed. */
export function checkStart(facts: DoctorFacts, { findings, runtime }: CommandCheck): readonly Finding[] {
	const { state } = facts;
	switch (state.kind) {
		case "needs-approval":
			return [notApproved(facts, state.reason)];
		case "off":
			return [
				{
					layer: "start",
					weight: "waiting",
					what: "It is switched off.",
					why: "A server that is switched off does not start.",
					fixes: [{ kind: "command", title: "Switch On", command: "mcpHost.switchOn" }],
				},
			];
		case "left-to-editor":
			return [
				{
					layer: "start",
					weight: "waiting",
					what: "You left this server to VS Code's own MCP host.",
					why: "MCP Host does not start it, so that it does not run twice.",
					fixes: [{ kind: "command", title: "Choose Host…", command: "mcpHost.chooseRunner" }],
				},
			];
		case "stopped":
			return [
				{
					layer: "start",
					weight: "note",
					what: "It is stopped. It was not started in this window, or you stopped it.",
					why: "Start it to check whether it works.",
					fixes: [{ kind: "start", title: "Start and Check" }],
				},
			];
		case "starting":
			return [
				{
					layer: "start",
					weight: "note",
					what: state.note === undefined ? "It is starting." : `It is starting: ${oneLine(state.note, 100)}`,
				},
			];
		case "running":
			return [
				{
					layer: "start",
					weight: "fine",
					what: `It is running: ${transportName(state.facts)}, revision ${oneLine(state.facts.protocolVersion, 40)}.`,
				},
			];
		case "needs-sign-in":
			return [
				{
					layer: "start",
					weight: "waiting",
					what: "It waits for you to sign in.",
					why: oneLine(state.message, 300),
					fixes: [{ kind: "command", title: "Sign In…", command: "mcpHost.signIn" }],
				},
			];
		case "failed":
			// The reason why its command was not found is reported by the command's check.
			if (findings.some(({ weight }) => weight === "cause") && state.cause === undefined) return [];
			// And that of its variables by theirs.
			if (facts.launch instanceof Error && facts.launch.message === state.message) return [];
			return facts.definition.config.kind === "stdio" ? [failed(facts, state, runtime)] : [];
	}
}

function notApproved({ definition, isWorkspaceTrusted }: DoctorFacts, reason: string): Finding {
	const isOfWorkspace = definition.origin.isWorkspace || definition.place !== undefined;
	if (isOfWorkspace && !isWorkspaceTrusted) {
		return {
			layer: "start",
			weight: "waiting",
			what: "This workspace, which defines the server, is not trusted.",
			why: "The server does not start until you trust the workspace.",
			fixes: [{ kind: "command", title: "Manage Workspace Trust", command: "workbench.trust.manage" }],
		};
	}
	return {
		layer: "start",
		weight: "waiting",
		what: `It waits for you: ${oneLine(reason, 200)}.`,
		why: "A server starts only after you approve what it runs. The other findings were made without starting it.",
		fixes: [{ kind: "command", title: "Review…", command: "mcpHost.reviewServer" }],
	};
}

function failed({ entry, definition }: DoctorFacts, state: Failed, runtime: CommandCheck["runtime"]): Finding {
	const { cause, stderr, noise, message } = state;
	const where = placeIn(entry);
	const evidence = [...stderr, ...(noise === undefined ? [] : [`(standard output) ${noise}`])].slice(-12);
	const fixes: Fix[] = [];
	if (cause?.kind === "missing-value" && cause.subject !== undefined && definition.config.kind === "stdio")
		fixes.push(
			setIn(definition, "Set Variable…", [{ path: ["env", cause.subject], value: "${input}" }], cause.subject),
		);
	fixes.push({ kind: "start", title: "Start Again" }, showLog);
	if (where !== undefined) fixes.push(open(where));
	const isRuntime = cause?.kind === "old-runtime" && runtime?.version !== undefined;
	return {
		layer: "start",
		weight: "cause",
		what: cause === undefined ? oneLine(message, 400) : cause.words,
		...(cause === undefined
			? {}
			: {
					why: isRuntime
						? `It was run with ${tidy(runtime.path)}, which is ${oneLine(runtime.version ?? "", 60)}. ${oneLine(cause.what, 300)}`
						: oneLine(cause.what, 300),
				}),
		...(evidence.length === 0 ? {} : { evidence }),
		...(where === undefined ? {} : { where }),
		fixes,
	};
}

/** The output of a failed HTTP server, if the check of its address found no problem. */
export function failedRemotely({ state, entry }: DoctorFacts): Finding {
	const where = placeIn(entry, ["url"]);
	return {
		layer: "connection",
		weight: "cause",
		what: oneLine(describeState(state), 400),
		...(where === undefined ? {} : { where }),
		fixes: [{ kind: "start", title: "Start Again" }, showLog],
	};
}
