import { parseJson, isJsonObject } from "../../base/json.ts";
import { Emitter, type Event } from "../../base/event.ts";
import { KeyedDisposables } from "../../base/keyedDisposables.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { Store } from "../../base/store/store.ts";
import type { Session, SessionDirectory, Tool } from "../../servers/sessions/session.ts";
import { toolHash } from "./fingerprint.ts";
import { isKeptAs, keep, readKept } from "./keptText.ts";
import type { DefinitionPins, DefinitionWarning, PinChange, PinState } from "./pin.ts";
import { PinStore, type InstructionsPin, type ToolPin } from "./pinStore.ts";
import { fieldTexts, toolFields } from "./toolFields.ts";
import { DefinitionWarnings } from "./warnings.ts";

const isNew: PinState = { kind: "new" };
const isSame: PinState = { kind: "same" };

/**
 * The user's approvals of servers' tools and instructions (TOL-02, TOL-12).
 *
 * A tool is pinned by its server's id and its name when a call of it is made for the first time, or its change
 * accepted; instructions when a server that the user approved runs for the first time. A changed definition of the
 * server (another command, another version among its arguments) does not remove its tools' pins: their current texts
 * are compared with the approved ones, so that a new version shows its differences. The user's approval of the changed
 * definition applies to the unchanged tools; grants end with it all the same (`fingerprint`).
 */
export class PinnedDefinitions implements DefinitionPins, Disposable {
	private readonly directory: SessionDirectory;
	private readonly store: PinStore;
	private readonly warnings: DefinitionWarnings;
	private readonly changed = new Emitter<void>();
	private readonly subscriptions = new DisposableStore();
	private readonly watched = new KeyedDisposables((session: Session) => {
		const tools = session.tools.onDidChange(() => this.notice(session));
		return { reported: "", dispose: () => tools.dispose() };
	});
	/** The states of changed tools, each for as long as the same is pinned. */
	private readonly states = new WeakMap<Tool, { readonly pin: ToolPin; readonly state: PinState }>();
	private readonly approved = new WeakMap<ToolPin, Tool | undefined>();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(directory: SessionDirectory, store: Store) {
		this.directory = directory;
		this.store = new PinStore(store);
		this.warnings = new DefinitionWarnings(directory);
		this.subscriptions.add(directory.onDidChange(() => this.watch()));
		this.subscriptions.add(this.store.onDidChange(() => this.changed.fire()));
		this.watch();
	}

	stateOf({ definition }: Session, tool: Tool): PinState {
		const pin = this.store.of(definition.id).tools.get(tool.name);
		if (pin === undefined) return isNew;
		if (pin.hash === toolHash(tool)) return isSame;
		const known = this.states.get(tool);
		if (known?.pin === pin) return known.state;
		const changes = changesOf(pin, tool);
		// A pin whose texts do not belong to its hash is a damaged one.
		const state: PinState = changes.length === 0 ? isNew : { kind: "changed", changes };
		this.states.set(tool, { pin, state });
		return state;
	}

	/** When a tool's pin was approved, in milliseconds since the epoch, and its fields as far as they were kept. */
	pinOf({ definition }: Session, name: string): ToolPin | undefined {
		return this.store.of(definition.id).tools.get(name);
	}

	/** The instructions that were approved; see `pinOf`. */
	instructionsPinOf({ definition }: Session): InstructionsPin | undefined {
		return this.store.of(definition.id).instructions;
	}

	async accept(session: Session, tool: Tool): Promise<void> {
		if (this.stateOf(session, tool).kind === "same") return;
		const fields = Object.fromEntries([...fieldTexts(tool)].map(([field, text]) => [field, keep(text)]));
		const pin: ToolPin = { hash: toolHash(tool), at: Date.now(), fields };
		await this.store.saveTool(session.definition.id, tool.name, pin);
	}

	/** The user accepted these very instructions of a server. */
	async acceptInstructions(session: Session, text: string): Promise<void> {
		await this.pinInstructions(session, text);
	}

	instructionsOf(session: Session): string | undefined {
		const text = instructionsNow(session);
		if (text === "") return undefined;
		this.noticeInstructions(session);
		return this.instructionChange(session) === undefined ? text : undefined;
	}

