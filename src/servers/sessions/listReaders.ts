import type { Connection, Page, RequestControl } from "../../protocol/connection.ts";
import { isKnown } from "../../protocol/extensions.ts";
import { skillsExtension } from "../../protocol/skill.ts";
import { noteFreshness } from "./freshness.ts";
import type { ManagedList } from "./managedList.ts";
import type { SessionLists } from "./sessionLists.ts";

/** Carries one request for a page of a list, with the session's clock and errors. */
type ReadPage = <T>(label: string, signal: AbortSignal, send: (control: RequestControl) => Promise<T>) => Promise<T>;

/**
 * Returns the reader of the lists that the server of a connection offers now, each page by way of `read`; it resolves when
 * all are read.
 */
export function listsReader(lists: SessionLists, connection: Connection, read: ReadPage): () => Promise<void> {
	const reader =
		<T>(
			label: string,
			list: ManagedList<T>,
			ask: (cursor: string | undefined, control: RequestControl) => Promise<Page<T>>,
		) =>
		async (cursor: string | undefined, signal: AbortSignal): Promise<Page<T>> => {
			const page = await read(label, signal, (control) => ask(cursor, { signal: control.signal, call: control.call }));
			noteFreshness(list, cursor === undefined, page.ttlMs);
			return page;
		};
	return async () => {
		const { tools, prompts, resources, extensions } = connection.facts.capabilities;
		await Promise.all([
			lists.tools.connect(tools && reader("tools/list", lists.tools, (...page) => connection.listTools(...page))),
			lists.prompts.connect(
				prompts && reader("prompts/list", lists.prompts, (...page) => connection.listPrompts(...page)),
			),
			lists.resources.connect(
				resources && reader("resources/list", lists.resources, (...page) => connection.listResources(...page)),
			),
			lists.resourceTemplates.connect(
				resources &&
					reader("resources/templates/list", lists.resourceTemplates, (...page) =>
						connection.listResourceTemplates(...page),
					),
			),
			lists.skills.connect(
				isKnown(extensions, skillsExtension)
					? // The SDK reads all pages, since an entry that is listed twice is none.
						reader("skills/list", lists.skills, async (_, control) => ({
							items: (await connection.listSkills(control)).skills,
						}))
					: undefined,
			),
		]);
	};
}
