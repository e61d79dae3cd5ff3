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

/** A file or folder directly within a folder, by a server's `resources/directory/read`. Untrusted. */
export interface SkillFolderEntry {
	readonly uri: string;
	readonly isFolder: boolean;
	readonly description: string | undefined;
}

/** The most that one skill may have (SEP-2640, "Limits"): hosts take this much, and larger ones are left alone. */
const mostFiles = 512;
const mostBytes = 16 * 1024 * 1024;

/** How many files a skill has and how many bytes they are together; undefined when its server does not say. */
export function amountOf({ resources }: Skill): { readonly files: number; readonly bytes: number } | undefined {
	if (resources === "dynamic") return undefined;
	return { files: resources.length, bytes: resources.reduce((sum, { size }) => sum + size, 0) };
}

/** The listed digest of a skill's `SKILL.md`. */
export function digestOf({ uri, resources }: Skill): string | undefined {
	return resources === "dynamic" ? undefined : resources.find((file) => file.uri === uri)?.digest;
}

/** Why a skill is not used, though its entry is valid; undefined when it may be. */
export function whyNotUsed(skill: Skill): string | undefined {
	const amount = amountOf(skill);
	if (amount === undefined)
		return "This skill cannot be used: its server does not list its files, so you could not approve what is read.";
	if (amount.files > mostFiles)
		return `This skill cannot be used: it has ${amount.files} files. The limit is ${mostFiles} files.`;
	if (amount.bytes > mostBytes)
		return `This skill cannot be used: its files have ${amount.bytes} bytes. The limit is ${mostBytes} bytes (16 MiB).`;
	return undefined;
}
