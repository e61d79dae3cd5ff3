import type { Event } from "./event.ts";

/** Small values that outlive the window. `vscode.Memento` is assignable to it. */
export interface KeyValue {
	// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the signature of vscode.Memento
	get<T>(key: string): T | undefined;
	update(key: string, value: unknown): PromiseLike<void>;
}

/** Values that only the operating system's key store may hold. `vscode.SecretStorage` is assignable to it. */
export interface Secrets {
	get(key: string): PromiseLike<string | undefined>;
	store(key: string, value: string): PromiseLike<void>;
	delete(key: string): PromiseLike<void>;
	/** The keys of all values. */
	keys(): PromiseLike<readonly string[]>;
	/** Fires after a change, also by another window; absent where nothing is shared. */
	readonly onDidChange?: Event<{ readonly key: string }>;
}
