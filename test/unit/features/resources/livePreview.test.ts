import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LiveResources } from "../../../../src/features/resources/live.ts";
import { LivePreview } from "../../../../src/features/resources/livePreview.ts";
import { ResourceReader } from "../../../../src/features/resources/reader.ts";
import type { PreviewView } from "../../../../src/features/resources/resourcePreviewProtocol.ts";
import { Snapshots } from "../../../../src/features/resources/snapshots.ts";
import { WatchList } from "../../../../src/features/resources/watchList.ts";
import { memory } from "../apps/appScene.ts";
import { FakeDirectory, FakeSession } from "./fakeSession.ts";

const address = { server: "user-settings/memo", uri: "memo://a.md" };
let session: FakeSession;
let reader: ResourceReader;
let live: LiveResources;
let text: string;

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
	text = "one";
	session = new FakeSession("memo");
	session.onRead = async (uri) => ({ contents: [{ uri, text }] });
	const directory = new FakeDirectory(session);
	reader = new ResourceReader(directory, { startingMs: 0, settled: Promise.resolve() }, () => undefined);
	live = new LiveResources({ directory, reader, snapshots: new Snapshots(), watchList: new WatchList(memory()) });
	await session.run();
});
afterEach(() => {
	live.dispose();
	reader.dispose();
	vi.useRealTimers();
});

/**
 * Opens the preview of read contents, of a server that acknowledges the subscription or not, and records the content of
 * its page.
 */
async function open(isNoted: boolean): Promise<{ readonly preview: LivePreview; readonly shown: PreviewView[] }> {
	await reader.read(address);
	const what = { address, uri: address.uri, mimeType: undefined, bytes: Buffer.from(text) };
	const renderMarkdown = async (markdown: string): Promise<string> => `<h1>${markdown}</h1>`;
	const opening = LivePreview.open({ ...what, renderMarkdown, schemeNow: () => "dark" }, { reader, live });
	await vi.advanceTimersByTimeAsync(0);
	if (isNoted) session.acknowledge(address.uri);
	await vi.advanceTimersByTimeAsync(1000);
	const preview = await opening;
	const shown: PreviewView[] = [];
	preview.connect({
		send: (message) => void shown.push((message as { readonly args: readonly [PreviewView] }).args[0]),
		listen: () => ({ dispose: () => undefined }),
	});
	return { preview, shown };
}

describe("a preview (RES-14)", () => {
	test("is rendered again when its server notifies of a change, and follows only while it is open", async () => {
		const { preview, shown } = await open(true);
		expect(preview.view.document).toContain("<h1>one</h1>");
		expect(preview.view.canReload).toBe(false);
		text = "two";
		session.update(address.uri);
		await vi.advanceTimersByTimeAsync(1000);
		expect(shown.at(-1)?.document).toContain("<h1>two</h1>");
		const reads = session.reads.length;
		for (let count = 0; count < 100; count++) session.update(address.uri);
		await vi.advanceTimersByTimeAsync(1000);
		expect(session.reads.length - reads).toBeLessThanOrEqual(2);
		preview.dispose();
		expect(session.subscribed).toEqual([]);
		session.update(address.uri);
		await vi.advanceTimersByTimeAsync(1000);
		expect(session.reads.length - reads).toBeLessThanOrEqual(2);
	});

	test("offers to reload if the server does not notify of changes", async () => {
		await session.run({}, { capabilities: { resources: {} } });
		const { preview, shown } = await open(false);
		expect(preview.view.canReload).toBe(true);
		text = "two";
		live.refresh(address);
		await vi.advanceTimersByTimeAsync(1000);
		expect(shown.at(-1)).toMatchObject({ canReload: true });
		expect(shown.at(-1)?.document).toContain("<h1>two</h1>");
		preview.dispose();
	});

	test("keeps its content when it cannot be reloaded, and shows why", async () => {
		const { preview } = await open(true);
		session.onRead = async () => Promise.reject(new Error("gone"));
		session.update(address.uri);
		await vi.advanceTimersByTimeAsync(1000);
		expect(preview.view.document).toContain("<h1>one</h1>");
		expect(preview.view.notice).toContain("It could not be read again: gone");
		session.onRead = async (uri) => ({ contents: [{ uri, text: "back" }] });
		session.update(address.uri);
		await vi.advanceTimersByTimeAsync(1000);
		expect(preview.view.document).toContain("<h1>back</h1>");
		expect(preview.view.notice).not.toContain("anew");
		preview.dispose();
	});
});
