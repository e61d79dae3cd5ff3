import { oneOf } from "../../base/guards.ts";
import { isJsonObject, parseJson } from "../../base/json.ts";
import { type Disposable, DisposableStore } from "../../base/lifecycle.ts";
import { type MessagePort, RpcEndpoint } from "../../base/rpc.ts";
import { throttle } from "../../base/throttle.ts";
import type { AppHostApi, AppSurface, AppView, AppViewApi, FrameEvent } from "./appProtocol.ts";
import type { OpenApp } from "./openApp.ts";

/** How often the status of an app is shown again, at most, in milliseconds. */
const tellingMs = 100;
const longestMessage = 4_000_000;
const longestStorage = 1_000_000;
const largestSize = 20_000;
const mostVariables = 200;
const events: ReadonlySet<FrameEvent> = new Set<FrameEvent>([
	"loaded",
	"left",
	"violation",
	"error",
	"painted",
	"flood",
]);

/**
 * Connects an open app with the page around its frame, which is loading. That page is ours, but an app lives in it. So
 * every message is checked, and all state is kept here, because the page may be closed and opened again.
 *
 * `draw` replaces the page by one for the app's current domains. It is called once the page is ready: VS Code loads a new
 * page beside the former one, and if that one's `load` event is later than 200 ms and comes meanwhile, VS Code never shows
 * the new one.
 */
export function connectApp(port: MessagePort, app: OpenApp, draw: () => void): Disposable {
	const store = new DisposableStore();
	const domains = (): string => JSON.stringify(app.domains);
	let drawn = domains();
	let isLoading = true;
	const redraw = (): void => {
		if (isLoading) return;
		isLoading = true;
		drawn = domains();
		draw();
	};
	const attach = (surface: AppSurface): AppView => {
		isLoading = false;
		if (drawn === domains()) return app.attach(surface);
		redraw();
		// The app begins in the next page.
		return { ...app.view, load: 0 };
	};
	const page: RpcEndpoint<AppViewApi, AppHostApi> = store.add(
		new RpcEndpoint<AppViewApi, AppHostApi>(port, {
			ready: (surface) => attach(readSurface(surface)),
			frame: (load) => app.frame(numberOf(load)),
			fromApp: (load, message, isActed) => {
				if (typeof message === "string" && message.length <= longestMessage)
					app.receive(numberOf(load), parseJson(message), isActed === true);
			},
			stored: (load, entries) => {
				if (typeof entries === "string" && entries.length <= longestStorage) app.store(numberOf(load), entries);
			},
			observed: (load, event, text) => {
				const kind = oneOf(events, event);
				if (kind !== undefined) app.observe(numberOf(load), kind, typeof text === "string" ? text.slice(0, 500) : "");
			},
			moved: (surface) => app.moved(readSurface(surface)),
			answer: (question, answer) => void app.questions.answer(question, answer),
			compare: () => app.compare(),
			removeAdded: () => app.addition.clear(),
			paintedAdded: (revision) => app.addition.painted(numberOf(revision)),
			openedAdded: (revision) => app.addition.opened(numberOf(revision)),
		}),
	);
	const gone = (): void => undefined;
	const tell = (): void => {
		// A page that is loading receives it when it is ready.
		if (!isLoading) void page.call("show", app.view).catch(gone);
	};
	const telling = store.add(throttle(tell, tellingMs));
	let told = 0;
	store.add(
		app.onDidChange(() => {
			const { shownLoad } = app;
			if (shownLoad === told) return telling.run();
			// A caller waits for another load of the app.
			told = shownLoad;
			return tell();
		}),
	);
	store.add(app.onDidChangeDomains(redraw));
	store.add(app.onDidSend(({ load, message }) => void page.call("toApp", load, message).catch(gone)));
	return store;
}

function numberOf(value: unknown): number {
	return typeof value === "number" ? value : -1;
}

function readSurface(value: unknown): AppSurface {
	const { width, height, theme, variables } = isJsonObject(value) ? value : {};
	const size = (length: unknown): number =>
		typeof length === "number" && length >= 0 ? Math.min(Math.round(length), largestSize) : 0;
	const entries = isJsonObject(variables) ? Object.entries(variables).slice(0, mostVariables) : [];
	return {
		width: size(width),
		height: size(height),
		theme: theme === "light" ? "light" : "dark",
		variables: Object.fromEntries(entries.flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : []))),
	};
}
