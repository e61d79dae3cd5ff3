import { accessSync, constants } from "node:fs";
import path from "node:path";
import { runCommand, tail } from "./processes.ts";
import { SetupError, withProgress } from "./progress.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
const applications = [
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
	"C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * The path of a Chromium-based browser: `CHROMIUM_PATH`, otherwise an installed one, otherwise Debian's package where
 * this process is root and has apt.
 */
export async function ensureBrowser(): Promise<string> {
	const wanted = process.env["CHROMIUM_PATH"];
	if (wanted !== undefined) {
		if (!isExecutable(wanted)) {
			throw new SetupError(`CHROMIUM_PATH points to ${wanted}, which is not an executable file.`);
		}
		return wanted;
	}
	const browser = findBrowser() ?? (await installBrowser());
	// Children of this process need not search again.
	process.env["CHROMIUM_PATH"] = browser;
	return browser;
}

function findBrowser(): string | undefined {
	const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(path.delimiter)];
	const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
	return [...candidates, ...applications].find(isExecutable);
}

async function installBrowser(): Promise<string> {
	const isRoot = process.getuid?.() === 0;
	if (!isRoot || !isExecutable("/usr/bin/apt-get")) {
		throw new SetupError(
			"No browser was found: install Chromium or Google Chrome (on Debian or Ubuntu: sudo apt-get install chromium) or set CHROMIUM_PATH.",
		);
	}
	const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	const result = await withProgress("Chromium (apt-get install, once per machine)", async () => {
		await runCommand("apt-get", ["update"], { env });
		return runCommand("apt-get", ["install", "-y", "chromium"], { env });
	});
	const browser = findBrowser();
	if (browser === undefined) {
		throw new SetupError(
			`Chromium could not be installed with apt-get; install it or set CHROMIUM_PATH. apt-get said:\n${tail(result.output, 5)}`,
		);
	}
	return browser;
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
