import {
	acceptedContent,
	inputRequired,
	inputResponse,
	ProtocolError,
	ResourceNotFoundError,
	Server,
	type CallToolResult,
	type InputRequiredResult,
	type ServerContext,
} from "@modelcontextprotocol/server";
import { Emitter } from "../../src/base/event.ts";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { complete, prompts, renderPrompt } from "./smallPrompts.ts";
import { changingUri, readResource, resources, resourceTemplates } from "./smallResources.ts";
import { addedTool, tools } from "./smallTools.ts";

/** The notifications of a small server, when the tool `change` is called. */
export type Change = "tools" | "prompts" | "resources" | "resource";

/** The state that all connections of one small server share. */
export class SmallWorld {
	/** How often each thing was changed; a changed list has that many items more. */
	readonly changes: Record<Change, number> = { tools: 0, prompts: 0, resources: 0, resource: 0 };
	/** The number of items on a page of a list. */
	readonly pageSize: number;
	private readonly changed = new Emitter<Change>();
	readonly onDidChange = this.changed.event;

	constructor(pageSize = 100) {
		this.pageSize = pageSize;
	}

	change(what: Change): void {
		this.changes[what]++;
		this.changed.fire(what);
	}
}

/** One connection to a small server. */
export interface SmallServer {
	readonly server: Server;
	/** Sends the notification of a change, which the serving side filters by the client's subscriptions. */
	announce(change: Change): Promise<void>;
}

/**
 * A well-behaved server that shows every primitive, for both eras: sampling, elicitation and roots are requested as
 * `input_required` results, which the SDK turns into requests of the server on a legacy connection.
 */
export function smallServer(world: SmallWorld): SmallServer {
	const server = new Server(
		{ name: "small", title: "Small Server", version: "1.0.0" },
		{
			capabilities: {
				tools: { listChanged: true },
				resources: { listChanged: true, subscribe: true },
				prompts: { listChanged: true },
				completions: {},
				logging: {},
			},
			instructions: "Call echo to hear what you said.",
		},
	);
	const page = <T>(items: readonly T[], cursor: string | undefined): { items: T[]; next: { nextCursor?: string } } => {
		const start = Number(cursor ?? 0);
		const end = start + world.pageSize;
		return { items: items.slice(start, end), next: end < items.length ? { nextCursor: String(end) } : {} };
	};

	server.setRequestHandler("tools/list", ({ params }) => {
		const added = Array.from({ length: world.changes.tools }, (_, index) => addedTool(index + 1));
		const { items, next } = page([...tools, ...added], params?.cursor);
		return { tools: items, ...next };
	});
	server.setRequestHandler("tools/call", ({ params }, context) =>
		callTool(world, params.name, (params.arguments ?? {}) as JsonObject, context),
	);

	const subscribed = new Set<string>();
	server.setRequestHandler("resources/list", ({ params }) => {
		const { items, next } = page(resources(world.changes.resources), params?.cursor);
		return { resources: items, ...next };
	});
	server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
	server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) => {
		if (params.uri === slowUri) await slow(600, 100, mcpReq);
		const contents = readResource(params.uri, world.changes.resource);
		if (contents === undefined) throw new ResourceNotFoundError(params.uri);
		return { contents: [...contents] };
	});
	server.setRequestHandler("resources/subscribe", ({ params }) => {
		subscribed.add(params.uri);
		return {};
	});
	server.setRequestHandler("resources/unsubscribe", ({ params }) => {
		subscribed.delete(params.uri);
		return {};
	});

	server.setRequestHandler("prompts/list", ({ params }) => {
		const { items, next } = page(prompts(world.changes.prompts), params?.cursor);
		return { prompts: items, ...next };
	});
	server.setRequestHandler("prompts/get", async ({ params }, { mcpReq }) => {
		if (params.arguments?.["style"] === "slow") await slow(600, 100, mcpReq);
		return renderPrompt(params.name, params.arguments ?? {});
	});
	server.setRequestHandler("completion/complete", ({ params }) => ({
		completion: complete(params.ref, params.argument, params.context?.arguments ?? {}),
	}));

	const isModern = (): boolean => (server.getNegotiatedProtocolVersion() ?? "") >= "2026";
	return {
		server,
		async announce(change) {
			if (change === "tools") await server.sendToolListChanged();
			else if (change === "prompts") await server.sendPromptListChanged();
			else if (change === "resources") await server.sendResourceListChanged();
			// On a modern connection the serving side has the subscriptions, on a legacy one the server does.
			else if (isModern() || subscribed.has(changingUri)) await server.sendResourceUpdated({ uri: changingUri });
		},
	};
}

/** The slow resource; the prompt `greet` is slow in the style `slow`. */
const slowUri = "small://item/slow";

