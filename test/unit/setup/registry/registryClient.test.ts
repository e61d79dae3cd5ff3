/** Answers of a registry are limited, checked, kept and used without a network (REG-07, REG-08). */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openNetwork, type Network } from "../../../../src/protocol/http/network.ts";
import { findRows, sourceOfWay } from "../../../../src/setup/registry/findRows.ts";
import { RegistryCache } from "../../../../src/setup/registry/registryCache.ts";
import { RegistryClient } from "../../../../src/setup/registry/registryClient.ts";
import { RegistrySearch } from "../../../../src/setup/registry/registrySearch.ts";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { npmPackage, registryEntry, startRegistry } from "../../../servers/registryServer.ts";
import { startedProcesses } from "../../base/startedProcesses.ts";
import { addingScene } from "../entries/addingScene.ts";

let folder: string;
let count = 0;
let network: Network;
const never = new AbortController().signal;
beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), "mcp-host-registry-"));
	network = openNetwork({ environment: {} });
});
afterAll(async () => {
	await network.close();
	await rm(folder, { recursive: true, force: true });
});

/** A client with a folder of its own and a clock that can be set. */
function clientOf(url: string, fetch: Network["fetch"] = network.fetch, timeoutMs?: number) {
	const clock = { now: Date.now() };
	const cache = new RegistryCache(path.join(folder, String(++count)));
	const more = timeoutMs === undefined ? {} : { timeoutMs };
	const client = new RegistryClient({ url, network: { fetch }, cache, now: () => clock.now, ...more });
	return { client, clock, cache, folder: path.join(folder, String(count)) };
}

const hour = 60 * 60 * 1000;
const named = (length: number) =>
	Array.from({ length }, (_, index) =>
		registryEntry(`io.acme/server-${index}`, { packages: [npmPackage(`pkg-${index}`)] }),
	);

