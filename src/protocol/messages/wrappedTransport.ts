import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from "@modelcontextprotocol/client";

/** A transport, and what one to a remote server can do beside what the SDK asks of every transport. */
export interface ServerTransport extends Transport {
	/** Ends the session at the server. Rejects where that fails. */
	terminateSession?(): Promise<void>;
	/** Opens the stream of the server's own messages again, behind the event of that id. Rejects where that fails. */
	resumeStream?(lastEventId: string): Promise<void>;
}

/** A transport around another one: the common part of all that handle its messages. */
export abstract class WrappedTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	readonly hasPerRequestStream: boolean;
	protected readonly inner: ServerTransport;

	/** From here on nobody else listens to `inner`. */
	constructor(inner: ServerTransport) {
		this.inner = inner;
		this.hasPerRequestStream = inner.hasPerRequestStream === true;
		inner.onmessage = (message, extra) => this.receive(message, extra);
		inner.onerror = (error) => this.onerror?.(error);
		inner.onclose = () => this.handleClose();
	}

	get sessionId(): string | undefined {
		return this.inner.sessionId;
	}

	start(): Promise<void> {
		return this.inner.start();
	}

	close(): Promise<void> {
		return this.inner.close();
	}

	setProtocolVersion(version: string): void {
		this.inner.setProtocolVersion?.(version);
	}

	async terminateSession(): Promise<void> {
		await this.inner.terminateSession?.();
	}

	async resumeStream(lastEventId: string): Promise<void> {
		await this.inner.resumeStream?.(lastEventId);
	}

	abstract send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;

	/** Takes a message of the server; messages to pass on go to `onmessage`. */
	protected abstract receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void;

	/** The transport within has closed; ends by calling `onclose`. */
	protected abstract handleClose(): void;
}
