import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { HostError } from "../../src/base/errors.ts";
import { readBundle } from "../../src/setup/bundles/bundle.ts";
import { fetchBundle } from "../../src/setup/bundles/fetchBundle.ts";
import { bundleOf } from "../unit/setup/bundles/zipArchive.ts";

describe("a bundle from a URL (BND-06)", () => {
	const bytes = bundleOf();

	async function fetched(answer: RequestListener, more: { readonly expectedSha256?: string } = {}, path = "/a.mcpb") {
		const server = createServer(answer);
		await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
		try {
			const { port } = server.address() as AddressInfo;
			return await fetchBundle(`http://127.0.0.1:${port}${path}`, {
				network: { environment: {} },
				signal: AbortSignal.timeout(30_000),
				...more,
			});
		} finally {
			server.closeAllConnections();
			server.close();
		}
	}

	it("of this machine is read, and its missing transport protection is recorded", async () => {
		const seen: (string | undefined)[] = [];
		const bundle = await fetched((request, response) => {
			seen.push(request.headers.authorization ?? request.headers.cookie);
			if (request.url === "/a.mcpb") response.writeHead(302, { location: "/b.mcpb" }).end();
			else response.end(bytes);
		});
		expect(bundle).toMatchObject({ origin: { isPlainHttp: true }, manifest: { name: "weather" } });
		expect(seen).toEqual([undefined, undefined]);
	});

	it("with the announced hash is installed, and with another is not", async () => {
		const { sha256 } = await readBundle(bytes, { label: "a" });
		const serve: RequestListener = (_request, response) => void response.end(bytes);
		await expect(fetched(serve, { expectedSha256: sha256 })).resolves.toMatchObject({ sha256 });
		await expect(fetched(serve, { expectedSha256: "0".repeat(64) })).rejects.toThrow("It is not the announced file");
	});

	it.each<readonly [string, RequestListener, string]>([
		["a page", (_request, response) => void response.end("<html>"), "is not a ZIP archive"],
		["nothing", (_request, response) => void response.writeHead(404).end(), "answered with 404"],
		[
			"a circle",
			(_request, response) => void response.writeHead(302, { location: "/a" }).end(),
			"redirects too many times",
		],
		[
			"an address in the clear",
			(_request, response) => void response.writeHead(302, { location: "http://example.com/a.mcpb" }).end(),
			"not encrypted (http)",
		],
		[
			"a file of this machine",
			(_request, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
			"from https URLs only",
		],
		[
			"a cloud's metadata service",
			(_request, response) => void response.writeHead(302, { location: "https://169.254.169.254/a.mcpb" }).end(),
			"it redirects to https://169.254.169.254",
		],
		[
			"half of it",
			(_request, response) =>
				void response.writeHead(200, { "content-length": 9 }).write("PK", () => response.destroy()),
			"",
		],
	])("that redirects to %s is not installed, and the reason is shown", async (_name, answer, reason) => {
		const error: unknown = await fetched(answer).catch((cause: unknown) => cause);
		expect(error).toBeInstanceOf(HostError);
		expect((error as HostError).message).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a\.mcpb/);
		expect((error as HostError).message).toContain(reason);
	});

	it.each([
		["http://example.com/a.mcpb", "not encrypted (http)"],
		["https://user:secret@example.com/a.mcpb", "a user name or a password"],
		["file:///etc/passwd", "from https URLs only"],
		["a.mcpb", "it is not a URL"],
	])("is not requested from an untrusted source: %s", async (address, reason) => {
		const options = { network: { environment: {} }, signal: new AbortController().signal };
		await expect(fetchBundle(address, options)).rejects.toThrow(reason);
	});
});
