import { count } from "../../base/text.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";
import type { DefinitionStates } from "./sources.ts";
import type { ServerMarks } from "./view.ts";

/** What a tool's row says before all else. */
export interface ToolMarks {
	readonly isChanged: boolean;
	/** What people should look at, in a few words each; the mild ones stand in the tooltip only. */
	readonly warnings: readonly string[];
}

/**
 * What the rows of servers and tools say of what the user approved and of what they should look at. It remembers what
 * they said last, so that only those are shown anew that say something else.
 */
export class DefinitionMarks {
	private readonly states: DefinitionStates;
	private readonly saidOfServers = new WeakMap<Session, string>();
	private readonly saidOfTools = new WeakMap<Tool, string>();

	constructor(states: DefinitionStates) {
		this.states = states;
	}

	/** What a server's row is to say. */
	ofServer(session: Session): ServerMarks {
		const marks = this.serverMarks(session);
		this.saidOfServers.set(session, marks.changes.join());
		return marks;
	}

	/** What a tool's row is to say. */
	ofTool(session: Session, tool: Tool): ToolMarks {
		const marks = this.toolMarks(session, tool);
		this.saidOfTools.set(tool, JSON.stringify(marks));
		return marks;
	}

	/** Whether a server's row would say something else than it did last; one that was not asked for said nothing. */
	isOtherServer(session: Session): boolean {
		return (this.saidOfServers.get(session) ?? "") !== this.serverMarks(session).changes.join();
	}

	/** Whether a tool's row would say something else than it did last. */
	isOtherTool(session: Session, tool: Tool): boolean {
		const said = this.saidOfTools.get(tool);
		return said !== undefined && said !== JSON.stringify(this.toolMarks(session, tool));
	}

	private serverMarks(session: Session): ServerMarks {
		const changed = this.states.changedTools(session).length;
		const tools = changed === 0 ? [] : [changed === 1 ? "1 tool changed" : `${count(changed)} tools changed`];
		const instructions = this.states.instructionChange(session) === undefined ? [] : ["instructions changed"];
		// The row says the first: of these models are told nothing until the user looked.
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
