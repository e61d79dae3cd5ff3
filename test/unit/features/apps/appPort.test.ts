import { expect, onTestFinished, test, vi } from "vitest";
import { connectApp } from "../../../../src/features/apps/appPort.ts";
import type { AppView } from "../../../../src/features/apps/appProtocol.ts";
import { appMimeType } from "../../../../src/protocol/apps.ts";
import { AppScene, type SceneOptions, surface, uri } from "./appScene.ts";

/** An app that is shown in a page, as VS Code loads it. */
async function pageOf(options: SceneOptions = {}): Promise<{
	readonly scene: AppScene;
	/** The views that the page was sent, and how often it was replaced. */
	readonly shown: AppView[];
	readonly drawn: number[];
	/** The page has loaded; returns what it is to show. */
	readonly ready: () => Promise<AppView>;
}> {
	const scene = await AppScene.begin(options);
	const { app } = scene;
	const shown: AppView[] = [];
	const drawn: number[] = [];
	const answers: AppView[] = [];
	let receive = (_message: unknown): void => undefined;
	const connection = connectApp(
		{
			send: (message) => {
				const { rpc, args, value } = message as { rpc: string; args: [AppView]; value: AppView };
				if (rpc === "value") answers.push(value);
				else shown.push(args[0]);
			},
			listen: (listener) => {
				receive = listener;
				return { dispose: () => undefined };
			},
		},
		app,
		() => drawn.push(app.domains.connect.length),
	);
	onTestFinished(() => {
		connection.dispose();
		app.dispose();
	});
	const ready = async (): Promise<AppView> => {
		const before = answers.length;
		receive({ rpc: "call", id: before, method: "ready", args: [surface] });
		return vi.waitUntil(() => answers.at(before));
	};
	return { scene, shown, drawn, ready };
}

test("the page is notified of another load of an app at once; other news are sent a few times a second (APP-09, APP-22)", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const { scene, shown, ready } = await pageOf();
	const { app } = scene;
	await ready();
	await app.open();
	expect(shown.at(-1)?.load).toBe(1);
	// No time has passed since.
	await app.open();
	expect(shown.map(({ load }) => load).filter((load, index, all) => load !== all[index - 1])).toEqual([0, 1, 0, 2]);
	const before = shown.length;
	for (let count = 0; count < 100; count++) app.observe(2, "violation", `img-src ${count}`);
	await vi.advanceTimersByTimeAsync(1000);
	expect(shown.length - before).toBeLessThanOrEqual(2);
});

test("a page is replaced for the domains of its app only once it has loaded, and begins no app before (APP-20)", async () => {
	const { scene, shown, drawn, ready } = await pageOf({ ui: { csp: { connectDomains: ["https://a.example"] } } });
	const { app } = scene;
	await Promise.all([app.open(), scene.answer("allow")]);
	expect([drawn, shown, app.view.load]).toEqual([[], [], 1]);
	// The app begins in the page that replaces this one.
	expect((await ready()).load).toBe(0);
	expect(drawn).toEqual([1]);
	expect((await ready()).load).toBe(1);
	expect([drawn, shown]).toEqual([[1], []]);
});

test("the page around an app that is granted a domain is replaced before the app begins (APP-20)", async () => {
	const { scene, shown, drawn, ready } = await pageOf({ ui: { csp: { connectDomains: ["https://a.example"] } } });
	const { app } = scene;
	expect((await ready()).load).toBe(0);
	await Promise.all([app.open(), scene.answer("allow")]);
	expect(drawn).toEqual([1]);
	expect(shown.map(({ load }) => load).filter((load) => load !== 0)).toEqual([]);
	expect((await ready()).load).toBe(1);
});

test("a page that has loaded is not replaced if its app lost the granted domain meanwhile (APP-20)", async () => {
	const { scene, drawn, ready } = await pageOf({ ui: { csp: { connectDomains: ["https://a.example"] } } });
	const { app, session } = scene;
	await Promise.all([app.open(), scene.answer("allow")]);
	session.onRead = async () => ({ contents: [{ uri, mimeType: appMimeType, text: "<p>Hello" }] });
	await app.open();
	expect((await ready()).load).toBe(2);
	expect(drawn).toEqual([]);
});
