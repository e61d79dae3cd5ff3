import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { literalRange, rangeOf } from "../../../../src/base/addresses.ts";
import { EndpointGuard } from "../../../../src/protocol/authorization/endpointGuard.ts";
import type { NetworkInit } from "../../../../src/protocol/http/network.ts";
import { setScene } from "./authorizationScene.ts";

const names: Readonly<Record<string, readonly string[]>> = {
	"mcp.example.com": ["93.184.216.34"],
	"as.example.com": ["93.184.216.35", "2606:2800:220:1::1"],
	"rebound.example.com": ["93.184.216.36", "127.0.0.1"],
	"both.example.com": ["127.0.0.1", "93.184.216.37"],
	"translated.example.com": ["64:ff9b::a00:1"],
	"sso.corp.example": ["10.1.2.3"],
	"mcp.corp.example": ["192.168.7.7"],
};

function guardFor(server: string): EndpointGuard {
	return new EndpointGuard(new URL(server), (host) => {
		const found = names[host];
		return found === undefined ? Promise.reject(new Error("ENOTFOUND")) : Promise.resolve(found);
	});
}

async function mayNamed(server: string, url: string): Promise<boolean> {
	return guardFor(server)
		.check(new URL(url))
		.then(
			() => true,
			() => false,
		);
}

test.each([
	["127.8.9.1", "loopback"],
	["::1", "loopback"],
	["::ffff:7f00:1", "loopback"],
	["10.0.0.1", "private"],
	["172.31.255.255", "private"],
	["172.32.0.1", "public"],
	["100.64.0.1", "private"],
	["fd00::1", "private"],
	["::ffff:192.168.0.1", "private"],
	["169.254.169.254", "forbidden"],
	["fe80::1", "forbidden"],
	["0.0.0.0", "forbidden"],
	["224.0.0.1", "forbidden"],
	// IPv4 in IPv6, by the ways in which networks translate or tunnel it.
	["64:ff9b::7f00:1", "loopback"],
	["64:ff9b::a00:1", "private"],
	["64:ff9b::a9fe:a9fe", "forbidden"],
	["64:ff9b::808:808", "public"],
	["64:ff9b:1::7f00:1", "private"],
	["2002:7f00:1::", "loopback"],
	["2002:a9fe:a9fe::1", "forbidden"],
	["2002:c0a8:1::1", "private"],
	["2002:808:808::1", "public"],
	["::127.0.0.1", "loopback"],
	["::192.168.0.1", "private"],
	["::8.8.8.8", "public"],
	["::ffff:0:127.0.0.1", "loopback"],
	["::ffff:0:a9fe:a9fe", "forbidden"],
	["2001:0:4136:e378:8000:63bf:80ff:fffe", "forbidden"],
	["2606:4700::5efe:7f00:1", "loopback"],
	["2606:4700::200:5efe:10.0.0.1", "private"],
	["::ffff:169.254.169.254", "forbidden"],
	["0:0:0:0:0:0:0:1", "loopback"],
	["fec0::1", "private"],
	["feff::1", "private"],
	["fe80::1%eth0", "forbidden"],
	["fd00:ec2::254", "forbidden"],
	["100.100.100.200", "forbidden"],
	["192.0.0.192", "forbidden"],
	["100::1", "forbidden"],
	["4000::1", "forbidden"],
	["1::1", "forbidden"],
	["8.8.8.8", "public"],
	["2606:4700::1111", "public"],
	["no address", "forbidden"],
])("%s is %s (AUT-03)", (address, range) => {
	expect(rangeOf(address)).toBe(range);
});

test.each([
	["http://0x7f.1/", "loopback"],
	["http://2130706433/", "loopback"],
	["http://[::ffff:7f00:1]/", "loopback"],
	["http://[64:ff9b::127.0.0.1]/", "loopback"],
	["http://[::127.0.0.1]/", "loopback"],
	["http://localhost./", "loopback"],
	["http://a.localhost/", "loopback"],
	["http://localhost.example.com/", undefined],
])("%s directly names %s", (url, range) => {
	expect(literalRange(new URL(url))).toBe(range);
});

describe("a server that names an address", () => {
	test.each([
		"javascript:alert(1)",
		"data:text/html,x",
		"file:///etc/passwd",
		"vbscript:x",
		"vscode://a.b/c",
		"command:workbench.action.terminal.new",
		"ftp://as.example.com/",
		"http://as.example.com/authorize",
		"https://user:secret@as.example.com/",
		"https://as.example.com@127.0.0.1/",
		"http://127.0.0.1:80/",
		"https://localhost/",
		"https://10.0.0.1/",
		"https://169.254.169.254/latest",
		"https://0.0.0.0/",
		"https://[fd00::1]/",
		"https://[64:ff9b::7f00:1]/",
		"https://[2002:7f00:1::]/",
		"https://[::127.0.0.1]/",
		"https://[fec0::1]/",
		"https://translated.example.com/",
		"https://rebound.example.com/",
		"https://sso.corp.example/",
	])("in the world may not send us to %s (AUT-01, AUT-03)", async (url) => {
		expect(await mayNamed("https://mcp.example.com/mcp", url)).toBe(false);
	});

	test.each([
		["https://mcp.example.com/mcp", "https://as.example.com/authorize?a=b"],
		["https://mcp.example.com/mcp", "https://unknown-here.example.com/"],
		["https://mcp.corp.example/mcp", "https://sso.corp.example/"],
		["https://mcp.corp.example/mcp", "https://as.example.com/"],
		["http://127.0.0.1:3000/mcp", "http://localhost:4000/authorize"],
		["http://localhost:3000/mcp", "https://as.example.com/"],
	])("%s may send us to %s", async (server, url) => {
		expect(await mayNamed(server, url)).toBe(true);
	});

	test.each([
		["https://mcp.corp.example/mcp", "http://127.0.0.1:9229/json"],
		["https://mcp.corp.example/mcp", "https://169.254.169.254/"],
		["http://127.0.0.1:3000/mcp", "http://as.example.com/"],
		["http://127.0.0.1:3000/mcp", "http://169.254.169.254/"],
	])("%s may not send us to %s", async (server, url) => {
		expect(await mayNamed(server, url)).toBe(false);
	});

	test("is refused with its visible target, without hidden characters", async () => {
		const check = guardFor("https://mcp.example.com/mcp").check(new URL("https://127.0.0.1/%E2%80%AE?secret=1"));
		await expect(check).rejects.toMatchObject({
			code: "denied",
			message: expect.not.stringContaining("secret") as string,
		});
		await expect(check).rejects.toThrow("https://127.0.0.1");
	});
});

