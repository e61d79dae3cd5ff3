/** Install links of MCP Host, as editors pass them on (REG-01). */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { ownInstallLink, readInstallLink } from "../../../../src/servers/formats/installLinks.ts";
import { linkTargets, writeBadges } from "../../../../src/servers/formats/writeLinks.ts";
import { whyNotAdded, whyServerNotAdded } from "../../../../src/servers/definitions/editorLimits.ts";
import { chooseRegistry } from "../../../../src/setup/registry/chooseRegistry.ts";
import { readLinkSource } from "../../../../src/setup/entries/installLink.ts";
import { randomFrom, randomServer } from "../../servers/formats/randomServers.ts";
import { addingScene } from "./addingScene.ts";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";

const entry = {
	type: "stdio",
	command: "npx",
	args: ["-y", "a&b=c", 'x"}&inputs=[', "100%", "a+b"],
	env: { A: "1 2" },
};
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("A query that the editor passes on (REG-01)", () => {
	const plain = JSON.stringify(entry);
	const inputs = JSON.stringify([{ type: "promptString", id: "k", description: "a&b" }]);
	it.each([
		["as it was written, encoded", `name=two%20words&config=${encodeURIComponent(plain)}`],
		["decoded once", `name=two words&config=${plain}`],
		["with inputs, decoded", `name=two words&config=${plain}&inputs=${inputs}`],
		["with inputs first", `inputs=${inputs}&name=two words&config=${plain}`],
		["as base64, encoded", `name=two%20words&config=${encodeURIComponent(base64(entry))}`],
		["as base64, decoded", `name=two words&config=${base64(entry)}`],
		["as base64url", `name=two words&config=${base64url(entry)}`],
		["with the name in it", `config=${base64url({ name: "two words", ...entry })}`],
	])("%s", (_how, query) => {
		const read = readLinkSource(query).found;
		expect(read.refused).toEqual([]);
		expect(read.servers).toMatchObject([{ name: "two words", entry }]);
	});

	it("restores the server of the badge, however often it was decoded on the way", () => {
		const random = randomFrom(42);
		const [target] = linkTargets;
		if (target === undefined) throw new Error("There is no target.");
		for (let round = 0; round < 200; round++) {
			const server = { ...randomServer(random, "ü & x"), isOff: false };
			const { text, changes } = writeBadges([server], target);
			if (changes.length > 0) continue;
			const [, link = ""] = /\]\((https:\/\/vscode\.dev\S+)\)\n/.exec(text) ?? [];
			const inner = new URL(link).searchParams.get("url") ?? "";
			let query = new URL(inner).search.slice(1);
			for (let times = 0; times < 3; times++) {
				expect(readLinkSource(query).found.servers).toMatchObject([{ name: server.name, entry: server.entry }]);
				query = decodeURIComponent(query);
			}
		}
	});
});

describe("A malicious link (REG-01)", () => {
	const cases: Readonly<Record<string, readonly [query: string, reason: string | undefined]>> = {
		"nothing at all": ["", "not a JSON object"],
		"no value": ["config=", "not a JSON object"],
		"half a bracket": ["config={", "not a JSON object"],
		"a list": ["config=[]", "not a JSON object"],
		"a sign of an encoding": ["config=%", "not a JSON object"],
		"an encoding that is none": ["config=%ZZ%00", "not a JSON object"],
		"an empty object": ["config={}", "neither a command nor a URL"],
		"a command of no letters": ['config={"command":""}', "neither a command"],
		"two configurations": ['config={"command":["npx"]}&config={"command":"rm"}', undefined],
		"a script in place of an address": ['config={"url":"javascript:alert(1)"}', "does not begin with http"],
		"a file in place of an address": ['config={"url":"file:///etc/passwd"}', "does not begin with http"],
		"a zero byte": [String.raw`config={"command":"a\u0000b","args":[]}`, undefined],
		"a name of a prototype": ['config={"__proto__":{"command":"x"}}', undefined],
		"brackets without end": [`config=${"[".repeat(5_000)}`, "not a JSON object"],
		"more brackets than a link holds": [`config=${"[".repeat(15_000)}`, "too long"],
		"objects without end": [`config=${'{"a":'.repeat(1_000)}`, "not a JSON object"],
		"a command that is too long": [`config={"command":"${"x".repeat(20_000)}"}`, "too long"],
		"no parameter but letters": ["x".repeat(100_000), "too long"],
		"signs of equality": ["=".repeat(5_000), "not a JSON object"],
		"signs between parameters": ["&".repeat(10_000), "not a JSON object"],
		"a name of two lines": [String.raw`config={"command":"npx","name":"a\nb"}`, "control characters"],
	};
	it.each(Object.keys(cases))("with %s is refused, or shown as such", (what) => {
		const [query, reason] = cases[what] ?? [""];
		const { found } = readLinkSource(query);
		expect(found.servers).toHaveLength(reason === undefined ? 1 : 0);
		expect(found.refused.map((one) => one.reason).join()).toMatch(new RegExp(reason ?? "^$"));
	});

	it("shows everything that it would run, invisible characters as escapes, and that a link requested it", () => {
		const hidden = { command: "npx", args: ["-y", "pkg\u202Egnp", "a\nb"], env: { NODE_OPTIONS: "--require ./x.js" } };
		const { adding } = addingScene(undefined, { sources: [readLinkSource(`name=x&config=${base64url(hidden)}`)] });
		const [candidate] = toAddServersView(adding).groups[0]?.candidates ?? [];
		expect(candidate?.lines).toMatchObject([
			{ label: "Command", values: ["npx"] },
			{ label: "Arguments", values: ["-y", String.raw`pkg\u202Egnp`, String.raw`a\u000Ab`] },
		]);
		expect(candidate?.notes.join()).toContain("A link requested this.");
		expect(candidate?.warnings.join()).toContain("NODE_OPTIONS");
	});

	it("is parsed again as passed on", () => {
		expect(readInstallLink(ownInstallLink(`config=${JSON.stringify(entry)}`))?.servers).toMatchObject([{ entry }]);
	});
});

