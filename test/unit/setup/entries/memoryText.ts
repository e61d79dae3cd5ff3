import { CollectedNotes } from "../../records/activity/collectedNotes.ts";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import { InputValues } from "../../../../src/servers/definitions/inputValues.ts";
import type { EditableConfiguration } from "../../../../src/setup/entries/editable.ts";
import { ServersWriter, type WriterServices } from "../../../../src/setup/entries/writeServers.ts";
import { MemorySecrets, userOrigin, workspaceOrigin } from "../../servers/fixtures.ts";

/** A configuration in memory. */
export class MemoryText implements EditableConfiguration {
	readonly origin: ConfigOrigin;
	text: string;
	/** Whether there is a file at all. */
	isThere: boolean;
	/** Called before a text is written. */
	onWrite: () => void = () => undefined;

	constructor(origin: ConfigOrigin, text: string) {
		this.origin = origin;
		this.text = text;
		this.isThere = text !== "";
	}

	exists(): Promise<boolean> {
		return Promise.resolve(this.isThere);
	}

	read(): Promise<string> {
		return Promise.resolve(this.text);
	}

	async write(text: string | undefined): Promise<void> {
		this.onWrite();
		this.text = text ?? "";
		this.isThere = text !== undefined;
	}
}

/** A writer to a user's settings and a folder's `mcp.json` in memory, and its other effects. */
export function writerScene({
	user = "",
	folder = "",
	whyNot,
}: { readonly user?: string; readonly folder?: string } & Pick<WriterServices, "whyNot"> = {}) {
	const texts = { user: new MemoryText(userOrigin, user), folder: new MemoryText(workspaceOrigin, folder) };
	const secrets = new MemorySecrets();
	const inputs = new InputValues(secrets, async () => undefined);
	const done: string[] = [];
	const notes = new CollectedNotes();
	const writer = new ServersWriter({
		open: ({ kind }) => texts[kind],
		inputs,
		folders: () => [{ name: "ws", path: "/ws" }],
		refresh: async () => void done.push("refresh"),
		revoke: async (id) => {
			done.push(`revoke ${id}`);
			await inputs.forget(id);
		},
		notes,
		...(whyNot === undefined ? {} : { whyNot }),
	});
	/** The stored value of an input of a server as written now. */
	const valueOf = async (text: MemoryText, name: string, input: string): Promise<string | undefined> => {
		const definitions = await writer.definitionsOf(text, text.text);
		const definition = [...definitions.values()].find((one) => one.id.endsWith(`#${name}`));
		return definition && inputs.get(definition, input, () => false);
	};
	return { writer, texts, secrets, done, notes, valueOf };
}
