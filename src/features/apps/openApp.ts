import { messageOf } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { oneLine, showHidden } from "../../base/text.ts";
import type { CallingApp } from "../tools/approval.ts";
import { appUriOf } from "../../protocol/toolPage.ts";
import { admit, changeSentence } from "./admission.ts";
import type { AppCall } from "./appCall.ts";
import { AppCalls } from "./appCalls.ts";
import { AppAddition } from "./addedContext.ts";
import { appNoter, AppAsks } from "./appAsks.ts";
import { capabilitiesOf, contextOf } from "./appContext.ts";
import { policyDetails } from "./appDetails.ts";
import { appDocument } from "./appDocument.ts";
import { AppHealth } from "./appHealth.ts";
import { type AppPage, fetchAppPage } from "./appPage.ts";
import { type AppPlace, AppPlacing } from "./appPlacing.ts";
import { type AppAccess, type AppDomains, noAccess } from "./appPolicy.ts";
import type { AppDetail, AppFrame, AppSurface, AppView, FrameEvent } from "./appProtocol.ts";
import { AppQuestions } from "./appQuestions.ts";
import { appRequests } from "./appRequests.ts";
import type { AppServices } from "./appServices.ts";
import { AppBridge } from "./bridge.ts";
import { pageDifference } from "./formerPages.ts";
import type { FormerPage } from "./knownApps.ts";
import { ServerLife } from "./serverLife.ts";
import type { Session } from "../../servers/sessions/session.ts";

/** How long an app may take to let go, in milliseconds. */
const teardownMs = 2000;
const reading = "Reading the app…";
const refused = "The app cannot be shown.";
/** In these states the reason is shown in place of the app. */
const explained: ReadonlySet<string | undefined> = new Set([undefined, reading, refused]);

/**
 * An open app: its page, its frame, its conversation and its questions, in any view. The page is read from its server
 * at each load; nothing runs before the user agreed to its access outside its frame.
 */
export class OpenApp implements Disposable {
	/** Distinguishes it from all others, also after a reload of the window. */
	readonly id: string;
	/** How it is called, in one line: by the tool's title, which is the server's. */
	readonly name: string;
	readonly server: string;
	readonly questions: AppQuestions;
	readonly session: Session;
	/** The text that it adds to the user's next message. */
	readonly addition: AppAddition;
	readonly life: ServerLife;
	private readonly call: AppCall;
	/** The address of its page. */
	readonly uri: string;
	private readonly services: AppServices;
	private readonly calls: AppCalls;
	private readonly asks: AppAsks;
	private readonly health = new AppHealth();
	private readonly end = new AbortController();
	private readonly changed = new Emitter<void>();
	private readonly policyChanged = new Emitter<void>();
	private readonly sent = new Emitter<{ readonly load: number; readonly message: JsonObject }>();
	private readonly closing = new Emitter<void>();
	private surface: AppSurface = { width: 0, height: 0, theme: "dark", variables: {} };
	private page: AppPage | undefined;
	private allowed: AppAccess = noAccess;
	private bridge: AppBridge | undefined;
	private load = 0;
	private sentence: string | undefined = reading;
	private former: FormerPage | undefined;
	private preamble = "";
	private isShowingDetails = false;
	private readonly placing = new AppPlacing();
	private stored = "";
	private readonly following: Disposable;
	/** The visible content changed. */
	readonly onDidChange: Event<void> = this.changed.event;
	/** The app may reach other domains, so that the page around its frame needs another policy. */
	readonly onDidChangeDomains: Event<void> = this.policyChanged.event;
	/** A message for the frame of a load. */
	readonly onDidSend: Event<{ readonly load: number; readonly message: JsonObject }> = this.sent.event;
	/** The app requests another place, because of a press of the user in it. */
	readonly onDidAskToMove: Event<AppPlace> = this.placing.onDidAskToMove;
	/** The app wants to be closed. */
	readonly onDidAskToClose: Event<void> = this.closing.event;

