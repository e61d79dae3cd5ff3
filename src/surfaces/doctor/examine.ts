import { isEditable } from "../../setup/entries/editable.ts";
import { messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import { checkCommand, type CommandCheck, tidy } from "./commandCheck.ts";
import { checkConnection } from "./connectionCheck.ts";
import { checkFile, checkSecurity, checkSharing, checkTools, checkVariables, open, setIn } from "./definitionChecks.ts";
import { checkStarts } from "./sharingCheck.ts";
import { lintDefinitions } from "./lint.ts";
import { checkConduct } from "./protocolChecks.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding, Layer, Fix } from "./finding.ts";
import { ignoredBy, ignoredNote, ignoring, kindOf, withoutIgnored } from "./ignored.ts";
import type { Probes } from "./probes.ts";
import { checkStart } from "./startCheck.ts";
import { duration } from "../../base/amounts.ts";
import type { Exchange } from "../../records/trace/exchange.ts";
import { childRow, exchangeRow } from "../trace/exchangeWords.ts";
import type { TraceRow } from "../trace/viewProtocol.ts";
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { isThere } from "../../base/files.ts";
import { fileOfFolders } from "../../setup/entries/folderFit.ts";
import { placeIn } from "./place.ts";

/** The findings of one layer. */
export interface LayerResult {
	readonly layer: Layer;
	readonly findings: readonly Finding[];
}

/**
 * Examines one server, layer after layer, and reports the findings of each immediately, without those of the kinds that its
 * entry or `ignored` names: how many these are is the last finding. It starts nothing: programs of
 * the system are asked for their version, the login shell for its PATH, and an address whether a server answers there,
 * each only for a server that may start. A check that is not possible is a finding, too. Ends with the signal's reason
 * when it is aborted.
 */
export async function* examine(
	facts: DoctorFacts,
	probes: Probes,
	signal: AbortSignal,
	ignored: readonly string[] = [],
): AsyncGenerator<LayerResult> {
	const isWritable = isEditable(facts.definition.origin);
	const kinds = new Set([...ignored, ...ignoredBy(facts.entry)]);
	const leftOut = new Map<string, number>();
	for await (const { layer, findings: all } of look(facts, probes, signal)) {
		const findings = withoutIgnored(all, kinds);
		for (const one of all) if (!findings.includes(one)) leftOut.set(kindOf(one), (leftOut.get(kindOf(one)) ?? 0) + 1);
		const mayIgnore = (finding: Finding): Finding => withIgnoring(finding, facts);
		yield { layer, findings: findings.map(isWritable ? mayIgnore : withoutChanges) };
	}
	if (leftOut.size > 0) yield { layer: "sharing", findings: [ignoredNote(leftOut)] };
}

/** A finding about an entry that is not ours to change. */
function withoutChanges(finding: Finding): Finding {
	const fixes = finding.fixes?.filter(({ kind }) => kind !== "entry");
	return fixes === undefined ? finding : Object.assign({}, finding, { fixes });
}

function withIgnoring(finding: Finding, { entry }: DoctorFacts): Finding {
	const fix = ignoring(entry, finding);
	return fix === undefined ? finding : Object.assign({}, finding, { fixes: [...(finding.fixes ?? []), fix] });
}

async function* look(facts: DoctorFacts, probes: Probes, signal: AbortSignal): AsyncGenerator<LayerResult> {
	const { definition, launch, state } = facts;
	yield { layer: "file", findings: checkFile(facts) };
	yield { layer: "variables", findings: checkVariables(facts) };
	signal.throwIfAborted();

	const ready = launch instanceof Error ? undefined : launch;
	let command: CommandCheck = { findings: [], runtime: undefined };
	if (definition.config.kind === "stdio") {
		if (ready?.kind === "stdio") {
			const seen = (): Promise<CommandCheck> => checkCommand(facts, ready, probes, signal);
			command = await tried(signal, seen, (error) => ({ ...command, findings: [unlooked("command", error)] }));
		}
		yield { layer: "command", findings: [...command.findings, ...(await checkFolder(facts))] };
	}
	yield { layer: "start", findings: [...checkStart(facts, command), ...checkTrace(facts)] };
	signal.throwIfAborted();
	if (definition.config.kind !== "stdio") {
		const isOpen = state.kind === "running" || state.kind === "starting";
		let findings: readonly Finding[] = [];
		if (ready !== undefined && ready.kind !== "stdio" && !isOpen) {
			const seen = (): Promise<readonly Finding[]> => checkConnection(facts, ready, probes, signal);
			findings = await tried(signal, seen, (error) => [unlooked("connection", error)]);
		}
		yield { layer: "connection", findings };
	}
	yield { layer: "protocol", findings: [...checkConduct(facts), ...(await transport())] };
	yield { layer: "tools", findings: checkTools(facts) };
	yield { layer: "definitions", findings: lintDefinitions(facts) };
	yield { layer: "security", findings: checkSecurity(facts) };
	yield { layer: "sharing", findings: [...checkSharing(facts), ...checkStarts(facts)] };

	async function transport(): Promise<readonly Finding[]> {
		if (ready === undefined || ready.kind !== "http") return [];
		const { checkHttp } = await import("./httpChecks.ts");
		return tried(
			signal,
			() => checkHttp(facts, ready, probes, signal),
			(error) => [unlooked("protocol", error)],
		);
	}
}

/** Runs the checks of a layer; a failure is a finding, except for a cancellation by the user. */
async function tried<T>(signal: AbortSignal, work: () => Promise<T>, otherwise: (error: unknown) => T): Promise<T> {
	const result = await work().catch((error: unknown) => {
		signal.throwIfAborted();
		return otherwise(error);
	});
	signal.throwIfAborted();
	return result;
}

function unlooked(layer: Layer, error: unknown): Finding {
	return { layer, weight: "note", what: `This could not be checked: ${oneLine(messageOf(error), 300)}` };
}

/**
 * The messages between the host and a server whose start failed: the handshake, and the HTTP requests that carried it.
 */
export function checkTrace({ state, passed, nameOf }: DoctorFacts): readonly Finding[] {
	const isWanted = state.kind === "failed" || state.kind === "needs-sign-in";
	const shown = passed.findLast((exchange) => exchangeRow(exchange, false).standing === "error") ?? passed.at(-1);
	if (!isWanted || shown === undefined) return [];
	const { what, outcome } = exchangeRow(shown, false);
	return [
		{
			layer: "start",
			weight: "note",
			what: `The trace contains the messages before it ended: ${what}, ${outcome}.`,
			evidence: passed.flatMap(linesOf),
			evidenceTitle: "Messages",
			fixes: [{ kind: "command", title: "Show in Trace", command: "mcpHost.showInTrace", exchange: nameOf(shown.id) }],
		},
	];
}

function linesOf(exchange: Exchange): readonly string[] {
	const below = exchange.children.flatMap((_, index) => {
		const row = childRow(exchange, index);
		return row === undefined ? [] : [`    ${lineOf(row)}`];
	});
	return [lineOf(exchangeRow(exchange, false)), ...below];
}

function lineOf({ at, what, outcome, milliseconds }: TraceRow): string {
	const time = new Date(at).toISOString().slice(11);
	return `${time} ${what}: ${outcome}${milliseconds === undefined ? "" : `, ${duration(milliseconds)}`}`;
}

/** Whether a relative file that is not where the server runs is in an open folder: then it was meant to run there. */
export async function checkFolder({
	definition,
	entry,
	launch,
	folders = [],
}: DoctorFacts): Promise<readonly Finding[]> {
	const { config, origin } = definition;
	if (config.kind !== "stdio" || launch instanceof Error) return [];
	const { command, args, cwd } = launch?.kind === "stdio" ? launch : { ...config, cwd: origin.folder ?? homedir() };
	const relative = [command, ...args].filter((word) => !isAbsolute(word) && !word.includes("${"));
	const found = await fileOfFolders(
		// The command alone is looked for on the PATH.
		relative[0] === command ? relative : ["", ...relative],
		folders,
	);
	if (found === undefined || (await isThere(resolve(cwd, found.word)))) return [];
	const { folder, word } = found;
	const where = placeIn(entry, origin.isWorkspace ? [] : ["args", args.indexOf(word)]);
	const toSet = setIn(definition, "Set Working Directory", [{ path: ["cwd"], value: folder.path }]);
	const toMove: Fix = { kind: "command", title: "Move to Workspace…", command: "mcpHost.moveToWorkspace" };
	return [
		{
			layer: "command",
			weight: "cause",
			what: `“${oneLine(word, 100)}” is in the open folder ${oneLine(folder.name, 80)}, but the server runs in ${tidy(cwd)}.`,
			why: origin.isWorkspace
				? `Set "cwd" to the folder that has the file.`
				: `Move the server to .vscode/mcp.json of that folder, or set "cwd" to the folder.`,
			...(where === undefined ? {} : { where }),
			fixes: [...(origin.isWorkspace ? [] : [toMove]), toSet, ...(where === undefined ? [] : [open(where)])],
		},
	];
}
