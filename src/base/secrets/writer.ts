import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { isSecret, judgedName, type SecretContext, withoutSecrets } from "./judge.ts";

/** Removes the secrets that the host knows from a text and puts marks in their place. */
export interface Redactor {
	redact(text: string): string;
}

/** How a writer treats its findings. */
export interface WriterOptions {
	/** Where the texts are; `data` by default. */
	readonly context?: SecretContext;
	/** The mark for a value that only looks like a secret, by the name of its member; `⟦hidden⟧` by default. */
	readonly mark?: (name: string) => string;
	/** Names of members that hold ids made by the host, which are not user text: only known secrets are removed. */
	readonly ids?: ReadonlySet<string>;
	/** Whether everything inside a member with the name of a secret is secret. In a schema this would only be noise. */
	readonly isDeep?: boolean;
}

/** The mark for a value that only looks like a secret. */
const hiddenMark = "\u27E6hidden\u27E7";
/** The form of the marks that replace secrets: `⟦API key⟧`. */
const marks = /\u27E6[^\u27E6\u27E7]*\u27E7/g;
const onlyMark = /^\u27E6[^\u27E6\u27E7]*\u27E7$/;
/** An option of a command line. */
const option = /^--?([A-Za-z][\w-]*)$/;
const deepest = 200;
/** Member names of protocols: such a name stays, even if a user's secret is the same word. */
const memberName = /^[a-z]+(?:[A-Z][a-z]+)*$/;

/** A name that the object does not have yet. */
function freeName(object: object, name: string): string {
	let free = name;
	for (let number = 2; Object.hasOwn(object, free); number++) free = `${name} ${number}`;
	return free;
}

/** For callers without known secrets. */
export const knowsNone: Redactor = { redact: (text) => text };

/**
 * Makes data fit to leave the host, and counts its removals: without the secrets that the host knows (SEC-10), and
 * without values that the judge finds by names and forms (SEC-02, TRC-04). Everything that is exported, copied,
 * reported or kept goes through it; `test/unit/writers.test.ts` lists the places.
 */
export class SafeWriter {
	hidden = 0;
	private readonly redactor: Redactor;
	private readonly context: SecretContext;
	private readonly mark: (name: string) => string;
	private readonly ids: ReadonlySet<string>;
	private readonly isDeep: boolean;

	/** `redactor` takes out the secrets that the host knows. */
	constructor(
		redactor: Redactor,
		{ context = "data", mark = () => hiddenMark, ids = new Set(), isDeep = false }: WriterOptions = {},
	) {
		this.redactor = redactor;
		this.isDeep = isDeep;
		this.context = context;
		this.mark = mark;
		this.ids = ids;
	}

	/** A text, under a name if it has one. */
	text(text: string, name = ""): string {
		const shown = this.redactor.redact(text);
		if (shown !== text) this.hidden += (shown.match(marks) ?? []).length;
		if (this.ids.has(name)) return shown;
		return withoutSecrets(name, shown, this.context, (secret, _kind, own = name) =>
			onlyMark.test(secret) ? secret : this.hide(own),
		);
	}

	/** The words of a command: an option names the one behind it. */
	words(words: readonly string[]): readonly string[] {
		return words.map((word, index) => {
			return this.text(word, word.startsWith("-") ? "" : option.exec(words[index - 1] ?? "")?.[1]);
		});
	}

	/** A value with all its texts and names; numbers count where their name says that they are secret. */
	json<T>(value: T): T;
	json(value: Json): Json {
		return this.part(value, "", 0);
	}

	/**
	 * An entry of the host's own. The names of its members, and the values under `own`, are the host's words and stay,
	 * even if a secret is the same word.
	 */
	entry<T extends object>(value: T, own: ReadonlySet<string>): T;
	entry(value: JsonObject, own: ReadonlySet<string>): JsonObject {
		return Object.fromEntries(
			Object.entries(value).flatMap(([name, member]) =>
				member === undefined ? [] : [[name, own.has(name) ? member : this.part(member, name, 0)]],
			),
		);
	}

	private part(value: Json, name: string, depth: number): Json {
		if (typeof value === "string") return this.text(value, name);
		if (typeof value === "number") {
			// A secret of one or two digits would be a count.
			if (name === "" || Math.abs(value) < 100) return value;
			const shown = this.text(String(value), name);
			return shown === String(value) ? value : shown;
		}
		if (typeof value !== "object" || value === null) return value;
		if (depth > deepest) return "(nested too deeply)";
		if (!isJsonObject(value)) return value.map((one) => this.part(one, name, depth + 1));
		const shown: Record<string, Json> = {};
		for (const [key, member] of Object.entries(value)) {
			if (member === undefined) continue;
			// A name such as `__proto__` is data, and none takes the place of another one.
			Object.defineProperty(shown, freeName(shown, memberName.test(key) ? key : this.text(key)), {
				value: this.part(member, this.nameOf(value, key, name), depth + 1),
				enumerable: true,
				configurable: true,
				writable: true,
			});
		}
		return shown;
	}

	private nameOf(object: JsonObject, key: string, owner: string): string {
		if (this.isDeep && isSecret(owner, undefined, this.context)) return owner;
		return judgedName(object, key, owner, this.context);
	}

	private hide(name: string): string {
		this.hidden++;
		return this.mark(name);
	}
}
