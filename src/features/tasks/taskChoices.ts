import { Emitter, type Event } from "../../base/event.ts";
import { RememberedTexts } from "../../base/rememberedTexts.ts";
import type { KeyValue } from "../../base/storage.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";

const limits = { keys: 500, texts: 1, length: 10 };

/**
 * The tools that the user wants called as tasks where they may choose (revision 2025-11-25, `taskSupport: "optional"`). All others
 * are called plainly.
 */
export class TaskChoices {
	private readonly chosen: RememberedTexts;
	private readonly changed = new Emitter<{ readonly server: string }>();
	readonly onDidChange: Event<{ readonly server: string }> = this.changed.event;

	constructor(state: KeyValue) {
		this.chosen = new RememberedTexts(state, "mcpHost.toolsAsTasks", limits);
	}

	/** Whether the user wants a tool called as a task. */
	readonly wantsTask = ({ definition }: Pick<Session, "definition">, tool: string): boolean =>
		this.chosen.of([definition.id, tool]).length > 0;

	/** Keeps how a tool is called from now on. */
	async choose(server: string, tool: string, asTask: boolean): Promise<void> {
		await (asTask ? this.chosen.add([server, tool], "task") : this.chosen.remove([server, tool]));
		this.changed.fire({ server });
	}

	dispose(): void {
		this.changed.dispose();
	}
}

/** Whether the user may choose how a tool is called. */
export function mayBeTask({ state }: Pick<Session, "state">, tool: Tool): boolean {
	if (state.kind !== "running" || state.facts.era === "modern") return false;
	const offersTasks = state.facts.capabilities.tasks?.requests?.tools?.call !== undefined;
	return offersTasks && tool.execution?.taskSupport === "optional";
}
