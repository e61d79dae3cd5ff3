/** Resources as files and live, as the editor gets them, on real servers: BLT-20 to BLT-27. */
import { describe, expect, it } from "vitest";
import { fileFailure } from "../../src/features/resources/fileFailure.ts";
import { LiveResources } from "../../src/features/resources/live.ts";
import { bytesOf, ResourceReader } from "../../src/features/resources/reader.ts";
import { shownName } from "../../src/features/resources/fileNames.ts";
import { SizeGuard } from "../../src/features/resources/sizeGuard.ts";
import { Snapshots } from "../../src/features/resources/snapshots.ts";
import { fromEditorUri, type ResourceAddress, toEditorUri } from "../../src/features/resources/uri.ts";
import { WatchList } from "../../src/features/resources/watchList.ts";
import { messagesOf } from "../servers/received.ts";
import { libraryReaches, type ReachedLibrary, subscribedAt } from "./libraryReach.ts";
import { TestHost } from "./testHost.ts";

const patience = { timeout: 60_000 };

/** The editor's adapters' view of resources, on one running library. */
class Scene implements AsyncDisposable {
	readonly host: TestHost;
	readonly library: ReachedLibrary;
	readonly reader: ResourceReader;
	readonly live: LiveResources;
	readonly updates: string[] = [];
	private readonly server: string;

	private constructor(host: TestHost, library: ReachedLibrary, server: string) {
		this.host = host;
		this.library = library;
		this.server = server;
		const directory = host.host.registry;
		const memory = new Map<string, unknown>();
		const state = {
			get: (key: string) => memory.get(key) as never,
			update: async (key: string, value: unknown) => void memory.set(key, value),
		};
		this.reader = new ResourceReader(directory, { startingMs: 10_000, settled: Promise.resolve() }, () => undefined);
		const parts = { directory, reader: this.reader, snapshots: new Snapshots(), watchList: new WatchList(state) };
		this.live = new LiveResources(parts);
		this.live.onDidUpdate(({ uri }) => this.updates.push(uri));
	}

	static async run(reach: (typeof libraryReaches)[number]["reach"]): Promise<Scene> {
		const host = new TestHost();
		const library = await reach(host);
		const session = await host.run("library", library.config);
		return new Scene(host, library, session.definition.id);
	}

	address(uri: string, part?: number): ResourceAddress {
		return { server: this.server, uri, ...(part === undefined ? {} : { part }) };
	}

	/** The content that an editor shows under our URI of a resource. */
	async bytes(uri: string, part?: number): Promise<Buffer> {
		const editorUri = toEditorUri(this.address(uri, part), { serverName: "library" });
		const address = fromEditorUri(editorUri);
		if (address === undefined) throw new Error(`${uri} does not come back`);
		return Buffer.from(bytesOf(await this.reader.read(address), address));
	}

	async text(uri: string, part?: number): Promise<string> {
		return (await this.bytes(uri, part)).toString();
	}

	/** Opens an editor, once the server has acknowledged the subscription. */
	async open(uri: string): Promise<void> {
		const preparing = await this.live.prepare(this.address(uri), patience.timeout);
		await this.bytes(uri);
		this.live.open(this.address(uri));
		preparing.dispose();
	}

	async change(args: Record<string, string | number>): Promise<void> {
		await this.host.session("library").callTool("change", args);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.live.dispose();
		this.reader.dispose();
		await this.host[Symbol.asyncDispose]();
		await this.library[Symbol.asyncDispose]();
	}
}

