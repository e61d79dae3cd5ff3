import { setTimeout } from "node:timers/promises";
import {
	ProtocolError,
	SdkHttpError,
	UrlElicitationRequiredError,
	type Client,
	type RequestOptions,
	type SubscriptionFilter,
	type Tool,
	type Transport,
} from "@modelcontextprotocol/client";
import { HostError, messageOf } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { ChangeListener } from "./changeListener.ts";
import type { Connection, ConnectionHandlers, EraVerdict, RequestControl } from "./connection.ts";
import type { Page } from "./managedList.ts";
import type { CompletionReference, ServerFacts } from "./session.ts";
import { headerFault } from "./toolHeaders.ts";

/** The SDK's timers end a request at this age at the latest; the session's own, which pause for people, come first. */
const wireTimeoutMs = 24 * 60 * 60 * 1000;
/** How long the handshake of a session in place of a forgotten one may take, in milliseconds. */
const renewTimeoutMs = 30_000;

/** How a connection ended, shared with the transport's listener. */
export interface ConnectionEnd {
	/** Set before we close it ourselves. */
	isExpected: boolean;
	/** What the process did, such as `exited with code 3`. */
	exit: string | undefined;
}

/** One established SDK client as the host's Connection. */
export class ClientConnection implements Connection {
	readonly facts: ServerFacts;
	private readonly client: Client;
	private transport: Transport;
	private readonly makeTransport: () => Transport;
	private readonly handlers: ConnectionHandlers;
	private readonly end: ConnectionEnd;
	private isClosed = false;
	/** The new session that is being opened in place of one that the server forgot. */
	private renewing: Promise<void> | undefined;
	private watched: readonly string[] = [];
	/** Serialises changes of what is watched, so that a later set never loses to an earlier one. */
	private watching: Promise<void> = Promise.resolve();
	private resourceListener: ChangeListener | undefined;
	private listListener: ChangeListener | undefined;

	/** `makeTransport` makes another transport to the same server. */
	constructor(
		client: Client,
		transport: Transport,
		makeTransport: () => Transport,
		kind: ServerFacts["transport"],
		handlers: ConnectionHandlers,
		end: ConnectionEnd,
	) {
		this.client = client;
		this.transport = transport;
		this.makeTransport = makeTransport;
		this.handlers = handlers;
		this.end = end;
		this.facts = {
			server: client.getServerVersion(),
			capabilities: client.getServerCapabilities() ?? {},
			protocolVersion: client.getNegotiatedProtocolVersion() ?? "unknown",
			era: client.getProtocolEra() === "modern" ? "modern" : "legacy",
			instructions: client.getInstructions(),
			transport: kind,
			pid: "pid" in transport && typeof transport.pid === "number" ? transport.pid : undefined,
		};
		client.onclose = () => {
			if (this.end.isExpected) return;
			this.end.isExpected = true;
			this.handlers.onClosed(this.end.exit === undefined ? "closed the connection" : this.end.exit);
		};
	}

	get verdict(): EraVerdict {
		return this.facts.era === "modern" ? { kind: "modern", version: this.facts.protocolVersion } : { kind: "legacy" };
	}

	async listTools(cursor: string | undefined, control: RequestControl): Promise<Page<Tool>> {
		const result = await this.request("tools/list", pageParams(cursor), control);
		const items = result.tools.filter((tool) => this.isOffered(tool));
		return { items, nextCursor: result.nextCursor };
	}

	async listPrompts(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listPrompts"]> {
		const result = await this.request("prompts/list", pageParams(cursor), control);
		return { items: result.prompts, nextCursor: result.nextCursor };
	}

	async listResources(cursor: string | undefined, control: RequestControl): ReturnType<Connection["listResources"]> {
		const result = await this.request("resources/list", pageParams(cursor), control);
		return { items: result.resources, nextCursor: result.nextCursor };
	}

	async listResourceTemplates(
		cursor: string | undefined,
		control: RequestControl,
	): ReturnType<Connection["listResourceTemplates"]> {
		const result = await this.request("resources/templates/list", pageParams(cursor), control);
		return { items: result.resourceTemplates, nextCursor: result.nextCursor };
	}

