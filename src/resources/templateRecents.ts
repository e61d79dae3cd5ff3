import { holdsSecret, looksSecret } from "../base/secretWords.ts";
import type { KeyValue } from "../base/storage.ts";
import { RememberedTexts } from "../base/rememberedTexts.ts";
import type { TemplateAddress } from "./templateResults.ts";

/** How many values of one variable are remembered. */
export const keptValues = 10;
/** What is remembered: values that fit on a line, of the variables that were used last. */
const limits = { keys: 100, texts: keptValues, length: 200 };

/** What the person entered for the variables of templates, remembered beyond the window, but never what looks like a secret. */
export class TemplateRecents {
	private readonly memory: RememberedTexts;

	constructor(store: KeyValue) {
		this.memory = new RememberedTexts(store, "mcpHost.templateValues", limits);
	}

	/** What was entered for a variable, the newest first, at most 10. */
	of({ server, uriTemplate }: TemplateAddress, variable: string): readonly string[] {
		return this.memory.of([server, uriTemplate, variable]);
	}

	/** Remembers what was entered for a variable: a text, or one of several, which may be of the form name=value. */
	async remember({ server, uriTemplate }: TemplateAddress, variable: string, text: string): Promise<void> {
		if (!looksSecret(variable) && !holdsSecret(text)) await this.memory.add([server, uriTemplate, variable], text);
	}

	/** Forgets what was entered for a template. */
	async forget({ server, uriTemplate }: TemplateAddress): Promise<void> {
		await this.memory.remove([server, uriTemplate]);
	}

	/** Forgets what was entered for all templates. */
	async forgetAll(): Promise<void> {
		await this.memory.remove([]);
	}
}
