import { existsSync } from "node:fs";
import path from "node:path";
import {
	cacheFolder,
	installWorkbench,
	releases,
	type ReleaseName,
	type WorkbenchInstall,
} from "./workbenchInstall.ts";
import { SetupError, withProgress } from "./progress.ts";

/** The editor the tests run in: the workbench served to a browser, or a desktop VS Code. */
export type Editor = ServerEditor | DesktopEditor;

/** The real workbench and a Node extension host behind a local web server. */
export type ServerEditor = { readonly kind: "server" } & WorkbenchInstall;

/** A desktop VS Code. */
export interface DesktopEditor {
	readonly kind: "desktop";
	readonly executablePath: string;
}

const releasesUrl = "https://update.code.visualstudio.com/api/releases/stable";
const chosen = new Map<ReleaseName, Promise<Editor>>();

/**
 * Chooses the editor, the newest unless the `least` supported one is wanted, and makes sure that it is installed:
 * `VSCODE_TEST_HOST=server|desktop` decides, otherwise `VSCODE_EXECUTABLE` (for the newest only), otherwise a desktop VS
 * Code where its download host answers within three seconds, otherwise the workbench from npm. The answer is kept for the
 * process and for its children.
 */
export function ensureEditor(release: ReleaseName = "newest"): Promise<Editor> {
	const editor = chosen.get(release) ?? chooseEditor(release);
	chosen.set(release, editor);
	return editor;
}

async function chooseEditor(release: ReleaseName): Promise<Editor> {
	const kind = process.env["VSCODE_TEST_HOST"] ?? (await preferredKind());
	// Children of this process need not probe again.
	process.env["VSCODE_TEST_HOST"] = kind;
	switch (kind) {
		case "server":
			return { kind: "server", ...(await installWorkbench(release)) };
		case "desktop":
			return ensureDesktop(release);
		default:
			throw new SetupError(`VSCODE_TEST_HOST must be "server" or "desktop", not "${kind}".`);
	}
}

async function preferredKind(): Promise<"server" | "desktop"> {
	if (process.env["VSCODE_EXECUTABLE"] !== undefined) {
		return "desktop";
	}
	try {
		const response = await fetch(releasesUrl, { signal: AbortSignal.timeout(3000) });
		return response.ok ? "desktop" : "server";
	} catch {
		return "server";
	}
}

/** Not run on the machines this was written on: the download host is out of reach there. */
async function ensureDesktop(release: ReleaseName): Promise<DesktopEditor> {
	const executablePath = process.env["VSCODE_EXECUTABLE"];
	if (executablePath !== undefined && release === "newest") {
		if (!existsSync(executablePath)) {
			throw new SetupError(`VSCODE_EXECUTABLE points to ${executablePath}, which does not exist.`);
		}
		return { kind: "desktop", executablePath };
	}
	const { downloadAndUnzipVSCode } = await import("@vscode/test-electron");
	const version = release === "newest" ? "stable" : releases[release].editor;
	const downloaded = await withProgress(`VS Code (${version}, desktop, once per version)`, () =>
		downloadAndUnzipVSCode({ version, cachePath: path.join(cacheFolder(), "desktop") }),
	);
	return { kind: "desktop", executablePath: downloaded };
}