	callTool(
		name: string,
		args: JsonObject,
		tool: Tool | undefined,
		control: RequestControl,
	): ReturnType<Connection["callTool"]> {
		const options = { ...requestOptions(control), ...(tool === undefined ? {} : { toolDefinition: tool }) };
		return this.guard(control, () => this.client.callTool({ name, arguments: { ...args } }, options));
	}

	readResource(uri: string, control: RequestControl): ReturnType<Connection["readResource"]> {
		// A person who opens a resource wants it as it is now, whatever its time to live says.
		const options = { ...requestOptions(control), cacheMode: "refresh" as const };
		return this.guard(control, () => this.client.readResource({ uri }, options));
	}

	getPrompt(
		name: string,
		args: Readonly<Record<string, string>>,
		control: RequestControl,
	): ReturnType<Connection["getPrompt"]> {
		return this.guard(control, () => this.client.getPrompt({ name, arguments: { ...args } }, requestOptions(control)));
	}

	async complete(
		reference: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		known: Readonly<Record<string, string>>,
		control: RequestControl,
	): ReturnType<Connection["complete"]> {
		if (this.facts.capabilities.completions === undefined) return { values: [] };
		const params = { ref: reference, argument: { ...argument }, context: { arguments: { ...known } } };
		const { completion } = await this.guard(control, () => this.client.complete(params, requestOptions(control)));
		return completion;
	}

	watchResources(uris: readonly string[]): Promise<void> {
		this.watching = this.watching.then(() => this.applyWatched(uris));
		return this.watching;
	}

	async notifyRootsChanged(): Promise<void> {
		// From 2026-07-28 on servers ask for the roots when they need them; the message is gone.
		if (this.facts.era === "legacy") await this.client.sendRootsListChanged();
	}

	async updateLogLevel(): Promise<void> {}

	/** Resolves when the server listens or was found not to. On a modern connection, list changes arrive only where they are listened for (specification, "Subscriptions"). */
	async listenForLists(): Promise<void> {
		const { tools, prompts, resources } = this.facts.capabilities;
		if (this.facts.era === "legacy") return;
		const filter: SubscriptionFilter = {
			...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
			...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
			...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
		};
		if (Object.keys(filter).length === 0) return;
		const listener = new ChangeListener(this.client, filter, this.handlers, () => {
			// What changed while nobody listened is unknown, so all lists are read again.
			for (const kind of ["tools", "prompts", "resources"] as const) this.handlers.onListChanged(kind);
		});
		this.listListener = listener;
		// A server whose lists do not tell of changes is still of use.
		await listener.open().catch((error: unknown) => listener.recover(error));
	}

	async close(): Promise<void> {
		this.isClosed = true;
		this.end.isExpected = true;
		await Promise.all([this.listListener?.close(), this.resourceListener?.close()]);
		if ("terminateSession" in this.transport && typeof this.transport.terminateSession === "function") {
			// The server may be gone or not know the request; leaving is all that matters (spec.md H8).
			const terminate = this.transport.terminateSession.bind(this.transport) as () => Promise<void>;
			await Promise.race([terminate().catch(() => undefined), setTimeout(1000, undefined, { ref: false })]);
		}
		await this.client.close().catch((error: unknown) => this.handlers.onTrouble(messageOf(error)));
		// The client has let go of a transport that closed by itself, but its processes may still be ending.
		await this.transport.close().catch((error: unknown) => this.handlers.onTrouble(messageOf(error)));
	}

	/** A tool whose parameters claim invalid headers must not be offered (spec.md H4); the log says which and why. */
	private isOffered(tool: Tool): boolean {
		if (this.facts.era === "legacy" || this.facts.transport !== "http") return true;
		const fault = headerFault(tool.inputSchema as JsonObject);
		if (fault === undefined) return true;
		this.handlers.onTrouble(`The tool ${oneLine(tool.name, 80)} is left out. ${fault}`);
		return false;
	}

