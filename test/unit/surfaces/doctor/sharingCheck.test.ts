import { describe, expect, it } from "vitest";
import { checkStarts, startedWithWindow, type StartingFacts } from "../../../../src/surfaces/doctor/sharingCheck.ts";
import type { PlaceFile } from "../../../../src/setup/entries/whoStarts.ts";

const copilot = { pid: 1915, host: "copilot", by: "copilot-runtime" } as const;
const local = { pid: 1425, host: "local", by: "VS Code" } as const;

const running = { kind: "running" } as const;

function found(changes: Partial<StartingFacts>) {
	return checkStarts({ state: { kind: "stopped" }, elsewhere: [], startedWithWindow: undefined, ...changes });
}

describe("The behaviour of other hosts with an examined server (CFG-45)", () => {
	it("is not reported if none runs it and none starts it with a window", () => {
		expect(found({})).toEqual([]);
	});

	it("includes that it runs twice, with the processes of the others", () => {
		const [once] = found({ elsewhere: [copilot] });
		expect([once?.weight, once?.what]).toEqual([
			"note",
			"The server runs outside of MCP Host: by copilot-runtime (pid 1915).",
		]);
		const [twice] = found({ state: running, elsewhere: [copilot] });
		expect([twice?.weight, twice?.what]).toEqual([
			"warning",
			"The server runs twice: by MCP Host, copilot-runtime (pid 1915).",
		]);
		const [both] = found({ state: running, elsewhere: [copilot, local] });
		expect(both?.what).toBe("The server runs 3 times: by MCP Host, copilot-runtime (pid 1915), VS Code (pid 1425).");
		expect(both?.fixes).toEqual([
			{ kind: "command", title: "Show Who Starts What", command: "mcpHost.showWhoStartsWhat" },
		]);
	});

	it("includes that it starts when a window opens, by the file that has the same server", () => {
		const server = { command: { command: "node", args: ["a.js"] } };
		const file = (place: PlaceFile["place"], path: string): PlaceFile => ({
			place,
			path,
			servers: [{ name: "other name", ...server }],
		});
		const files = [file("copilot", "/home/me/.copilot/mcp-config.json"), file("claude", "/home/me/.claude.json")];
		const started = startedWithWindow(files, server);
		expect(started).toEqual({ file: "/home/me/.claude.json", hosts: "Claude" });
		expect(startedWithWindow(files, { command: { command: "node", args: ["b.js"] } })).toBeUndefined();
		expect(startedWithWindow(files.slice(0, 1), server)).toBeUndefined();
		expect(found({ startedWithWindow: started }).map(({ what }) => what)).toEqual([
			"The same server is in /home/me/.claude.json: Claude starts it when a window opens, without asking.",
		]);
	});
});
