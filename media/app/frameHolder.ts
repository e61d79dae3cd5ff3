import { type Rate, RateLimit } from "../../src/base/rateLimit.ts";
import type { AppFrame, FrameEvent } from "../../src/features/apps/appProtocol.ts";
import { type FromDocument, portMessage, type ToDocument } from "./framePort.ts";

/** The callbacks of a frame. */
export interface FrameListener {
	/** `isActed`: the user has just pressed something, which an app cannot make believe. */
	message(json: string, isActed: boolean): void;
	/** The app's stored data, as text. */
	stored(entries: string): void;
	observed(event: FrameEvent, text: string): void;
}

/** How many messages are passed on. */
const messageRate: Rate = { burst: 400, perSecond: 200 };
/** The longest message, in characters of JSON. */
const longest = 4_000_000;
/** How many messages may wait for the document to say that it is there. */
const mostWaiting = 400;
/** How often dropped messages are reported, at most, in milliseconds. */
const tellingMs = 1000;

/**
 * One load of an app: a frame with its own origin, from which nothing of this page or of VS Code can be reached. Its
 * messages are passed on as text, bounded in number and size. A frame may be navigated to another document, and its
 * messages look the same. So the original document provides a port, which closes with it. Messages for the app use only
 * that port, and a message of the frame counts once the document confirmed through the port that it still exists.
 */
export class FrameHolder {
	private readonly frame = document.createElement("iframe");
	private readonly listener: FrameListener;
	private hasLoaded = false;
	private port: MessagePort | undefined;
	private last = 0;
	/** The messages of the frame that count if its document is there. */
	private readonly waiting = new Map<number, { readonly json: string; readonly isActed: boolean }>();
	private readonly rate = new RateLimit(messageRate);
	private toldAt = -Infinity;

	constructor(place: HTMLElement, { document: text, allow, title }: AppFrame, listener: FrameListener) {
		this.listener = listener;
		const { frame } = this;
		// Not `allow-same-origin`: that would be the origin of this page, and in a browser that of VS Code. Without
		// `allow-forms` an app would not even receive events of its own form; the policy blocks the form's target.
		frame.setAttribute("sandbox", "allow-scripts allow-forms");
		frame.allow = allow;
		frame.title = title;
		frame.referrerPolicy = "no-referrer";
		frame.srcdoc = text;
		frame.addEventListener("load", this.onLoad);
		window.addEventListener("message", this.onMessage);
		document.addEventListener("securitypolicyviolation", this.onViolation);
		place.replaceChildren(frame);
	}

	/** Hands a message to the app. */
	send(message: unknown): void {
		this.say({ message });
	}

	/** Removes the frame. */
	dispose(): void {
		this.frame.removeEventListener("load", this.onLoad);
		window.removeEventListener("message", this.onMessage);
		document.removeEventListener("securitypolicyviolation", this.onViolation);
		this.port?.close();
		this.port = undefined;
		this.waiting.clear();
		this.frame.remove();
	}

	private readonly onLoad = (): void => {
		if (!this.hasLoaded) {
			this.hasLoaded = true;
			this.listener.observed("loaded", "");
			return;
		}
		this.left();
	};

	private left(): void {
		this.dispose();
		this.listener.observed("left", "");
	}

	/** The policy of this page only blocks the frame's own address. */
	private readonly onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
		this.listener.observed("violation", `${effectiveDirective} ${blockedURI}`);
	};

	private readonly onMessage = ({ source, data, ports: [port] }: MessageEvent): void => {
		if (source === null || source !== this.frame.contentWindow) return;
		if (this.port === undefined) {
			// Our script is the first of the document and says this first.
			if (port !== undefined && typeof data === "object" && data !== null && portMessage in data) this.take(port);
			return;
		}
		if (!this.rate.take()) return this.drop();
		const json = textOf(data);
		if (json === undefined || json.length > longest || this.waiting.size >= mostWaiting) return this.drop();
		this.waiting.set(++this.last, { json, isActed: navigator.userActivation.isActive });
		this.say({ ask: this.last });
	};

	private take(port: MessagePort): void {
		this.port = port;
		// Only our script has the other end.
		port.onmessage = ({ data }: MessageEvent<FromDocument>) => this.hear(data);
	}

	private hear(said: FromDocument): void {
		if ("isLeft" in said) return this.left();
		if ("stored" in said) return this.listener.stored(said.stored);
		if ("kind" in said) {
			if (this.rate.take()) this.listener.observed(said.kind, said.text);
			return undefined;
		}
		const message = this.waiting.get(said.here);
		this.waiting.delete(said.here);
		if (message !== undefined) this.listener.message(message.json, message.isActed);
		return undefined;
	}

	private say(message: ToDocument): void {
		this.port?.postMessage(message);
	}

	private drop(): void {
		const now = performance.now();
		if (now - this.toldAt < tellingMs) return;
		this.toldAt = now;
		this.listener.observed("flood", "");
	}
}

/** A message as JSON; undefined for one that has none, such as a circle. */
function textOf(data: unknown): string | undefined {
	try {
		return JSON.stringify(data);
	} catch {
		return undefined;
	}
}
