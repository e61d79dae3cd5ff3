import { describe, expect, it } from "vitest";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import { textResult } from "../../../servers/lineServer.ts";
import { initialized, startSessionServer, type Mishap, type SessionServer } from "../../../servers/sessionServer.ts";
import { control, http, Scene, textOf } from "./connectScene.ts";
import { nodeLaunch } from "../stdio/processes.ts";

const legacy = { verdict: { kind: "legacy" } } as const;
const book: Tool = { name: "book", inputSchema: { type: "object" } };
const look: Tool = { ...book, annotations: { readOnlyHint: true } };
const put: Tool = { ...book, annotations: { idempotentHint: true } };
const unknown = {
	code: "outcome-unknown",
	message: expect.stringContaining("The tool may have run. Check before you repeat the call"),
};

/** A server whose first tool call fails. */
function once(wrong: Mishap): Promise<SessionServer> {
	let calls = 0;
	return startSessionServer({
		methods: { initialize: () => initialized({ tools: {} }), "tools/call": () => textResult("done") },
		mishap: ({ method }) => (method === "tools/call" && calls++ === 0 ? wrong : undefined),
	});
}

describe.concurrent("a connection that breaks during a call", () => {
	it.each<Mishap>(["cut", "reset", { status: 500 }, { status: 502 }])(
		"reports an unknown outcome of a tool after %j",
		async (wrong) => {
			await using scene = new Scene();
			await using server = await once(wrong);
			const connection = await scene.connect(http(server.url), legacy);
			await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject(unknown);
			expect(server.paramsOf("tools/call")).toHaveLength(1);
			// The connection itself still works.
			expect(textOf(await connection.callTool("book", {}, book, control()))).toBe("done");
		},
	);

	it.each([look, put])("repeats the call once if its tool declares this as harmless (%j)", async (tool) => {
		await using scene = new Scene();
		await using server = await once("cut");
		const connection = await scene.connect(http(server.url), legacy);
		expect(textOf(await connection.callTool("book", {}, tool, control()))).toBe("done");
		expect(server.paramsOf("tools/call")).toHaveLength(2);
	});

	it("is repeated once for a read, which changes nothing", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({
			methods: { initialize: () => initialized({ resources: {} }) },
			mishap: ({ method }) => (method === "resources/read" ? "reset" : undefined),
		});
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.readResource("memo://1", control())).rejects.toMatchObject({ code: "not-connected" });
		expect(server.paramsOf("resources/read")).toHaveLength(2);
	});

	it.each(["initialize", "notifications/initialized"])("does not matter when %s encounters it once", async (which) => {
		await using scene = new Scene();
		let times = 0;
		await using server = await startSessionServer({
			methods: { initialize: () => initialized({}) },
			mishap: ({ method }) => (method === which && times++ === 0 ? "reset" : undefined),
		});
		// The era probe was answered, so that the connection may be a kept one.
		const connection = await scene.connect(http(server.url));
		expect(connection.facts.era).toBe("legacy");
		expect(server.received.filter((method) => method === which)).toHaveLength(2);
	});

	it.each<Mishap>([{ status: 501 }, { status: 413 }])("is a plain refusal with %j", async (wrong) => {
		await using scene = new Scene();
		await using server = await once(wrong);
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject({
			code: "protocol",
			message: expect.stringContaining(`The server answered ${(wrong as { status: number }).status}`),
		});
	});

	it("surely did nothing when the server no longer listens", async () => {
		await using scene = new Scene();
		await using server = await once("silence");
		const connection = await scene.connect(http(server.url), legacy);
		await server.stop();
		await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject({ code: "not-connected" });
		expect(scene.host.ends).toEqual([]);
	});

	it("reports an unknown outcome of a tool when its process ends", async () => {
		await using scene = new Scene();
		const connection = await scene.connect(scene.faulty("crashLater"));
		await expect(connection.callTool("crash", {}, undefined, control())).rejects.toMatchObject({
			code: "outcome-unknown",
			message: expect.stringMatching(/^The server exited with code 7\. The tool may have run/),
		});
		await expect(connection.callTool("crash", {}, undefined, control())).rejects.toMatchObject({
			code: "not-connected",
		});
	});
});

describe.concurrent("a server that answers with revisions that are not ours", () => {
	it("is reported with both", async () => {
		await using scene = new Scene();
		await expect(scene.connect(scene.faulty("badVersion"), legacy)).rejects.toMatchObject({
			code: "protocol",
			message: expect.stringMatching(
				/^The server supports revision 1999-01-01 .* MCP Host supports 2026-07-28, 2025-11-25, /,
			),
		});
	});
});

describe.concurrent("a modern server of another revision", () => {
	it("is reported with both, and not started again for it", async () => {
		await using scene = new Scene();
		const launch = nodeLaunch(`
			process.stderr.write("start\\n");
			require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
				const { id } = JSON.parse(line);
				const data = { supported: ["2031-01-01"], requested: "2026-07-28" };
				const error = { code: -32022, message: "Unsupported protocol version", data };
				process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error }) + "\\n");
			});`);
		await expect(scene.connect(launch)).rejects.toMatchObject({
			code: "protocol",
			message: expect.stringMatching(
				/^The server supports revision 2031-01-01 .* MCP Host supports 2026-07-28, 2025-11-25, /,
			),
		});
		expect(scene.host.stderr).toBe("start\n");
	});
});

describe.concurrent("tools that differ from the listed ones", () => {
	it("are listed again if the server announces nothing, at most every few seconds", async () => {
		await using scene = new Scene();
		await using server = await startSessionServer({
			methods: {
				initialize: () => initialized({ tools: {} }),
				"tools/call": () => ({ error: { code: -32_602, message: "Unknown tool" } }),
			},
		});
		const changed: string[] = [];
		scene.host.onListChanged = (kind) => void changed.push(kind);
		const connection = await scene.connect(http(server.url), legacy);
		for (let call = 0; call < 3; call++) {
			await expect(connection.callTool("book", {}, book, control())).rejects.toMatchObject({ code: "protocol" });
		}
		expect(changed).toEqual(["tools"]);
	});
});
