import { canonicalJson } from "../../base/json.ts";
import { messageOf } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import type { ConfigProblem, ConfigOrigin, ServerDefinition } from "../../servers/definitions/config.ts";
import { idOf, maxTextLength } from "../../servers/definitions/parseConfig.ts";
import type { RefusedState, Session, SessionDirectory } from "../../servers/sessions/session.ts";
import type { ServerProcess } from "../../servers/otherHosts/census.ts";
import { isEditable, pathsOf } from "../../setup/entries/editable.ts";
import { keyOf } from "../../setup/entries/serverEdits.ts";
import type { PlacedServer, PlaceFile } from "../../setup/entries/whoStarts.ts";
import type { TraceReader } from "../../records/trace/exchange.ts";
import type { ToolCosts } from "../../features/tools/toolCosts.ts";
import type { DoctorFacts, EntryText } from "./facts.ts";
import type { Finding } from "./finding.ts";
import { wholePath } from "./place.ts";
import { startedWithWindow } from "./sharingCheck.ts";

/** How many exchanges are examined: a start takes a few of them. */
const mostExchanges = 8;

/** The sources of facts. */
export interface FactSources {
	readonly directory: SessionDirectory;
	/** The problems in the configuration, as last read. */
	readonly problems: () => readonly ConfigProblem[];
	/** Why a server may not start, if it may not; the host's judgement, not the state that is shown. */
	readonly whyNot: (definition: ServerDefinition) => RefusedState | undefined;
	/** How a server that may start is reached. Asks nobody. */
	readonly resolve: (definition: ServerDefinition) => Promise<Launch>;
	/** The text in which servers of an origin are written; rejects where it cannot be read. */
	readonly textOf: (origin: ConfigOrigin) => Promise<string>;
	readonly isWorkspaceTrusted: () => boolean;
	/** The open folders of this machine. */
	readonly folders?: DoctorFacts["folders"];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly costs: Pick<ToolCosts, "of" | "isLazy" | "whyHidden">;
	/** The recent messages on the wire. */
	readonly trace: Pick<TraceReader, "snapshot" | "nameOf" | "body">;
	/** The remark about VS Code's own host, which may run it too. */
	readonly otherHost: (origin: ConfigOrigin) => string | undefined;
	/** The processes in which other hosts run a server. */
	readonly elsewhere: (session: Session) => Promise<readonly ServerProcess[]>;
	/** The files that other hosts of VS Code read. */
	readonly placeFiles: () => Promise<readonly PlaceFile[]>;
}

/** All that is known of a server now; undefined when it is not configured. */
export async function gatherFacts(sources: FactSources, id: string): Promise<DoctorFacts | undefined> {
	const session = sources.directory.get(id);
	if (session === undefined) return undefined;
	const { definition, state } = session;
	const launch =
		sources.whyNot(definition) === undefined
			? await sources
					.resolve(definition)
					.catch((error: unknown) => (error instanceof Error ? error : new Error(messageOf(error))))
			: undefined;
	const key = keyOf(definition);
	const { conductOf } = await import("./conduct.ts");
	return {
		definition,
		state,
		isWorkspaceTrusted: sources.isWorkspaceTrusted(),
		entry: await entryOf(sources, definition),
		problems: sources
			.problems()
			.filter(
				({ origin, server }) =>
					origin.kind === definition.origin.kind &&
					origin.file === definition.origin.file &&
					(server === undefined || server === key),
			),
		launch,
		environment: sources.environment,
		...(sources.folders === undefined ? {} : { folders: sources.folders }),
		twins: sources.directory.sessions
			.filter((other) => other !== session && isSame(other.definition, definition))
			.map((other) => other.definition.name),
		otherHost: state.kind === "left-to-editor" ? undefined : sources.otherHost(definition.origin),
		elsewhere: await sources.elsewhere(session),
		startedWithWindow: startedWithWindow(await sources.placeFiles(), reachedBy(definition)),
		tools: state.kind === "running" ? toolsOf(session, sources.costs) : undefined,
		conduct: await conductOf(session, sources.trace),
		passed: passedWith(sources.trace, id),
		nameOf: (exchange) => sources.trace.nameOf(exchange),
	};
}

