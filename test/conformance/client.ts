/**
 * The client under test: the product's own connection with an adapter without a person, which accepts what is asked.
 * The conformance runner starts it with the URL of its server as the last argument and the scenario in the environment.
 */
import type { DiscoverResult, ElicitResult } from "@modelcontextprotocol/client";
import { createRequire } from "node:module";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { Connection, ConnectRequest, EraVerdict, RequestControl } from "../../src/servers/connection.ts";
import type { connect as connectSource } from "../../src/servers/connect.ts";
import type { Page } from "../../src/servers/managedList.ts";
import { scenarios } from "./scenarios.ts";
import { defaultConnectionLimits } from "../../src/servers/limits.ts";

// The bundle that ships, with the schema validator that ships.
const { connect } = createRequire(import.meta.url)("../../dist/client.cjs") as {
	readonly connect: typeof connectSource;
};

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const control: RequestControl = { signal: AbortSignal.timeout(25_000) };

const connection = await connect(connectRequest());
try {
	await play(connection);
} finally {
	await connection.close();
}

function connectRequest(): ConnectRequest {
	const isKnownModern = scenarios.some(({ name, isKnownModern }) => name === scenario && isKnownModern === true);
	return {
		launch: { kind: "http", url, headers: {} },
		protocol: "auto",
		verdict: isKnownModern ? rememberedVerdict() : undefined,
		client: { name: "mcp-host", title: "MCP Host", version: "0.0.0" },
		limits: defaultConnectionLimits,
		network: { environment: process.env },
		logLevel: () => "info",
		handshakeTimeoutMs: 20_000,
		signal: control.signal,
		handlers: {
			listRoots: () => [],
			createMessage: () => Promise.reject(new Error("No scenario asks for a completion.")),
			elicit: () => Promise.resolve(accepted()),
			onListChanged() {},
			onResourceUpdated() {},
			onLog() {},
			onStderr() {},
			onTrouble: (message) => console.error(message),
			onClosed: (reason) => console.error(`The server ${reason}.`),
		},
	};
}

/** Consent to a form, with nothing filled in where the defaults are the subject. */
function accepted(): ElicitResult {
	return { action: "accept", content: scenario === "sep-2322-client-request-state" ? { confirmed: true } : {} };
}

/** What an earlier connection to this server would have left in the cache. */
function rememberedVerdict(): EraVerdict {
	const discover: DiscoverResult = {
		resultType: "complete",
		supportedVersions: ["2026-07-28"],
		capabilities: { tools: {}, resources: {}, prompts: {} },
		ttlMs: 0,
		cacheScope: "private",
	};
	return { kind: "modern", version: "2026-07-28", discover };
}

/** Does what the scenario's description asks of a client. */
async function play(server: Connection): Promise<void> {
	const hasTools = server.facts.capabilities.tools !== undefined;
	const tools = hasTools ? await all((cursor) => server.listTools(cursor, control)) : [];
	const call = (name: string, args: JsonObject = {}): ReturnType<Connection["callTool"]> =>
		server.callTool(
			name,
			args,
			tools.find((tool) => tool.name === name),
			control,
		);
	switch (scenario) {
		case "tools_call":
			await call("add_numbers", { a: 2, b: 3 });
			break;
		case "elicitation-sep1034-client-defaults":
			await call("test_client_elicitation_defaults");
			break;
		case "sse-retry":
			await call("test_reconnection");
			break;
		case "sep-2322-client-request-state":
			await call("test_mrtr_echo_state");
			await call("test_mrtr_no_state");
			await call("test_mrtr_unrelated");
			// An answer without a result type may be refused on this revision.
			await call("test_mrtr_no_result_type").catch(() => undefined);
			break;
		case "http-standard-headers":
			for (const { name } of tools) await call(name);
			for (const { uri } of await all((cursor) => server.listResources(cursor, control))) {
				await server.readResource(uri, control);
			}
			for (const { name } of await all((cursor) => server.listPrompts(cursor, control))) {
				await server.getPrompt(name, {}, control);
			}
			break;
		case "http-custom-headers":
			for (const { name, arguments: args } of contextCalls()) await call(name, args).catch(console.error);
			break;
		case "http-invalid-tool-headers":
			for (const { name } of tools) await call(name, { region: "us-west1" });
			break;
		case "json-schema-2020-12-preservation": {
			const tool = tools.find(({ name }) => name === "json_schema_2020_12_tool");
			await call("json_schema_echo", { schema: tool?.inputSchema as Json });
			break;
		}
		default:
		// The handshake and the list of tools are all that the others ask for.
	}
}

async function all<T>(fetch: (cursor: string | undefined) => Promise<Page<T>>): Promise<readonly T[]> {
	const items: T[] = [];
	let cursor: string | undefined;
	do {
		const page = await fetch(cursor);
		items.push(...page.items);
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return items;
}

function contextCalls(): readonly { readonly name: string; readonly arguments: JsonObject }[] {
	const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
		toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
	};
	return context.toolCalls ?? [];
}
