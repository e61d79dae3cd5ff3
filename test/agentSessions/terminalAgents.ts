import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { foreignNpmEnvironment, runCommand, tail } from "../editor/processes.ts";
import { SetupError, withProgress } from "../editor/progress.ts";
import { cacheFolder } from "../editor/workbenchInstall.ts";

/** The versions that were looked at. */
export const terminalVersions = { claude: "2.1.332", codex: "0.171.0" } as const;

/** An agent in a terminal. */
export interface TerminalAgent {
	readonly name: "claude" | "codex";
	/** The name that it gives in a handshake. */
	readonly client: string;
	readonly program: string;
	readonly args: readonly string[];
}

const packages = path.join(
	cacheFolder(),
	`terminal-agents-${terminalVersions.claude}-${terminalVersions.codex}-${process.platform}-${process.arch}`,
);

/** Claude Code and Codex from npm. Needs the registry once. */
export async function installTerminalAgents(): Promise<readonly TerminalAgent[]> {
	if (!existsSync(packages)) {
		const work = await mkdtemp(`${packages}.tmp-`);
		try {
			await withProgress("Claude Code and Codex (once per machine, about 500 MB)", () => install(work));
			await rename(work, packages);
		} finally {
			await rm(work, { recursive: true, force: true });
		}
	}
	const at = (...parts: readonly string[]): string => path.join(packages, "node_modules", ...parts);
	return [
		{
			name: "claude",
			client: "claude-code",
			program: at("@anthropic-ai", `claude-code-${process.platform}-${process.arch}`, "claude"),
			// The agent's own questions are not what is looked at.
			args: ["-p", "Call the tool.", "--allowedTools", "mcp__mcp-host"],
		},
		{
			name: "codex",
			client: "codex-mcp-client",
			program: process.execPath,
			args: [at("@openai", "codex", "bin", "codex.js"), "exec", "--skip-git-repo-check", "--json", "Call the tool."],
		},
	];
}

/** The part of Codex's configuration that names a model on loopback. */
export function codexModel(url: string): string {
	return `model_provider = "loopback"\nmodel = "loopback"\n\n[model_providers.loopback]\nname = "loopback"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`;
}

/** Has an agent answer one message in a folder; resolves with its output when it has ended. */
export async function runTerminalAgent(
	{ program, args }: TerminalAgent,
	{ home, folder, url }: { readonly home: string; readonly folder: string; readonly url: string },
): Promise<string> {
	const child = spawn(program, args, {
		cwd: folder,
		env: {
			HOME: home,
			PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
			ANTHROPIC_BASE_URL: url,
			ANTHROPIC_API_KEY: "none",
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
			IS_SANDBOX: "1",
			// All requests to other hosts end there.
			HTTPS_PROXY: url,
			NO_PROXY: "127.0.0.1,localhost",
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
	return `${out}\n${errors}`;
}

async function install(folder: string): Promise<void> {
	const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder];
	const names = [`@anthropic-ai/claude-code@${terminalVersions.claude}`, `@openai/codex@${terminalVersions.codex}`];
	const result = await runCommand("npm", [...flags, ...names], { env: foreignNpmEnvironment() });
	if (result.code !== 0)
		throw new SetupError(`The agents could not be installed. npm said:\n${tail(result.output, 5)}`);
}
