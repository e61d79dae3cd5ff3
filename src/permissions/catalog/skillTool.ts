import { oneLine } from "../../base/text.ts";
import type { Session, Skill, Tool } from "../../servers/sessions/session.ts";
import { skillNameStart } from "./names.ts";

const known = new WeakMap<Skill, Tool>();

/** The paths of a skill's files, relative to it, with what its entry says of each; none where it does not list them. */
export function filesOf({
	uri,
	resources,
}: Skill): ReadonlyMap<string, Exclude<Skill["resources"], "dynamic">[number]> {
	if (resources === "dynamic") return new Map();
	const root = uri.slice(0, uri.lastIndexOf("/") + 1);
	return new Map(resources.map((file) => [file.uri.startsWith(root) ? file.uri.slice(root.length) : file.uri, file]));
}

/**
 * The definition by which a skill is approved, granted and pinned like a tool. It holds the URI, the description, and each
 * file with its size and digest, so that another set of files is another definition (SKL-05).
 */
export function skillTool(skill: Skill): Tool {
	const before = known.get(skill);
	if (before !== undefined) return before;
	const files = [...filesOf(skill)];
	const tool: Tool = {
		name: `${skillNameStart}${skill.uri}`,
		description: skill.frontmatter.description,
		inputSchema: {
			type: "object",
			properties: {
				file: { type: "string", enum: files.map(([path]) => path) },
				folder: { type: "string", enum: foldersOf(files.map(([path]) => path)) },
			},
			additionalProperties: false,
			"x-files": files.map(([path, { size, digest }]) => `${path}: ${size} bytes, ${digest}`),
		},
		annotations: { readOnlyHint: true, openWorldHint: false },
	};
	known.set(skill, tool);
	return tool;
}

/** The folders of these paths, relative to the skill; `.` is the skill itself. */
export function foldersOf(paths: readonly string[]): string[] {
	const folders = paths.flatMap((path) => {
		const parts = path.split("/").slice(0, -1);
		return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
	});
	return [...new Set([".", ...folders])];
}

/** The tool that a server offers now under the name of a pin or grant, or the definition of a skill. */
export function definitionNamed({ tools, skills }: Session, name: string): Tool | undefined {
	if (!name.startsWith(skillNameStart)) return tools.get(name);
	const skill = skills.get(name.slice(skillNameStart.length));
	return skill && skillTool(skill);
}

/** A skill's name and description on one line each, without hidden characters. */
export function skillWords({ frontmatter: { name, description } }: Skill): {
	readonly name: string;
	readonly about: string;
} {
	return { name: oneLine(name, 100), about: oneLine(description, 1100) };
}
