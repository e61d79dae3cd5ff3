import { Emitter, type Event } from "../base/event.ts";
import type { Disposable } from "../base/lifecycle.ts";
import { holdsSecret, looksSecret } from "../base/secretWords.ts";
import type { KeyValue } from "../base/storage.ts";
import { RememberedTexts } from "../base/rememberedTexts.ts";

/** A template of a server. */
export interface TemplateAddress {
	/** The server's id. */
	readonly server: string;
	readonly uriTemplate: string;
}

/** A resource that was opened from a template. */
export interface TemplateResult {
	readonly uri: string;
}

/** What is remembered: some templates, as many results as a person looks through, URIs that a person could read. */
const limits = { keys: 50, texts: 20, length: 2000 };

/**
 * The resources that the person opened from templates, remembered beyond the window: their URIs alone. A URI that was made
 * with a variable whose name looks like that of a secret holds the secret, and is not remembered; neither is one that holds
 * a secret by itself, as in `?token=…`.
 */
export class TemplateResults implements Disposable {
	private readonly memory: RememberedTexts;
	private readonly changed = new Emitter<TemplateAddress>();
	/** Fired when the results of a template changed. */
	readonly onDidChange: Event<TemplateAddress> = this.changed.event;

	constructor(store: KeyValue) {
		this.memory = new RememberedTexts(store, "mcpHost.templateResults", limits);
	}

	/** What was opened from a template, the newest first, at most 20. */
	of(server: string, uriTemplate: string): readonly TemplateResult[] {
		return this.memory.of([server, uriTemplate]).map((uri) => ({ uri }));
	}

	/** Remembers a resource that was opened; `names` are those of the variables that have a value. */
	async remember({ server, uriTemplate }: TemplateAddress, uri: string, names: Iterable<string>): Promise<void> {
		if (looksSecret(...names) || holdsSecret(uri)) return;
		await this.memory.add([server, uriTemplate], uri);
		this.changed.fire({ server, uriTemplate });
	}

	/** Forgets one result of a template, or all of them. */
	async forget({ server, uriTemplate }: TemplateAddress, uri?: string): Promise<void> {
		await this.memory.remove([server, uriTemplate], uri);
		this.changed.fire({ server, uriTemplate });
	}

	/** Forgets the results of all templates of all servers. */
	async forgetAll(): Promise<void> {
		const { keys } = this.memory;
		await this.memory.remove([]);
		for (const [server = "", uriTemplate = ""] of keys) this.changed.fire({ server, uriTemplate });
	}

	dispose(): void {
		this.changed.dispose();
	}
}