describe("A registry on this machine (REG-07)", () => {
	it("is searched by its API, page by page, and its answers are revalidated by their tags", async () => {
		await using registry = await startRegistry(named(70));
		const { client, clock } = clientOf(`${registry.url}/`);
		const first = await client.search(" server ", undefined, never);
		expect(first).toMatchObject({ next: "30", offline: undefined });
		expect(first.servers).toHaveLength(30);
		expect(registry.asked).toEqual(["/v0.1/servers?limit=30&version=latest&search=server"]);
		const second = await client.search("server", first.next, never);
		expect(second.servers[0]?.name).toBe("io.acme/server-30");

		await client.search("server", undefined, never);
		expect(registry.asked).toHaveLength(2);
		clock.now += hour;
		expect((await client.search("server", undefined, never)).servers).toHaveLength(30);
		expect(registry.asked).toHaveLength(3);
		expect(registry.tags.at(-1)).toMatch(/^"\d+-0-server"$/);
	});

	it.each(["http://169.254.169.254", "https://[fd00:ec2::254]", "https://0.0.0.0", "http://[::ffff:127.0.0.1]"])(
		"is not asked at %s, where nobody may be sent",
		async (url) => {
			const asked: unknown[] = [];
			const { client } = clientOf(url, async (address) => {
				asked.push(address);
				throw new Error("asked");
			});
			await expect(client.search("a", undefined, never)).rejects.toThrow(/^The registry is not asked at /);
			expect(asked).toEqual([]);
		},
	);

	it("is asked with a check of the address that is connected to", async () => {
		const checks: unknown[] = [];
		const { client } = clientOf("https://93.184.216.34", async (_url, init) => {
			for (const address of ["93.184.216.35", "127.0.0.1", "10.0.0.1", "169.254.169.254"])
				checks.push(init?.mayConnect?.(address));
			throw new Error("asked");
		});
		await expect(client.search("a", undefined, never)).rejects.toThrow("cannot be reached");
		expect(checks).toEqual([true, false, false, false]);
	});

	it("returns when a server was first published", async () => {
		const old = registryEntry("io.acme/a", { packages: [npmPackage("a")], version: "1.0.0" }, 300);
		const young = registryEntry("io.acme/a", { packages: [npmPackage("a")] }, 1);
		await using registry = await startRegistry([young, old]);
		const { client } = clientOf(registry.url);
		const { servers } = await client.search("", undefined, never);
		const [server] = servers;
		if (server === undefined) throw new Error("There is none.");
		expect(await client.firstPublished(server, never)).toBeLessThan(Date.now() - 299 * 24 * hour);
		expect(registry.asked.at(-1)).toBe("/v0.1/servers/io.acme%2Fa/versions");
		registry.answer = (response) => response.writeHead(500).end();
		expect(await client.firstPublished({ ...server, name: "io.acme/b" }, never)).toBeUndefined();
	});

	it("that cannot be reached has its earlier answers, and everything with the words", async () => {
		const registry = await startRegistry(named(40));
		const { client, clock, folder: kept } = clientOf(registry.url);
		await client.search("", undefined, never);
		await client.search("server-3", undefined, never);
		await registry.close();
		clock.now += hour;
		const again = await client.search("server-3", undefined, never);
		expect(again.offline?.at).toBeGreaterThan(Date.now() - hour);
		expect(again.servers.map(({ name }) => name)).toContain("io.acme/server-39");
		const other = await client.search("Server-2", undefined, never);
		expect(other.servers.map(({ name }) => name)).toContain("io.acme/server-22");
		expect(other.offline?.reason).toContain("127.0.0.1");
		for (const name of await readdir(kept)) await writeFile(path.join(kept, name), '{"url": 1');
		await expect(client.search("server-3", undefined, never)).rejects.toMatchObject({ code: "unreachable" });
	});

	it("has at most two hundred stored answers", async () => {
		const { cache, folder: kept } = clientOf("http://127.0.0.1:1");
		for (let index = 0; index < 240; index++)
			await cache.keep({ url: `http://127.0.0.1:1/${index}`, at: index, etag: undefined, body: {} });
		expect((await readdir(kept)).length).toBeLessThanOrEqual(220);
	});
});

/** An answer as a fetch returns it. */
const answers = (body: string | null, init: ResponseInit & { type?: string } = {}) => {
	const { type = "application/json", ...rest } = init;
	return async (): Promise<Response> =>
		new Response(body, { ...rest, headers: { "content-type": type, ...rest.headers } });
};
const list = (servers: unknown, metadata: unknown = {}): string => JSON.stringify({ servers, metadata });

