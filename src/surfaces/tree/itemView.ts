import { fileURLToPath } from "node:url";
import { count, displayName, oneLine } from "../../base/text.ts";
import { readableSize } from "../../base/amounts.ts";
import { whyNotUsed } from "../../protocol/skill.ts";
import { mayBeTask } from "../../features/tasks/taskChoices.ts";
import { iconOf } from "../../features/resources/mediaTypes.ts";
import { type ResourceAppearance, toEditorUri, type UriComponents } from "../../features/resources/uri.ts";
import type { Resource, Session } from "../../servers/sessions/session.ts";
import { toolBadges } from "../../permissions/catalog/annotations.ts";
import type { DefinitionMarks } from "./definitionMarks.ts";
import type { BelowNode, FolderNode, ItemNode, ResourceNode, SkillNode, TaskNode, TasksNode } from "./nodes.ts";
import { folderName, leafName } from "./paths.ts";
import type { ContentSources } from "./sources.ts";
import { errorIcon, type NodeView, toolLabel, treeCommands, type NodePicture } from "./view.ts";
import { decodeBase64 } from "../../base/base64.ts";
import { imageSize } from "../../base/imageSize.ts";
import { typeOfBytes } from "../../base/media.ts";

/** The part of the sources that rows ask for the state of what they show. */
interface States extends Pick<ContentSources, "live" | "results" | "pins" | "costs" | "checked" | "taskChoices"> {
	readonly marks: Pick<DefinitionMarks, "ofTool">;
}

/** The label, description, icon and command of a node below a group. */
export function viewOfItem(node: Exclude<BelowNode, TasksNode | TaskNode>, states: States): NodeView {
	const leaf = { context: node.kind, isCollapsible: false };
	switch (node.kind) {
		case "tool":
			return viewOfTool(node, states);
		case "resource":
			return viewOfResource(node, states);
		case "part": {
			const { uri, part, partUri, mimeType, size } = node;
			const label = partUri.startsWith(`${uri}/`) ? leafName(partUri, `${uri}/`) : oneLine(partUri);
			return {
				...leaf,
				...texts("one of several", label, [`content ${part + 1}`, readableSize(size), oneLine(mimeType ?? "", 60)]),
				icon: { id: mediaIcon(mimeType) },
				file: editorUri(node, { mimeType, partUri }),
			};
		}
		case "template": {
			const { server, uriTemplate, template } = node;
			return {
				...leaf,
				...texts("resource template", displayName(template), [oneLine(uriTemplate)]),
				icon: { id: "symbol-parameter" },
				picture: safePicture(template.icons),
				isCollapsible: states.results.of(server, uriTemplate).length > 0,
				command: {
					id: "mcpHost.openResourceFromTemplate",
					title: "Use Resource Template…",
					argument: { server, uriTemplate },
				},
			};
		}
		case "template-result":
			return {
				...leaf,
				...texts("resource opened before", oneLine(node.uri), []),
				icon: { id: mediaIcon(node.mimeType) },
				...opening(node, node.mimeType),
			};
		case "prompt": {
			const { server, prompt, item } = node;
			const label = displayName(item);
			const isPinned = states.pins.has(server, prompt);
			return {
				...leaf,
				...texts("prompt", label, [isPinned ? "pinned" : "", nameBeside(label, prompt)]),
				icon: { id: isPinned ? "pinned" : "comment" },
				picture: isPinned ? undefined : safePicture(item.icons),
				context: isPinned ? "prompt pinned" : "prompt",
				command: { id: "mcpHost.runPrompt", title: "Run Prompt…", argument: { server, prompt } },
			};
		}
		case "skill":
			return viewOfSkill(node);
		case "root": {
			const { name, uri } = node.root;
			return { ...leaf, ...texts("root", oneLine(name ?? uri), [oneLine(pathOf(uri))]), icon: { id: "root-folder" } };
		}
		case "folder":
			return viewOfFolder(node);
		case "more": {
			const label = `Load More… (${count(node.shown)} of ${count(node.total)})`;
			const command = { id: treeCommands.showMore, title: "Load More…", argument: node };
			return { ...leaf, label, description: "", icon: { id: "ellipsis" }, command };
		}
		case "list-problem": {
			const label = oneLine(node.message);
			return {
				...leaf,
				label,
				description: "Retry",
				icon: errorIcon,
				spoken: `The list could not be read: ${label}. Retry`,
				command: { id: "mcpHost.refresh", title: "Retry", argument: { server: node.server } },
			};
		}
		case "no-match": {
			const { server, group, filter } = node;
			return {
				...leaf,
				label: `Nothing matches “${oneLine(filter, 60)}”`,
				description: "Clear Filter",
				icon: { id: "filter" },
				command: { id: "mcpHost.clearFilter", title: "Clear Filter", argument: { server, group } },
			};
		}
		case "list-note":
			return { ...leaf, label: oneLine(node.text), description: "", icon: { id: "info" } };
	}
}

