import { describe, expect, it } from "vitest";
import { HostError } from "../../src/base/errors.ts";
import { messagesOf } from "../servers/received.ts";
import { libraryReaches } from "./libraryReach.ts";
import { TestHost } from "./testHost.ts";

const patience = { timeout: 60_000 };

/** URIs that another host opens itself, confuses, or cannot open. */
const oddUris = [
	"urn:isbn:0451450523",
	"https://library.example/catalog/page.html?lang=en#top",
	"http://library.example/plain.txt",
	"file:///etc/passwd",
	"command:workbench.action.quit",
	"javascript:alert(1)",
	"data:text/plain,hello",
	"case://Reader/Notes",
	"case://reader/notes",
	"query://notes?id=1",
	"query://notes?id=2",
	"query://notes#1",
	"odd://user:word@[2001:db8::1]:8080/a//b/../c",
	"odd://host/a%2Fb%3Fc",
	"odd://host/ünïcode/文書.txt",
	"odd://host/../../x",
];

describe.each(libraryReaches)("the library's lists and contents over $name", ({ reach }) => {
	it("are listed whole and in order, with each page requested once", async () => {
		await using host = new TestHost();
		await using library = await reach(host, 1204);
		const session = await host.run("library", library.config);
		const seen: number[] = [];
		session.resources.onDidChange(() => seen.push(session.resources.items.length));
		await expect.poll(() => session.resources.status, patience).toEqual({ kind: "ready" });
		expect(session.resources.items).toHaveLength(1204);
		expect(session.resources.items.at(-1)?.name).toMatch(/^volume-\d{5}\./);
		const cursors = messagesOf(library.received(), "resources/list").map(
			({ params }) => (params as { readonly cursor?: string } | undefined)?.cursor,
		);
		expect(cursors).toEqual([undefined, ...Array.from({ length: 24 }, (_, page) => String((page + 1) * 50))]);
		// The first page is shown before the last was read, and no shown item disappears again.
		expect(seen.some((count) => count > 0 && count < 1204)).toBe(true);
		expect(seen).toEqual(seen.toSorted((a, b) => a - b));
	});

	it("follow each list that changes, and only that list is read again", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		for (const list of [session.tools, session.resources, session.resourceTemplates, session.prompts]) {
			await expect.poll(() => list.status.kind, patience).toBe("ready");
		}
		const readings = (kind: string): number =>
			messagesOf(library.received(), `${kind}/list`).filter(
				({ params }) => (params as { readonly cursor?: string } | undefined)?.cursor === undefined,
			).length;
		const before = { tools: readings("tools"), resources: readings("resources") };
		const prompts = session.prompts.items.length;
		await session.callTool("change", { what: "prompts", times: 2 });
		await expect.poll(() => session.prompts.items.length, patience).toBe(prompts + 2);
		expect({ tools: readings("tools"), resources: readings("resources") }).toEqual(before);

		const resources = session.resources.items.length;
		await session.callTool("change", { what: "resources", times: 60 });
		await expect.poll(() => session.resources.items.length, patience).toBe(resources + 60);
		expect(readings("tools")).toBe(before.tools);
	});

	it("are read from the server by exactly the listed URI (RES-01, RES-03, RES-09, BLT-20, BLT-24, BLT-25, BLT-26)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		for (const uri of oddUris) {
			const { contents } = await session.readResource(uri);
			expect(contents).toMatchObject([{ uri, text: `This is ${uri}\n` }]);
		}
		const asked = messagesOf(library.received(), "resources/read").map(({ params }) => (params as { uri: string }).uri);
		expect(asked).toEqual(oddUris);
	});

	it("come as the server sent them, with several contents and with another URI (RES-04, BLT-22, BLT-23)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const read = async (uri: string) => (await session.readResource(uri)).contents;
		expect((await read("parts://several")).map(({ uri }) => uri)).toEqual([
			"parts://several/text.txt",
			"parts://several/picture.png",
			"parts://several/raw",
		]);
		expect(await read("parts://same-uri")).toMatchObject([
			{ uri: "parts://same-uri", text: "the first of one URI" },
			{ uri: "parts://same-uri", text: "the second of one URI" },
		]);
		expect(await read("parts://other-uri")).toMatchObject([{ uri: "parts://elsewhere" }]);
		expect(await read("parts://none")).toEqual([]);
	});

	it("fail as errors of the host with the server's name and message", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const failure = async (uri: string): Promise<string> => {
			const error: unknown = await session.readResource(uri).catch((reason: unknown) => reason);
			expect(HostError.is(error, "protocol")).toBe(true);
			return HostError.is(error) ? error.message : "";
		};
		expect(await failure("fails://not-found")).toMatch(/^library: .*fails:\/\/not-found/);
		expect(await failure("fails://forbidden")).toBe("library: EACCES: the reading room is closed (error -32603).");
		expect(await failure("bytes://broken-base64")).toMatch(
			/^library: Invalid result for resources\/read: .*bytes:\/\/broken-base64: blob Invalid Base64 string\.$/,
		);
	});

	it("that are too large fail individually, within the configured limit (RES-06)", async () => {
		await using host = new TestHost({ limits: { maxMessageBytes: 20_000_000, maxResponseBytes: 20_000_000 } });
		await using library = await reach(host);
		const session = await host.run("library", library.config);
		const error: unknown = await session.readResource("size://secretly-huge.log").catch((reason: unknown) => reason);
		expect(error).toMatchObject({ code: "limit", message: expect.stringMatching(/^library: /) });
		expect((await session.readResource("size://says-huge.txt")).contents).toMatchObject([
			{ text: "small after all\n" },
		]);
	});
});
