import type { Json, JsonObject } from "../../src/base/json.ts";
import type { Connection, RequestControl } from "../../src/protocol/connection.ts";
import type { Page } from "../../src/protocol/connection.ts";
import type { ScenarioContext } from "./context.ts";

/** Plays the client of a scenario by its description. Rejects where the client refuses an error of the scenario. */
export async function play(
	server: Connection,
	scenario: string,
	context: ScenarioContext,
	control: RequestControl,
): Promise<void> {
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
			for (const { name, arguments: args } of context.toolCalls ?? []) await call(name, args).catch(console.error);
			break;
		case "http-invalid-tool-headers":
			for (const { name } of tools) await call(name, { region: "us-west1" });
			break;
		case "json-schema-2020-12-preservation": {
			const tool = tools.find(({ name }) => name === "json_schema_2020_12_tool");
			await call("json_schema_echo", { schema: tool?.inputSchema as Json });
			break;
		}
		case "sep-2640-client-no-prefetch":
			await server.listSkills(control);
			break;
		case "sep-2640-client-verify-digest":
		case "sep-2640-client-verify-size":
		case "sep-2640-client-verify-frontmatter":
			for (const skill of (await server.listSkills(control)).skills) await server.readSkill(skill, undefined, control);
			break;
		default:
			// The handshake and the list of tools are sufficient for the others, except for those of authorization, which
			// require a call of every tool.
			if (scenario.startsWith("auth/")) for (const { name } of tools) await call(name);
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