/** The findings about the definitions of a server that runs, without the kinds that its entry ignores. Asks it nothing. */
export async function definitionFindings(
	sources: Pick<FactSources, "textOf" | "costs">,
	session: Session,
): Promise<readonly Finding[]> {
	const [{ lintDefinitions }, { ignoredBy, withoutIgnored }] = await Promise.all([
		import("./lint.ts"),
		import("./ignored.ts"),
	]);
	const { definition, state } = session;
	const entry = await entryOf(sources, definition);
	const found = lintDefinitions({ state, tools: toolsOf(session, sources.costs) });
	return withoutIgnored(found, new Set(ignoredBy(entry)));
}

/** The latest exchanges with a server; lines of its standard error are reported elsewhere. */
function passedWith(trace: FactSources["trace"], id: string): DoctorFacts["passed"] {
	const { exchanges } = trace.snapshot(0);
	return exchanges.filter(({ server, method }) => server === id && method !== "stderr").slice(-mostExchanges);
}

/** The problems in the configuration that belong to no server: invalid entries, and files without entries. */
export function entryFaults(
	problems: readonly ConfigProblem[],
	sessions: readonly Pick<Session, "definition">[],
): readonly Finding[] {
	const known = new Set(sessions.map(({ definition }) => definition.id));
	return problems
		.filter(({ origin, server }) => server === undefined || !known.has(idOf(origin, server)))
		.map((problem) => {
			const { origin, message, severity, server, isByPolicy } = problem;
			const file = origin.file === undefined ? {} : { file: origin.file };
			const where = { ...file, path: wholePath(problem) };
			const [name, why] =
				server === undefined
					? ["", "This part of the entry is not used until you fix it."]
					: [
							`“${oneLine(server, 60)}”: `,
							isByPolicy === true
								? "Only your organization can change this."
								: "The entry is not used until you fix it.",
						];
			return {
				layer: "file",
				weight: severity === "error" ? "cause" : "warning",
				what: name + oneLine(message, 300),
				why,
				where,
				fixes: [{ kind: "open", title: "Open Entry", place: where }],
			};
		});
}

/** The text in which a server is written, if it is ours to read. */
export async function entryOf(
	{ textOf }: Pick<FactSources, "textOf">,
	definition: ServerDefinition,
): Promise<EntryText | undefined> {
	const { origin } = definition;
	const key = keyOf(definition);
	// The form of another host's file is its own.
	if (!isEditable(origin)) return undefined;
	const text = await textOf(origin).catch(() => undefined);
	if (text === undefined || text.length > maxTextLength) return undefined;
	const file = origin.file === undefined ? {} : { file: origin.file };
	return { text, path: [...pathsOf(origin, text).servers, key], ...file };
}

function reachedBy({ config }: ServerDefinition): Omit<PlacedServer, "name"> {
	return config.kind === "stdio" ? { command: config } : { url: config.url };
}

function isSame({ config: one }: ServerDefinition, { config: other }: ServerDefinition): boolean {
	if (one.kind === "stdio" || other.kind === "stdio") {
		return (
			one.kind === "stdio" &&
			other.kind === "stdio" &&
			one.command === other.command &&
			canonicalJson(one.args) === canonicalJson(other.args)
		);
	}
	return one.url.replace(/\/$/, "") === other.url.replace(/\/$/, "");
}

function toolsOf(session: Session, costs: FactSources["costs"]): NonNullable<DoctorFacts["tools"]> {
	return {
		tools: session.tools.items,
		prompts: session.prompts.items,
		resources: session.resources.items,
		templates: session.resourceTemplates.items,
		tokens: costs.of(session)?.tokens,
		isLazy: costs.isLazy(session),
		whyHidden: (tool) => costs.whyHidden(tool),
	};
}
