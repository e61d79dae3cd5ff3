import { Emitter } from "../../../../src/base/event.ts";
import type { AccessSetting } from "../../../../src/servers/otherHosts/choosing.ts";
import { accessSetting } from "../../../../src/servers/otherHosts/left.ts";
import { SharedFiles, type EditorSettings } from "../../../../src/servers/otherHosts/sharedFiles.ts";
import { MemoryStore } from "../fixtures.ts";

/**
 * An editor with a host of its own: its setting in two scopes, of which the workspace's takes precedence, and a policy
 * above both.
 */
export class FakeEditor implements EditorSettings, AccessSetting {
	readonly scopes = new Map<string, unknown>();
	readonly others = new Map<string, unknown>();
	policy: string | undefined;
	/** False for an editor that has no host of its own. */
	hasHost = true;
	readonly state = new MemoryStore();
	readonly shared: SharedFiles;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	constructor() {
		this.shared = new SharedFiles(this.state, this);
	}

	readonly get = (name: string): unknown => {
		if (name !== accessSetting) return this.others.get(name);
		if (!this.hasHost) return undefined;
		return this.policy ?? this.scopes.get("workspace") ?? this.scopes.get("user") ?? "all";
	};

	written(scope: string): unknown {
		return this.scopes.get(scope);
	}

	write(scope: string, value: unknown): Promise<void> {
		if (value === undefined) this.scopes.delete(scope);
		else this.scopes.set(scope, value);
		this.#changed.fire();
		return Promise.resolve();
	}

	/** All written settings, as a user would find them. */
	get settings(): object {
		return Object.fromEntries(this.scopes);
	}
}