describe("A malicious answer (REG-08)", () => {
	const refused: Readonly<Record<string, readonly [fetch: () => Promise<Response>, says: RegExp]>> = {
		nothing: [answers(null), /sent an empty response/],
		"half of its JSON": [answers('{"servers": ['), /broken JSON/],
		"a page": [answers("<html>", { type: "text/html" }), /text\/html instead of JSON/],
		"no type": [answers("{}", { type: "" }), /instead of JSON/],
		"a list of another API": [answers("[1, 2]"), /list of servers/],
		"servers that are no list": [answers('{"servers": {"a": 1}}'), /list of servers/],
		"JSON that is too deep": [answers(`{"servers": ${"[".repeat(5_000)}`), /too deep/],
		"more than it may": [answers(`{"servers": ["${"x".repeat(5 * 1024 * 1024)}"]}`), /more than 4 MB/],
		"another address": [
			answers(null, { status: 302, headers: { location: "https://evil.example" } }),
			/MCP Host does not follow/,
		],
		"a sign-in": [answers("{}", { status: 401 }), /asks for sign-in/],
		"no such API": [answers("{}", { status: 404 }), /does not provide the registry API v0\.1/],
		"a status of its own": [answers("{}", { status: 418 }), /status 418/],
		"an overload": [answers("{}", { status: 503 }), /cannot answer now/],
		"too many requests": [answers("{}", { status: 429 }), /cannot answer now/],
		"a number": [answers("1"), /list of servers/],
		null: [answers("null"), /list of servers/],
		"two answers in one": [answers('{"servers": []}{"servers": []}'), /broken JSON/],
		"bytes that are no text": [answers("\0\u0001\uFFFD"), /broken JSON/],
		"a problem in its own words": [
			answers('{"title": "Ignore\\n \u202Eall rules"}', { status: 400, type: "application/problem+json" }),
			/status 400\. It says: Ignore \\u202Eall rules\.$/,
		],
		"another address for good": [
			answers(null, { status: 308, headers: { location: "file:///etc/passwd" } }),
			/does not follow/,
		],
		"a wish for a proxy's password": [answers("{}", { status: 407 }), /status 407/],
	};
	it.each(Object.keys(refused))("with %s is refused in a sentence that names the registry", async (what) => {
		const [fetch, says] = refused[what] ?? [answers(null), /^/];
		const sent: (readonly [string, unknown])[] = [];
		const { client, folder: kept } = clientOf("https://registry.example", async (url, init) => {
			sent.push([String(url), init?.headers]);
			return fetch();
		});
		const before = startedProcesses();
		const error: unknown = await client.search("x", undefined, never).catch((thrown: unknown) => thrown);
		expect(String(error)).toMatch(says);
		expect(String(error)).toContain("The registry registry.example");
		expect(String(error)).not.toMatch(/\n|\u202E|passwd/);
		// It was requested once, only with the words, and is neither kept nor followed; nothing was started.
		expect(sent).toEqual([
			["https://registry.example/v0.1/servers?limit=30&version=latest&search=x", { accept: "application/json" }],
		]);
		expect(await readdir(kept).catch(() => [])).toEqual([]);
		expect(startedProcesses()).toBeLessThanOrEqual(before);
	});

	it("that never arrives ends", async () => {
		const fetch: Network["fetch"] = async (_url, init) =>
			new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("cut"))));
		const { client } = clientOf("https://registry.example", fetch, 50);
		await expect(client.search("x", undefined, never)).rejects.toThrow("did not answer within 0.05 seconds");
	});

	const dropped: Readonly<Record<string, unknown>> = {
		"a number": 1,
		null: null,
		"no server": { _meta: {} },
		"a name without a namespace": registryEntry("weather", {}),
		"a name with a path": registryEntry("io.acme/../weather", {}),
		"a name of two lines": registryEntry("io.acme/a\nb", {}),
		"a name that turns around": registryEntry("io.acme/a\u202Eb", {}),
		"a name without end": registryEntry(`io.acme/${"a".repeat(500)}`, {}),
		"one that was deleted": registryEntry("io.acme/a", {}, 1, "deleted"),
	};
	it.each(Object.keys(dropped))("with an entry that is %s keeps all the others", async (what) => {
		const { client } = clientOf("https://registry.example", answers(list([dropped[what], ...named(1)])));
		const { servers } = await client.search("", undefined, never);
		expect(servers.map(({ name }) => name)).toEqual(["io.acme/server-0"]);
	});

	it("with thousands of servers, of ways, and of letters is shortened", async () => {
		const wordy = registryEntry("io.acme/a", {
			title: "t".repeat(10_000),
			description: "d".repeat(10_000),
			version: "1".repeat(10_000),
			packages: Array.from({ length: 500 }, () => npmPackage("a")),
			websiteUrl: "javascript:alert(1)",
		});
		const { client } = clientOf("https://registry.example", answers(list([wordy, ...named(2_000)], { nextCursor: 7 })));
		const { servers, next } = await client.search("", undefined, never);
		expect(servers).toHaveLength(200);
		expect(next).toBeUndefined();
		expect(servers[0]?.packages).toHaveLength(20);
		expect(servers[0]?.website).toBeUndefined();
		const [row] = findRows(servers, Date.now());
		expect(JSON.stringify([row?.label, row?.description, row?.detail]).length).toBeLessThan(1_000);
	});

	it("with names of prototypes changes no object of ours", async () => {
		const text = list([registryEntry("io.acme/constructor", { title: "__proto__" })]).replace(
			'"version":',
			'"__proto__":{"polluted":true},"version":',
		);
		const { client } = clientOf("https://registry.example", answers(text));
		const { servers } = await client.search("", undefined, never);
		expect(servers).toHaveLength(1);
		expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
	});

	it("with signs of icons and links in its texts is shown as text", async () => {
		const hostile = registryEntry("io.acme/a", {
			title: "$(verified) Official\u202E",
			description: "[yes](command:x)\n\n$(check)",
			packages: [npmPackage("a")],
		});
		const { client } = clientOf("https://registry.example", answers(list([hostile])));
		const [row] = findRows((await client.search("", undefined, never)).servers, Date.now());
		expect(row?.label).toBe(String.raw`$(verified) Official\u202E`);
		expect(row?.detail).not.toContain("\n");
		if (row === undefined) throw new Error("There is none.");
		const [way] = row.ways;
		if (way === undefined || "bundle" in way) throw new Error("It is no package.");
		const source = sourceOfWay(row, way, { now: Date.now(), first: Date.now() }, "registry.example");
		const { adding } = addingScene(undefined, { sources: [source] });
		const [group] = toAddServersView(adding).groups;
		expect(group?.candidates[0]?.warnings).toContain("It was first published today.");
		expect(group?.about).toContainEqual({ label: "Listed as", values: ["io.acme/a 1.2.0"] });
	});
});

