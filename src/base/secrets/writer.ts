import { isJsonObject, type Json } from "../json.ts";
import { withoutSecrets } from "./judge.ts";

/** What takes the secrets that the host knows out of a text, putting marks in their place. */
export interface Redactor {
	redact(text: string): string;
}

/** What stands in place of what only looks like a secret. */
const mark = "\u27E6hidden\u27E7";
/** How the marks look that stand in place of secrets: `⟦API key⟧`. */
const marks = /\u27E6[^\u27E6\u27E7]*\u27E7/g;
const onlyMark = /^\u27E6[^\u27E6\u27E7]*\u27E7$/;
const deepest = 200;

/**
 * Makes what leaves the host fit for it, and counts what it took out: without the secrets that the host knows (SEC-10), and
 * without what the judge finds by names and forms (SEC-02, TRC-04). Every export goes through it.
 */
export class SafeWriter {
	hidden = 0;
	private readonly redactor: Redactor;

	constructor(redactor: Redactor) {
		this.redactor = redactor;
	}

	/** A text, under a name if it has one. */
	text(text: string, name = ""): string {
		const shown = this.redactor.redact(text);
		if (shown !== text) this.hidden += (shown.match(marks) ?? []).length;
		return withoutSecrets(name, shown, "data", (secret) => (onlyMark.test(secret) ? secret : this.hide()));
	}

	/** A value with all its texts and names; numbers count where their name says that they are secret. */
	json(value: Json, name = "", depth = 0): Json {
		if (typeof value === "string") return this.text(value, name);
		if (typeof value === "number") return name !== "" && this.text(String(value), name) === mark ? mark : value;
		if (typeof value !== "object" || value === null) return value;
		if (depth > deepest) return "(nested too deeply)";
		if (!isJsonObject(value)) return value.map((part) => this.json(part, name, depth + 1));
		const shown: Record<string, Json> = {};
		for (const [key, part] of Object.entries(value)) {
			if (part === undefined) continue;
			// A name such as `__proto__` is data.
			Object.defineProperty(shown, this.text(key), {
				value: this.json(part, key, depth + 1),
				enumerable: true,
				configurable: true,
				writable: true,
			});
		}
		return shown;
	}

	private hide(): string {
		this.hidden++;
		return mark;
	}
}
