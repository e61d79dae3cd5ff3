/** The name of the skills extension (SEP-2640). Declared by callers that show skills to users or models. */
export const skillsExtension = "io.modelcontextprotocol/skills";

/**
 * A skill as a server lists it: the description that a model may receive before anything is read (SEP-2640). Untrusted.
 */
export interface Skill {
	/** The resource URI of its `SKILL.md`. */
	readonly uri: string;
	/** The required front matter of its `SKILL.md`, including name and description. */
	readonly frontmatter: { readonly name: string; readonly description: string; readonly [key: string]: unknown };
	/** Every file with its size and digest, or that the server generates them on request. */
	readonly resources: "dynamic" | readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

/** The result of `skills/list`. */
export interface SkillList {
	readonly skills: readonly Skill[];
	/** Entries that break the extension's rules, in words for the server's log. */
	readonly refused: readonly string[];
}

/** A file of a skill, checked against its entry. */
export interface SkillFile {
	readonly uri: string;
	readonly mimeType: string | undefined;
	readonly bytes: Uint8Array;
	/** The text of a text file; always there for `SKILL.md`. */
	readonly text: string | undefined;
	/** The text after the front matter of `SKILL.md`; absent for other files. */
	readonly body: string | undefined;
}