describe.each(libraryReaches)("resources as files over $name", ({ reach }) => {
	it("are distinguished by their exact URIs, however quickly they are read (RES-04, BLT-20, BLT-21)", async () => {
		await using scene = await Scene.run(reach);
		const uris = [
			"case://Reader/Notes",
			"case://reader/Notes",
			"case://reader/notes",
			"query://notes?id=1",
			"query://notes?id=2",
			"query://notes#1",
		];
		const texts = await Promise.all(uris.map((uri) => scene.text(uri)));
		expect(texts).toEqual(uris.map((uri) => `This is ${uri}\n`));
	});

	it("are read from their server by its exact URI, whatever its scheme (RES-01, RES-03, RES-09, BLT-24, BLT-25, BLT-26)", async () => {
		await using scene = await Scene.run(reach);
		const uris = [
			"https://library.example/catalog/page.html?lang=en#top",
			"http://library.example/plain.txt",
			"urn:isbn:0451450523",
			"file:///etc/passwd",
			"command:workbench.action.quit",
			"vscode://settings/mcpHost.servers",
			"javascript:alert(1)",
		];
		for (const uri of uris) expect(await scene.text(uri)).toBe(`This is ${uri}\n`);
		const asked = messagesOf(scene.library.received(), "resources/read").map(
			({ params }) => (params as { uri: string }).uri,
		);
		expect(asked).toEqual(uris);
	});

	it("show all of several contents, as entries and as a whole (BLT-22, BLT-23)", async () => {
		await using scene = await Scene.run(reach);
		expect(await scene.text("parts://same-uri")).toMatch(/the first of one URI[^]*the second of one URI/);
		expect([await scene.text("parts://same-uri", 0), await scene.text("parts://same-uri", 1)]).toEqual([
			"the first of one URI",
			"the second of one URI",
		]);
		await scene.text("parts://several");
		expect(scene.live.partsOf(scene.address("parts://several"))).toMatchObject([
			{ uri: "parts://several/text.txt", mimeType: "text/plain", size: 14 },
			{ uri: "parts://several/picture.png", mimeType: "image/png" },
			{ uri: "parts://several/raw", size: 4 },
		]);
	});

	it("of another URI are shown for the request, and marked as different (RES-04, BLT-21)", async () => {
		await using scene = await Scene.run(reach);
		expect(await scene.text("parts://other-uri")).toBe("from elsewhere");
		expect(scene.live.answeredAs(scene.address("parts://other-uri"))).toBe("parts://elsewhere");
	});

	it("with a wrong type, a failure, a fault or too much content are reported as such (RES-05, RES-06, RES-07)", async () => {
		await using scene = await Scene.run(reach);
		expect(shownName("lying.png", "image/png", await scene.bytes("bytes://lying.png"))).toBe("lying.png.txt");
		expect(shownName("picture.png", "image/png", await scene.bytes("bytes://picture.png"))).toBe("picture.png");
		const failure = async (uri: string): Promise<readonly [string, string]> => {
			const error: unknown = await scene.bytes(uri).catch((caught: unknown) => caught);
			return [fileFailure(error), error instanceof Error ? error.message : "none"];
		};
		expect(await failure("fails://not-found")).toEqual(["not-found", expect.stringMatching(/library.*not found/i)]);
		expect(await failure("fails://forbidden")).toEqual([
			"unavailable",
			expect.stringContaining("the reading room is closed"),
		]);
		expect(await failure("parts://none")).toEqual([
			"unavailable",
			expect.stringContaining("library returned no contents"),
		]);
		expect((await failure("bytes://broken-base64"))[1]).toMatch(/base64/i);
		const { length } = await scene.bytes("size://secretly-huge.log");
		const guard = new SizeGuard(
			() => 10 * 1024 * 1024,
			() => "library",
		);
		expect(guard.refusal(scene.address("size://secretly-huge.log"), length)?.message).toContain("57.2 MB");
	});
});

describe.each(libraryReaches)("resources that are live over $name", ({ reach, era }) => {
	it("refresh on an update of equal length, and keep the previous content (BLT-27)", async () => {
		await using scene = await Scene.run(reach);
		const uri = "live://clock/same-length";
		await scene.open(uri);
		const first = await scene.reader.read(scene.address(uri));
		await scene.change({ what: "resource", uri });
		await expect.poll(() => scene.live.stateOf(scene.address(uri)).isChanged, patience).toBe(true);
		const second = await scene.reader.read(scene.address(uri));
		expect(second.parts[0]?.bytes).toHaveLength(first.parts[0]?.bytes.length ?? -1);
		expect(second.modified).toBeGreaterThan(first.modified);
		expect(await scene.text(uri)).toBe("tick 000001\n");
		expect(scene.live.comparableTo(scene.address(uri))).toEqual(first);
	});

	it("do not miss a change between the first read and the subscription", async () => {
		await using scene = await Scene.run(reach);
		const uri = "live://early";
		// Like an editor that is restored with its window: it reads at once, and is followed from then on.
		expect(await scene.text(uri)).toBe("version 0\n");
		scene.live.open(scene.address(uri));
		await expect.poll(() => scene.live.stateOf(scene.address(uri)).isChanged, patience).toBe(true);
		expect(await scene.text(uri)).toBe("version 1\n");
	});

	it("are subscribed to only while they are open or watched (RES-10)", async () => {
		await using scene = await Scene.run(reach);
		const uri = "live://dashboard.md";
		for (let round = 0; round < 20; round++) scene.live.open(scene.address(uri)).dispose();
		const editor = scene.live.open(scene.address(uri));
		await scene.live.watch(scene.address(uri));
		await expect.poll(() => subscribedAt(scene.library.received()), patience).toEqual([uri]);
		editor.dispose();
		await scene.live.unwatch(scene.address(uri));
		if (era === "legacy") await expect.poll(() => subscribedAt(scene.library.received()), patience).toEqual([]);
		await scene.change({ what: "resource", uri });
		expect(scene.live.stateOf(scene.address(uri)).isChanged).toBe(false);
	});

	it("are subscribed to again after a restart, and changes in between are seen", async () => {
		await using scene = await Scene.run(reach);
		const uri = "live://clock/other-length";
		await scene.open(uri);
		scene.updates.length = 0;
		await scene.host.host.start(scene.address(uri).server, true);
		await expect.poll(() => scene.updates, patience).toContain(uri);
		const preparing = await scene.live.prepare(scene.address(uri), patience.timeout);
		await scene.change({ what: "resource", uri });
		await expect.poll(() => scene.text(uri), patience).toBe("tick tick \n");
		preparing.dispose();
	});
});

it("refresh a watched resource after a change below it (specification, notifications/resources/updated)", async () => {
	const [overStdio] = libraryReaches;
	if (overStdio === undefined) throw new Error("There is no library.");
	await using scene = await Scene.run(overStdio.reach);
	await scene.open("live://folder");
	await scene.change({ what: "resource", uri: "live://folder" });
	await expect.poll(() => scene.live.stateOf(scene.address("live://folder")).isChanged, patience).toBe(true);
});
