import {
	inputRequired,
	inputResponse,
	ProtocolError,
	UrlElicitationRequiredError,
	type CallToolResult,
	type InputRequiredResult,
	type ServerContext,
} from "@modelcontextprotocol/server";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { forms, type FormName } from "./libraryForms.ts";
import { liveUris } from "./libraryResources.ts";
import type { LibraryWorld } from "./libraryWorld.ts";

/** One connection's side of a call. */
export interface Caller {
	readonly isModern: boolean;
	/** The resources that a legacy client subscribed to. */
	readonly subscribed: ReadonlySet<string>;
	/** Notifies this client that a resource changed, subscribed or not. */
	tellUnasked(uri: string): Promise<void>;
}

type Outcome = CallToolResult | InputRequiredResult;

/** Carries out a call of one of the library's tools. Throws -32602 for an unknown one. */
export async function callTool(
	world: LibraryWorld,
	caller: Caller,
	name: string,
	args: JsonObject,
	{ mcpReq }: ServerContext,
): Promise<Outcome> {
	switch (name) {
		case "change":
			return change(world, caller, args);
		case "elicit":
			return askForms(args, mcpReq);
		case "elicit-url":
			return askUrl(caller, args, mcpReq);
		case "needs-page":
			return needPage(world, caller, args, mcpReq);
		case "finish":
			world.finish(textOf(args["id"], "page"));
			return say("finished");
		case "roots": {
			const answer = inputResponse(mcpReq.inputResponses, "roots");
			if (answer.kind === "roots") return say(JSON.stringify(answer.roots));
			return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
		}
		case "subscriptions":
			return say(JSON.stringify([...caller.subscribed]));
		case "links":
			return {
				content: [
					{ type: "resource_link", uri: liveUris.dashboard, name: "dashboard.md", mimeType: "text/markdown" },
					{ type: "resource_link", uri: "catalog://20th/Stanis%C5%82aw%20Lem/Solaris", name: "Solaris" },
					{ type: "resource", resource: { uri: "urn:library:embedded", mimeType: "text/plain", text: "embedded" } },
				],
			};
		case "exit":
			return process.exit(3);
		default:
			if (/^tool-\d{5}$/.test(name)) return say(`${name}: ${textOf(args["text"], "")}`);
			throw new ProtocolError(-32602, `Unknown tool ${name}`);
	}
}

async function change(world: LibraryWorld, caller: Caller, args: JsonObject): Promise<CallToolResult> {
	const { what, how = "content" } = args;
	const times = Number(args["times"] ?? 1);
	if (what === "tools" || what === "prompts" || what === "resources") {
		world.added[what] += times;
		world.announce({ kind: what });
		return say(`${what} changed`);
	}
	const uri = textOf(args["uri"], liveUris.sameLength);
	if (how === "gone" || how === "back") {
		world.setGone(uri, how === "gone");
		world.announce({ kind: "resource", uri });
		world.announce({ kind: "resources" });
		return say(`${uri} is ${how}`);
	}
	for (let time = 0; time < times; time++) {
		world.bump(uri);
		const told = uri === liveUris.folder ? `${uri}/child` : uri;
		if (how === "unasked") await caller.tellUnasked(told);
		else if (how !== "silent") world.announce({ kind: "resource", uri: told });
	}
	return say(`${uri} changed ${times} times`);
}

type Request = ServerContext["mcpReq"];

function askForms(args: JsonObject, { inputResponses }: Request): Outcome {
	const count = Number(args["count"] ?? 1);
	const keys = Array.from({ length: count }, (_, index) => `form${index + 1}`);
	const answers = keys.map((key) => inputResponse(inputResponses, key));
	if (answers.every((answer) => answer.kind === "elicit")) return say(JSON.stringify(answers));
	const form = forms[textOf(args["form"], "card") as FormName];
	const requests = keys.map((key) => [key, inputRequired.elicit(form)] as const);
	return inputRequired({ inputRequests: Object.fromEntries(requests), requestState: `state of ${count}` });
}

const page = "https://library.example/consent?for=card";

/** Revisions before 2026-07-28 name an elicitation by address, later ones do not (see `inputRequired.elicitUrl`). */
async function askUrl(caller: Caller, args: JsonObject, { inputResponses, elicitInput }: Request): Promise<Outcome> {
	const url = textOf(args["url"], page);
	const message = textOf(args["message"], "Confirm your card on the library's page");
	if (caller.isModern) {
		const answer = inputResponse(inputResponses, "page");
		if (answer.kind === "elicit") return say(answer.action);
		return inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message, url }) } });
	}
	const { action } = await elicitInput({ mode: "url", message, url, elicitationId: textOf(args["id"], "page") });
	return say(action);
}

function needPage(world: LibraryWorld, caller: Caller, args: JsonObject, { inputResponses }: Request): Outcome {
	const id = textOf(args["id"], "page");
	const url = textOf(args["url"], page);
	const message = "Open the library's page to go on";
	if (world.finished.has(id)) return say("the page was visited");
	if (!caller.isModern) throw new UrlElicitationRequiredError([{ mode: "url", elicitationId: id, url, message }]);
	const answer = inputResponse(inputResponses, "page");
	if (answer.kind === "elicit") return say(answer.action === "accept" ? "the page was visited" : answer.action);
	return inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message, url }) } });
}

function say(text: string): CallToolResult {
	return { content: [{ type: "text", text }] };
}

function textOf(value: Json | undefined, fallback: string): string {
	return typeof value === "string" ? value : fallback;
}
