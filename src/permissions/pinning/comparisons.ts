import { sha256 } from "../../base/hash.ts";
import { oneLine } from "../../base/text.ts";
import type { Session, Tool } from "../../servers/sessions/session.ts";
import { definitionText, instructionsText } from "./definitionText.ts";
import { toolHash } from "./fingerprint.ts";
import { readKept } from "./keptText.ts";
import type { PinnedDefinitions } from "./pinnedDefinitions.ts";
import { fieldTexts } from "./toolFields.ts";

/** The scheme of the read-only documents that show definitions. */
export const definitionScheme = "mcphost-definition";

/** A change as it was when the user asked to see it. It stays the same, even if the server changes meanwhile. */
export interface Comparison {
	/** The same for the same two definitions. */
	readonly id: string;
	readonly session: Session;
	/** The tool; undefined where it is the server's instructions. */
	readonly tool: Tool | undefined;
	/** Its name in one line: the tool's name, or a word of ours. */
	readonly name: string;
	/** When the one side was approved, in milliseconds since the epoch. */
	readonly approvedAt: number;
	/** Both sides as readable texts (definitionText.ts). */
	readonly before: string;
	readonly after: string;
	/** Approves exactly the content of this comparison. */
	accept(): Promise<void>;
}

/** A change of which a comparison can be made. */
export interface Changed {
	readonly session: Session;
	readonly name: string;
	/** The comparison as of now; undefined when it changed back meanwhile. */
	compare(): Comparison | undefined;
}

/** How many comparisons can still be accepted; the editor of an older one says that it has expired. */
const mostRemembered = 50;

/** The comparisons that the user saw (TOL-02). */
export class Comparisons {
	private readonly pins: PinnedDefinitions;
	private readonly shown = new Map<string, Comparison>();

	constructor(pins: PinnedDefinitions) {
		this.pins = pins;
	}

	/** The change of a tool; undefined when it is the approved one, or none was approved yet. */
	ofTool(session: Session, tool: Tool): Comparison | undefined {
		const pin = this.pins.pinOf(session, tool.name);
		if (pin === undefined || this.pins.stateOf(session, tool).kind !== "changed") return undefined;
		const former = Object.entries(pin.fields).map(([field, text]) => [field, readKept(text)]);
		const { name } = tool;
		return this.remember({
			id: idOf("tool", session, name, pin.hash, toolHash(tool)),
			session,
			tool,
			name: shownName(tool),
			approvedAt: pin.at,
			before: definitionText({ name, fields: Object.fromEntries(former) }),
			after: definitionText({ name, fields: Object.fromEntries(fieldTexts(tool)) }),
			accept: () => this.pins.accept(session, tool),
		});
	}

	/** The change of a server's instructions, as it was when it was asked for. */
	ofInstructions(session: Session): Comparison | undefined {
		const pin = this.pins.instructionsPinOf(session);
		const change = this.pins.instructionChange(session);
		if (pin === undefined || change === undefined) return undefined;
		const { before, after } = change;
		return this.remember({
			id: idOf("instructions", session, before, after),
			session,
			tool: undefined,
			name: instructionsName,
			approvedAt: pin.at,
			before: instructionsText(before),
			after: instructionsText(after),
			accept: () => this.pins.acceptInstructions(session, after),
		});
	}

	/** All changes of a server: of its instructions first, then of its tools. */
	ofServer(session: Session): readonly Changed[] {
		const tools = this.pins.changedTools(session).map((tool): Changed => ({
			session,
			name: shownName(tool),
			compare: () => this.ofTool(session, tool),
		}));
		if (this.pins.instructionChange(session) === undefined) return tools;
		return [{ session, name: instructionsName, compare: () => this.ofInstructions(session) }, ...tools];
	}

	/** The comparison with an id; undefined when it is too old. */
	get(id: string): Comparison | undefined {
		return this.shown.get(id);
	}

	private remember(comparison: Comparison): Comparison {
		const { id, before, after } = comparison;
		const remark = "\nThe two differ only in spaces and line ends.\n";
		const kept = before === after ? { ...comparison, after: `${after}${remark}` } : comparison;
		this.shown.delete(id);
		this.shown.set(id, kept);
		const [oldest] = this.shown.keys();
		if (this.shown.size > mostRemembered && oldest !== undefined) this.shown.delete(oldest);
		return kept;
	}
}

const instructionsName = "Instructions";

function shownName({ name }: Tool): string {
	return oneLine(name, 60);
}

function idOf(kind: string, { definition }: Session, ...parts: readonly string[]): string {
	return sha256(JSON.stringify([kind, definition.id, ...parts]));
}
