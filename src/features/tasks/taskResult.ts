import { oneLine } from "../../base/text.ts";
import { describeState } from "../../servers/sessions/describeState.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { readCatalog } from "../../permissions/catalog/catalog.ts";
import { loadSchemaChecks } from "../../base/schema/schema.ts";
import type { FinishedCall } from "../tools/results/finishedCalls.ts";
import { judgeResult } from "../tools/results/result.ts";
import type { TaskRow } from "./runningTasks.ts";

/** A task that ended with a result, as the call that it was; undefined without one, or when its server is gone. */
export async function callOf(
	directory: SessionDirectory,
	{ server, reference, end }: TaskRow,
): Promise<FinishedCall | undefined> {
	const session = directory.get(server);
	if (session === undefined || end?.kind !== "result") return undefined;
	const { tool: name, arguments: sent, createdAt } = reference;
	const listed = readCatalog(directory).entries.find((one) => one.session === session && one.tool.name === name);
	const entry = listed ?? {
		session,
		tool: { name, inputSchema: { type: "object" } },
		modelName: name,
		hidden: undefined,
	};
	const result = judgeResult(await loadSchemaChecks(), entry.tool, end.result);
	const milliseconds = Date.now() - createdAt;
	return { entry, outcome: { kind: "done", result, wanted: sent, sent, isEdited: false, milliseconds } };
}

/** The name of a task's tool with its server, for one line. */
export function nameOfTask({ server, reference }: TaskRow, directory: Pick<SessionDirectory, "get">): string {
	return `${oneLine(directory.get(server)?.definition.name ?? "a removed server", 60)} · ${oneLine(reference.tool, 80)}`;
}

/** How a task is, in words for one line. */
export function describeTask({ state, statusMessage, end }: TaskRow, session: Session | undefined): string {
	const words = statusMessage === undefined ? "" : oneLine(statusMessage, 200);
	switch (state) {
		case "called":
		case "followed":
			return words === "" ? "running" : words;
		case "waiting":
			if (session?.state.kind === "running") return "reconnecting";
			return session === undefined ? "its server was removed" : `its server is ${describeState(session.state)}`;
		case "ended":
			if (end?.kind === "failed") return `failed: ${oneLine(end.message, 200)}`;
			return end?.result.isError === true ? "reported an error" : "completed";
	}
}
