import type { ListKind } from "../../protocol/connection.ts";
import { defaultListLimits, ManagedList, type ListLimits } from "./managedList.ts";
import type { Prompt, Resource, ResourceTemplate, Skill, Tool } from "./session.ts";

/** The lists of one session, which connect, change and end together. */
export class SessionLists {
	readonly tools: ManagedList<Tool>;
	readonly prompts: ManagedList<Prompt>;
	readonly resources: ManagedList<Resource>;
	readonly resourceTemplates: ManagedList<ResourceTemplate>;
	readonly skills: ManagedList<Skill>;
	private readonly all: readonly { disconnect(): void; dispose(): void }[];

	/** `limits` hold for each list. */
	constructor(limits: ListLimits = defaultListLimits) {
		// Assigned in place, since this is loaded at activation.
		this.all = [
			(this.tools = new ManagedList((tool) => tool.name, limits)),
			(this.prompts = new ManagedList((prompt) => prompt.name, limits)),
			(this.resources = new ManagedList((resource) => resource.uri, limits)),
			(this.resourceTemplates = new ManagedList((template) => template.uriTemplate, limits)),
			(this.skills = new ManagedList((skill) => skill.uri, limits)),
		];
	}

	/** Takes note that a list changed. One notification covers resources, their templates, and skills. */
	invalidate(kind: ListKind): void {
		this[kind].invalidate();
		if (kind !== "resources") return;
		this.resourceTemplates.invalidate();
		this.skills.invalidate();
	}

	disconnect(): void {
		for (const list of this.all) list.disconnect();
	}

	dispose(): void {
		for (const list of this.all) list.dispose();
	}
}