function viewOfTool(
	{ server, session, tool }: ItemNode & { kind: "tool" },
	{ marks, costs, checked, taskChoices }: States,
): NodeView {
	const label = toolLabel(tool);
	const { isChanged, warnings } = marks.ofTool(session, tool);
	// The values that the server states; the defaults of the others would be on every row.
	const badges = toolBadges(tool.annotations).flatMap(({ label: badge, isStated }) => (isStated ? [badge] : []));
	const withheld = costs.whyHidden(tool) === undefined ? "" : "not offered to models";
	const found = checked?.ofTool(server, tool.name).length ?? 0;
	const findings = found === 0 ? "" : found === 1 ? "1 finding" : `${count(found)} findings`;
	const mayChoose = taskChoices !== undefined && mayBeTask(session, tool);
	const isTask = mayChoose && taskChoices.wantsTask(session, tool.name);
	const details = [
		isChanged ? "changed" : "",
		...warnings,
		isTask ? "called as a task" : "",
		withheld,
		findings,
		nameBeside(label, tool.name),
		...badges,
	];
	const markIcon = isChanged ? "diff-modified" : warnings.length > 0 ? "warning" : undefined;
	return {
		...texts("tool", label, details),
		icon: markIcon === undefined ? { id: "symbol-method" } : { id: markIcon, color: "list.warningForeground" },
		// No picture of the server's precedes our mark.
		picture: markIcon === undefined ? safePicture(tool.icons) : undefined,
		context: ["tool", isChanged && "changed", mayChoose && (isTask ? "as-task" : "no-task")].filter(Boolean).join(" "),
		isCollapsible: false,
		command: { id: "mcpHost.runTool", title: "Run Tool…", argument: { server, tool: tool.name } },
	};
}

function viewOfResource(node: ResourceNode, { live }: States): NodeView {
	const { session, uri, resource, above } = node;
	const { isWatched, isOpen, isChanged } = live.stateOf(node);
	const isWatchable = offersSubscriptions(session);
	const hasParts = live.partsOf(node).length > 1;
	const where = above === "" ? oneLine(uri) : leafName(uri, above);
	const label = displayName(resource) || where;
	const { size, annotations } = resource;
	const details = [
		isChanged ? "changed" : "",
		isWatched ? "watched" : isOpen && isWatchable ? "live" : "",
		where === label ? "" : where,
		size === undefined ? "" : readableSize(size),
		...importance(annotations),
	];
	const words = [
		isWatchable && "watchable",
		isWatched && "watched",
		isOpen && "open",
		isChanged && "changed",
		hasParts && "several",
	];
	return {
		...texts("resource", label, details),
		icon: { id: mediaIcon(resource.mimeType) },
		picture: safePicture(resource.icons),
		context: ["resource", ...words.filter((word) => word !== false)].join(" "),
		isCollapsible: hasParts,
		...(hasParts ? { file: editorUri(node, { isCombined: true }) } : opening(node, resource.mimeType)),
	};
}

/** A click opens its `SKILL.md` to be read, which loads nothing (SKL-03). */
function viewOfSkill(node: SkillNode): NodeView {
	const { session, skill, uri } = node;
	const { name } = skill.frontmatter;
	const twins = session.skills.items.filter(({ frontmatter }) => frontmatter.name === name);
	const details = [whyNotUsed(skill) === undefined ? "" : "cannot be used", twins.length > 1 ? oneLine(uri, 100) : ""];
	return {
		...texts("skill", oneLine(name, 100), details),
		icon: { id: "book" },
		context: "skill",
		isCollapsible: false,
		...opening(node, "text/markdown"),
	};
}

/** The importance and audience of a resource that the server states, in words. */
function importance({ priority, audience }: NonNullable<Resource["annotations"]> = {}): readonly string[] {
	const [reader, ...others] = audience ?? [];
	return [
		priority === undefined ? "" : `priority ${Number(priority.toFixed(2))}`,
		// Both means everybody, which needs no words.
		reader === undefined || others.length > 0 ? "" : `for ${reader}`,
	];
}

