import { SecretsInUse } from "../../../src/base/secrets/secretsInUse.ts";
import { HostError } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { Log } from "../../../src/base/log.ts";
import type {
	Connection,
	ConnectionHandlers,
	ConnectRequest,
	EraVerdict,
	RequestControl,
	ServerFacts,
} from "../../../src/protocol/connection.ts";
import type { ServerDefinition } from "../../../src/servers/definitions/config.ts";
import { ServerSession } from "../../../src/servers/sessions/serverSession.ts";
import type { UserRequests, RefusedState } from "../../../src/servers/sessions/session.ts";
import type { SessionServices } from "../../../src/servers/sessions/sessionServices.ts";
import type { Launch } from "../../../src/protocol/launch.ts";
import { definition } from "./fixtures.ts";
import { defaultConnectionLimits } from "../../../src/protocol/limits.ts";
import { defaultListLimits } from "../../../src/servers/sessions/managedList.ts";

// The product loads them when the first server starts: no import may take time while a test controls the clock.
await import("../../../src/servers/sessions/connectRequest.ts");
await import("../../../src/servers/sessions/listReaders.ts");

/** Lets all callbacks of settled promises run. */
export const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A connection whose every answer the test gives. */
export class FakeConnection implements Connection {
	readonly request: ConnectRequest;
	readonly handlers: ConnectionHandlers;
	readonly facts: ServerFacts;
	readonly verdict: EraVerdict = { kind: "legacy" };
	readonly watched: (readonly string[])[] = [];
	readonly calls: { readonly name: string; readonly args: JsonObject; readonly control: RequestControl }[] = [];
	rootsChanged = 0;
	isOpen = true;
	/** A close waits for this, as for processes that end slowly. */
	closing: Promise<void> = Promise.resolve();
	/** Answers the next calls of tools; otherwise they wait until their signal is aborted. */
	answer: (() => Promise<object>) | undefined;

	constructor(request: ConnectRequest, capabilities: ServerFacts["capabilities"] = { tools: {} }) {
		this.request = request;
		this.handlers = request.handlers;
		this.facts = {
			server: { name: "fake", version: "1" },
			capabilities,
			protocolVersion: "2025-11-25",
			era: "legacy",
			instructions: undefined,
			transport: "stdio",
			pid: 1,
		};
	}

	listTools: Connection["listTools"] = () =>
		Promise.resolve({ items: [{ name: "echo", inputSchema: { type: "object" as const } }] });
	listPrompts = (): ReturnType<Connection["listPrompts"]> => Promise.resolve({ items: [] });
	listResources = (): ReturnType<Connection["listResources"]> => Promise.resolve({ items: [] });
	listResourceTemplates = (): ReturnType<Connection["listResourceTemplates"]> => Promise.resolve({ items: [] });

	callTool(
		name: string,
		args: JsonObject,
		_tool: unknown,
		control: RequestControl,
	): ReturnType<Connection["callTool"]> {
		this.calls.push({ name, args, control });
		return this.respond(control) as ReturnType<Connection["callTool"]>;
	}

	readResource(_uri: string, control: RequestControl): ReturnType<Connection["readResource"]> {
		return this.respond(control) as ReturnType<Connection["readResource"]>;
	}

	getPrompt(_name: string, _args: object, control: RequestControl): ReturnType<Connection["getPrompt"]> {
		return this.respond(control) as ReturnType<Connection["getPrompt"]>;
	}

	complete(
		_ref: object,
		_argument: object,
		_known: object,
		control: RequestControl,
	): ReturnType<Connection["complete"]> {
		return this.respond(control) as ReturnType<Connection["complete"]>;
	}

	listSkills(): ReturnType<Connection["listSkills"]> {
		return Promise.resolve({ skills: [], refused: [] });
	}

	followTask(_task: object, control: RequestControl): ReturnType<Connection["followTask"]> {
		return this.respond(control) as ReturnType<Connection["followTask"]>;
	}

	getSkill(): ReturnType<Connection["getSkill"]> {
		return Promise.reject(new Error("There are no skills."));
	}

	readSkillFolder(): ReturnType<Connection["readSkillFolder"]> {
		return Promise.resolve(undefined);
	}

	readSkill(): ReturnType<Connection["readSkill"]> {
		return Promise.reject(new Error("There are no skills."));
	}

	watchResources(uris: readonly string[]): Promise<void> {
		this.watched.push(uris);
		return Promise.resolve();
	}

