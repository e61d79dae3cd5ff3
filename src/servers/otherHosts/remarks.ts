import type { ConfigOrigin } from "../definitions/config.ts";
import type { SharedFiles } from "./sharedFiles.ts";
import { sessionsOf, startersOf, type Starter } from "./startFacts.ts";

/** The command that asks which host runs shared servers, by its id and its title. */
export const chooseRunner = { id: "mcpHost.chooseRunner", title: "MCP Host: Choose Host for Shared Servers…" } as const;

/** The command that moves the servers of a folder's `.mcp.json` to its `.vscode/mcp.json`, by its id and its button. */
export const moveRootFile = { id: "mcpHost.moveRootFile", button: "Move Servers of .mcp.json…" } as const;

/** The command that shows which host starts which servers, by its id and its button. */
export const whoStartsWhat = { id: "mcpHost.showWhoStartsWhat", button: "Who Starts What" } as const;

type Sharing = Pick<SharedFiles, "access" | "answer" | "isEditorOn" | "isLeft" | "isShared">;

/** Whether both hosts of this window can run the servers of a place. */
export function bothCanRun(shared: Sharing, origin: ConfigOrigin): boolean {
	// A host that is limited to its registry starts nothing of `.mcp.json`.
	if (shared.access === "registry" && placeOf(origin) === "root") return false;
	return shared.isEditorOn && shared.isShared(origin) && !shared.isLeft(origin);
}

/** The remark about other hosts in a server's row; undefined if none can run it. */
export function rowNote(shared: Sharing, origin: ConfigOrigin): string | undefined {
	if (bothCanRun(shared, origin)) return "VS Code can run it too";
	// A user who chose *Run Here Only* may believe that no other host runs it.
	const isBelieved = shared.answer?.runner === "here" && sessionsBeside(shared, origin).length > 0;
	return isBelieved ? "agent sessions can run it too" : undefined;
}

/** The remark about the hosts that can run a server, for its tooltip and review; undefined if there is none. */
export function remarkOn(shared: Sharing, origin: ConfigOrigin): string | undefined {
	if (!shared.isShared(origin)) return undefined;
	const sessions = sessionsBeside(shared, origin);
	if (shared.isLeft(origin)) {
		const rest = sessions.length === 0 ? "nothing runs it" : `only ${sessionsOf(sessions)} run it`;
		const how = shared.isEditorOn ? "" : `, whose own MCP host is off here, so ${rest}`;
		return `You left the servers of this file to VS Code${how}. "${chooseRunner.title}" changes this.`;
	}
	if (bothCanRun(shared, origin)) {
		const own = sessions.length === 0 ? "" : ` Agent ${sessionsOf(sessions)} can do that, too.`;
		return `VS Code's own MCP host also reads this file and can run this server as a second process, which MCP Host does not control.${own} "${chooseRunner.title}" changes this.`;
	}
	if (sessions.length === 0) return undefined;
	const why = shared.isEditorOn ? "does not start the servers of this file" : "is off and no longer runs this server";
	return `VS Code's own MCP host ${why}. Agent ${sessionsOf(sessions)} still can: they read this file without VS Code. "MCP Host: ${moveRootFile.button}" changes this.`;
}

/**
 * The text of a server's tooltip: the remark, or that *Run Here Only* applies to this server for all readers of its
 * file.
 */
export function tooltipRemark(shared: Sharing, origin: ConfigOrigin): string | undefined {
	const remark = remarkOn(shared, origin);
	if (remark !== undefined || !shared.isShared(origin)) return remark;
	const stopped = startersOf(placeOf(origin), true).filter((host) => host !== "local");
	return `Only MCP Host runs this server. VS Code's own MCP host is off and no longer forwards it to ${sessionsOf(stopped)}.`;
}

/** Whether some of these origins are an `.mcp.json`, which agent sessions read without VS Code. */
export function hasRootFile(origins: readonly ConfigOrigin[]): boolean {
	return origins.some(({ kind }) => kind === "dot-mcp-json");
}

/** The benefit of moving the servers of `.mcp.json`, as a sentence. */
export function moveDetail(): string {
	return `Agent ${sessionsOf(startersOf("root", false))} start the servers of .mcp.json even while VS Code's own MCP host is off. In .vscode/mcp.json they do not.`;
}

/** The hosts of agent sessions that can run the servers of a shared place as things are. */
function sessionsBeside(shared: Sharing, origin: ConfigOrigin): readonly Starter[] {
	if (!shared.isShared(origin)) return [];
	return startersOf(placeOf(origin), shared.isEditorOn).filter((host) => host !== "local");
}

/** The place of a shared file. */
function placeOf({ kind }: ConfigOrigin): "vscode" | "root" {
	return kind === "dot-mcp-json" ? "root" : "vscode";
}
