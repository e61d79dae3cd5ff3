import { isJsonObject } from "./json.ts";
import type { Disposable } from "./lifecycle.ts";

/** Carries messages to the other side and back: a webview, a worker, a pair in a test. Messages are plain data. */
export interface MessagePort {
	send(message: unknown): void;
	/** Hands every arriving message to the listener until disposed. */
	listen(listener: (message: unknown) => void): Disposable;
}

/** The methods that one side offers the other, as declared in a contract file (`*Protocol.ts`). */
export type RpcApi<Api> = { readonly [Method in keyof Api]: (...args: never[]) => unknown };

/**
 * The type that a caller receives for a method: always a promise of the value that the other side's handler returns.
 */
export type RpcResult<Api extends RpcApi<Api>, Method extends keyof Api> = Promise<Awaited<ReturnType<Api[Method]>>>;

type Untrusted<Args extends readonly unknown[]> = { readonly [Index in keyof Args]: unknown };

/**
 * The handlers of an API. Arguments arrive as `unknown`, because the contract binds only honest callers: a handler
 * checks them, or says in a comment why it trusts the other side.
 */
export type RpcHandlers<Api extends RpcApi<Api>> = {
	readonly [Method in keyof Api]: (
		...args: Untrusted<Parameters<Api[Method]>>
	) => ReturnType<Api[Method]> | Promise<Awaited<ReturnType<Api[Method]>>>;
};

/** A call that the other side could not or would not fulfil. The message is the other side's. */
export class RpcError extends Error {
	override readonly name = "RpcError";
}

type Message =
	| {
			readonly rpc: "call";
			readonly id: number | undefined;
			readonly method: string;
			readonly args: readonly unknown[];
	  }
	| { readonly rpc: "value"; readonly id: number; readonly value: unknown }
	| { readonly rpc: "error"; readonly id: number; readonly message: string };

interface PendingCall {
	resolve(value: unknown): void;
	reject(error: RpcError): void;
}

/**
 * One end of a typed conversation: calls `Theirs` and answers `Ours` over a port. The shape of each message is checked;
 * any other message on the port is ignored. Disposing it rejects the open calls.
 */
export class RpcEndpoint<Theirs extends RpcApi<Theirs>, Ours extends RpcApi<Ours>> implements Disposable {
	private readonly port: MessagePort;
	private readonly handlers: Readonly<Record<string, (...args: never[]) => unknown>>;
	private readonly subscription: Disposable;
	private readonly pending = new Map<number, PendingCall>();
	/**
	 * Each end starts counting at a different number: a reloaded page must not take an answer to its predecessor's
	 * request.
	 */
	private lastId = Math.floor(Math.random() * 2 ** 40);
	private isDisposed = false;

	constructor(port: MessagePort, handlers: RpcHandlers<Ours>) {
		this.port = port;
		this.handlers = handlers;
		this.subscription = port.listen((message) => this.receive(message));
	}

	/** Calls a method of the other side. Rejects with an RpcError when its handler fails or this end is disposed. */
	call<Method extends keyof Theirs & string>(
		method: Method,
		...args: Parameters<Theirs[Method]>
	): RpcResult<Theirs, Method> {
		const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Theirs[Method]>>>();
		if (this.isDisposed) {
			reject(new RpcError(`The connection is closed: ${method} was not called`));
			return promise;
		}
		const id = ++this.lastId;
		this.pending.set(id, { resolve, reject });
		this.post({ rpc: "call", id, method, args });
		return promise;
	}

	/**
	 * Calls a method without waiting for an answer, for a listener that may not be there: a hidden webview drops
	 * messages, and a call to it would stay open for ever.
	 */
	notify<Method extends keyof Theirs & string>(method: Method, ...args: Parameters<Theirs[Method]>): void {
		if (!this.isDisposed) this.post({ rpc: "call", id: undefined, method, args });
	}

	dispose(): void {
		if (this.isDisposed) return;
		this.isDisposed = true;
		this.subscription.dispose();
		const open = [...this.pending.values()];
		this.pending.clear();
		for (const call of open) call.reject(new RpcError("The connection is closed"));
	}

	private post(message: Message): void {
		this.port.send(message);
	}

	private receive(raw: unknown): void {
		const message = parseMessage(raw);
		if (message === undefined || this.isDisposed) return;
		if (message.rpc === "call") {
			void this.answer(message.id, message.method, message.args);
			return;
		}
		const call = this.pending.get(message.id);
		this.pending.delete(message.id);
		if (message.rpc === "value") call?.resolve(message.value);
		else call?.reject(new RpcError(message.message));
	}

	/** Never rejects: a handler's error travels to the caller, or ends here when nobody waits for it. */
	private async answer(id: number | undefined, method: string, args: readonly unknown[]): Promise<void> {
		let answer: (id: number) => Message;
		try {
			const value: unknown = await Reflect.apply(this.handlerOf(method), undefined, args);
			answer = (id) => ({ rpc: "value", id, value });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			answer = (id) => ({ rpc: "error", id, message });
		}
		if (id !== undefined && !this.isDisposed) this.post(answer(id));
	}

	private handlerOf(method: string): (...args: never[]) => unknown {
		// An own property only: `constructor` and its like are not methods of the contract.
		const handler = Object.hasOwn(this.handlers, method) ? this.handlers[method] : undefined;
		if (handler === undefined) throw new RpcError(`Unknown method: ${method.slice(0, 100)}`);
		return handler;
	}
}

function parseMessage(raw: unknown): Message | undefined {
	if (!isJsonObject(raw)) return undefined;
	const { rpc, id, method, args, message } = raw as Readonly<Record<string, unknown>>;
	if (rpc === "call") {
		const isCall = (id === undefined || isId(id)) && typeof method === "string" && Array.isArray(args);
		return isCall ? { rpc, id, method, args } : undefined;
	}
	if (!isId(id)) return undefined;
	if (rpc === "value") return { rpc, id, value: (raw as Readonly<Record<string, unknown>>)["value"] };
	return rpc === "error" && typeof message === "string" ? { rpc, id, message } : undefined;
}

function isId(value: unknown): value is number {
	return Number.isSafeInteger(value);
}
