import type { Connection, Page, RequestControl } from "../../protocol/connection.ts";
import { skillsExtension } from "../../protocol/skill.ts";
import type { SessionLists } from "./sessionLists.ts";

/** Carries one request for a page of a list, with the session's clock and errors. */
type ReadPage = <T>(label: string, signal: AbortSignal, send: (control: RequestControl) => Promise<T>) => Promise<T>;

/**
 * Returns the reader of the lists that the server of a connection offers now, each page by way of `read`; it resolves when
 * all are read.
 */
export function listsReader(lists: SessionLists, connection: Connection, read: ReadPage): () => Promise<void> {
	const reader =
		<T>(label: string, list: (cursor: string | undefined, control: RequestControl) => Promise<Page<T>>) =>
		(cursor: string | undefined, signal: AbortSignal): Promise<Page<T>> =>
			read(label, signal, (control) => list(cursor, { signal: control.signal, call: control.call }));
	return async () => {
		const { tools, prompts, resources, extensions } = connection.facts.capabilities;
		await Promise.all([
			lists.tools.connect(tools && reader("tools/list", (...page) => connection.listTools(...page))),
			lists.prompts.connect(prompts && reader("prompts/list", (...page) => connection.listPrompts(...page))),
			lists.resources.connect(resources && reader("resources/list", (...page) => connection.listResources(...page))),
			lists.resourceTemplates.connect(
				resources && reader("resources/templates/list", (...page) => connection.listResourceTemplates(...page)),
			),
			lists.skills.connect(
				extensions?.[skillsExtension] &&
					// The SDK reads all pages, since an entry that is listed twice is none.
					reader("skills/list", async (_, control) => ({ items: (await connection.listSkills(control)).skills })),
			),
		]);
	};
}
