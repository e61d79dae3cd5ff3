import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NetworkSettings } from "../../../../src/protocol/limits.ts";
import { openNetwork } from "../../../../src/protocol/http/network.ts";
import { makeCertificates, type TestCertificates } from "../../../servers/certificates.ts";
import { startProxyServer } from "../../../servers/proxyServer.ts";
import { freePort } from "../../../integration/fixtures.ts";

let folder: string;
let certificates: TestCertificates;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "mcp-network-"));
	certificates = await makeCertificates(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A server that answers each request with its path, over http or https. */
async function startServer(isSecure: boolean): Promise<{ readonly port: number } & AsyncDisposable> {
	const answer: RequestListener = (request, response) => void response.end(`at ${request.url}`);
	const { key, certificate: cert } = certificates;
	const server = isSecure ? createHttpsServer({ key, cert }, answer) : createHttpServer(answer);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The text at an address, by a network of its own. */
async function read(url: string, settings: Partial<NetworkSettings> = {}): Promise<string> {
	const network = openNetwork({ environment: {}, ...settings });
	try {
		return await (await network.fetch(url)).text();
	} finally {
		await network.close();
	}
}

describe("a private certificate authority", () => {
	it("is not trusted by default, and the message shows where to name it", async () => {
		await using server = await startServer(true);
		await expect(read(`https://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
			code: "start-failed",
			message: expect.stringMatching(/certificate is not trusted \([A-Z_]+\).*mcpHost\.certificateAuthorities/),
		});
	});

	it.each([
		["the settings", (path: string) => ({ certificateAuthorities: [path] })],
		["NODE_EXTRA_CA_CERTS", (path: string) => ({ environment: { NODE_EXTRA_CA_CERTS: path } })],
		["SSL_CERT_FILE", (path: string) => ({ environment: { SSL_CERT_FILE: path } })],
	])("is trusted when %s names it", async (_source, settings) => {
		await using server = await startServer(true);
		expect(await read(`https://127.0.0.1:${server.port}/x`, settings(certificates.authorityPath))).toBe("at /x");
	});

	it("does not replace the others", async () => {
		await using server = await startServer(true);
		const settings = { certificateAuthorities: [certificates.authorityPath], trustSystem: true };
		expect(await read(`https://127.0.0.1:${server.port}/x`, settings)).toBe("at /x");
	});

	it.each([
		["is missing", undefined, /cannot be read: ENOENT/],
		["holds no certificate", "hello", /contains no certificate in PEM format/],
		["is damaged", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", /is damaged/],
	])("whose file %s is reported by its path", async (name, content, why) => {
		const path = join(folder, `${name}.pem`);
		if (content !== undefined) writeFileSync(path, content);
		const reading = read("https://127.0.0.1:1/", { certificateAuthorities: [path] });
		await expect(reading).rejects.toMatchObject({ code: "start-failed", message: expect.stringContaining(path) });
		await expect(reading).rejects.toThrow(why);
		await using plain = await startServer(false);
		expect(await read(`http://127.0.0.1:${plain.port}/x`, { certificateAuthorities: [path] })).toBe("at /x");
	});
});

describe("a proxy", () => {
	it.each([
		["the settings", (url: string) => ({ proxy: url })],
		["HTTPS_PROXY", (url: string) => ({ environment: { HTTPS_PROXY: url } })],
		["https_proxy", (url: string) => ({ environment: { https_proxy: url } })],
		["ALL_PROXY", (url: string) => ({ environment: { ALL_PROXY: url } })],
	])("of %s tunnels https", async (_source, settings) => {
		await using server = await startServer(true);
		await using proxy = await startProxyServer({ resolveTo: "127.0.0.1" });
		const trust = { certificateAuthorities: [certificates.authorityPath] };
		expect(await read(`https://mcp.test:${server.port}/x`, { ...trust, ...settings(proxy.url) })).toBe("at /x");
		expect(proxy.asked).toEqual([`CONNECT mcp.test:${server.port}`]);
	});

	it.each([
		["the settings", (url: string) => ({ proxy: url })],
		["the settings, without a scheme", (url: string) => ({ proxy: url.replace("http://", "") })],
		["HTTP_PROXY", (url: string) => ({ environment: { HTTP_PROXY: url } })],
		["http_proxy", (url: string) => ({ environment: { http_proxy: url } })],
	])("of %s passes plain requests on", async (_source, settings) => {
		await using server = await startServer(false);
		await using proxy = await startProxyServer({ resolveTo: "127.0.0.1" });
		expect(await read(`http://mcp.test:${server.port}/x`, settings(proxy.url))).toBe("at /x");
		expect(proxy.asked).toEqual([`GET http://mcp.test:${server.port}/x`]);
	});

	it("gets the user name and the password of its address", async () => {
		await using server = await startServer(false);
		await using proxy = await startProxyServer({ resolveTo: "127.0.0.1", credentials: "me:p@ss" });
		const withPassword = proxy.url.replace("//", "//me:p%40ss@");
		expect(await read(`http://mcp.test:${server.port}/x`, { proxy: withPassword })).toBe("at /x");
	});

	it("serves many requests at once, quiet ones included", async () => {
		const open: (() => void)[] = [];
		const server = createHttpServer((request, response) => {
			if (request.url !== "/quiet") return void response.end("quick");
			response.writeHead(200).flushHeaders();
			open.push(() => void response.end("late"));
			return undefined;
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		await using proxy = await startProxyServer({ resolveTo: "127.0.0.1" });
		const network = openNetwork({ environment: {}, proxy: proxy.url });
		const base = `http://mcp.test:${(server.address() as AddressInfo).port}`;
		const quiet = await network.fetch(`${base}/quiet`);
		expect(await (await network.fetch(`${base}/quick`)).text()).toBe("quick");
		for (const end of open) end();
		expect(await quiet.text()).toBe("late");
		await network.close();
		await new Promise((resolve) => server.close(resolve));
	});

	it.each([
		["loopback", "127.0.0.1", {}],
		["a host of NO_PROXY", "localhost", { noProxy: ["<-loopback>", "localhost"] }],
	])("is not used for %s", async (_what, host, settings) => {
		await using server = await startServer(false);
		await using proxy = await startProxyServer();
		expect(await read(`http://${host}:${server.port}/x`, { proxy: proxy.url, ...settings })).toBe("at /x");
		expect(proxy.asked).toEqual([]);
	});

	it("is used for loopback when the exceptions allow it", async () => {
		await using server = await startServer(false);
		await using proxy = await startProxyServer();
		const settings = { proxy: proxy.url, noProxy: ["<-loopback>"] };
		expect(await read(`http://127.0.0.1:${server.port}/x`, settings)).toBe("at /x");
		expect(proxy.asked).toHaveLength(1);
	});

	it("that refuses is named, with its answer", async () => {
		await using proxy = await startProxyServer({ refuseWith: 403 });
		await expect(read("https://mcp.test/", { proxy: proxy.url })).rejects.toMatchObject({
			code: "unreachable",
			message: expect.stringMatching(/^The proxy 127\.0\.0\.1:\d+ did not connect to mcp\.test: .*403/),
		});
	});

	it("that does not exist is named", async () => {
		const proxy = `http://127.0.0.1:${await freePort()}`;
		for (const url of ["https://mcp.test/", "http://mcp.test/"]) {
			await expect(read(url, { proxy })).rejects.toMatchObject({
				code: "unreachable",
				message: expect.stringMatching(/^The proxy 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/),
			});
		}
	});

	it("with an invalid address is reported without its password", async () => {
		const reading = read("https://mcp.test/", { proxy: "gopher://me:secret@proxy" });
		await expect(reading).rejects.toThrow(
			"The proxy in the settings is not an address such as http://proxy.example:8080.",
		);
	});
});

describe("a network", () => {
	it("makes no request after it was closed", async () => {
		await using server = await startServer(false);
		const network = openNetwork({ environment: {} });
		const url = `http://127.0.0.1:${server.port}/`;
		await (await network.fetch(url)).text();
		await network.close();
		await expect(network.fetch(url)).rejects.toThrow();
	});

	it("leaves redirects to the caller", async () => {
		const server = createHttpServer((_request, response) => void response.writeHead(302, { location: "/there" }).end());
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const network = openNetwork({ environment: {} });
		const response = await network.fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
		expect([response.status, response.headers.get("location")]).toEqual([302, "/there"]);
		await network.close();
		await new Promise((resolve) => server.close(resolve));
	});

	it("reports an abort as such", async () => {
		const network = openNetwork({ environment: {} });
		const signal = AbortSignal.abort(new Error("given up"));
		await expect(network.fetch("http://127.0.0.1:1/", { signal })).rejects.toThrow("given up");
		await network.close();
	});
});

describe("a request that may connect to some addresses only (AUT-03)", () => {
	it("connects to none of the addresses of its name when one is forbidden, and reports it", async () => {
		await using server = await startServer(false);
		const network = openNetwork({ environment: {} });
		const url = `http://localhost:${server.port}/x`;
		const asked: string[] = [];
		const mayConnect = (address: string): boolean => {
			asked.push(address);
			return false;
		};
		await expect(network.fetch(url, { mayConnect })).rejects.toMatchObject({
			code: "denied",
			message: expect.stringMatching(/^localhost resolves to an address on this machine/),
		});
		expect(asked).not.toEqual([]);
		// A connection that another request opened is not used for it.
		expect(await (await network.fetch(url)).text()).toBe("at /x");
		await expect(network.fetch(url, { mayConnect })).rejects.toMatchObject({ code: "denied" });
		expect(await (await network.fetch(url, { mayConnect: () => true })).text()).toBe("at /x");
		await network.close();
	});
});
