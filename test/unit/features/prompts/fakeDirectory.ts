import { Emitter } from "../../../../src/base/event.ts";
import { RequestLog } from "../../../../src/servers/sessions/requestLog.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { ManagedList } from "../../../../src/servers/sessions/managedList.ts";
import type {
	Prompt,
	Resource,
	ResourceTemplate,
	Session,
	SessionDirectory,
	SessionState,
	Skill,
	Tool,
} from "../../../../src/servers/sessions/session.ts";

/** A call of `prompts/get` as the fake server received it. */
export interface Received {
	readonly name: string;
	readonly arguments: Readonly<Record<string, string>>;
}

/** A session without a server behind it: real lists, answers as set by the test. */
export class FakeSession implements Session {
	readonly requestLog = new RequestLog();
	readonly definition: ServerDefinition;
	state: SessionState;
	readonly tools = new ManagedList<Tool>(({ name }) => name);
	readonly prompts = new ManagedList<Prompt>(({ name }) => name);
	readonly resources = new ManagedList<Resource>(({ uri }) => uri);
	readonly resourceTemplates = new ManagedList<ResourceTemplate>(({ uriTemplate }) => uriTemplate);
	readonly skills = new ManagedList<Skill>(({ uri }) => uri);
	readonly received: Received[] = [];
	answer: Awaited<ReturnType<Session["getPrompt"]>> = { messages: [] };
	readonly onDidChangeState = new Emitter<SessionState>().event;
	readonly onDidUpdateResource = new Emitter<string>().event;
	readonly onDidSubscribeResource = new Emitter<string>().event;

	constructor(name: string, prompts: readonly Prompt[], kind: ServerDefinition["origin"]["kind"] = "user-settings") {
		this.definition = {
			id: `${kind}/${name}`,
			name,
			config: { kind: "stdio", command: "node", args: [], env: {}, protocol: "auto" },
			origin: { kind, label: kind, isWorkspace: false },
			inputs: [],
			hash: name,
		};
		this.state = { kind: "running", facts: { ...noFacts } };
		void this.prompts.connect(() => Promise.resolve({ items: prompts }));
	}

	/** Resolves when the list of prompts has been read. */
	async ready(): Promise<this> {
		await this.prompts.refresh();
		return this;
	}

	getPrompt(name: string, args: Readonly<Record<string, string>>): ReturnType<Session["getPrompt"]> {
		this.received.push({ name, arguments: args });
		return Promise.resolve(this.answer);
	}

	callTool(): never {
		throw new Error("not part of this test");
	}

	readResource(): never {
		throw new Error("not part of this test");
	}

	getSkill(): never {
		throw new Error("not part of this test");
	}

	readSkill(): never {
		throw new Error("not part of this test");
	}

	complete(): never {
		throw new Error("not part of this test");
	}

	subscribe(): never {
		throw new Error("not part of this test");
	}
}

const noFacts = {
	server: undefined,
	capabilities: {},
	protocolVersion: "2025-11-25",
	era: "legacy",
	instructions: undefined,
	transport: "stdio",
	pid: undefined,
} as const;

/** A directory of the given sessions; `change` replaces them and announces it. */
export class FakeDirectory implements SessionDirectory {
	sessions: readonly FakeSession[];
	private readonly changed = new Emitter<void>();
	readonly onDidChange = this.changed.event;

	constructor(...sessions: readonly FakeSession[]) {
		this.sessions = sessions;
	}

	get(id: string): FakeSession | undefined {
		return this.sessions.find(({ definition }) => definition.id === id);
	}

	change(...sessions: readonly FakeSession[]): void {
		this.sessions = sessions;
		this.changed.fire();
	}
}

/** The prompt of the vacation story. */
export const planVacation: Prompt = {
	name: "plan-vacation",
	title: "Plan a Vacation",
	description: "Flights, hotel and calendar in one go",
	arguments: [
		{ name: "destination", description: "Where to", required: true },
		{ name: "departure", required: true },
		{ name: "budget" },
		{ name: "travelers", required: false },
	],
};
