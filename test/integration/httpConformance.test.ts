import { describe, expect, it } from "vitest";
import { checkHttp } from "../../src/surfaces/doctor/httpChecks.ts";
import type { Finding } from "../../src/surfaces/doctor/finding.ts";
import { machineProbes } from "../../src/surfaces/doctor/machineProbes.ts";
import {
	type HttpFault,
	httpFaults,
	type SeededHttp,
	type SeededHttpOptions,
	startSeededHttp,
	statelessFaults,
} from "../servers/seededHttp.ts";
import { TestHost } from "./testHost.ts";

const probes = machineProbes({ environment: {}, network: { environment: {} } });

/** The findings about the transport of a server that runs, or that waits for a sign-in. */
async function findingsOf(server: SeededHttp, protocol: "legacy" | "modern"): Promise<readonly Finding[]> {
	await using host = new TestHost();
	await host.start("seeded", { url: server.url, protocol });
	const session = host.session("seeded");
	const launch = await host.host.resolve(session.definition, () => false);
	if (launch.kind !== "http") throw new Error("It is not reached over HTTP.");
	return await checkHttp(session, launch, probes, new AbortController().signal);
}

/** The rule, the place and the weight of the finding that each fault must lead to. */
const expected: Readonly<Record<HttpFault, readonly [rule: string, at: string, weight: string]>> = {
	"unknown-session-400": ["http-session-unknown", "Mcp-Session-Id", "warning"],
	"ended-session-lives": ["http-session-ended", "Mcp-Session-Id", "warning"],
	"session-not-needed": ["http-session-missing", "Mcp-Session-Id", "note"],
	"one-session-only": ["http-session-second", "initialize", "note"],
	"delete-fails": ["http-session-delete", "DELETE", "note"],
	"version-header-ignored": ["http-version-header", "MCP-Protocol-Version", "warning"],
	"origin-ignored": ["http-origin", "Origin", "warning"],
	"notification-with-200": ["http-notification", "notifications/initialized", "note"],
	"accept-ignored": ["http-accept", "Accept", "note"],
	"page-for-get": ["http-get", "GET", "warning"],
	"parse-error-500": ["http-parse", "POST", "warning"],
	"no-challenge": ["http-challenge", "WWW-Authenticate", "note"],
	"no-resource-metadata": ["oauth-metadata", "oauth-protected-resource", "warning"],
	"no-authorization-server": ["oauth-servers", "authorization_servers", "warning"],
	"other-resource": ["oauth-discovery", "oauth-protected-resource", "warning"],
	"scopes-as-text": ["oauth-format", "oauth-protected-resource", "warning"],
	"method-header-ignored": ["http-header-mismatch", "Mcp-Method", "warning"],
	"version-mismatch-ignored": ["http-header-mismatch", "MCP-Protocol-Version", "warning"],
	"revision-ignored": ["http-version-unsupported", "MCP-Protocol-Version", "warning"],
	"meta-not-needed": ["http-meta-missing", "_meta", "warning"],
};

const ofSignIn = /challenge|metadata|authorization|resource|scopes/;

const brief = (findings: readonly Finding[]): readonly (readonly string[])[] =>
	findings.map(({ rule = "", at = "", weight }) => [rule, at, weight]);

describe("Check Server over HTTP", () => {
	it.each<SeededHttpOptions>([{}, { isModern: true }, { isProtected: true }])(
		"finds nothing in a server without a fault: %o (DOC-13)",
		async (options) => {
			await using server = await startSeededHttp(options);
			expect(brief(await findingsOf(server, options.isModern === true ? "modern" : "legacy"))).toEqual([]);
		},
	);

	it.each(httpFaults)("finds the fault at its place, with its clause: %s (DOC-13)", async (fault) => {
		await using server = await startSeededHttp({ fault, isProtected: ofSignIn.test(fault) });
		const findings = await findingsOf(server, "legacy");
		expect(brief(findings)).toEqual([expected[fault]]);
		expect(findings[0]?.clause?.url).toContain("https://modelcontextprotocol.io/specification/2025-11-25/basic/");
		expect(findings[0]?.why).not.toBe("");
	});

	it.each(statelessFaults)("finds the fault of a server without sessions: %s (DOC-13)", async (fault) => {
		await using server = await startSeededHttp({ fault, isModern: true });
		const findings = await findingsOf(server, "modern");
		expect(brief(findings)).toEqual([expected[fault]]);
	});

	it("ends the session that it opens, and calls nothing (DOC-13)", async () => {
		await using server = await startSeededHttp();
		await using host = new TestHost();
		await host.start("seeded", { url: server.url, protocol: "legacy" });
		const before = server.sessions.size;
		const session = host.session("seeded");
		const launch = await host.host.resolve(session.definition, () => false);
		if (launch.kind !== "http") throw new Error("It is not reached over HTTP.");
		await checkHttp(session, launch, probes, new AbortController().signal);
		expect(server.sessions.size).toBe(before);
		const sent = new Set(server.received);
		expect([...sent].filter((method) => !method.endsWith("list")).toSorted()).toEqual([
			"initialize",
			"notifications/initialized",
			"ping",
		]);
	});
});