function viewOfFolder({ folder, above, total, startsOpen }: FolderNode): NodeView {
	const label = folderName(folder, above);
	return {
		label,
		description: count(total),
		icon: { id: "symbol-folder" },
		context: "folder",
		isCollapsible: true,
		startsOpen,
		spoken: `${label}, folder, ${total === 1 ? "1 resource" : `${count(total)} resources`}`,
	};
}

/**
 * The action of choosing a resource. If its type is known, VS Code opens it itself, with all the usual behaviour: a
 * preview for one click, a tab that stays for two, the side for a modifier. Otherwise it is read first, because its
 * contents decide the viewer.
 */
function opening(node: Addressed, mimeType: string | undefined): Pick<NodeView, "file" | "command"> {
	const { server, uri } = node;
	const file = editorUri(node, { mimeType });
	if (mimeType !== undefined) return { file };
	return { file, command: { id: "mcpHost.openResource", title: "Open Resource", argument: { server, uri } } };
}

/** A node of a resource, or of one of its contents. */
type Addressed = ItemNode & { readonly uri: string };

function editorUri(node: Addressed, appearance: Omit<ResourceAppearance, "serverName">): UriComponents {
	const { server, uri, session } = node;
	const address = node.kind === "part" ? { server, uri, part: node.part } : { server, uri };
	return toEditorUri(address, { serverName: session.definition.name, ...appearance });
}

function offersSubscriptions({ state }: Session): boolean {
	return state.kind === "running" && state.facts.capabilities.resources?.subscribe === true;
}

/**
 * A row's texts: beside the name is the first non-empty detail. Screen readers, which rarely reach tooltips, read all
 * of them, and the kind of the item.
 */
function texts(
	kind: string,
	name: string,
	details: readonly string[],
): Pick<NodeView, "label" | "description" | "spoken"> {
	const shown = details.filter((detail) => detail !== "");
	const label = name === "" ? "(no name)" : name;
	return { label, description: shown[0] ?? "", spoken: [label, kind, ...shown].join(", ") };
}

/** The name that programs use, if the display name differs. */
function nameBeside(label: string, name: string): string {
	const shown = oneLine(name, 100);
	return shown === label ? "" : shown;
}

/** The icon `file` is the one that file-icon themes replace. */
function mediaIcon(mimeType: string | undefined): string {
	const icon = iconOf(mimeType);
	return icon === "file" ? "symbol-file" : icon;
}

function pathOf(uri: string): string {
	try {
		return fileURLToPath(uri);
	} catch {
		return uri;
	}
}

/** An icon as the specification has servers state it. */
interface StatedIcon {
	readonly src: string;
	readonly theme?: string | undefined;
}

/** The most bytes of a picture in a row, and the most pixels of each side: a small file may unfold into a huge picture. */
const sizeLimit = 16 * 1024;
const pixelLimit = 512;

const rasterTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** How many of a server's icons are looked into. */
const countLimit = 8;

/**
 * The first icons of a server, for light and dark themes, that need no request: small PNG, JPEG, WebP or GIF pictures
 * as `data:` URIs, by their actual data, not their declared type. Nothing is ever fetched, and SVG, which may contain
 * scripts and links, is not accepted (UI-10). Undefined when there is none.
 */
export function safePicture(icons: readonly StatedIcon[] | undefined): NodePicture | undefined {
	const found = new Map<string, string>();
	for (const { src, theme = "any" } of icons?.slice(0, countLimit) ?? []) {
		const picture = found.has(theme) ? undefined : safeDataUri(src);
		if (picture !== undefined) found.set(theme, picture);
	}
	const light = found.get("light") ?? found.get("any") ?? found.get("dark");
	const dark = found.get("dark") ?? found.get("any") ?? light;
	return light === undefined || dark === undefined ? undefined : { light, dark };
}

/** The picture in a `data:` URI, encoded again from its bytes; undefined for other URIs. */
function safeDataUri(src: string): string | undefined {
	// Base64 is a third longer than its data.
	if (src.length > 2 * sizeLimit) return undefined;
	const bytes = /^data:/i.test(src) ? decodeBase64(src) : undefined;
	if (bytes === undefined || bytes.length > sizeLimit) return undefined;
	const type = typeOfBytes(bytes) ?? "";
	const size = rasterTypes.has(type) ? imageSize(type, bytes) : undefined;
	if (size === undefined) return undefined;
	const fits = (side: number): boolean => side > 0 && side <= pixelLimit;
	return fits(size.width) && fits(size.height) ? `data:${type};base64,${bytes.toString("base64")}` : undefined;
}
