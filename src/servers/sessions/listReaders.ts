import type { Connection, Page, RequestControl } from "../../protocol/connection.ts";
import type { ListReaders } from "./sessionLists.ts";

/** Carries one request for a page of a list, with the session's clock and errors. */
type ReadPage = <T>(label: string, signal: AbortSignal, send: (control: RequestControl) => Promise<T>) => Promise<T>;

/** Returns the readers of the lists that the server of a connection offers now, each page by way of `read`. */
export function listReaders(connection: Connection, read: ReadPage): () => ListReaders {
	const reader =
		<T>(label: string, list: (cursor: string | undefined, control: RequestControl) => Promise<Page<T>>) =>
		(cursor: string | undefined, signal: AbortSignal): Promise<Page<T>> =>
			read(label, signal, (control) => list(cursor, { signal: control.signal, call: control.call }));
	return () => {
		const { tools, prompts, resources } = connection.facts.capabilities;
		return {
			tools: tools && reader("tools/list", (cursor, control) => connection.listTools(cursor, control)),
			prompts: prompts && reader("prompts/list", (cursor, control) => connection.listPrompts(cursor, control)),
			resources: resources && reader("resources/list", (cursor, control) => connection.listResources(cursor, control)),
			resourceTemplates:
				resources &&
				reader("resources/templates/list", (cursor, control) => connection.listResourceTemplates(cursor, control)),
		};
	};
}
