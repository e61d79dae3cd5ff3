import { cp, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Values for `settings.json`. */
export type Settings = Readonly<Record<string, unknown>>;

/** How the editor trusts folders: each only when `asked`, the default, or `everything` (the feature is off). */
export type Trust = "asked" | "everything";

/** A user profile of its own in a temporary folder. */
export interface Profile {
	/** The temporary folder that holds everything below. */
	readonly folder: string;
	readonly userDataFolder: string;
	readonly extensionsFolder: string;
	/** Rewrites `settings.json`: the fixed test settings and `extra`. A window applies them after a reload. */
	writeSettings(extra: Settings): Promise<void>;
	remove(): Promise<void>;
}

const quietSettings: Settings = {
	"workbench.startupEditor": "none",
	"workbench.secondarySideBar.defaultVisibility": "hidden",
	"workbench.enableExperiments": false,
	"workbench.tips.enabled": false,
	// Repeats the parents of a row above it, which hides other rows.
	"workbench.tree.enableStickyScroll": false,
	"telemetry.telemetryLevel": "off",
	"update.mode": "none",
	"extensions.autoUpdate": "off",
	"extensions.autoCheckUpdates": false,
	"extensions.ignoreRecommendations": true,
	// The editor's own MCP host would run the servers of the stories as well; one story is about it.
	"chat.mcp.access": "none",
	"git.openRepositoryInParentFolders": "never",
	// The browser's default differs from the desktop's.
	"files.autoSave": "off",
	// Menus and title bar as DOM elements on the desktop too.
	"window.menuStyle": "custom",
	"window.titleBarStyle": "custom",
};

const trustSettings: Record<Trust, Settings> = {
	asked: {},
	everything: { "security.workspace.trust.enabled": false },
};

/** Makes a fresh profile with the test settings and the caller's. */
export async function createProfile(trust: Trust, settings: Settings): Promise<Profile> {
	const folder = await mkdtemp(path.join(tmpdir(), "mcp-host-editor-"));
	const extensionsFolder = path.join(folder, "extensions");
	await mkdir(extensionsFolder, { recursive: true });
	const profile = profileIn(folder, trust);
	await profile.writeSettings(settings);
	return profile;
}

/** The profile that `createProfile` has made in a folder. */
export function profileIn(folder: string, trust: Trust): Profile {
	const userDataFolder = path.join(folder, "user-data");
	return {
		folder,
		userDataFolder,
		extensionsFolder: path.join(folder, "extensions"),
		writeSettings: async (extra) => {
			await mkdir(path.join(userDataFolder, "User"), { recursive: true });
			const all = { ...quietSettings, ...trustSettings[trust], ...extra };
			await writeFile(path.join(userDataFolder, "User", "settings.json"), JSON.stringify(all, undefined, "\t"));
		},
		remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
	};
}

/**
 * Copies a workspace into `parent`, so that a story may change it, and returns the path to open: the copied folder, or
 * the copied `.code-workspace` file with the files beside it. Without a `source` the folder is empty.
 */
export async function copyWorkspace(source: string | undefined, parent: string): Promise<string> {
	const isFolder = source === undefined || (await stat(source)).isDirectory();
	const sourceFolder = isFolder ? source : path.dirname(source);
	// The editor shows the folder's name; a folder of its own keeps two workspaces of one name apart.
	const place = await mkdtemp(path.join(parent, "workspace-"));
	const folder = path.join(place, sourceFolder === undefined ? "empty" : path.basename(sourceFolder));
	await mkdir(folder);
	if (sourceFolder !== undefined) {
		await cp(sourceFolder, folder, { recursive: true });
	}
	return isFolder ? folder : path.join(folder, path.basename(source));
}