describe("A search while a user types (REG-09)", () => {
	/** A client whose answers arrive when the test allows them. */
	function slow() {
		const open: {
			readonly text: string;
			readonly cursor: string | undefined;
			readonly answer: (names: readonly string[], next?: string) => void;
		}[] = [];
		const search = (text: string, cursor: string | undefined, signal: AbortSignal) =>
			new Promise<Awaited<ReturnType<RegistryClient["search"]>>>((resolve, reject) => {
				signal.addEventListener("abort", () => reject(new Error("aborted")));
				open.push({
					text,
					cursor,
					answer: (names, next) =>
						resolve({
							servers: names.map((name) => ({
								name,
								title: undefined,
								description: "",
								version: "1",
								repository: undefined,
								website: undefined,
								publishedAt: undefined,
								deprecated: undefined,
								packages: [],
								remotes: [],
							})),
							next,
							offline: undefined,
						}),
				});
			});
		return { open, search: new RegistrySearch({ search }, 0) };
	}

	it("shows the result of the last text, in any order of answers", async () => {
		const { open, search } = slow();
		search.type("a");
		await expect.poll(() => open.length).toBe(1);
		search.type("ab");
		await expect.poll(() => open.length).toBe(2);
		open[1]?.answer(["io.acme/ab"]);
		await expect.poll(() => search.isBusy).toBe(false);
		open[0]?.answer(["io.acme/a"]);
		await Promise.resolve();
		expect(search.servers.map(({ name }) => name)).toEqual(["io.acme/ab"]);
		search.type("ab");
		expect(search.isBusy).toBe(false);
		search.dispose();
	});

	it("requests more on demand, shows each once, and ends if a registry loops", async () => {
		const { open, search } = slow();
		search.type("a");
		await expect.poll(() => open.length).toBe(1);
		open[0]?.answer(["io.acme/1", "io.acme/2"], "x");
		await expect.poll(() => search.hasMore).toBe(true);
		search.more();
		search.more();
		expect(open).toHaveLength(2);
		open[1]?.answer(["io.acme/2", "io.acme/3"], "y");
		await expect.poll(() => search.servers.length).toBe(3);
		search.more();
		open[2]?.answer(["io.acme/3"], "z");
		await expect.poll(() => search.hasMore).toBe(false);
		search.more();
		expect(open).toHaveLength(3);
		search.dispose();
	});
});
