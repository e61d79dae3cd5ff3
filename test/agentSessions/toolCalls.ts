import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { guestTools } from "../../src/surfaces/guest/guestTools.ts";
import { toolResults } from "../e2e/fixtures/chatStory.ts";
import type { ChatRequestBody, ScriptedStep } from "../servers/scriptedModel.ts";

/** What came of a tool for other agents in a session. */
export interface ToolRow {
	/** The name in the manifest, which all texts give. */
	readonly tool: string;
	readonly isOffered: boolean;
	/** Whether what came back is what the call is made for. */
	readonly isAnswered: boolean;
	/** The beginning of it. */
	readonly came: string;
}

/** How a tool is called by the words of the answers before, and how an answer to it reads. */
interface Example {
	readonly arguments: (came: Readonly<Record<string, string>>) => JsonObject;
	readonly answer: RegExp;
}

/** Longer than what one answer may hold, so that there is something to read on in. */
const long = "to be read on in ".repeat(5000);

const examples: Readonly<Record<string, Example>> = {
	[guestTools.find]: { arguments: () => ({ query: "echo" }), answer: /"tool":"(\w+echo)"/ },
	[guestTools.call]: {
		arguments: (came) => ({ tool: found(came, guestTools.find), arguments: { text: long } }),
		answer: /"id": "([\w-]+)"/,
	},
	[guestTools.list]: { arguments: () => ({}), answer: /"uri":"(small:\/\/counter)"/ },
	[guestTools.read]: {
		arguments: (came) => ({ server: "root", uri: found(came, guestTools.list) }),
		answer: /count \d/,
	},
	[guestTools.readOn]: {
		arguments: (came) => ({ id: found(came, guestTools.call), offset: long.length - 1000 }),
		answer: /to be read on in/,
	},
};

/** A model that calls every tool of the manifest once, by the names and words of our texts only. */
export class ToolCaller {
	private readonly names: readonly string[];
	private readonly offered = new Set<string>();
	private readonly came: Record<string, string> = {};
	/** All that the session was told by us: descriptions and answers. */
	private readonly told = new Set<string>();
	private asked: string | undefined;
	/** Whether it has called all that were offered. */
	isDone = false;
	/** Requests that offered none: VS Code tells a session of new tools some time after their server has started. */
	early = 0;

	constructor(manifest: JsonObject) {
		const { contributes } = manifest;
		const tools = isJsonObject(contributes) ? contributes["languageModelTools"] : undefined;
		if (!Array.isArray(tools)) throw new Error("The manifest contributes no tools.");
		this.names = tools.filter(isJsonObject).map(({ name }) => String(name));
	}

	/** Answers a request of the session. */
	next(body: ChatRequestBody): ScriptedStep {
		for (const { function: offer } of body.tools ?? []) {
			this.offered.add(offer.name);
			if (this.names.includes(offer.name)) this.told.add(JSON.stringify(offer));
		}
		if (!this.names.some((name) => this.offered.has(name))) {
			this.early++;
			return { text: "No tool is offered yet." };
		}
		if (this.asked !== undefined) {
			const came = toolResults({ body }).join("\n");
			this.came[this.asked] = came;
			this.told.add(came);
		}
		this.asked = this.names.find((name) => this.offered.has(name) && this.came[name] === undefined);
		if (this.asked === undefined) {
			this.isDone = true;
			return { text: "Every tool was called." };
		}
		const args = examples[this.asked]?.arguments(this.came) ?? {};
		return { toolCalls: [{ name: this.asked, arguments: args }] };
	}

	rows(): readonly ToolRow[] {
		return this.names.map((tool) => {
			const came = this.came[tool] ?? "";
			const isAnswered = examples[tool]?.answer.test(came) === true;
			return { tool, isOffered: this.offered.has(tool), isAnswered, came: came.replace(/\s+/g, " ").slice(0, 60) };
		});
	}

	/** Names in our texts that no tool of the session has. */
	unknownNames(): readonly string[] {
		const named = [...this.told].flatMap((text) => text.match(/\bmcphost_\w+/g) ?? []);
		return [...new Set(named)].filter((name) => !this.offered.has(name));
	}
}

/** What the answer to a tool tells for the next call; empty where it does not. */
function found(came: Readonly<Record<string, string>>, tool: string): string {
	return examples[tool]?.answer.exec(came[tool] ?? "")?.[1] ?? "";
}
