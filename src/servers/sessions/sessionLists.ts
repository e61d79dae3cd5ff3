import type { ListKind, Page } from "../../protocol/connection.ts";
import { defaultListLimits, ManagedList, type ListLimits } from "./managedList.ts";
import type { Prompt, Resource, ResourceTemplate, Tool } from "./session.ts";

/** Reads the page at a cursor of a list; undefined for a list that the server does not offer. */
type Reader<T> = ((cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>) | undefined;

/** The readers of the lists. */
export interface ListReaders {
	readonly tools: Reader<Tool>;
	readonly prompts: Reader<Prompt>;
	readonly resources: Reader<Resource>;
	readonly resourceTemplates: Reader<ResourceTemplate>;
}

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

	/** Reads the lists of a newly connected server; resolves when that is done. */
	async connect(readers: ListReaders): Promise<void> {
		await Promise.all([
			this.tools.connect(readers.tools),
			this.prompts.connect(readers.prompts),
			this.resources.connect(readers.resources),
			this.resourceTemplates.connect(readers.resourceTemplates),
		]);
	}

	/** Takes note that a list changed. One notification covers resources and their templates. */
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