	updateLogLevel(): Promise<void> {
		return Promise.resolve();
	}

	notifyRootsChanged(): Promise<void> {
		this.rootsChanged++;
		return Promise.resolve();
	}

	async close(): Promise<void> {
		await this.closing;
		this.isOpen = false;
	}

	/** Ends without a request, like a process that crashes. */
	crash(reason: string): void {
		this.isOpen = false;
		this.handlers.onClosed(reason);
	}

	private respond({ signal }: RequestControl): Promise<object> {
		if (this.answer !== undefined) return this.answer();
		return new Promise((_resolve, reject) => {
			const onAbort = (): void => reject(signal.reason as Error);
			if (signal.aborted) onAbort();
			else signal.addEventListener("abort", onAbort, { once: true });
		});
	}
}

/** A log that keeps its lines. */
export class MemoryLog implements Log {
	readonly lines: string[] = [];
	trace = (message: string): void => void this.lines.push(`trace ${message}`);
	debug = (message: string): void => void this.lines.push(`debug ${message}`);
	info = (message: string): void => void this.lines.push(`info ${message}`);
	warn = (message: string): void => void this.lines.push(`warn ${message}`);
	error = (message: string): void => void this.lines.push(`error ${message}`);
}

/** The services of a session with a scripted `connect`; a test replaces the relevant ones. */
export class FakeServices implements SessionServices {
	readonly log = new MemoryLog();
	readonly secrets = new SecretsInUse();
	readonly client = { name: "test", title: "Test", version: "0" };
	readonly connections: FakeConnection[] = [];
	readonly verdicts = new Map<string, EraVerdict | undefined>();
	readonly verdict = {
		get: (hash: string): EraVerdict | undefined => this.verdicts.get(hash),
		set: (hash: string, verdict: EraVerdict | undefined): void => void this.verdicts.set(hash, verdict),
	};
	limits = defaultConnectionLimits;
	listLimits = defaultListLimits;
	authorization = (): Promise<undefined> => Promise.resolve(undefined);
	logLevel = (): "info" => "info";
	network = { environment: {} };
	timeouts = { handshakeMs: 1000, requestMs: 1000, maxRequestMs: 10_000 };
	listRoots = (): [] => [];
	/** Answers for the user. */
	readonly user: { -readonly [K in keyof UserRequests]: UserRequests[K] } = {
		createMessage: () => Promise.reject(new HostError("denied", "nobody answers")),
		elicit: () => Promise.reject(new HostError("denied", "nobody answers")),
		onVisited: () => undefined,
	};
	readonly requests = (): Promise<UserRequests> => Promise.resolve(this.user);
	reasonNot: string | undefined;
	/** The maximum of simultaneously open connections. */
	mostOpen = 0;
	capabilities: ServerFacts["capabilities"] = { tools: {} };

	whyNot = (_definition: ServerDefinition): RefusedState | undefined =>
		this.reasonNot === undefined ? undefined : { kind: "needs-approval", reason: this.reasonNot };

	resolve = (_definition: ServerDefinition): Promise<Launch> =>
		Promise.resolve({ kind: "stdio", command: "node", args: [], env: {}, envFile: undefined, cwd: "/" });

	connect = (request: ConnectRequest): Promise<Connection> => {
		request.signal.throwIfAborted();
		return Promise.resolve(this.open(request));
	};

	/** Makes a connection, as `connect` does when it succeeds. */
	open(request: ConnectRequest): FakeConnection {
		const connection = new FakeConnection(request, this.capabilities);
		this.connections.push(connection);
		this.mostOpen = Math.max(this.mostOpen, this.connections.filter(({ isOpen }) => isOpen).length);
		return connection;
	}

	/** The last connection. */
	get last(): FakeConnection {
		const connection = this.connections.at(-1);
		if (connection === undefined) throw new Error("Nothing was connected.");
		return connection;
	}
}

/** A session with services that the test changes. */
export function makeSession(changes: Partial<FakeServices> = {}): {
	readonly session: ServerSession;
	readonly services: FakeServices;
} {
	const services = Object.assign(new FakeServices(), changes);
	return { session: new ServerSession(definition("travel"), services), services };
}

/** A running session with its lists read. */
export async function running(changes: Partial<FakeServices> = {}): Promise<ReturnType<typeof makeSession>> {
	const made = makeSession(changes);
	await made.session.start();
	await settle();
	return made;
}