describe("An organization that turned MCP servers off (REG-02)", () => {
	const off = (effective: unknown, inspected: object | undefined) =>
		whyNotAdded({ inspect: () => inspected, get: () => effective }, true) !== undefined;
	it("is respected, and no other setting: a user's setting is about the editor's own host", () => {
		expect(off("none", { defaultValue: "all" })).toBe(true);
		expect(off("none", { defaultValue: "all", globalValue: "all" })).toBe(true);
		expect(off("none", { defaultValue: "all", globalValue: "none" })).toBe(false);
		expect(off("none", { defaultValue: "all", workspaceValue: "none" })).toBe(false);
		expect(off("all", { defaultValue: "all" })).toBe(false);
		// VS Code returns a policy as the default: a file with the same value does not end it.
		expect(off("none", { defaultValue: "none" })).toBe(true);
		expect(off("none", { defaultValue: "none", globalValue: "none" })).toBe(true);
		expect(off("none", { defaultValue: "none", workspaceValue: "none" })).toBe(true);
		expect(off(undefined, undefined)).toBe(false);
	});

	it("or allows only those of its registry, is respected for servers of any source", () => {
		const why = (isListed: boolean, globalValue: unknown) =>
			whyNotAdded({ inspect: () => ({ defaultValue: "all", globalValue }), get: () => "registry" }, isListed);
		expect(why(false, "all")).toContain("only servers from its registry (chat.mcp.access)");
		expect(why(true, "all")).toBeUndefined();
		expect(why(false, "registry")).toBeUndefined();
	});

	const limited = (lists: { readonly allowed?: unknown; readonly denied?: unknown }, user: unknown = null) => {
		const listed = new Map([
			["chat.mcp.allowedServers", lists.allowed],
			["chat.mcp.deniedServers", lists.denied],
		]);
		const settings = {
			inspect: () => ({ defaultValue: null, globalValue: user }),
			get: (name: string) => listed.get(name) ?? user,
		};
		return (name: string, server: JsonObject) => whyServerNotAdded(settings, { name, entry: server }, false);
	};
	const remote = (url: string): JsonObject => ({ type: "http", url });

	it("denies servers by name, address or command, despite its allowed ones", () => {
		const denying = limited({
			denied: [
				{ serverName: "shady" },
				{ serverUrl: "https://*.evil.example/*" },
				{ serverCommand: ["npx", "-y", "bad"] },
			],
			allowed: [{ serverName: "shady" }, { serverName: "a" }],
		});
		const local = (...args: string[]): JsonObject => ({ command: "npx", args });
		expect(denying("shady", remote("https://a.example"))).toContain(
			"does not allow the server “shady” (chat.mcp.deniedServers)",
		);
		expect(denying("a", remote("https://mcp.EVIL.example:443/x"))).toContain("does not allow");
		expect(denying("a", local("-y", "bad"))).toContain("does not allow");
		expect(denying("a", local("-y", "bad", "--more"))).toBeUndefined();
		expect(denying("a", remote("https://a.example/x"))).toBeUndefined();
		expect(denying("b", local("x"))).toContain("only listed servers, and “b” is not in the list");
	});

	it.each([
		["https://mcp.corp.example/*", "https://mcp.corp.example/a/b?c", true],
		["https://mcp.corp.example", "https://mcp.corp.example/", true],
		["https://*.corp.example/*", "https://a.b.corp.example/x", true],
		["https://*.corp.example/*", "https://corp.example.evil.test/x", false],
		["https://*.corp.example/*", "https://evil.test/.corp.example/x", false],
		["https://*.corp.example/*", "https://evil.test?.corp.example/x", false],
		["https://*.corp.example/*", String.raw`https://evil.test\.corp.example/x`, false],
		["https://*corp.example/*", "https://corp.example@evil.test/x", false],
		["https://corp.example*", "https://corp.example@evil.test", false],
		["*", "https://a.example", false],
		["*://*", "https://a.example", true],
		["https://a.example/*/mcp", "https://a.example/x/y/mcp", true],
		["https://a.example/*/mcp", "https://a.example/mcp", false],
		["https://*a*b*.example/", "https://ab.example/", true],
	])("allows by %s: %s %s", (serverUrl, url, isAllowed) => {
		expect(limited({ allowed: [{ serverUrl }] })("x", remote(url)) === undefined).toBe(isAllowed);
	});

	it.each([
		["shady", /cannot be read: "shady"/],
		[{ serverPackage: "shady" }, /cannot be read: .*serverPackage.* No server is allowed/],
		[{ serverName: 5 }, /cannot be read/],
		[{ serverName: "" }, /cannot be read/],
		[{ serverCommand: "npx bad" }, /cannot be read/],
		[{ serverCommand: [] }, /cannot be read/],
		[{}, /cannot be read/],
		[null, /cannot be read/],
		[{ serverName: "x", serverUrl: "https://other.example/*" }, /does not allow the server “x”/],
		[{ serverName: "other", serverUrl: "https://a.example/*" }, /does not allow the server “x”/],
	])("denies everything that an unreadable denial can mean (REG-17): %j", (matcher, why) => {
		expect(limited({ denied: [matcher] })("x", remote("https://a.example/"))).toMatch(why);
	});

	it("allows nothing by what cannot be read", () => {
		for (const allowed of ["x", ["x"], [{ serverName: "x", serverUrl: "*://*" }]])
			expect(limited({ allowed })("x", remote("https://a.example"))).toContain("only listed servers");
	});

	it("denies every server by what is no list of denials", () => {
		expect(limited({ denied: "x" })("y", remote("https://a.example"))).toContain("cannot be read");
	});

	it.each(["None", "off", 0, {}])("turns servers off by an access that nobody knows: %j", (value) => {
		const settings = { inspect: () => ({ defaultValue: "all" }), get: () => value };
		expect(whyNotAdded(settings, true)).toMatch(/chat\.mcp\.access cannot be read: .* No server is allowed/);
	});

	it("allows nothing by an empty list, everything without one, and ignores lists of the user", () => {
		expect(limited({ allowed: [] })("x", remote("https://a.example"))).toContain("only listed servers");
		expect(limited({})("x", remote("https://a.example"))).toBeUndefined();
		expect(limited({}, [])("x", remote("https://a.example"))).toBeUndefined();
	});

	const choice = (settings: Readonly<Record<string, { readonly set?: unknown; readonly policy?: unknown }>>) =>
		chooseRegistry({
			inspect: (name) => ({ globalValue: settings[name]?.set }),
			get: (name) => settings[name]?.policy ?? settings[name]?.set,
		});
	const [own, gallery, access] = ["mcpHost.registry.url", "chat.mcp.gallery.serviceUrl", "chat.mcp.access"];
	it.each([
		[{}, { url: "https://registry.modelcontextprotocol.io" }],
		[{ [own]: { set: "https://a.example/" } }, { url: "https://a.example" }],
		[{ [own]: { set: "https://a.example/mcp/v0.1/servers" } }, { url: "https://a.example/mcp" }],
		[{ [own]: { set: "http://127.0.0.1:1" } }, { url: "http://127.0.0.1:1" }],
		[{ [own]: { set: "https://a.example" }, [access]: { set: "registry" } }, { url: "https://a.example" }],
		[{ [own]: { set: "https://a.example" }, [gallery]: { set: "https://b.example" } }, { url: "https://a.example" }],
	])("keeps the user's own registry: %j", (settings, expected) => expect(choice(settings)).toEqual(expected));

	it.each([
		[{ [own]: { set: "https://a.example" }, [gallery]: { policy: "https://b.example" } }, "https://b.example"],
		[
			{
				[own]: { set: "https://a.example" },
				[access]: { policy: "registry" },
				[gallery]: { set: "https://b.example" },
			},
			"https://b.example",
		],
		[{ [own]: { set: "https://a.example" }, [access]: { policy: "registry" } }, "https://api.mcp.github.com"],
	])("names the registry that is searched: %j", (settings, url) =>
		expect(choice(settings)).toMatchObject({ url, limit: expect.any(String) as string }),
	);

	it.each([
		[{ [access]: { policy: "none" } }, "turned off MCP servers"],
		[{ [own]: { set: "http://a.example" } }, "not the https address"],
		[{ [own]: { set: "https://me:pw@a.example" } }, "not the https address"],
		[{ [own]: { set: "nonsense" } }, "not the https address"],
		[{ [gallery]: { policy: "http://b.example" } }, "not the https address"],
	])("or that there is none: %j", (settings, refusal) =>
		expect(choice(settings)).toMatchObject({ refusal: expect.stringContaining(refusal) as string }),
	);
});
