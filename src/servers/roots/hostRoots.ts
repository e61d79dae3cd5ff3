import { Emitter, type Event } from "../../base/event.ts";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { ConfigProblem, ServerDefinition } from "../definitions/config.ts";
import type { Root, Session } from "../sessions/session.ts";
import type { Announced, RootsServices, ServerRoots } from "./serverRoots.ts";
import type { Roots, RootsRemark } from "./roots.ts";

/**
 * The roots of all servers. The rules for them are loaded by the first configuration; until then there is no server.
 */
export class HostRoots implements Roots, Disposable {
	private readonly services: RootsServices;
	private readonly store = new DisposableStore();
	private readonly changed = new Emitter<void>();
	private loaded: ServerRoots | undefined;
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: RootsServices) {
		this.services = services;
	}

	/** The rules for the roots, for views that show or change them. Undefined before the first configuration. */
	get model(): ServerRoots | undefined {
		return this.loaded;
	}

	of(definition: ServerDefinition): readonly Root[] {
		return this.loaded?.of(definition) ?? [];
	}

	remark(definition: ServerDefinition): RootsRemark | undefined {
		return this.loaded?.remark(definition);
	}

	/** Notifies the servers of these sessions whose roots differ from the ones that they know, and no others. */
	announce(sessions: readonly Announced[]): void {
		this.loaded?.announce(sessions);
	}

	/** Answers a server that asks for its roots. */
	list(session: Session): readonly Root[] {
		return this.loaded?.list(session) ?? [];
	}

	/**
	 * Takes the user's setting `mcpHost.roots`, and prepares for these definitions; returns the problems of the setting.
	 * Must be awaited before the definitions are used.
	 */
	async configure(setting: unknown, definitions: readonly ServerDefinition[]): Promise<readonly ConfigProblem[]> {
		const part = await import("./serverRoots.ts");
		if (this.store.isDisposed) return [];
		if (this.loaded === undefined) {
			this.loaded = this.store.add(new part.ServerRoots(this.services));
			this.store.add(this.loaded.onDidChange(() => this.changed.fire()));
		}
		return this.loaded.configure(setting, definitions);
	}

	dispose(): void {
		this.store.dispose();
		this.changed.dispose();
	}
}