async function callTool(
	world: SmallWorld,
	name: string,
	args: JsonObject,
	{ mcpReq }: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
	switch (name) {
		case "echo":
			await mcpReq.log("info", `echo ${said(args["text"])}`);
			return text(said(args["text"]));
		case "add": {
			const sum = Number(args["a"]) + Number(args["b"]);
			return { ...text(String(sum)), structuredContent: { sum } };
		}
		case "slow":
			return slow(Number(args["steps"] ?? 5), Number(args["stepMs"] ?? 50), mcpReq);
		case "fail":
			if (args["how"] === "protocol") throw new ProtocolError(-32603, "The fixture failed as asked");
			return { ...text("The fixture failed as asked"), isError: true };
		case "ask": {
			const answer = inputResponse(mcpReq.inputResponses, "answer");
			if (answer.kind === "sampling") return text(JSON.stringify(answer.result));
			const question = { role: "user" as const, content: { type: "text" as const, text: said(args["question"]) } };
			return inputRequired({
				inputRequests: {
					answer: inputRequired.createMessage({
						messages: [question],
						systemPrompt: "Answer in one sentence.",
						maxTokens: Number(args["maxTokens"] ?? 100),
						temperature: 0.5,
						modelPreferences: { hints: [{ name: "scripted" }], speedPriority: 0.8 },
					}),
				},
				requestState: "state-of-ask",
			});
		}
		case "elicit": {
			const reply = inputResponse(mcpReq.inputResponses, "reply");
			if (reply.kind === "elicit") {
				return text(JSON.stringify([reply.action, acceptedContent(mcpReq.inputResponses, "reply") ?? null]));
			}
			return inputRequired({
				inputRequests: {
					reply:
						args["mode"] === "url"
							? inputRequired.elicitUrl({
									message: "Sign in at the shop",
									url: "https://shop.example/sign-in?from=small",
								})
							: inputRequired.elicit({ message: "Who is coming?", requestedSchema: guestSchema }),
				},
			});
		}
		case "roots": {
			const answer = inputResponse(mcpReq.inputResponses, "roots");
			if (answer.kind === "roots") return text(JSON.stringify(answer.roots));
			return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
		}
		case "whoami":
			return text(
				JSON.stringify({ pid: process.pid, cwd: process.cwd(), args: process.argv.slice(2), env: process.env }),
			);
		case "media":
			return { content: mediaContent };
		case "change":
			world.change(args["what"] as Change);
			return text(`changed ${said(args["what"])}`);
		default:
			if (name.startsWith("added-")) return text(name);
			throw new ProtocolError(-32602, `Unknown tool ${name}`);
	}
}

/** Reports progress at each step and ends early when the client cancels. */
async function slow(steps: number, stepMs: number, mcpReq: ServerContext["mcpReq"]): Promise<CallToolResult> {
	const progressToken = mcpReq._meta?.progressToken;
	for (let step = 1; step <= steps; step++) {
		await new Promise((resolve) => setTimeout(resolve, stepMs));
		mcpReq.signal.throwIfAborted();
		if (progressToken === undefined) continue;
		const params = { progressToken, progress: step, total: steps, message: `step ${step} of ${steps}` };
		await mcpReq.notify({ method: "notifications/progress", params });
	}
	return text(`${steps} steps done`);
}

/** An argument as text; what is not a string is written as JSON. */
function said(value: Json | undefined): string {
	return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function text(value: string): CallToolResult {
	return { content: [{ type: "text", text: value }] };
}

/** One field of each kind that a form may have (specification, "Elicitation": requested schema). */
const guestSchema = {
	type: "object" as const,
	properties: {
		name: { type: "string" as const, title: "Name", minLength: 2 },
		email: { type: "string" as const, title: "E-mail", format: "email" as const },
		nights: { type: "integer" as const, title: "Nights", minimum: 1, maximum: 30, default: 2 },
		breakfast: { type: "boolean" as const, title: "Breakfast", default: true },
		room: { type: "string" as const, title: "Room", enum: ["single", "double"], default: "single" },
	},
	required: ["name", "nights"],
};

/** A grey pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA3k4vLwAAAABJRU5ErkJggg==";

const mediaContent: CallToolResult["content"] = [
	{ type: "text", text: "For the user only", annotations: { audience: ["user"] } },
	{ type: "image", data: pixel, mimeType: "image/png" },
	{ type: "audio", data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=", mimeType: "audio/wav" },
	{ type: "resource_link", uri: "urn:small:unlisted", name: "unlisted", mimeType: "text/plain" },
	{ type: "resource", resource: { uri: "small://embedded", mimeType: "text/plain", text: "embedded text" } },
];
