import { HostError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ConfigOrigin, ServerDefinition, ServerId } from "../../servers/definitions/config.ts";
import type { InputValues } from "../../servers/definitions/inputValues.ts";
import { idOf as serverIdOf } from "../../servers/definitions/parseConfig.ts";
import { withShellVariables } from "../../servers/definitions/shellVariables.ts";
import { entriesOf, pathsOf, requireEditable, type EditableConfiguration } from "./editable.ts";
import { idOf, inputsUsedBy } from "../entryInputs.ts";
import { valueAt, withMerged, withoutValue, withValue } from "./jsonEdit.ts";
import type { NewServer } from "../newServer.ts";
import { extractSecrets } from "./secretValues.ts";
import { withInputs, withoutUnused, type ServersWriter } from "./writeServers.ts";

/** The dependencies of edits of entries. */
export interface ServerEditServices {
	readonly writer: ServersWriter;
	/** Opens the text in which an origin's servers are written. */
	readonly open: (origin: ConfigOrigin) => EditableConfiguration;
	readonly inputs: Pick<InputValues, "get" | "keep">;
	readonly refresh: () => Promise<void>;
	/** Withdraws all that was given to a server: its approval, values, sign-in, roots. */
	readonly revoke: (id: ServerId) => Promise<void>;
	readonly switchedOff: { choose(id: ServerId, isOff: boolean | undefined): void };
}

/** An edit that can be taken back. */
export interface Undoable {
	readonly undo: () => Promise<void>;
}

/** An entry as it is written, with its inputs and the user's values for them. */
type WrittenServer = NewServer & { readonly definition: ServerDefinition };

/** Edits the entries of servers in their files. Starts nothing, and keeps no approval. */
export class ServerEdits {
	private readonly services: ServerEditServices;

	constructor(services: ServerEditServices) {
		this.services = services;
	}

	/**
	 * The current entry of a server.
	 * @throws HostError `invalid` if it no longer exists.
	 */
	async read(definition: ServerDefinition): Promise<WrittenServer> {
		const target = this.services.open(definition.origin);
		const text = await target.read();
		const name = keyOf(definition);
		const entry = this.entryIn(definition, text);
		const inputs = inputsUsedBy(entry, listAt(text, pathsOf(definition.origin, text).inputs));
		const values = new Map<string, string>();
		for (const id of inputs.map(idOf)) {
			const value = await this.services.inputs.get(definition, id, () => false);
			if (value !== undefined) values.set(id, value);
		}
		return { name, entry, inputs, values, definition };
	}

	/** Takes a server's entry away, with its inputs that no other needs, and with all that was given to it. */
	async remove(definition: ServerDefinition): Promise<Undoable> {
		const { former, undo } = await this.takeAway(definition);
		const { label } = definition.origin;
		this.services.writer.note("removed", label, [former]);
		return {
			undo: async () => {
				await undo();
				this.services.writer.note("added", label, [former]);
			},
		};
	}

	private async takeAway(definition: ServerDefinition): Promise<Undoable & { readonly former: WrittenServer }> {
		const former = await this.read(definition);
		const { before, after } = await this.write(definition, (text) => {
			const paths = pathsOf(definition.origin, text);
			const rest = withoutValue(text, [...paths.servers, former.name]);
			return withoutUnused(rest, paths, former.inputs.map(idOf));
		});
		await this.services.revoke(definition.id);
		this.services.switchedOff.choose(definition.id, undefined);
		return { former, undo: () => this.putBack(former, before, after) };
	}

	/**
	 * Switches a server off or on: in the user's own settings by its entry, elsewhere by a choice of theirs, since others share
	 * the file (EDT-04).
	 */
	async switch(definition: ServerDefinition, isOff: boolean): Promise<void> {
		const { switchedOff } = this.services;
		const { origin } = definition;
		if (origin.kind !== "user-settings") {
			switchedOff.choose(definition.id, isOff === (definition.isOff ?? false) ? undefined : isOff);
			return;
		}
		await this.write(definition, (text) => {
			const path = [...pathsOf(definition.origin, text).servers, keyOf(definition), "disabled"];
			return isOff ? withValue(text, path, true) : withoutValue(text, path);
		});
		switchedOff.choose(definition.id, undefined);
	}

	/** Writes the entry again beside it under another name; values that were given count for the first alone (CFG-11). */
	async duplicate(
		definition: ServerDefinition,
		name: string,
	): Promise<Undoable & { readonly id: ServerId | undefined }> {
		const { entry, inputs } = await this.read(definition);
		const { ids, undo } = await this.services.writer.addTo(this.services.open(definition.origin), [
			{ name, entry, inputs, values: new Map() },
		]);
		return { id: ids[0], undo };
	}

