import { createHash } from "node:crypto";
import type { JsonObject } from "../../src/base/json.ts";
import { type ModernMethods, type ModernServer, startModernServer } from "./modernServer.ts";

/** A file of a skill as a server lists it. */
export interface ListedFile {
	readonly uri: string;
	readonly digest: string;
	readonly size: number;
}

/** A skill, its entry, and the files that a server gives for it. */
export interface WrittenSkill {
	readonly entry: {
		readonly uri: string;
		readonly frontmatter: { readonly name: string; readonly description: string };
		readonly resources: readonly ListedFile[];
	};
	/** The texts of its files by their URIs. */
	readonly files: Readonly<Record<string, string>>;
}

/** How a server lists a file of this text. */
export function listed(uri: string, text: string): ListedFile {
	const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
	return { uri, digest, size: Buffer.byteLength(text) };
}

/** A well-made skill below `skill://FOLDER`, whose last part is its name; `more` are further files by their paths. */
export function writeSkill(folder: string, body: string, more: Readonly<Record<string, string>> = {}): WrittenSkill {
	const name = folder.slice(folder.lastIndexOf("/") + 1);
	const frontmatter = { name, description: `Does ${name}.` };
	const root = `skill://${folder}`;
	const markdown = `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}`;
	const texts = { "SKILL.md": markdown, ...more };
	const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${root}/${path}`, text]));
	const resources = Object.entries(files).map(([uri, text]) => listed(uri, text));
	return { entry: { uri: `${root}/SKILL.md`, frontmatter, resources }, files };
}

/** The answers of a skill server; a test may change them at any time. */
export interface SkillShelf {
	/** The entries of `skills/list`. */
	entries: readonly JsonObject[];
	/** The entries that `skills/get` gives beside them. */
	unlisted: readonly JsonObject[];
	/** The texts of files by their URIs. */
	files: Readonly<Record<string, string>>;
	/** The answers to reads of folders, by their URIs; absent where the server does not offer them. */
	folders?: Readonly<Record<string, readonly JsonObject[]>>;
}

/** A shelf with these skills. */
export function shelfOf(...skills: readonly WrittenSkill[]): SkillShelf {
	return {
		entries: skills.map(({ entry }) => ({ ...entry, resources: entry.resources.map((file) => ({ ...file })) })),
		unlisted: [],
		files: Object.assign({}, ...skills.map(({ files }) => files)) as Record<string, string>,
	};
}

/** Starts a server of revision 2026-07-28 that offers what is on the shelf. */
export function startSkillServer(shelf: SkillShelf, more: ModernMethods = {}): Promise<ModernServer> {
	const cached = { ttlMs: 0, cacheScope: "private" };
	const unknown = { error: { code: -32602, message: "There is no such thing" } };
	const settings = shelf.folders === undefined ? {} : { directoryRead: true };
	const extensions = { "io.modelcontextprotocol/skills": settings };
	return startModernServer({
		"server/discover": () => ({
			result: { ...cached, supportedVersions: ["2026-07-28"], capabilities: { tools: {}, resources: {}, extensions } },
		}),
		"resources/list": () => ({ result: { ...cached, resources: [] } }),
		"resources/templates/list": () => ({ result: { ...cached, resourceTemplates: [] } }),
		"skills/list": () => ({ result: { ...cached, skills: shelf.entries } }),
		"skills/get": ({ uri }) => {
			const skill = [...shelf.entries, ...shelf.unlisted].find((entry) => entry["uri"] === uri);
			return skill === undefined ? unknown : { result: { ...cached, skill } };
		},
		"resources/directory/read": ({ uri }) => {
			const resources = shelf.folders?.[String(uri)];
			return resources === undefined ? unknown : { result: { ...cached, resources: [...resources] } };
		},
		"resources/read": ({ uri }) => {
			const text = shelf.files[String(uri)];
			if (text === undefined) return unknown;
			return { result: { ...cached, contents: [{ uri: String(uri), mimeType: "text/markdown", text }] } };
		},
		...more,
	});
}