	private async applyWatched(uris: readonly string[]): Promise<void> {
		const before = new Set(this.watched);
		this.watched = [...new Set(uris)];
		if (this.facts.capabilities.resources?.subscribe !== true) return;
		const attempt = async (run: () => Promise<unknown>): Promise<void> => {
			await run().catch((error: unknown) =>
				this.handlers.onTrouble(`Subscription failed: ${oneLine(messageOf(error))}`),
			);
		};
		if (this.facts.era === "legacy") {
			const now = new Set(this.watched);
			for (const uri of now) if (!before.has(uri)) await attempt(() => this.client.subscribeResource({ uri }));
			for (const uri of before) if (!now.has(uri)) await attempt(() => this.client.unsubscribeResource({ uri }));
			return;
		}
		const former = this.resourceListener;
		this.resourceListener = undefined;
		if (this.watched.length > 0) {
			const watched = this.watched;
			const listener = new ChangeListener(this.client, { resourceSubscriptions: [...watched] }, this.handlers, () => {
				for (const uri of watched) this.handlers.onResourceUpdated(uri);
			});
			this.resourceListener = listener;
			// The new one first: nothing is missed between the two.
			await listener.open().catch((error: unknown) => listener.recover(error));
		}
		await former?.close();
	}

	private request<M extends "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list">(
		method: M,
		params: { cursor?: string },
		control: RequestControl,
	) {
		return this.guard(control, () => this.client.request<M>({ method, params }, requestOptions(control)));
	}

	/** Runs a request and turns what the SDK throws into the host's errors. */
	private async guard<T>(control: RequestControl, run: () => Promise<T>): Promise<T> {
		control.signal.throwIfAborted();
		const { transport } = this;
		try {
			return await run().catch(async (error: unknown) => {
				if (!this.isLostSession(error, transport)) throw error;
				// Refused, so not carried out: it may be sent once more (specification, "Session Management"; spec.md H7).
				if (transport === this.transport) await this.renew();
				control.signal.throwIfAborted();
				return run();
			});
		} catch (error) {
			// The SDK reports an abort as its own timeout error; the reason is what the caller gave.
			if (control.signal.aborted) throw control.signal.reason;
			if (HostError.is(error)) throw error;
			if (error instanceof UrlElicitationRequiredError) {
				const urls = error.elicitations.map(({ url }) => url).join(", ");
				throw new HostError("protocol", `The server needs you to visit a page first: ${oneLine(urls, 500)}`, {
					cause: error,
				});
			}
			if (error instanceof ProtocolError) {
				throw new HostError("protocol", `${oneLine(error.message, 1000)} (error ${error.code})`, { cause: error });
			}
			// The transport is gone with the connection; not every error of the SDK says so.
			if (this.client.transport === undefined) {
				throw new HostError("not-connected", `The server ${this.end.exit ?? "closed the connection"}.`, {
					cause: error,
				});
			}
			throw new HostError("protocol", oneLine(messageOf(error), 1000), { cause: error });
		}
	}

	private isLostSession(error: unknown, transport: Transport): boolean {
		return error instanceof SdkHttpError && error.status === 404 && transport.sessionId !== undefined && !this.isClosed;
	}

	private renew(): Promise<void> {
		this.renewing ??= this.openSession().finally(() => {
			this.renewing = undefined;
		});
		return this.renewing;
	}

	/** Opens a new session in place of one that the server forgot; its subscriptions and lists start anew. */
	private async openSession(): Promise<void> {
		this.handlers.onTrouble("The server forgot the session; a new one is opened.");
		this.end.isExpected = true;
		try {
			await this.client.close();
			this.transport = this.makeTransport();
			await this.client.connect(this.transport, { prior: { kind: "legacy" }, timeout: renewTimeoutMs });
		} catch (error) {
			if (!this.isClosed) this.handlers.onClosed("forgot the session and did not open a new one");
			throw error;
		}
		if (this.isClosed) {
			await this.client.close();
			throw new HostError("not-connected", "The connection was closed.");
		}
		this.end.isExpected = false;
		for (const kind of ["tools", "prompts", "resources"] as const) this.handlers.onListChanged(kind);
		const { watched } = this;
		this.watched = [];
		void this.watchResources(watched);
	}
}

function pageParams(cursor: string | undefined): { cursor?: string } {
	return cursor === undefined ? {} : { cursor };
}

/** What the SDK itself reports as progress when it answers an `input_required` result; no word of the server's. */
const ownProgress = /^Fulfilling input required by '[a-z/]+' \(round \d+\)$/;

function requestOptions({ signal, onProgress }: RequestControl): RequestOptions {
	return {
		signal,
		timeout: wireTimeoutMs,
		...(onProgress === undefined
			? {}
			: {
					onprogress(progress) {
						if (!ownProgress.test(progress.message ?? "")) onProgress(progress);
					},
				}),
	};
}
