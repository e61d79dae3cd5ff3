import type { ActivityNotes, ConfigurationActivity } from "../../records/activity/journal/entry.ts";
import { HostError } from "../../base/errors.ts";
import { withFileLock } from "../../base/store/fileLock.ts";
import type { JsonPath } from "../../base/configText.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ConfigOrigin, ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import type { InputValues } from "../../servers/definitions/inputValues.ts";
import { idOf as serverIdOf, parseConfig } from "../../servers/definitions/parseConfig.ts";
import type { NamedFolder } from "../../servers/definitions/folderVariable.ts";
import { bindToPlace } from "../../servers/definitions/workspacePlace.ts";
import {
	entriesOf,
	pathsOf,
	requireEditable,
	sourceOf,
	type EditableConfiguration,
	type EntryPaths,
} from "./editable.ts";
import { idOf, inputsUsedBy, withOwnInputs } from "../entryInputs.ts";
import { valueAt, withoutValue, withSource, withValue } from "./jsonEdit.ts";
import type { ConfigurationPlace, ConfigurationWriter, NewServer } from "../newServer.ts";

/** The dependencies of writing servers. */
export interface WriterServices {
	/** Opens the configuration of a place. */
	readonly open: (place: ConfigurationPlace) => EditableConfiguration;
	readonly inputs: Pick<InputValues, "keep" | "forget">;
	/** The open folders of this machine, which a definition is bound to. */
	readonly folders: () => readonly NamedFolder[];
	/** Has the configuration read again; resolves when it was. */
	readonly refresh: () => Promise<void>;
	/** Withdraws all that was given to a server that is taken back. */
	readonly revoke: (id: ServerId) => Promise<void>;
	/** Why a server may not be written to a place, in a sentence; undefined where it may. */
	readonly whyNot?: (server: Pick<NewServer, "name" | "entry">, isOfWorkspace: boolean) => string | undefined;
	/** Where changes are recorded. */
	readonly notes?: ActivityNotes;
	/** A file that no two windows of this machine hold at once: its holder edits configurations. */
	readonly lock?: string;
}

/** The changes of a text by adding servers. */
interface Addition {
	/** There was no text before. */
	readonly isNew: boolean;
	readonly before: string;
	readonly after: string;
	readonly added: readonly NewServer[];
}

/** Writes servers where a user keeps them. */
export class ServersWriter implements ConfigurationWriter {
	private readonly services: WriterServices;
	/** The end of the previous edit: each reads the result of the previous one. */
	private former: Promise<unknown> = Promise.resolve();

	constructor(services: WriterServices) {
		this.services = services;
	}

	add(place: ConfigurationPlace, servers: readonly NewServer[]): ReturnType<ConfigurationWriter["add"]> {
		return this.addTo(this.services.open(place), servers);
	}

	/** The same for an open configuration; `event` is the record of it. */
	addTo(
		target: EditableConfiguration,
		servers: readonly NewServer[],
		event: ConfigurationActivity["event"] = "added",
	): ReturnType<ConfigurationWriter["add"]> {
		const { origin } = target;
		const ids = servers.map(({ name }) => serverIdOf(origin, name));
		return this.inTurn(async () => {
			this.require(servers, origin);
			const isNew = !(await target.exists());
			const before = await target.read();
			const added: NewServer[] = [];
			requireEditable(origin, before);
			const after = servers.reduce((text, server) => withServer(target, text, server, added), before);
			await this.keep(target, after, added);
			try {
				await target.write(after);
			} catch (error) {
				for (const id of ids) await this.services.inputs.forget(id);
				throw error;
			}
			this.note(event, origin.label, added);
			await this.services.refresh();
			return { ids, undo: () => this.inTurn(() => this.takeBack(target, { isNew, before, after, added })) };
		});
	}

	/** @throws HostError `denied` where one of the servers may not be written: an organization does not allow it (REG-02). */
	require(servers: readonly Pick<NewServer, "name" | "entry">[], { isWorkspace }: ConfigOrigin): void {
		for (const server of servers) {
			const why = this.services.whyNot?.(server, isWorkspace);
			if (why !== undefined) throw new HostError("denied", `${why} Nothing was written.`);
		}
	}

	/** Makes one edit after the other, also of other windows: each reads the result of the previous one (EDT-09). */
	inTurn<T>(edit: () => Promise<T>): Promise<T> {
		const { lock } = this.services;
		const result = this.former.then(async () => (lock === undefined ? edit() : withFileLock(lock, edit)));
		this.former = result.catch(() => undefined);
		return result;
	}

	/** Stores values for the servers of a text, before that is written: then none of them can start without. */
	async keep(target: EditableConfiguration, text: string, servers: readonly NewServer[]): Promise<void> {
		if (servers.every(({ values }) => values.size === 0)) return;
		const definitions = await this.definitionsOf(target, text);
		for (const { name, values } of servers) {
			const definition = definitions.get(serverIdOf(target.origin, name));
			if (definition === undefined) continue;
			for (const [id, value] of values) await this.services.inputs.keep(definition, id, value);
		}
	}

