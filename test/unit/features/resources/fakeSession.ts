import type { CompleteResult, ReadResourceResult } from "@modelcontextprotocol/client";
import { RequestLog } from "../../../../src/servers/sessions/requestLog.ts";
import { Emitter } from "../../../../src/base/event.ts";
import { toDisposable, type Disposable } from "../../../../src/base/lifecycle.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { ManagedList } from "../../../../src/servers/sessions/managedList.ts";
import type { Page, ServerFacts } from "../../../../src/protocol/connection.ts";
import type {
	CallOptions,
	Prompt,
	Resource,
	ResourceTemplate,
	Session,
	SessionDirectory,
	SessionState,
	Skill,
	SkillFile,
	Tool,
} from "../../../../src/servers/sessions/session.ts";

/** A running server's description of itself in these tests. */
export const facts: ServerFacts = {
	server: { name: "fake-server", version: "1.2.3" },
	capabilities: { tools: {}, resources: { subscribe: true }, prompts: {} },
	protocolVersion: "2025-11-25",
	era: "legacy",
	instructions: undefined,
	transport: "stdio",
	pid: 4711,
};

/** A session without a server behind it: real lists, answers as set by the test. */
export class FakeSession implements Session {
	readonly requestLog = new RequestLog();
	readonly definition: ServerDefinition;
	readonly tools = new ManagedList<Tool>(({ name }) => name);
	readonly prompts = new ManagedList<Prompt>(({ name }) => name);
	readonly resources = new ManagedList<Resource>(({ uri }) => uri);
	readonly resourceTemplates = new ManagedList<ResourceTemplate>(({ uriTemplate }) => uriTemplate);
	readonly skills = new ManagedList<Skill>(({ uri }) => uri);
	/** The URIs of `resources/read`, as received. */
	readonly reads: string[] = [];
	/** The current subscriptions, one entry for each. */
	readonly subscribed: string[] = [];
	/** Answers `resources/read`. */
	onRead: (uri: string) => Promise<ReadResourceResult> = async (uri) => ({
		contents: [{ uri, text: `text of ${uri}` }],
	});
	state: SessionState = { kind: "stopped" };
	private readonly stateChanged = new Emitter<SessionState>();
	private readonly updated = new Emitter<string>();
	readonly onDidChangeState = this.stateChanged.event;
	private readonly acknowledged = new Emitter<string>();
	readonly onDidUpdateResource = this.updated.event;
	readonly onDidSubscribeResource = this.acknowledged.event;

	constructor(name: string, overrides: Partial<ServerDefinition> = {}) {
		this.definition = {
			id: `user-settings/${name}`,
			name,
			config: { kind: "stdio", command: "node", args: ["server.js"], env: {}, protocol: "auto" },
			origin: { kind: "user-settings", label: "User Settings", isWorkspace: false },
			inputs: [],
			hash: name,
			...overrides,
		};
	}

	setState(state: SessionState): void {
		this.state = state;
		this.stateChanged.fire(state);
	}

	/** Makes the session run, with the given lists; others are not offered. */
	run(
		lists: {
			readonly tools?: readonly Tool[];
			readonly prompts?: readonly Prompt[];
			readonly resources?: readonly Resource[];
			readonly resourceTemplates?: readonly ResourceTemplate[];
			readonly skills?: readonly Skill[];
		} = {},
		changes: Partial<ServerFacts> = {},
	): Promise<unknown> {
		this.setState({ kind: "running", facts: { ...facts, ...changes } });
		void this.tools.connect(pageOf(lists.tools));
		void this.prompts.connect(pageOf(lists.prompts));
		void this.resources.connect(pageOf(lists.resources));
		void this.resourceTemplates.connect(pageOf(lists.resourceTemplates));
		void this.skills.connect(pageOf(lists.skills));
		return Promise.all(
			[this.tools, this.prompts, this.resources, this.resourceTemplates, this.skills].map((list) => list.refresh()),
		);
	}

	/** The server notifies of a changed resource. */
	update(uri: string): void {
		this.updated.fire(uri);
	}

	/** The server acknowledges a subscription. */
	acknowledge(uri: string): void {
		this.acknowledged.fire(uri);
	}

	readResource(uri: string, { onFollowed }: CallOptions = {}): Promise<ReadResourceResult> {
		this.reads.push(uri);
		onFollowed?.({ exchange: "here-1", unfit: () => undefined, told: () => undefined });
		return this.onRead(uri);
	}

	getSkill(): Promise<Skill> {
		return Promise.reject(new Error("This skill is unknown."));
	}

	readSkill(): Promise<SkillFile> {
		throw new Error("not part of this test");
	}

	subscribe(uri: string): Disposable {
		this.subscribed.push(uri);
		return toDisposable(() => this.subscribed.splice(this.subscribed.indexOf(uri), 1));
	}

	complete(): Promise<CompleteResult["completion"]> {
		return Promise.resolve({ values: [] });
	}

	callTool(): never {
		throw new Error("not part of this test");
	}

	getPrompt(): never {
		throw new Error("not part of this test");
	}
}

/** A directory that the test fills, and that announces the changes of its sessions like the real one. */
export class FakeDirectory implements SessionDirectory {
	sessions: readonly FakeSession[] = [];
	private readonly changed = new Emitter<void>();
	private subscriptions: readonly Disposable[] = [];
	readonly onDidChange = this.changed.event;

	constructor(...sessions: readonly FakeSession[]) {
		this.set(...sessions);
	}

	set(...sessions: readonly FakeSession[]): void {
		for (const subscription of this.subscriptions) subscription.dispose();
		this.sessions = sessions;
		this.subscriptions = sessions.map((session) => session.onDidChangeState(() => this.changed.fire()));
		this.changed.fire();
	}

	get(id: string): FakeSession | undefined {
		return this.sessions.find(({ definition }) => definition.id === id);
	}
}

function pageOf<T>(items: readonly T[] | undefined): (() => Promise<Page<T>>) | undefined {
	return items && (() => Promise.resolve({ items }));
}