describe("a public server", () => {
	const server = "https://93.184.216.34/mcp";
	const issuer = "https://93.184.216.35";
	let hits = 0;
	const canary = createServer((_request, response) => {
		hits++;
		response.end("{}");
	});
	let port = 0;
	beforeAll(async () => {
		await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
		({ port } = canary.address() as AddressInfo);
	});
	afterAll(() => canary.close());

	/** The world as this server describes it; all other addresses are really fetched. */
	function world(documents: Readonly<Record<string, object>>): FetchLike {
		return (input, init) => {
			const { origin, pathname } = new URL(input);
			const found = documents[pathname];
			if (origin === "https://93.184.216.34" || origin === issuer) {
				return Promise.resolve(found === undefined ? new Response("", { status: 404 }) : Response.json(found));
			}
			return fetch(input, init);
		};
	}

	const resource = (authorizationServer: string) => ({
		resource: server,
		authorization_servers: [authorizationServer],
	});
	const metadata = (changes: object) => ({
		issuer,
		authorization_endpoint: `${issuer}/authorize`,
		token_endpoint: `${issuer}/token`,
		registration_endpoint: `${issuer}/register`,
		response_types_supported: ["code"],
		code_challenge_methods_supported: ["S256"],
		...changes,
	});
	const prm = "/.well-known/oauth-protected-resource/mcp";
	const asm = "/.well-known/oauth-authorization-server";

	test.each([
		["resource_metadata", (target: string) => ({ header: `${target}/metadata`, documents: {} })],
		["authorization_servers", (target: string) => ({ documents: { [prm]: resource(target) } })],
		[
			"registration_endpoint",
			(target: string) => ({
				documents: { [prm]: resource(issuer), [asm]: metadata({ registration_endpoint: `${target}/register` }) },
			}),
		],
		[
			"authorization_endpoint",
			(target: string) => ({
				documents: {
					[prm]: resource(issuer),
					[asm]: metadata({ authorization_endpoint: `${target}/authorize` }),
					"/register": { client_id: "c", redirect_uris: ["http://127.0.0.1:3000/callback"] },
				},
			}),
		],
	] as const)("reaches nothing internal through %s (AUT-03)", async (_where, attack) => {
		const targets = [`http://127.0.0.1:${port}`, `http://[::ffff:7f00:1]:${port}`, `http://0x7f.1:${port}`];
		for (const target of [...targets, `https://127.0.0.1:${port}`, "http://169.254.169.254"]) {
			const { header, documents } = { header: undefined, ...attack(target) };
			const challenge = header === undefined ? "Bearer" : `Bearer resource_metadata="${header}"`;
			const scene = setScene(server, {
				serverFetch: () =>
					Promise.resolve(new Response("", { status: 401, headers: { "www-authenticate": challenge } })),
				plainFetch: world(documents),
			});
			await expect(scene.call()).rejects.toMatchObject({ code: "denied" });
			expect(scene.browser.opened).toEqual([]);
		}
		expect(hits).toBe(0);
	});
});

test("a server that is both external and internal reaches nothing internal (AUT-03)", async () => {
	expect(await mayNamed("https://both.example.com/mcp", "https://127.0.0.1:8443/token")).toBe(false);
	expect(await mayNamed("https://both.example.com/mcp", "https://sso.corp.example/token")).toBe(false);
	expect(await mayNamed("https://both.example.com/mcp", "https://as.example.com/token")).toBe(true);
});

test("the address of a name is checked again when it is connected to: for silent and changing names (AUT-03)", async () => {
	const asked: NetworkInit[] = [];
	const fetch = guardFor("https://mcp.example.com/mcp").guarding(async (_url, init: NetworkInit = {}) => {
		asked.push(init);
		return new Response();
	});
	// One for which the name server answers too late, and one with another answer the second time.
	await fetch("https://silent.example.com/token");
	await fetch("https://as.example.com/token");
	expect(asked).toHaveLength(2);
	for (const { mayConnect } of asked) {
		expect(mayConnect?.("93.184.216.35")).toBe(true);
		for (const address of ["127.0.0.1", "::1", "10.1.2.3", "169.254.169.254"])
			expect(mayConnect?.(address)).toBe(false);
	}
});