	/** `reveal` brings the app before the user; `id` is that of an app that was open before the window was reloaded. */
	constructor(call: AppCall, services: AppServices, reveal: () => void, id: string = crypto.randomUUID()) {
		this.id = id;
		const { session, tool } = call.entry;
		this.session = session;
		this.call = call;
		this.services = services;
		this.uri = appUriOf(tool) ?? "";
		this.name = oneLine(tool.title ?? tool.annotations?.title ?? tool.name, 60);
		this.server = oneLine(session.definition.name, 60);
		this.questions = new AppQuestions(undefined, appNoter(services.notes, session, this.name));
		const app: CallingApp = { name: `app “${this.name}”`, reveal };
		this.calls = new AppCalls(services, { session, app, questions: this.questions });
		this.asks = new AppAsks(this.questions, this.who, services);
		this.addition = new AppAddition(this.who);
		this.life = new ServerLife(session, () => {
			this.addition.withdraw();
			this.questions.lapse();
		});
		for (const { onDidChange } of [this.questions, this.health, this.addition]) onDidChange(() => this.changed.fire());
		this.following = call.onDidChange(() => {
			this.tellCall();
			this.changed.fire();
		});
	}

	/** The app and its server, in words fit for one line. */
	private get who(): string {
		return `app “${this.name}” of ${this.server}`;
	}

	/** The access of the app outside its frame. */
	get domains(): AppDomains {
		return this.allowed.domains;
	}

	/** The current load; 0 while there is none. */
	get shownLoad(): number {
		return this.sentence === undefined ? this.load : 0;
	}

	/** The current content. */
	get view(): AppView {
		const question = this.questions.current;
		const blank = explained.has(this.sentence) ? this.health.blank : undefined;
		const progress = this.health.isInitialized ? this.call.sentence : "The app is loading…";
		const notice = (this.sentence === undefined ? progress : undefined) ?? this.changeNotice;
		return {
			id: this.id,
			load: this.shownLoad,
			...(this.placing.place === "sideBar" ? { title: `${this.name} · ${this.server}` } : {}),
			...(this.sentence === undefined ? {} : { sentence: this.sentence }),
			...(question === undefined ? {} : { question }),
			...(blank !== undefined ? { blank } : notice === undefined ? {} : { notice }),
			...(this.former?.html === undefined ? {} : { isComparable: true }),
			...(this.addition.view === undefined ? {} : { added: this.addition.view }),
			...(this.isShowingDetails ? { details: this.details } : {}),
		};
	}

	/** Reads the page from its server and shows it; never rejects. Another call reloads it. */
	async open(): Promise<void> {
		await this.bridge?.close("The app is reloaded.", teardownMs);
		if (this.end.signal.aborted) return;
		this.bridge = undefined;
		this.addition.clear();
		this.stored = "";
		this.former = undefined;
		this.calls.reset();
		this.asks.reset();
		this.say(reading);
		this.health.begin();
		try {
			this.preamble = await this.services.preamble();
			const page = await fetchAppPage(this.call.entry.session, this.uri, this.end.signal);
			if ("html" in page) {
				this.health.read(page.html.length);
				await this.show(page);
			} else {
				this.say(refused);
				this.health.refused(page);
			}
		} catch (error) {
			if (!this.end.signal.aborted) this.say(`The app cannot be shown: ${showHidden(messageOf(error))}`);
		}
	}

	/** The view is there, or was reloaded: it has a frame to load. */
	attach(surface: AppSurface): AppView {
		this.surface = surface;
		// A view that was moved to another window has restarted, and so does the app.
		if (this.bridge !== undefined) this.restart();
		return this.view;
	}

	/** Another size or theme. */
	moved(surface: AppSurface): void {
		this.surface = surface;
		this.bridge?.contextChanged();
	}

	/** The document of a load, with which the conversation begins; undefined when that is not the present one. */
	frame(load: number): AppFrame | undefined {
		const { page } = this;
		if (load !== this.load || page === undefined || this.sentence !== undefined) return undefined;
		this.bridge?.dispose();
		this.bridge = this.converse(load);
		this.health.framed();
		this.tellCall();
		return {
			document: appDocument(page.html, { domains: this.allowed.domains, preamble: this.preamble, stored: this.stored }),
			allow: this.allowed.clipboard ? "clipboard-write" : "",
			title: `App ${this.name} of ${this.server}`,
		};
	}

	/** A message of the frame of a load; `isActed`: the user has just pressed something where the app is shown. */
	receive(load: number, message: unknown, isActed = false): void {
		if (load !== this.load) return;
		this.placing.isActed = isActed;
		this.bridge?.receive(message);
	}

	/** The app's stored data, which it receives where it is shown next. */
	store(load: number, entries: string): void {
		if (load === this.load) this.stored = entries;
	}

