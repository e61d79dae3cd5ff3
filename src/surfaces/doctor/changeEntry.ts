import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { withVersion } from "../../servers/definitions/packageOf.ts";
import {
	type EditableConfiguration,
	entriesOf,
	isEditable,
	pathsOf,
	requireEditable,
} from "../../setup/entries/editable.ts";
import { valueAt, withValue } from "../../setup/entries/jsonEdit.ts";
import { unboundPackage, type UnboundPackage } from "../../setup/entries/latestVersion.ts";
import { withInputs, type ServersWriter } from "../../setup/entries/writeServers.ts";
import type { EntryChange, EntryInput } from "./finding.ts";

/** The dependencies of changing an entry. */
export interface ChangeServices {
	readonly writer: Pick<ServersWriter, "inTurn" | "keep">;
	/** Has the configuration read again. */
	readonly refresh: () => Promise<void>;
}

/**
 * The change that binds an entry to the version of its package that `latestOf` returns; undefined if it runs none that
 * could be bound.
 */
export async function bindingOf(
	{ config }: ServerDefinition,
	latestOf: (launched: UnboundPackage) => Promise<string>,
): Promise<EntryChange | undefined> {
	const launched = config.kind === "stdio" ? unboundPackage({ ...config }) : undefined;
	if (config.kind !== "stdio" || launched === undefined) return undefined;
	const { index } = launched;
	const value = withVersion(config.args[index] ?? "", launched, await latestOf(launched));
	return { set: [{ path: ["args", index], value }] };
}

/**
 * Changes an entry by a fix, with comments and order kept; the value of a new input is in the secret store before. The
 * changed definition must be approved again.
 * @throws HostError `invalid` if the text cannot be edited or no longer has the entry, or if it is another program's;
 * nothing was written then.
 */
export function changeEntry(
	{ writer, refresh }: ChangeServices,
	target: EditableConfiguration,
	key: string,
	{ change, value }: { readonly change: EntryChange; readonly value?: string },
): Promise<void> {
	if (!isEditable(target.origin)) {
		const message = `${target.origin.label} belongs to another program, so MCP Host does not change it. Change it there.`;
		return Promise.reject(new HostError("invalid", message));
	}
	return writer.inTurn(async () => {
		const text = await target.read();
		requireEditable(target.origin, text);
		const { after, inputs } = changed(target, text, key, change);
		const [input] = inputs;
		if (input !== undefined && value !== undefined) {
			const values = new Map([[input.id, value]]);
			await writer.keep(target, after, [{ name: key, entry: {}, inputs, values }]);
		}
		await target.write(after);
		await refresh();
	});
}

function changed(
	{ origin }: EditableConfiguration,
	text: string,
	key: string,
	{ set, input }: EntryChange,
): { readonly after: string; readonly inputs: readonly EntryInput[] } {
	if (!Object.hasOwn(entriesOf(origin, text), key))
		throw new HostError("invalid", `"${oneLine(key, 80)}" is no longer in ${origin.label}. Nothing was written.`);
	const paths = pathsOf(origin, text);
	const present = valueAt(text, paths.inputs);
	const taken = new Set(
		(Array.isArray(present) ? present : []).map((one: unknown) =>
			typeof one === "object" && one !== null && "id" in one ? one.id : undefined,
		),
	);
	let id = input?.id ?? "";
	// Another server's input of that name has a value of its own.
	for (let number = 2; taken.has(id); number++) id = `${input?.id ?? ""}-${number}`;
	const own = input === undefined ? [] : [{ ...input, id }];
	let after = withInputs(text, paths, own);
	for (const { path, value } of set) {
		const written =
			input !== undefined && typeof value === "string"
				? value.replaceAll(`\${input:${input.id}}`, `\${input:${id}}`)
				: value;
		after = withValue(after, [...paths.servers, key, ...path], written);
	}
	return { after, inputs: own };
}
