/** A domain lists its own servers, and is not trusted (REG-14). */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPasted } from "../../../../src/servers/formats/readPasted.ts";
import { openNetwork, type Network } from "../../../../src/protocol/http/network.ts";
import { findCards, sourcesOfCards } from "../../../../src/setup/registry/serverCards.ts";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { addingScene } from "../entries/addingScene.ts";

const signal = new AbortController().signal;
let network: Network;
beforeAll(() => {
	network = openNetwork({ environment: {} });
});
afterAll(() => network.close());

/** A card in the shape of the draft's schema (modelcontextprotocol/experimental-ext-server-card, `ServerCard`). */
function card(name: string, url: string, more: object = {}): object {
	return {
		$schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		name,
		version: "1.0.0",
		description: "Forecasts",
		remotes: [{ type: "streamable-http", url }],
		...more,
	};
}

const entry = (more: object) => ({ identifier: "urn:air:a:mcp:b", type: "application/mcp-server-card+json", ...more });

/** A machine that serves these answers at its paths; returns the offers of its domain, and the requests. */
async function domain(answers: Readonly<Record<string, unknown>>, path = "/") {
	const asked: string[] = [];
	const server = createServer(({ url = "", headers }, response) => {
		asked.push(`${url}${headers.cookie ?? headers.authorization ?? ""}`);
		const answer = answers[url];
		if (typeof answer === "number") response.writeHead(answer, { location: "https://a.example" }).end();
		else if (answer === undefined) response.writeHead(404).end();
		else {
			const text = typeof answer === "string" ? answer : JSON.stringify(answer);
			response.writeHead(200, { "content-type": "application/mcp-server-card+json" }).end(text);
		}
	});
	await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
	const address = new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	try {
		const found = await findCards(address, network, signal);
		return { found, asked, sources: sourcesOfCards(address, found), address };
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

describe("A domain is asked for its servers (REG-14)", () => {
	it("by its AI catalog, whose cards are in it or at addresses", async () => {
		const { found, asked, sources } = await domain({
			"/.well-known/ai-catalog.json": {
				specVersion: "1.0",
				entries: [
					entry({ data: card("com.acme/inline", "https://mcp.acme.example/mcp", { title: "Inline" }) }),
					{ type: "application/agent-card+json", url: "/agent" },
					entry({}),
				],
			},
		});
		expect(found.servers.map(({ name }) => name)).toEqual(["com.acme/inline"]);
		expect(found.reasons).toEqual(["One of its cards has no address."]);
		expect(asked).toEqual(["/.well-known/ai-catalog.json"]);
		const { adding, added } = addingScene(undefined, { sources });
		const [group] = toAddServersView(adding).groups;
		expect(group?.heading).toBe("Inline");
		expect(group?.about[0]?.values[0]).toContain("(experimental)");
		expect(group?.candidates[0]?.warnings.join(" ")).toMatch(
			/written by its publisher.*belongs to mcp\.acme\.example, not to 127/,
		);
		await adding.add(false);
		expect(added[0]?.servers).toMatchObject([{ name: "inline", entry: { url: "https://mcp.acme.example/mcp" } }]);
	});

	it("otherwise at the place of an earlier draft, or beside its address", async () => {
		const well = await domain({ "/.well-known/mcp/server-card.json": card("com.acme/a", "https://a.example/mcp") });
		expect(well.found.servers.map(({ name }) => name)).toEqual(["com.acme/a"]);
		const beside = await domain({ "/mcp/server-card": card("com.acme/b", "https://a.example/mcp") });
		expect(beside.found.servers.map(({ name }) => name)).toEqual(["com.acme/b"]);
		const path = await domain({ "/v1/mcp/server-card": card("com.acme/c", "https://a.example/mcp") }, "/v1/mcp");
		expect(path.found.servers.map(({ name }) => name)).toEqual(["com.acme/c"]);
	});

	it("and if it has none, its usual address is a guess that is marked as one", async () => {
		const { sources, address } = await domain({});
		const [server] = sources[0]?.found.servers ?? [];
		expect(server?.entry).toEqual({ type: "http", url: `${address.origin}/mcp` });
		expect(server?.remarks).toEqual([
			`${address.host} publishes no server cards.`,
			"The address is a guess, based on the address that most servers use.",
		]);
	});

	const harmful: Readonly<Record<string, unknown>> = {
		"that is no JSON": "<html>",
		"that is a list": [card("com.acme/a", "https://a.example/mcp")],
		"that is too deep": "[".repeat(5000),
		"without a name": card("", "https://a.example/mcp"),
		"with a name that turns around": card("com.acme/a\u202Eb", "https://a.example/mcp"),
		"that leads elsewhere": 302,
		"that wants a sign-in": 401,
	};
	it.each(Object.keys(harmful))("a card %s is ignored", async (what) => {
		const { found, sources } = await domain({ "/.well-known/mcp/server-card.json": harmful[what] });
		expect(found.servers).toEqual([]);
		expect(sources[0]?.found.servers[0]?.remarks.join()).toContain("publishes no server cards");
	});

	it.each([
		["a script", "javascript:alert(1)"],
		["a file", "file:///etc/passwd"],
		["a user name", "https://me:pw@a.example/mcp"],
	])("a card that leads to %s names no server, and the reason is shown", async (_what, url) => {
		const { sources } = await domain({ "/.well-known/mcp/server-card.json": card("com.acme/a", url) });
		expect(sources[0]?.found.servers).toEqual([]);
		expect(sources[0]?.found.refused[0]?.reason).toMatch(/address/i);
	});

	it("a card adds no package, in any form", async () => {
		const packages = [{ registryType: "npm", identifier: "evil", version: "1.0.0", transport: { type: "stdio" } }];
		const { sources } = await domain({
			"/.well-known/mcp/server-card.json": card("com.acme/a", "https://a.example/mcp", { packages }),
		});
		expect(JSON.stringify(sources)).not.toContain("evil");
	});

	it("no request goes to a network that the domain is not in, or without encryption", async () => {
		const asked: string[] = [];
		const urls = ["https://10.0.0.1/card", "https://127.0.0.1/card", "http://203.0.113.9/card", "file:///etc/passwd"];
		const fetch = async (url: string | URL): Promise<Response> => {
			asked.push(String(url));
			const body = JSON.stringify({ entries: urls.map((one) => entry({ url: one })) });
			return new Response(body, { headers: { "content-type": "application/json" } });
		};
		const found = await findCards(new URL("https://203.0.113.5"), { fetch }, signal);
		expect(asked).toEqual(["https://203.0.113.5/.well-known/ai-catalog.json"]);
		expect(found.servers).toEqual([]);
		expect(found.reasons).toHaveLength(4);
		for (const reason of found.reasons)
			expect(reason).toMatch(/^203\.0\.113\.5 lists a card at .+, which was not read/);
	});

	it("a domain that cannot be reached is reported", async () => {
		const fetch = async (): Promise<Response> => Promise.reject(new Error("refused"));
		const asking = findCards(new URL("https://203.0.113.5"), { fetch }, signal);
		await expect(asking).rejects.toThrow("203.0.113.5 cannot be reached.");
	});
});

it("A domain that is pasted can be asked; an address within one is kept unchanged (REG-14)", () => {
	expect(readPasted("acme.example").domain).toBe("https://acme.example/");
	expect(readPasted("https://acme.example:8443/").domain).toBe("https://acme.example:8443/");
	expect(readPasted("https://acme.example/mcp").domain).toBeUndefined();
	const opened: string[] = [];
	const { adding } = addingScene("acme.example", { openDomain: (address) => void opened.push(address) });
	const [group] = toAddServersView(adding).groups;
	expect(group?.domain).toBe("acme.example");
	adding.lookInto(group?.id ?? "", "domain");
	adding.lookInto("none", "domain");
	expect(opened).toEqual(["https://acme.example/"]);
});
