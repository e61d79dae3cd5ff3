import { homedir } from "node:os";
import { resolve } from "node:path";
import * as vscode from "vscode";
import type { NetworkSettings } from "../limits.ts";

/** How the editor's settings say that the network is reached, with the environment of the extension host. */
export function networkSettings(): NetworkSettings {
	const http = vscode.workspace.getConfiguration("http");
	// The editor's "off" means that its own proxy setting must not be used by extensions.
	const proxy = http.get<string>("proxySupport") === "off" ? undefined : http.get<string>("proxy");
	const noProxy = http.get<readonly string[]>("noProxy") ?? [];
	return {
		...(proxy === undefined || proxy === "" ? {} : { proxy }),
		// Unset is an empty list, which must not hide the environment's.
		...(noProxy.length === 0 ? {} : { noProxy }),
		certificateAuthorities: authorityPaths(),
		trustSystem: http.get<boolean>("systemCertificates") !== false,
		environment: process.env,
	};
}

function authorityPaths(): readonly string[] {
	const paths = vscode.workspace.getConfiguration("mcpHost").get<unknown>("certificateAuthorities");
	const texts = (Array.isArray(paths) ? paths : []).filter((path): path is string => typeof path === "string");
	// Those that are not absolute, `~/ca.pem` included, count from the home folder.
	return texts.filter((path) => path !== "").map((path) => resolve(homedir(), path.replace(/^~(?=[\\/])/, ".")));
}