	/**
	 * Writes a server to another place and removes it from its former one. Its inputs and their values are moved too;
	 * values in the entry that look secret become inputs if others share the file (EDT-05). Its approval is not moved,
	 * because the place counts (CFG-03).
	 */
	async move(definition: ServerDefinition, to: EditableConfiguration): Promise<Undoable & { readonly id: ServerId }> {
		const { name, entry, inputs, values } = await this.read(definition);
		// Only an `.mcp.json` has the variables of shells.
		const isOfShells = definition.origin.kind === "dot-mcp-json" && to.origin.kind !== "dot-mcp-json";
		const own: NewServer = { name, entry: isOfShells ? withShellVariables(entry) : entry, inputs, values };
		const moved = to.origin.isWorkspace ? extractSecrets(own) : own;
		const { undo } = await this.services.writer.addTo(to, [moved], "moved");
		const removed = await this.takeAway(definition);
		return {
			id: serverIdOf(to.origin, name),
			undo: async () => {
				await removed.undo();
				this.services.writer.note("added", definition.origin.label, [moved]);
				await undo();
			},
		};
	}

	/** Writes a server's edited entry, with new inputs and values; equal parts stay as written. */
	async edit(definition: ServerDefinition, edited: Omit<NewServer, "name">): Promise<Undoable> {
		const name = keyOf(definition);
		this.services.writer.require([{ name, entry: edited.entry }], definition.origin);
		const former = await this.read(definition);
		const target = this.services.open(definition.origin);
		const { before, after } = await this.write(definition, async (text) => {
			const paths = pathsOf(definition.origin, text);
			const known = new Set(listAt(text, paths.inputs).filter(isJsonObject).map(idOf));
			const more = edited.inputs.filter((input) => !known.has(idOf(input)));
			const result = withMerged(withInputs(text, paths, more), [...paths.servers, name], edited.entry);
			const written = withoutUnused(result, paths, former.inputs.map(idOf));
			// Earlier values stay valid when the user changes the entry by the form, in addition to the new ones.
			const values = new Map([...former.values, ...edited.values]);
			await this.services.writer.keep(target, written, [{ ...edited, name, values }]);
			return written;
		});
		const note = (): void => this.services.writer.note("edited", definition.origin.label, [former]);
		note();
		return {
			undo: async () => {
				await this.putBack(former, before, after);
				note();
			},
		};
	}

	/**
	 * Writes a text in which an entry refers to one more input, whose value is stored for the resulting server, as are
	 * the earlier values (EDT-08).
	 */
	async rewrite(
		target: EditableConfiguration,
		server: string,
		{ text, id, value }: { readonly text: string; readonly id: string; readonly value: string },
	): Promise<void> {
		const { writer, inputs, refresh } = this.services;
		await writer.inTurn(async () => {
			const former = (await writer.definitionsOf(target, await target.read())).get(serverIdOf(target.origin, server));
			const values = new Map([[id, value]]);
			for (const input of former?.inputs ?? []) {
				const given = former && (await inputs.get(former, input.id, () => false));
				if (given !== undefined) values.set(input.id, given);
			}
			await writer.keep(target, text, [{ name: server, entry: {}, inputs: [], values }]);
			await target.write(text);
			await refresh();
		});
	}

	/** Writes the text that an edit makes of the current one; returns whether it is another one. */
	change(target: EditableConfiguration, edit: (text: string) => string): Promise<boolean> {
		const { writer, refresh } = this.services;
		return writer.inTurn(async () => {
			const before = await target.read();
			requireEditable(target.origin, before);
			const after = edit(before);
			if (after === before) return false;
			await target.write(after);
			await refresh();
			return true;
		});
	}

	private entryIn(definition: ServerDefinition, text: string): JsonObject {
		const { origin } = definition;
		const entry = entriesOf(origin, text)[keyOf(definition)];
		if (isJsonObject(entry)) return entry;
		const name = oneLine(keyOf(definition), 80);
		throw new HostError(
			"invalid",
			`"${name}" was not found in ${oneLine(origin.label, 200)}. Refresh, then try again.`,
		);
	}

	private async write(
		definition: ServerDefinition,
		edit: (text: string) => string | Promise<string>,
	): Promise<{ readonly before: string; readonly after: string }> {
		const { writer, open, refresh } = this.services;
		return writer.inTurn(async () => {
			const target = open(definition.origin);
			const before = await target.read();
			requireEditable(definition.origin, before);
			this.entryIn(definition, before);
			const after = await edit(before);
			if (after !== before) await target.write(after);
			await refresh();
			return { before, after };
		});
	}

	/** Writes an entry and its inputs as they were, with the values that were given for them. */
	private async putBack(former: WrittenServer, before: string, after: string): Promise<void> {
		const { writer, open, refresh } = this.services;
		const { definition, name, entry, inputs } = former;
		await writer.inTurn(async () => {
			const target = open(definition.origin);
			const text = await target.read();
			requireEditable(definition.origin, text);
			const paths = pathsOf(definition.origin, text);
			const known = new Set(listAt(text, paths.inputs).filter(isJsonObject).map(idOf));
			const missing = inputs.filter((input) => !known.has(idOf(input)));
			const again =
				text === after ? before : withMerged(withInputs(text, paths, missing), [...paths.servers, name], entry);
			await writer.keep(target, again, [former]);
			await target.write(again);
			await refresh();
		});
	}
}

/** The configured key of a server; its display name may differ. */
export function keyOf({ id, origin }: Pick<ServerDefinition, "id" | "origin">): string {
	return id.slice(serverIdOf(origin, "").length);
}

function listAt(text: string, path: readonly (string | number)[]): readonly unknown[] {
	const value = valueAt(text, path);
	return Array.isArray(value) ? value : [];
}