	/**
	 * Releases the app from its view, so that it can restart elsewhere: with its call, its storage, its grants and its
	 * waiting questions. The view there attaches itself.
	 */
	async leaveFor(place: AppPlace): Promise<void> {
		await this.bridge?.close("The app is moved.", teardownMs);
		this.bridge = undefined;
		this.placing.place = place;
	}

	/** The view's observations about the frame of a load; `text` is the app's. */
	observe(load: number, event: FrameEvent, text: string): void {
		if (load !== this.load) return;
		if (event === "left") {
			this.bridge?.dispose();
			this.bridge = undefined;
			this.say("The app was closed because it navigated to another page. Reload it to see it again.");
			return;
		}
		if (event === "loaded") this.health.loaded();
		else if (event === "violation") this.health.violated(text);
		else if (event === "error") this.health.failed(text);
		else if (event === "painted") this.health.painted();
		else this.health.misbehaved("The app sent too many messages; some were dropped");
		this.changed.fire();
	}

	/** Shows or hides the facts about the app. */
	toggleDetails(): void {
		this.isShowingDetails = !this.isShowingDetails;
		this.changed.fire();
	}

	/** Makes VS Code compare the page with the former one, if that is known. */
	compare(): void {
		const { former, page, name, server } = this;
		if (former?.html === undefined || page === undefined) return;
		this.services.showDifference(pageDifference(`${name} · ${server}`, { ...former, html: former.html }, page.html));
	}

	/** Releases the app: it is notified, and gets a moment. */
	async close(): Promise<void> {
		await this.bridge?.close("The app is closed.", teardownMs);
		this.dispose();
	}

	dispose(): void {
		this.following.dispose();
		this.life.dispose();
		this.health.dispose();
		this.bridge?.dispose();
		this.end.abort();
	}

	/** Sends the app the news about its call. */
	private tellCall(): void {
		const { bridge, call, health } = this;
		bridge?.tellCall(call);
		if (call.end !== undefined) health.told();
	}

	private get changeNotice(): string | undefined {
		return this.former === undefined ? undefined : changeSentence(this.former);
	}

	private get details(): readonly AppDetail[] {
		const { page, name, server, uri, changeNotice } = this;
		const about = [
			`${name} of ${server}`,
			`Page ${oneLine(uri)}`,
			...(changeNotice === undefined ? [] : [changeNotice]),
		];
		return [
			{ name: "App", lines: about.map((text) => ({ kind: "good", text })) },
			...(page === undefined ? [] : [policyDetails(page, this.allowed, this.health.violations)]),
			{ name: "What Happened", lines: this.health.lines },
		];
	}

	/** Shows the page once the user agreed to its access. */
	private async show(page: AppPage): Promise<void> {
		const { questions, uri, who } = this;
		const asking = (): void => this.say("Waiting for you: the app requests more access.");
		const { known, deniedDomains } = this.services;
		const changed = (former: FormerPage): void => void (this.former = former);
		const { session } = this;
		const parts = { session, uri, who, questions, known, denied: deniedDomains(), changed, asking };
		this.page = page;
		const allowed = await admit(page, parts, this.end.signal);
		if (allowed === undefined) return;
		const isOther = JSON.stringify(allowed.domains) !== JSON.stringify(this.domains);
		this.allowed = allowed;
		// First, so that the page that is replaced does not begin the app.
		if (isOther) this.policyChanged.fire();
		this.restart();
	}

	/** Another load of the same page. */
	private restart(): void {
		this.bridge?.dispose();
		this.bridge = undefined;
		this.load++;
		this.sentence = undefined;
		this.changed.fire();
	}

	private converse(load: number): AppBridge {
		const { services, health, calls, asks, placing, life, addition } = this;
		return new AppBridge({
			hostInfo: { name: "mcp-host", version: services.version },
			capabilities: capabilitiesOf(this.allowed),
			context: () => contextOf(this.call.entry.tool, this.surface, this.placing.mode, services),
			requests: appRequests({ calls, asks, placing, life, addition }),
			news: {
				asked: (modes) => {
					this.placing.modes = modes;
					health.asked();
				},
				initialized: () => {
					health.initialized();
					this.changed.fire();
				},
				resized: (width, height) => health.resized(width, height),
				closing: () => this.closing.fire(),
				logged: (level, text) => health.logged(level, text),
				misbehaved: (what) => health.misbehaved(what),
			},
			send: (message) => this.sent.fire({ load, message }),
		});
	}

	private say(sentence: string): void {
		this.sentence = sentence;
		this.changed.fire();
	}
}
