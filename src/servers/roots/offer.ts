import { posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import { comparedPath, isWithin } from "../../base/folderPaths.ts";
import type { ConfigOrigin } from "../definitions/config.ts";
import type { Root } from "../sessions/session.ts";
import { variable } from "../definitions/variableNames.ts";
import { folderOf } from "../definitions/folderVariable.ts";
import { fileUri, type OpenFolder, rootsOf } from "./roots.ts";
import { isAddress, type RootsChoice, type RootsRule } from "../definitions/rootsRule.ts";

/** The rules about one server's roots, and their sources; see `offer`. */
export interface RootsRequest {
	readonly origin: ConfigOrigin;
	/** The rule in the server's entry. */
	readonly asked: RootsRule | undefined;
	/** The part of it that the user approved with the server. */
	readonly approved: RootsRule | undefined;
	/** The user's setting for the server's name. */
	readonly own: RootsRule | undefined;
	/** The user's choice for exactly this server in this workspace. */
	readonly choice: RootsChoice | undefined;
}

/** The machine and the window. */
export interface RootsWorld {
	readonly folders: readonly OpenFolder[];
	/** The user's home folder. */
	readonly home: string;
	/** Whether a name or a path, with slashes, matches a glob pattern. */
	matches(subject: string, pattern: string): boolean;
	/** How its paths are written. */
	readonly isWindows: boolean;
	/** The path behind links, junctions and short names of 8.3, as far as it is known. */
	real?(path: string): string;
}

/** The parts of the machine by which paths are compared. */
type Machine = Pick<RootsWorld, "home" | "isWindows" | "real">;

/** The rule that decided a server's roots. */
export type RootsAuthor = "default" | "entry" | "setting" | "choice";

/** The roots of one server, and why these. */
export interface RootsOffer {
	/** The roots that the server receives. */
	readonly roots: readonly Root[];
	readonly by: RootsAuthor;
	/** Additional roots that the server's entry requests and the user did not approve. */
	readonly waiting: readonly Root[];
	/** Folders that no rule includes, because they are or contain the home folder: only the user can choose them. */
	readonly tooWide: readonly Root[];
	/** Texts of `extra` that name nothing now, such as a folder that is not open. */
	readonly unknown: readonly string[];
}

/**
 * Decides which roots a server receives. The user's choice takes precedence, then their setting, then the server's
 * entry. Without any of them a server sees all workspace folders, and one that a folder's file defines sees that folder
 * only (CFG-23). In every case, the home folder and folders that contain it are never sent unless the user names them
 * (ROOT-01). A workspace's file gets no more than the workspace until the user approved that very rule. A workspace may
 * give its servers any name, so the setting grants them nothing by the name alone (CFG-03).
 */
export function offer(request: RootsRequest, world: RootsWorld): RootsOffer {
	return request.choice === undefined ? byRules(request, world) : byChoice(request.choice, world);
}

function byChoice({ folders, extra }: RootsChoice, world: RootsWorld): RootsOffer {
	const open = openRoots(world).map(({ root }) => root);
	const chosen = new Set(folders.map((uri) => comparedUri(uri, world)));
	const isChosenRoot = ({ uri }: Root): boolean => chosen.has(comparedUri(uri, world));
	const roots = unique([...open.filter(isChosenRoot), ...extra.map((uri) => rootOf(uri, world))], world);
	return { roots, by: "choice", waiting: [], tooWide: [], unknown: [] };
}

function byRules({ origin, asked, approved, own }: RootsRequest, world: RootsWorld): RootsOffer {
	const rule = own ?? asked;
	const isEntry = own === undefined;
	const wanted = openRoots(world).filter(({ folder }) => isChosen(folder, rule?.folders, world));
	const mayReachAll =
		origin.folder === undefined ||
		(isEntry && asked?.folders !== undefined && JSON.stringify(asked.folders) === JSON.stringify(approved?.folders));
	const inReach = wanted.filter(({ folder }) => mayReachAll || folder.path === origin.folder);
	const [tooWide, offered] = partition(inReach, world);
	const waiting = isEntry && asked?.folders !== undefined ? partition(wanted, world)[1] : [];

	const isGranted = (text: string): boolean =>
		!origin.isWorkspace || (isEntry && approved?.extra.includes(text) === true);
	const unknown: string[] = [];
	for (const text of rule?.extra ?? []) {
		const root = resolveExtra(text, origin, world);
		if (root === undefined) unknown.push(text);
		else if (isGranted(text)) (isHomeByFolders(text, root, origin, world) ? tooWide : offered).push(root);
		else if (isEntry) waiting.push(root);
	}
	const roots = unique(offered, world);
	const isBeside = ({ uri }: Root): boolean => !roots.some((root) => root.uri === uri);
	const saysNothing = rule === undefined || (rule.folders === undefined && rule.extra.length === 0);
	return {
		roots,
		by: saysNothing ? "default" : isEntry ? "entry" : "setting",
		waiting: waiting.filter(isBeside),
		tooWide: tooWide.filter(isBeside),
		unknown,
	};
}

/**
 * Whether a text means the home folder, or a folder that contains it, only relative to an open folder. A workspace's
 * file can do that, so the user who approved the text did not see it.
 */
function isHomeByFolders(text: string, { uri }: Root, origin: ConfigOrigin, world: RootsWorld): boolean {
	if (!origin.isWorkspace || !uri.startsWith("file:") || !holdsHome(pathOf(uri, world), world)) return false;
	return resolveExtra(text, origin, { ...world, folders: [] }) === undefined;
}

/** The roots that hold the home folder, and the others. */
function partition(
	open: readonly { readonly folder: OpenFolder; readonly root: Root }[],
	world: RootsWorld,
): readonly [Root[], Root[]] {
	const isTooWide = ({ path }: OpenFolder): boolean => holdsHome(path, world);
	return [
		open.filter(({ folder }) => isTooWide(folder)).map(({ root }) => root),
		open.filter(({ folder }) => !isTooWide(folder)).map(({ root }) => root),
	];
}

/** The open folders that are directories of this machine, each once, with its root. */
export function openRoots(world: RootsWorld): readonly { folder: OpenFolder; root: Root }[] {
	const known = new Set<string>();
	return world.folders.flatMap((folder) => {
		const [root] = rootsOf([folder], world.isWindows);
		const compared = comparedUri(root?.uri ?? "", world);
		if (root === undefined || known.has(compared)) return [];
		known.add(compared);
		return [{ folder, root }];
	});
}

/** A URI as it is compared: those of one folder are one text. */
function comparedUri(uri: string, { isWindows }: Pick<RootsWorld, "isWindows">): string {
	if (!isWindows || !uri.startsWith("file:")) return uri;
	return comparedPath(pathOf(uri, { isWindows }), "win32").replace(/(?<!\\)\\+$/, "");
}

/** The root that a text of `extra` means; undefined while it names nothing, such as a folder that is not open. */
export function resolveExtra(text: string, origin: ConfigOrigin, world: RootsWorld): Root | undefined {
	let isKnown = true;
	const resolved = text.replace(variable, (_whole, name: string) => {
		const path = valueOf(name, origin, world);
		isKnown &&= path !== undefined;
		return path ?? "";
	});
	if (!isKnown) return undefined;
	const isUri = isAddress(resolved);
	if (isUri && !URL.canParse(resolved)) return undefined;
	if (isUri && new URL(resolved).protocol !== "file:") return rootOf(resolved, world);
	// One way to write a folder, however it is written here: two would be two roots.
	const path = isUri ? pathOf(resolved, world) : resolved.replace(/^~(?=[/\\]|$)/, () => world.home);
	const paths = pathsOf(world);
	if (!paths.isAbsolute(path) && (isUri || origin.folder === undefined)) return undefined;
	return rootOf(fileUri(paths.resolve(origin.folder ?? "", path), world.isWindows), world);
}

/** The root of a URI, with the name that a user knows it by: the folder's own, or the host and path of an address. */
export function rootOf(uri: string, world: RootsWorld): Root {
	const open = openRoots(world).find(({ root }) => root.uri === uri);
	if (open !== undefined) return open.root;
	const { href, protocol, host, pathname } = new URL(uri);
	if (protocol !== "file:") return { uri: href, name: `${host}${pathname}`.replace(/\/$/, "") };
	const path = pathOf(href, world);
	return { uri: href, name: pathsOf(world).basename(path) || path };
}

/** The path of a `file:` URI; the URI itself where it has none on this machine. */
export function pathOf(uri: string, { isWindows }: Pick<RootsWorld, "isWindows">): string {
	try {
		return fileURLToPath(uri, { windows: isWindows });
	} catch {
		return uri;
	}
}

function valueOf(expression: string, origin: ConfigOrigin, { folders, home }: RootsWorld): string | undefined {
	if (expression === "userHome") return home;
	const [, name] = /^workspaceFolder(?::(.*))?$/s.exec(expression) ?? [];
	if (!expression.startsWith("workspaceFolder")) return undefined;
	const local = folders.filter(({ scheme }) => scheme === "file");
	const meaning = folderOf(name, origin, local);
	return "path" in meaning ? meaning.path : undefined;
}

/**
 * Whether a folder is the home folder, or contains it, as written or behind links. Case-insensitive: on a Mac case makes
 * no difference, and elsewhere this errs on the side of sending less.
 */
export function holdsHome(folder: string, world: Machine): boolean {
	const formsOf = (path: string): readonly string[] =>
		[path, world.real?.(path) ?? path].map((form) => pathsOf(world).resolve(form.toLowerCase()));
	const platform = world.isWindows ? "win32" : "linux";
	return formsOf(world.home).some((home) => formsOf(folder).some((whole) => isWithin(home, whole, platform)));
}

function isChosen({ name, path }: OpenFolder, patterns: readonly string[] | undefined, world: RootsWorld): boolean {
	if (patterns === undefined) return true;
	const matches = (pattern: string): boolean => {
		// A folder may be written with a slash at its end.
		const written = slashed(pattern, world).replace(/(?<=[^/])\/+$/, "");
		const subject = slashed(written.includes("/") ? path : name, world);
		if (!written.startsWith("~/")) return world.matches(subject, written);
		// Separate, because the home folder is not a pattern, even with special characters in its path.
		const home = `${slashed(world.home, world)}/`;
		return subject.startsWith(home) && world.matches(subject.slice(home.length), written.slice(2));
	};
	const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
	const unwanted = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
	if (patterns.length === 0 || unwanted.some(matches)) return false;
	return wanted.length === 0 || wanted.some(matches);
}

/** A path or a pattern with slashes, case-insensitive on machines without case. */
function slashed(path: string, { isWindows }: RootsWorld): string {
	return isWindows ? path.replaceAll("\\", "/").toLowerCase() : path;
}

function pathsOf({ isWindows }: Pick<RootsWorld, "isWindows">): typeof posix {
	return isWindows ? win32 : posix;
}

function unique(roots: readonly Root[], world: RootsWorld): readonly Root[] {
	const uris = roots.map(({ uri }) => comparedUri(uri, world));
	return roots.filter((_root, index) => uris.indexOf(uris[index] ?? "") === index);
}

/** Unusual parts of the roots that a server's entry requests; a hint for the reviewer, never a verdict. */
export function warningsForRoots(
	rule: RootsRule | undefined,
	origin: ConfigOrigin,
	machine: Machine,
): readonly string[] {
	const world: RootsWorld = { ...machine, folders: [], matches: () => false };
	const uris = (rule?.extra ?? []).flatMap((text) => resolveExtra(text, origin, world)?.uri ?? []);
	const isFile = (uri: string): boolean => uri.startsWith("file:");
	const warnings: string[] = [];
	if (uris.some((uri) => isFile(uri) && holdsHome(pathOf(uri, machine), machine)))
		warnings.push("It asks for your whole home folder.");
	if (!uris.every(isFile)) warnings.push("It asks for URIs as roots; the protocol allows only folders.");
	return warnings;
}
