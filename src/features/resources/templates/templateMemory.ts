import { Emitter, type Event } from "../../../base/event.ts";
import type { Disposable } from "../../../base/lifecycle.ts";
import { RememberedTexts } from "../../../base/rememberedTexts.ts";
import { isSecret } from "../../../base/secrets/judge.ts";
import type { KeyValue } from "../../../base/storage.ts";

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

/** The limits: some templates, as many results as a user looks through, readable URIs. */
const resultLimits = { keys: 50, texts: 20, length: 2000 };

/**
 * The resources that the user opened from templates, remembered beyond the window: only their URIs. A URI that was made
 * with a variable whose name looks like a secret's contains the secret and is not remembered; neither is one that
 * contains a secret itself, as in `?token=…`.
 */
export class TemplateResults implements Disposable {
	private readonly memory: RememberedTexts;
	private readonly changed = new Emitter<TemplateAddress>();
	/** Fired when the results of a template changed. */
	readonly onDidChange: Event<TemplateAddress> = this.changed.event;

	constructor(store: KeyValue) {
		this.memory = new RememberedTexts(store, "mcpHost.templateResults", resultLimits);
	}

	/** The resources that were opened from a template, the newest first, at most 20. */
	of(server: string, uriTemplate: string): readonly TemplateResult[] {
		return this.memory.of([server, uriTemplate]).map((uri) => ({ uri }));
	}

	/** Remembers a resource that was opened; `names` are those of the variables that have a value. */
	async remember({ server, uriTemplate }: TemplateAddress, uri: string, names: Iterable<string>): Promise<void> {
		if (isSecret("", uri, "asked") || [...names].some((name) => isSecret(name, undefined, "asked"))) return;
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

/** How many values of one variable are remembered. */
export const keptValues = 10;
/** The limits: values that fit on a line, of the variables that were used last. */
const valueLimits = { keys: 100, texts: keptValues, length: 200 };

/**
 * The user's values for the variables of templates, remembered beyond the window, but never text that looks like a
 * secret.
 */
export class TemplateRecents {
	private readonly memory: RememberedTexts;

	constructor(store: KeyValue) {
		this.memory = new RememberedTexts(store, "mcpHost.templateValues", valueLimits);
	}

	/** The values for a variable, the newest first, at most 10. */
	of({ server, uriTemplate }: TemplateAddress, variable: string): readonly string[] {
		return this.memory.of([server, uriTemplate, variable]);
	}

	/** Remembers a variable's value: a text, or one of several, which may be of the form name=value. */
	async remember({ server, uriTemplate }: TemplateAddress, variable: string, text: string): Promise<void> {
		if (!isSecret(variable, text, "asked")) await this.memory.add([server, uriTemplate, variable], text);
	}

	/** Forgets the values of a template. */
	async forget({ server, uriTemplate }: TemplateAddress): Promise<void> {
		await this.memory.remove([server, uriTemplate]);
	}

	/** Forgets the values of all templates. */
	async forgetAll(): Promise<void> {
		await this.memory.remove([]);
	}
}
