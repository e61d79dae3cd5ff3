import { count } from "../../base/text.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";
import type { DefinitionStates } from "./sources.ts";
import type { ServerMarks } from "./view.ts";

/** The first text of a tool's row. */
export interface ToolMarks {
	readonly isChanged: boolean;
	/** The points that the user should check, in a few words each; the minor ones are in the tooltip only. */
	readonly warnings: readonly string[];
}

/**
 * The texts of servers' and tools' rows about the user's approvals and the points to check. It remembers their last
 * texts, so that only changed rows are shown again.
 */
export class DefinitionMarks {
	private readonly states: DefinitionStates;
	private readonly saidOfServers = new WeakMap<Session, string>();
	private readonly saidOfTools = new WeakMap<Tool, string>();

	constructor(states: DefinitionStates) {
		this.states = states;
	}

	/** The text for a server's row. */
	ofServer(session: Session): ServerMarks {
		const marks = this.serverMarks(session);
		this.saidOfServers.set(session, marks.changes.join());
		return marks;
	}

	/** The text for a tool's row. */
	ofTool(session: Session, tool: Tool): ToolMarks {
		const marks = this.toolMarks(session, tool);
		this.saidOfTools.set(tool, JSON.stringify(marks));
		return marks;
	}

	/** Whether the text of a server's row changed; a row that was not requested had none. */
	isOtherServer(session: Session): boolean {
		return (this.saidOfServers.get(session) ?? "") !== this.serverMarks(session).changes.join();
	}

	/** Whether the text of a tool's row changed. */
	isOtherTool(session: Session, tool: Tool): boolean {
		const said = this.saidOfTools.get(tool);
		return said !== undefined && said !== JSON.stringify(this.toolMarks(session, tool));
	}

	private serverMarks(session: Session): ServerMarks {
		const changed = this.states.changedTools(session).length;
		const tools = changed === 0 ? [] : [changed === 1 ? "1 tool changed" : `${count(changed)} tools changed`];
		const instructions = this.states.instructionChange(session) === undefined ? [] : ["instructions changed"];
		// The row shows the first: models do not receive these until the user checked them.
		return { changes: [...instructions, ...tools] };
	}

	private toolMarks(session: Session, tool: Tool): ToolMarks {
		const words = this.states.warningsOf(session, tool).flatMap(({ word, isNote }) => (isNote ? [] : [word]));
		return {
			isChanged: this.states.stateOf(session, tool).kind === "changed",
			warnings: [...new Set(words)],
		};
	}
}
