import { HostError, messageOf } from "../../base/errors.ts";
import { canonicalJson, isJsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { translateShellVariables } from "../../servers/formats/variableStyles.ts";
import type { ConfigOrigin, ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import type { InputValues } from "../../servers/definitions/inputValues.ts";
import { idOf as serverIdOf } from "../../servers/definitions/parseConfig.ts";
import { withShellVariables } from "../../servers/definitions/shellVariables.ts";
import { entriesOf, pathsOf, requireEditable, type EditableConfiguration } from "./editable.ts";
import { idOf, inputsUsedBy } from "../entryInputs.ts";
import { sourceAt, valueAt, withoutValue } from "./jsonEdit.ts";
import type { NewServer } from "../newServer.ts";
import type { Undoable } from "./serverEdits.ts";
import { withoutUnused, type ServersWriter } from "./writeServers.ts";

/** The dependencies of moving the servers of a file. */
export interface MoveServices {
	readonly writer: Pick<ServersWriter, "addTo" | "definitionsOf" | "inTurn" | "keep">;
	readonly inputs: Pick<InputValues, "get">;
	readonly refresh: () => Promise<void>;
	/** Withdraws all that was given to a server. */
	readonly revoke: (id: ServerId) => Promise<void>;
}

/** The changes of moving, before they are made. */
export interface MovePlan {
	readonly servers: readonly Omit<NewServer, "values">[];
	/** Names that the other file has already: these servers stay. */
	readonly staying: readonly string[];
	/** Names whose entries are written in other words there: each host has its own form for variables. */
	readonly translated: readonly string[];
	/** The text of the `.mcp.json` as it was planned for, and without the servers that move. */
	readonly before: string;
	readonly after: string;
}

/** A text and its place. */
interface PlacedText {
	readonly origin: ConfigOrigin;
	readonly text: string;
}

/**
 * Plans to move the servers of a folder's `.mcp.json` to its `.vscode/mcp.json`: entries with their comments and
 * inputs. The rest of both files stays.
 * @throws HostError `invalid` if one of the texts is not valid JSON.
 */
export function planMove(from: PlacedText, to: PlacedText): MovePlan {
	requireEditable(from.origin, from.text);
	requireEditable(to.origin, to.text);
	const paths = pathsOf(from.origin, from.text);
	const taken = entriesOf(to.origin, to.text);
	const listed = valueAt(from.text, paths.inputs);
	const inputs = Array.isArray(listed) ? listed : [];
	const servers: Omit<NewServer, "values">[] = [];
	const translated: string[] = [];
	const staying: string[] = [];
	let after = from.text;
	for (const [name, written] of Object.entries(entriesOf(from.origin, from.text))) {
		if (!isJsonObject(written) || Object.hasOwn(taken, name)) {
			staying.push(name);
			continue;
		}
		const entry = withShellVariables(written);
		if (canonicalJson(entry) !== canonicalJson(written)) translated.push(name);
		const source = translateShellVariables(sourceAt(from.text, [...paths.servers, name]) ?? "");
		const isSame = canonicalJson(valueAt(source, [])) === canonicalJson(entry);
		servers.push({ name, entry, inputs: inputsUsedBy(entry, inputs), ...(isSame ? { source } : {}) });
		after = withoutValue(after, [...paths.servers, name]);
	}
	after = withoutUnused(
		after,
		paths,
		servers.flatMap((server) => server.inputs.map(idOf)),
	);
	return { servers, staying, translated, before: from.text, after };
}

/**
 * Moves servers as planned. Approvals stay behind, since the place counts (CFG-03); values that were given go along. The undo
 * leaves both files as they were, to the byte.
 * @throws HostError `invalid` where a file was changed meanwhile or cannot be written: nothing was moved then.
 */
export async function moveRootFile(
	services: MoveServices,
	{
		from,
		to,
		plan,
	}: { readonly from: EditableConfiguration; readonly to: EditableConfiguration; readonly plan: MovePlan },
): Promise<Undoable> {
	const { writer, refresh, revoke } = services;
	if ((await from.read()) !== plan.before) throw changed(from.origin, "moved");
	const definitions = await writer.definitionsOf(from, plan.before);
	const servers: NewServer[] = [];
	for (const server of plan.servers) {
		const definition = definitions.get(serverIdOf(from.origin, server.name));
		servers.push({ ...server, values: await valuesOf(services, definition) });
	}
	const added = await writer.addTo(to, servers, "moved");
	try {
		await writer.inTurn(() => from.write(plan.after));
	} catch (error) {
		await added.undo();
		throw error;
	}
	for (const { name } of servers) await revoke(serverIdOf(from.origin, name));
	await refresh();
	return {
		undo: async () => {
			await writer.inTurn(async () => {
				if ((await from.read()) !== plan.after) throw changed(from.origin, "undone");
				await writer.keep(from, plan.before, servers);
				await from.write(plan.before);
			});
			try {
				await added.undo();
			} catch (error) {
				// Each server is in one of the files, as before the attempt.
				await writer.inTurn(() => from.write(plan.after));
				throw new HostError("invalid", messageOf(error), { cause: error });
			}
		},
	};
}

/** The text of the preview: which servers go where, and the other consequences. */
export function moveDetails({ servers, staying, translated }: MovePlan, from: string, to: string): string {
	const says = [
		`${names(servers.map(({ name }) => name))}: from ${oneLine(from, 200)} to ${oneLine(to, 200)}.`,
		"Comments inside the entries are moved too. The rest of both files is not changed. The servers need your approval again before they start.",
		"Programs that read only .mcp.json, such as Claude Code in a terminal, lose these servers. Other users may share both files.",
	];
	if (translated.length > 0)
		says.push(
			`Variables such as \${NAME} become \${env:NAME} in ${names(translated)}; VS Code's own MCP host does not support defaults in them.`,
		);
	if (staying.length > 0)
		says.push(`${names(staying)} cannot be moved: the name is already in use there, or the entry is not a server.`);
	return says.join("\n\n");
}

/** Most names that a text lists. */
const mostNames = 20;

function names(all: readonly string[]): string {
	const more = all.length > mostNames ? ` and ${all.length - mostNames} more` : "";
	return (
		all
			.slice(0, mostNames)
			.map((name) => `"${oneLine(name, 60)}"`)
			.join(", ") + more
	);
}

function changed({ label }: ConfigOrigin, done: string): HostError {
	return new HostError("invalid", `${oneLine(label, 200)} was changed in the meantime, so nothing was ${done}.`);
}

async function valuesOf(
	{ inputs }: MoveServices,
	definition: ServerDefinition | undefined,
): Promise<ReadonlyMap<string, string>> {
	const values = new Map<string, string>();
	for (const { id } of definition?.inputs ?? []) {
		const value = definition && (await inputs.get(definition, id, () => false));
		if (value !== undefined) values.set(id, value);
	}
	return values;
}