	instructionChange(session: Session): PinChange | undefined {
		const after = instructionsNow(session);
		const pin = this.instructionsPinOf(session);
		// Without instructions there is nothing to withhold.
		if (after === "" || pin === undefined || isKeptAs(pin.text, after)) return undefined;
		return { field: "instructions", before: readKept(pin.text), after };
	}

	/** The tools of a running server that differ from the approved ones. */
	changedTools(session: Session): readonly Tool[] {
		if (session.state.kind !== "running") return [];
		return [...this.store.of(session.definition.id).tools.keys()].flatMap((name) => {
			const tool = session.tools.get(name);
			return tool !== undefined && this.stateOf(session, tool).kind === "changed" ? [tool] : [];
		});
	}

	approvedTools(session: Session): ReadonlyMap<Tool, Tool | undefined> {
		const { tools } = this.store.of(session.definition.id);
		return new Map(this.changedTools(session).map((tool) => [tool, this.asApproved(tool, tools.get(tool.name))]));
	}

	warningsOf(session: Session, tool: Tool): readonly DefinitionWarning[] {
		return this.warnings.of(session, tool);
	}

	dispose(): void {
		this.subscriptions.dispose();
		this.watched.dispose();
		this.changed.dispose();
	}

	/** The same object for the same pin: models receive it in every round. */
	private asApproved(tool: Tool, pin: ToolPin | undefined): Tool | undefined {
		if (pin === undefined) return undefined;
		if (!this.approved.has(pin)) this.approved.set(pin, approvedTool(tool, pin));
		return this.approved.get(pin);
	}

	/** Follows the current sessions, and pins the instructions of those that run for the first time. */
	private watch(): void {
		const { sessions } = this.directory;
		this.watched.follow(sessions);
		for (const session of sessions) {
			this.noticeInstructions(session);
			this.notice(session);
		}
	}

	/** Announces other affected rows than those of the changed tools: those of servers, and of neighbouring tools. */
	private notice(session: Session): void {
		const entry = this.watched.get(session);
		if (entry === undefined || session.tools.status.kind === "loading") return;
		const changed = this.changedTools(session).map(({ name }) => name);
		const names = session.tools.items.map(({ name }) => name);
		const reported = JSON.stringify([session.state.kind, names, changed, this.instructionChange(session)?.after]);
		if (reported === entry.reported) return;
		entry.reported = reported;
		this.changed.fire();
	}

	/** Trust on first use: a server runs only after the user approved it. */
	private noticeInstructions(session: Session): void {
		if (session.state.kind !== "running" || this.instructionsPinOf(session) !== undefined) return;
		// Another window may have approved others a moment ago.
		this.store.refresh();
		if (this.instructionsPinOf(session) !== undefined) return;
		// Nothing waits for it; a pin that could not be stored is stored at the next occasion.
		this.pinInstructions(session, instructionsNow(session)).catch(() => undefined);
	}

	private async pinInstructions({ definition }: Session, text: string): Promise<void> {
		await this.store.saveInstructions(definition.id, { at: Date.now(), text: keep(text) });
	}
}

function isInputSchema(schema: unknown): schema is Tool["inputSchema"] {
	return isJsonObject(schema);
}

/** A tool with its approved texts, as far as models receive them; undefined if one was not kept. */
function approvedTool({ name, _meta }: Tool, { fields }: ToolPin): Tool | undefined {
	const { title, description, inputSchema } = fields;
	if (typeof inputSchema !== "string" || typeof title === "object" || typeof description === "object") return undefined;
	const schema: unknown = parseJson(inputSchema);
	// A damaged pin.
	if (!isInputSchema(schema)) return undefined;
	return {
		name,
		...(_meta !== undefined && { _meta }),
		...(title !== undefined && { title }),
		...(description !== undefined && { description }),
		inputSchema: schema,
	};
}

/** The instructions of a running server; undefined when they are empty. */
function instructionsNow({ state }: Session): string {
	const text = state.kind === "running" ? (state.facts.instructions ?? "") : "";
	return text.trim() === "" ? "" : text;
}

function changesOf(pin: ToolPin, tool: Tool): readonly PinChange[] {
	const now = fieldTexts(tool);
	return toolFields.flatMap((field): PinChange[] => {
		const before = pin.fields[field];
		const after = now.get(field);
		const isEqual = before === undefined || after === undefined ? before === after : isKeptAs(before, after);
		if (isEqual) return [];
		return [{ field, before: before === undefined ? "" : readKept(before), after: after ?? "" }];
	});
}
