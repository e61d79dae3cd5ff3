import { type Rate, RateLimit } from "../../src/base/rateLimit.ts";
import type { AppFrame, FrameEvent } from "../../src/features/apps/appProtocol.ts";
import { jsonObjectOf } from "../../src/base/guards.ts";

/** Who hears of a frame. */
export interface FrameListener {
	/** `isActed`: the person has just pressed something, which an app cannot make believe. */
	message(json: string, isActed: boolean): void;
	/** What the app keeps in its storage, as text. */
	stored(entries: string): void;
	observed(event: FrameEvent, text: string): void;
}

/** How many messages are passed on. */
const messageRate: Rate = { burst: 400, perSecond: 200 };
/** The longest message, in characters of JSON. */
const longest = 4_000_000;
/** How often it is told that messages were dropped, at most, in milliseconds. */
const tellingMs = 1000;

/**
 * One load of an app: a frame with an origin of its own, from which nothing of this page or of the editor can be reached. Its
 * messages are passed on as text, bounded in number and size. When it shows another document than the one it was given, nothing
 * of it counts any more.
 */
export class FrameHolder {
	private readonly frame = document.createElement("iframe");
	private readonly listener: FrameListener;
	private hasLoaded = false;
	private readonly rate = new RateLimit(messageRate);
	private toldAt = -Infinity;

	constructor(place: HTMLElement, { document: text, allow, title }: AppFrame, listener: FrameListener) {
		this.listener = listener;
		const { frame } = this;
		// Not `allow-same-origin`: that would be the origin of this page, and in a browser that of the editor. Without
		// `allow-forms` an app would not even hear of its own form; where a form leads is stopped by the policy.
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
		// An opaque origin has no name that could be given here.
		this.frame.contentWindow?.postMessage(message, "*");
	}

	/** Removes the frame. */
	dispose(): void {
		this.frame.removeEventListener("load", this.onLoad);
		window.removeEventListener("message", this.onMessage);
		document.removeEventListener("securitypolicyviolation", this.onViolation);
		this.frame.remove();
	}

	private readonly onLoad = (): void => {
		if (!this.hasLoaded) {
			this.hasLoaded = true;
			this.listener.observed("loaded", "");
			return;
		}
		this.dispose();
		this.listener.observed("left", "");
	};

	/** What the policy of this page stops is about the frame's own address. */
	private readonly onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
		this.listener.observed("violation", `${effectiveDirective} ${blockedURI}`);
	};

	private readonly onMessage = ({ source, data }: MessageEvent): void => {
		if (source === null || source !== this.frame.contentWindow) return;
		if (!this.rate.take()) return this.drop();
		const json = textOf(data);
		if (json === undefined || json.length > longest) return this.drop();
		const { mcpHostFrame: event, text }: Readonly<Record<string, unknown>> = jsonObjectOf(data);
		if (event === "violation" || event === "error" || event === "painted")
			this.listener.observed(event, String(text).slice(0, 500));
		else if (event === "stored") this.listener.stored(String(text));
		else this.listener.message(json, navigator.userActivation.isActive);
	};

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
