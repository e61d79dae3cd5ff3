/**
 * A server whose results are shown by an app, over stdio: `node appServer.ts [--log path] [--era legacy|modern]`. Its page is
 * built from `apps/budget.mjs`, is another one once something was spent, and is not in the list of its resources; `spend` is for the app alone, `forecast` for models.
 */
import { ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as esbuild from "esbuild";
import path from "node:path";
import { parseArgs } from "node:util";
import { recorderFromProcess, recordStdio } from "./received.ts";

const { values } = parseArgs({ options: { era: { type: "string", default: "both" }, log: { type: "string" } } });
const uri = "ui://budget/page.html";
const total = 1000;
let spent = 250;

const style = `
	body { margin: 0; padding: 20px; font: 14px/1.5 var(--font-sans, sans-serif); color: var(--color-text-primary, CanvasText); background: var(--color-background-primary, Canvas); }
	.track { height: 14px; border-radius: var(--border-radius-full, 9px); background: var(--color-background-tertiary, #8884); overflow: hidden; margin: 12px 0; }
	#bar { height: 100%; background: var(--color-ring-primary, #07c); transition: none; }
	button { font: inherit; padding: 4px 12px; margin-right: 6px; }
	[data-theme=dark] { color-scheme: dark; } [data-theme=light] { color-scheme: light; }`;

/** The page with its script, as apps are shipped. */
async function page(): Promise<string> {
	const { outputFiles } = await esbuild.build({
		entryPoints: [path.join(import.meta.dirname, "apps/budget.mjs")],
		bundle: true,
		format: "esm",
		minify: true,
		write: false,
	});
	const script = (outputFiles[0]?.text ?? "").replaceAll("</script", String.raw`<\/script`);
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Budget</title><meta name="spent" content="${spent}"><style>${style}</style></head><body>
		<h1 id="input">Budget</h1><div class="track"><div id="bar" style="width:0"></div></div><p id="left">…</p>
		<button id="spend">Spend 100</button><button id="link">Help</button><button id="say">Ask in Chat</button><button id="move"></button>
		<p><input id="note" aria-label="Note"></p>
		<button id="save">Save as CSV</button><button id="sum">Sum Up</button><button id="close">Close</button> <span id="done"></span>
		<script type="module">${script}</script></body></html>`;
}

const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });
const state = (): object => ({
	content: [text(`${total - spent} of ${total} left`)],
	structuredContent: { spent, total },
});

function budget(): Server {
	const server = new Server({ name: "budget", version: "1.0.0" }, { capabilities: { tools: {}, resources: {} } });
	server.setRequestHandler("tools/list", () => ({
		tools: [
			{
				name: "budget",
				title: "Budget",
				description: "Shows the budget of a year.",
				inputSchema: {
					type: "object" as const,
					properties: { year: { type: "integer" as const } },
					required: ["year"],
				},
				annotations: { readOnlyHint: true, openWorldHint: false },
				_meta: { ui: { resourceUri: uri }, "ui/resourceUri": uri },
			},
			{
				name: "spend",
				description: "Spends an amount.",
				inputSchema: {
					type: "object" as const,
					properties: { amount: { type: "integer" as const } },
					required: ["amount"],
				},
				annotations: { destructiveHint: false, openWorldHint: false },
				_meta: { ui: { visibility: ["app"] } },
			},
			{
				name: "forecast",
				description: "Says what will be left.",
				inputSchema: { type: "object" as const, properties: {} },
				_meta: { ui: { visibility: ["model"] } },
			},
		],
	}));
	server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
		// The budget of a distant year takes until it is cancelled.
		if (params.arguments?.["year"] === 2099)
			await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve, { once: true }));
		if (params.name === "spend") spent += Number(params.arguments?.["amount"]);
		return { content: [], ...state() };
	});
	server.setRequestHandler("resources/list", () => ({ resources: [] }));
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
	server.setRequestHandler("resources/read", async ({ params }) => {
		if (params.uri !== uri) throw new ResourceNotFoundError(params.uri);
		return { contents: [{ uri, mimeType: "text/html;profile=mcp-app", text: await page() }] };
	});
	return server;
}

recordStdio(recorderFromProcess());
if (values.era === "legacy") await budget().connect(new StdioServerTransport());
else serveStdio(budget, { legacy: values.era === "modern" ? "reject" : "serve" });
