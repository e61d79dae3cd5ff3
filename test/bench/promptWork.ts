import { resolve } from "node:path";
import type { ToolBox } from "../../src/features/agentTools/toolBox.ts";
import { toolTokens } from "../../src/models/tokens.ts";
import type { Client, Side } from "./side.ts";

const serverPath = resolve(import.meta.dirname, "../servers/businessServer.ts");

/** The default of `mcpHost.chat.toolTokens`. */
const budgetTokens = 10_000;

/**
 * The cost of the definitions of a server's tools for a model in tokens: of all, as a host sends them that includes all
 * in each request; in the first request of a turn of ours; and in the next one, after the model has searched and
 * loaded.
 */
export async function promptTokens(side: Side, size: number): Promise<Readonly<Record<string, number>>> {
	const group = side.connect([{ kind: "stdio", args: [serverPath, "--tools", String(size)] }]);
	try {
		const [client] = await Promise.all(group.clients);
		await client?.list("tools", () => undefined);
		const first = costOf(boxOf(client, budgetTokens));
		const box = boxOf(client, budgetTokens);
		const search = box.find("search_tools");
		if (search === undefined || !("hostTool" in search) || search.hostTool.kind !== "local")
			throw new Error("No search.");
		await search.hostTool.run({ query: "approve an invoice in Osaka" }, new AbortController().signal);
		return { all: costOf(boxOf(client, 0)), first, searched: costOf(box) };
	} finally {
		await group.close();
	}
}

function boxOf(client: Client | undefined, budget: number): ToolBox {
	const box = client?.openToolBox?.(budget);
	if (box === undefined) throw new Error("Only the host has tools for models.");
	return box;
}

function costOf({ offered }: ToolBox): number {
	return offered.reduce((sum, tool) => sum + toolTokens(tool), 0);
}