	/** The servers in a configuration's text. */
	async definitionsOf(
		{ origin }: EditableConfiguration,
		text: string,
	): Promise<ReadonlyMap<ServerId, ServerDefinition>> {
		const { definitions } = parseConfig(sourceOf(origin, text));
		const bound = await Promise.all(definitions.map((one) => bindToPlace(one, this.services.folders())));
		return new Map(bound.map((definition) => [definition.id, definition]));
	}

	private async takeBack(target: EditableConfiguration, { isNew, before, after, added }: Addition): Promise<void> {
		const { origin } = target;
		const text = await target.read();
		requireEditable(origin, text);
		const written = text === after ? before : withoutServers(target, { before, text, added });
		for (const { name } of added) await this.services.revoke(serverIdOf(origin, name));
		await target.write(isNew && text === after ? undefined : written);
		this.note("removed", origin.label, added);
		await this.services.refresh();
	}

	/** Records an edit: its place, and its servers. */
	note(event: ConfigurationActivity["event"], place: string, servers: readonly { readonly name: string }[]): void {
		const names = servers.map(({ name }) => name);
		this.services.notes?.note({ kind: "configuration", event, place, names });
	}
}

/** The text with one more server and its inputs. Its final form is added to `added`. */
function withServer({ origin }: EditableConfiguration, text: string, server: NewServer, added: NewServer[]): string {
	const paths = pathsOf(origin, text);
	if (Object.hasOwn(entriesOf(origin, text), server.name)) {
		throw new HostError("invalid", `${origin.label} already has a server named "${oneLine(server.name, 80)}".`);
	}
	const present = listAt(text, paths.inputs);
	const own = withOwnInputs(server, present);
	added.push(own);
	const known = new Set(present.map(canonicalJson));
	const missing = own.inputs.filter((input) => !known.has(canonicalJson(input)));
	// Inputs first: a reader of the file finds them before the entry that uses them.
	const path = [...paths.servers, own.name];
	const written = withValue(withInputs(text, paths, missing), path, own.entry);
	const isRenamed = canonicalJson(own.entry) !== canonicalJson(server.entry);
	return server.source === undefined || isRenamed ? written : withSource(written, path, server.source);
}

/** The text with more inputs after those that it has. */
export function withInputs(text: string, { inputs }: EntryPaths, more: readonly JsonObject[]): string {
	const length = listAt(text, inputs).length;
	if (length === 0) return more.length === 0 ? text : withValue(text, inputs, more);
	return more.reduce<string>((result, input, index) => withValue(result, [...inputs, length + index], input), text);
}

/**
 * The text without unchanged servers that were added before, and without their inputs that nothing else uses.
 * @throws HostError `invalid` if one of them was changed meanwhile, because the change would be lost; and if none is
 * left.
 */
function withoutServers(
	{ origin }: EditableConfiguration,
	{ before, text, added }: { readonly before: string; readonly text: string; readonly added: readonly NewServer[] },
): string {
	const paths = pathsOf(origin, text);
	const entries = entriesOf(origin, text);
	let result = text;
	if (added.every(({ name }) => !Object.hasOwn(entries, name))) {
		const names = added.map(({ name }) => `"${oneLine(name, 80)}"`).join(", ");
		throw new HostError("invalid", `There is nothing to undo: ${origin.label} no longer has ${names}.`);
	}
	for (const { name, entry } of added) {
		if (!Object.hasOwn(entries, name)) continue;
		if (canonicalJson(entries[name]) !== canonicalJson(entry)) {
			const shown = oneLine(name, 80);
			throw new HostError(
				"invalid",
				`"${shown}" in ${origin.label} was changed in the meantime, so nothing was undone.`,
			);
		}
		result = withoutValue(result, [...paths.servers, name]);
	}
	const ids = added.flatMap(({ inputs }) => inputs.map(idOf));
	result = withoutUnused(result, paths, ids);
	const isBare = valueAt(before, paths.servers) === undefined && Object.keys(entriesOf(origin, result)).length === 0;
	return isBare ? withoutValue(result, paths.servers) : result;
}

/** The text without those of the inputs that no entry uses any more. */
export function withoutUnused(text: string, paths: EntryPaths, ids: readonly string[]): string {
	const present = listAt(text, paths.inputs);
	const used = new Set(inputsUsedBy(valueAt(text, paths.servers), present).map(idOf));
	const unused = present.flatMap((input, index) => {
		const id = isJsonObject(input) ? idOf(input) : "";
		return ids.includes(id) && !used.has(id) ? [index] : [];
	});
	if (unused.length > 0 && unused.length === present.length) return withoutValue(text, paths.inputs);
	return unused.toReversed().reduce((result, index) => withoutValue(result, [...paths.inputs, index]), text);
}

function listAt(text: string, path: JsonPath): readonly unknown[] {
	const value = valueAt(text, path);
	return Array.isArray(value) ? value : [];
}
