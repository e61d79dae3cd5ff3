import type { ConfigOrigin } from "../definitions/config.ts";
import type { SharedFiles } from "./sharedFiles.ts";

/** The command that asks who runs shared servers, by its id and as people find it. */
export const chooseRunner = { id: "mcpHost.chooseRunner", title: "MCP Host: Choose Who Runs Shared Servers…" } as const;

type Sharing = Pick<SharedFiles, "isEditorOn" | "isLeft" | "isShared">;

/** Whether both hosts of this window can run the servers of a place. */
export function bothCanRun(shared: Sharing, origin: ConfigOrigin): boolean {
	return shared.isEditorOn && shared.isShared(origin) && !shared.isLeft(origin);
}

/** What a server's row says of the other host; undefined where that cannot run it. */
export function rowNote(shared: Sharing, origin: ConfigOrigin): string | undefined {
	return bothCanRun(shared, origin) ? "VS Code can run it too" : undefined;
}

/** What a server's tooltip and its review say of the other host; undefined where there is nothing to say. */
export function remarkOn(shared: Sharing, origin: ConfigOrigin): string | undefined {
	if (shared.isLeft(origin)) {
		const how = shared.isEditorOn ? "" : ", whose own MCP host is off here, so nothing runs it";
		return `You left the servers of this file to VS Code${how}. "${chooseRunner.title}" changes that.`;
	}
	if (!bothCanRun(shared, origin)) return undefined;
	return `VS Code's own MCP host reads this file too and can run this server as well, as a second process that MCP Host neither starts nor sees. "${chooseRunner.title}" changes that.`;
}
