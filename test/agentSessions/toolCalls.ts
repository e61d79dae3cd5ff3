import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { guestTools } from "../../src/surfaces/guest/guestTools.ts";
import { toolResults } from "../e2e/fixtures/chatStory.ts";
import type { ChatRequestBody, ScriptedStep } from "../servers/scriptedModel.ts";

/** The outcome of a tool for other agents in a session. */
export interface ToolRow {
	/** The name in the manifest, which all texts use. */
	readonly tool: string;
	readonly isOffered: boolean;
	/** Whether the result is the purpose of the call. */
	readonly isAnswered: boolean;
	/** Its beginning. */
	readonly came: string;
}

/** The call of a tool from the words of the answers before, and the form of its answer. */
interface Example {
	readonly arguments: (came: Readonly<Record<string, string>>) => JsonObject;
	readonly answer: RegExp;
}

/** Longer than one answer may be, so that there is a rest to read. */
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

/** A model that calls every tool of the manifest once, using only the names and words of our texts. */
export class ToolCaller {
	private readonly names: readonly string[];
	private readonly offered = new Set<string>();
	private readonly came: Record<string, string> = {};
	/** All our texts in the session: descriptions and answers. */
	private readonly told = new Set<string>();
	private asked: string | undefined;
	/** Whether it has called all offered tools. */
	isDone = false;
	/** Requests that offered none: VS Code adds new tools to a session some time after their server has started. */
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

/** The arguments for the next call from the answer to a tool; empty if there are none. */
function found(came: Readonly<Record<string, string>>, tool: string): string {
	return examples[tool]?.answer.exec(came[tool] ?? "")?.[1] ?? "";
}
