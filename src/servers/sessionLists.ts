import type { Connection, ListKind, RequestControl } from "../protocol/connection/connection.ts";
import { defaultListLimits, ManagedList, type ListLimits } from "./managedList.ts";
import type { Page } from "../protocol/connection/connection.ts";
import type { Prompt, Resource, ResourceTemplate, Tool } from "./session.ts";

/** Carries one request for a page of a list, with the session's clock and errors. */
export type ReadPage = <T>(
	label: string,
	signal: AbortSignal,
	send: (control: RequestControl) => Promise<T>,
) => Promise<T>;

/** The four lists of one session, which connect, change and end together. */
export class SessionLists {
	readonly tools: ManagedList<Tool>;
	readonly prompts: ManagedList<Prompt>;
	readonly resources: ManagedList<Resource>;
	readonly resourceTemplates: ManagedList<ResourceTemplate>;

	/** `limits` hold for each list. */
	constructor(limits: ListLimits = defaultListLimits) {
		this.tools = new ManagedList((tool) => tool.name, limits);
		this.prompts = new ManagedList((prompt) => prompt.name, limits);
		this.resources = new ManagedList((resource) => resource.uri, limits);
		this.resourceTemplates = new ManagedList((template) => template.uriTemplate, limits);
	}

	/** Reads the lists that the server offers, each page by way of `read`; resolves when that is done. */
	async connect(connection: Connection, read: ReadPage): Promise<void> {
		const { tools, prompts, resources } = connection.facts.capabilities;
		const reader =
			<T>(label: string, list: (cursor: string | undefined, control: RequestControl) => Promise<Page<T>>) =>
			(cursor: string | undefined, signal: AbortSignal): Promise<Page<T>> =>
				read(label, signal, (control) => list(cursor, { signal: control.signal, call: control.call }));
		await Promise.all([
			this.tools.connect(tools && reader("tools/list", (cursor, control) => connection.listTools(cursor, control))),
			this.prompts.connect(
				prompts && reader("prompts/list", (cursor, control) => connection.listPrompts(cursor, control)),
			),
			this.resources.connect(
				resources && reader("resources/list", (cursor, control) => connection.listResources(cursor, control)),
			),
			this.resourceTemplates.connect(
				resources &&
					reader("resources/templates/list", (cursor, control) => connection.listResourceTemplates(cursor, control)),
			),
		]);
	}

	/** Takes note that a list changed. One notification stands for resources and their templates. */
	invalidate(kind: ListKind): void {
		this[kind].invalidate();
		if (kind === "resources") this.resourceTemplates.invalidate();
	}

	disconnect(): void {
		for (const list of this.all) list.disconnect();
	}

	dispose(): void {
		for (const list of this.all) list.dispose();
	}

	private get all(): readonly { disconnect(): void; dispose(): void }[] {
		return [this.tools, this.prompts, this.resources, this.resourceTemplates];
	}
}
