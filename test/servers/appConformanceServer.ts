/**
 * A server whose app checks its host from inside the frame, over stdio: `node appConformanceServer.ts --reached origin
 * --unreached origin [--log path]`. `run` has a page that declares an origin, `run_closed` the same page with no policy, in
 * base64 and named in the flat form, `run_untyped` one of a type that is no app. The app reports by `report`.
 */
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { recorderFromProcess, recordStdio } from "./received.ts";

const { values } = parseArgs({
	options: { reached: { type: "string" }, unreached: { type: "string" }, log: { type: "string" } },
});
const { reached = "", unreached = "" } = values;
const pages = { run: "ui://check/open", closed: "ui://check/closed", untyped: "ui://check/untyped" };
const appType = "text/html;profile=mcp-app";

/** The page, with what it is to try. */
async function page(isClosed: boolean): Promise<string> {
	const html = await readFile(path.join(import.meta.dirname, "apps/conformance.html"), "utf8");
	return html.replace(`data-run="{}"`, `data-run='${JSON.stringify({ reached, unreached, isClosed })}'`);
}

const inputSchema = (properties: object = {}, required: string[] = []) => ({
	type: "object" as const,
	properties: properties as Record<string, never>,
	required,
});
const number = { type: "integer" as const };
const readOnly = { readOnlyHint: true, openWorldHint: false };

function tools(): object[] {
	return [
		{
			name: "run",
			title: "Conformance",
			inputSchema: inputSchema({ round: number }),
			_meta: { ui: { resourceUri: pages.run } },
		},
		{ name: "run_closed", inputSchema: inputSchema({ round: number }), _meta: { "ui/resourceUri": pages.closed } },
		{ name: "run_untyped", inputSchema: inputSchema(), _meta: { ui: { resourceUri: pages.untyped } } },
		{
			name: "report",
			description: "What the app found out.",
			inputSchema: inputSchema({ found: { type: "array" } }, ["found"]),
			annotations: readOnly,
			_meta: { ui: { visibility: ["app"] } },
		},
		{
			name: "double",
			inputSchema: inputSchema({ number }, ["number"]),
			annotations: readOnly,
			_meta: { ui: { visibility: ["app", "model"] } },
		},
		{ name: "for_models", inputSchema: inputSchema(), _meta: { ui: { visibility: ["model"] } } },
	];
}

function checker(): Server {
	const server = new Server({ name: "checker", version: "1.0.0" }, { capabilities: { tools: {}, resources: {} } });
	server.setRequestHandler("tools/list", () => ({ tools: tools() as never }));
	server.setRequestHandler("tools/call", ({ params }) => {
		const { name, arguments: args = {} } = params;
		const text = name === "double" ? String(2 * Number(args["number"])) : "done";
		return { content: [{ type: "text", text }], structuredContent: { said: text } };
	});
	server.setRequestHandler("resources/list", () => ({
		resources: [{ uri: "check://bytes", name: "bytes", mimeType: "application/octet-stream" }],
	}));
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
	server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
		if (uri === "check://bytes") return { contents: [{ uri, mimeType: "application/octet-stream", blob: "AQID" }] };
		if (uri === pages.untyped) return { contents: [{ uri, mimeType: "text/html", text: await page(true) }] };
		if (uri === pages.closed)
			return { contents: [{ uri, mimeType: appType, blob: Buffer.from(await page(true)).toString("base64") }] };
		const ui = {
			csp: { connectDomains: [reached, "https://api.denied.example"] },
			permissions: { clipboardWrite: {}, camera: {} },
		};
		return { contents: [{ uri, mimeType: appType, text: await page(false), _meta: { ui } }] };
	});
	return server;
}

recordStdio(recorderFromProcess());
serveStdio(checker, { legacy: "serve" });
