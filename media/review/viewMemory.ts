import { jsonObjectOf } from "../../src/base/guards.ts";
import type { ViewPort } from "../shared/vscodePort.ts";

/** The view's own state while the panel is hidden: which parts are open, and the user's place. */
export class ViewMemory {
	private readonly port: ViewPort;
	private readonly states: Map<string, boolean>;
	private id: string | undefined;

	constructor(port: ViewPort) {
		this.port = port;
		const recalled = port.recall();
		const { states, place } = jsonObjectOf(recalled);
		this.states = new Map(
			Object.entries(jsonObjectOf(states)).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
		);
		this.id = typeof place === "string" ? place : undefined;
	}

	/** Whether something that opens and closes is open, as the user left it. */
	isOpen(key: string, byDefault = false): boolean {
		return this.states.get(key) ?? byDefault;
	}

	setOpen(key: string, isOpen: boolean): void {
		if (this.states.get(key) === isOpen) return;
		this.states.set(key, isOpen);
		this.keep();
	}

	/** The id of the field in which the user was. */
	get place(): string | undefined {
		return this.id;
	}

	set place(id: string | undefined) {
		if (this.id === id) return;
		this.id = id;
		this.keep();
	}

	private keep(): void {
		this.port.remember({ states: Object.fromEntries(this.states), ...(this.id !== undefined && { place: this.id }) });
	}
}
