import { HostError } from "../../base/errors.ts";
import { once } from "../../base/once.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { nearest } from "../../base/nearest.ts";
import { oneLine } from "../../base/text.ts";
import { findServer } from "../../servers/sessions/findServer.ts";
import type { Session, SessionDirectory } from "../../servers/sessions/session.ts";
import { readCatalog, type ToolEntry } from "../../permissions/catalog/catalog.ts";

/**
 * The tools of the running servers in their typed form: `travel/bookHotel`; with the server's id if two share a name.
 */
function typedName(directory: SessionDirectory, { session, tool }: ToolEntry): string {
	const { id, name } = session.definition;
	const isAlone = directory.sessions.every((other) => other === session || other.definition.name !== name);
	return `${isAlone ? name : id}/${tool.name}`;
}

/**
 * The tool of a server, which is named by its configured name or unique id. A list that is still loading is waited for.
 * Rejects with a HostError: `not-connected` when its server is not running, `invalid` when either is unknown; with the
 * signal's reason when aborted.
 */
export async function findTool(
	directory: SessionDirectory,
	server: string,
	tool: string,
	signal: AbortSignal,
): Promise<ToolEntry> {
	const session = findServer(directory, server);
	return toolOf(directory, session, tool, signal);
}

/** The tool with the name `server/tool`, or its name alone if only one server has it. Rejects as `findTool` does. */
export async function findTypedTool(
	directory: SessionDirectory,
	typed: string,
	signal: AbortSignal,
): Promise<ToolEntry> {
	const owner = directory.sessions
		.flatMap((session) => [session.definition.id, session.definition.name].map((name) => ({ session, name })))
		.filter(({ name }) => typed.startsWith(`${name}/`))
		// One server's name may be how another's begins.
		.sort((a, b) => b.name.length - a.name.length)[0];
	if (owner !== undefined) {
		const session = findServer(directory, owner.name);
		return toolOf(directory, session, typed.slice(owner.name.length + 1), signal);
	}
	const [match, ...others] = readCatalog(directory).entries.filter(({ tool }) => tool.name === typed);
	if (match === undefined) throw unknownTool(directory, typed);
	if (others.length === 0) return match;
	const names = [match, ...others].map((entry) => oneLine(typedName(directory, entry)));
	throw new HostError("invalid", `Several servers have a tool "${oneLine(typed)}". Choose one of: ${names.join(", ")}`);
}

/** The message about a server that can run no tools now. */
export function notRunning({ definition }: Session): HostError {
	const message = `The server "${oneLine(definition.name)}" is not running. Start it to run its tools.`;
	return new HostError("not-connected", message);
}

async function toolOf(
	directory: SessionDirectory,
	session: Session,
	name: string,
	signal: AbortSignal,
): Promise<ToolEntry> {
	const find = (): ToolEntry | undefined =>
		readCatalog(directory).entries.find((entry) => entry.session === session && entry.tool.name === name);
	if (session.state.kind !== "running") throw notRunning(session);
	while (find() === undefined && session.tools.status.kind === "loading") {
		await once(session.tools.onDidChange, signal);
	}
	const found = find();
	if (found !== undefined) return found;
	throw unknownTool(directory, `${session.definition.name}/${name}`);
}

function unknownTool(directory: SessionDirectory, wanted: string): HostError {
	const known = readCatalog(directory).entries.map((entry) => typedName(directory, entry));
	if (known.length === 0) return new HostError("invalid", "No running server offers tools.");
	const near = nearest(wanted, known)
		.map((name) => oneLine(name, 80))
		.join(", ");
	return new HostError("invalid", `There is no tool "${oneLine(wanted, 80)}". Did you mean: ${near}?`);
}

/** The request of the command `mcpHost.runTool`. Nothing runs before the user has seen and confirmed it. */
export interface ToolRunRequest {
	/** The server's configured name or its unique id. */
	readonly server: string;
	/** Absent when the user is to choose among the tools of the server. */
	readonly tool: string | undefined;
	/** The initial arguments of the form; absent when it is empty. */
	readonly arguments: JsonObject | undefined;
}

const usage = 'Run Tool takes {"server": "…", "tool": "…", "arguments": {…}}.';

/**
 * Reads the argument of the command: `{server, tool, arguments?}` from a key binding or another extension, `{server}` for
 * a choice among that server's tools, or a node of the tree with the same fields. Undefined when it names none.
 * @throws HostError `invalid` for one that names a tool badly.
 */
export function readToolRunRequest(value: unknown): ToolRunRequest | undefined {
	if (!isJsonObject(value)) return undefined;
	const { server, tool } = value;
	const name = toolName(tool);
	const args = value["arguments"];
	if (server === undefined && tool === undefined) return undefined;
	if (typeof server !== "string" || (tool !== undefined && name === undefined)) throw new HostError("invalid", usage);
	if (args !== undefined && !isJsonObject(args)) throw new HostError("invalid", usage);
	return { server, tool: name, arguments: args };
}

/** A node of the tree holds the tool itself. */
function toolName(tool: unknown): string | undefined {
	if (typeof tool === "string") return tool;
	return isJsonObject(tool) && typeof tool["name"] === "string" ? tool["name"] : undefined;
}
