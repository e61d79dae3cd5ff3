import { resolve } from "node:path";
import { median } from "./measure.ts";
import type { Client, Side } from "./side.ts";

const serverPath = resolve(import.meta.dirname, "../servers/businessServer.ts");

/** How many turns are measured after the first. */
const turns = 50;

/** A client whose calls take the way of a model's calls, where the side has one: the others have nothing in between. */
export async function asModelCalls(client: Client): Promise<Pick<Client, "callTool">> {
	await client.list("tools", () => undefined);
	const { loop } = client;
	return loop === undefined ? client : { callTool: (name, args) => loop.call(name, args) };
}

/**
 * The loop's addition to the time that an endpoint takes for its first text: the time to the first text of a turn whose
 * model answers at once. Before the first turn of a window, only background work is done.
 */
export async function firstText(side: Side, size: number): Promise<Readonly<Record<string, number>>> {
	const group = side.connect([{ kind: "stdio", args: [serverPath, "--tools", String(size)] }]);
	try {
		const [client] = await Promise.all(group.clients);
		await client?.list("tools", () => undefined);
		const loop = client?.loop;
		if (loop === undefined) throw new Error("Only the host has a loop.");
		await loop.prepared();
		const cold = await loop.firstText();
		const times: number[] = [];
		while (times.length < turns) times.push(await loop.firstText());
		return { cold, added: median(times) };
	} finally {
		await group.close();
	}
}
