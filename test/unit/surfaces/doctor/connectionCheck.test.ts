import { describe, expect, it } from "vitest";
import type { DoctorFacts } from "../../../../src/surfaces/doctor/facts.ts";
import type { DialResult, Probes } from "../../../../src/surfaces/doctor/probes.ts";
import { examinationOf, failedFacts, quietProbes } from "../../../view/fixtures/doctorScene.ts";
import { definition, workspaceOrigin } from "../../servers/fixtures.ts";

/** The finding for one server. */
async function found(facts: DoctorFacts, probes?: Partial<Probes>) {
	const examination = examinationOf({ acme: facts }, quietProbes(probes));
	await examination.run();
	const [server] = examination.view.servers;
	if (server === undefined) throw new Error("nothing was looked at");
	return { server, whats: server.findings.map(({ weight, what }) => `${weight} ${what}`) };
}

describe("The answer at the address of a server", () => {
	const config = { kind: "http", url: "https://acme.example/mcp", headers: {}, protocol: "auto" } as const;
	const remote = failedFacts("acme", {
		definition: definition("acme", config, workspaceOrigin),
		launch: { kind: "http", url: config.url, headers: {} },
		state: { kind: "failed", message: "It failed.", stderr: [] },
	});

	it.each<readonly [string, DialResult, RegExp, string | undefined]>([
		["the server, whose own message counts", { kind: "mcp", milliseconds: 3 }, /^It failed\.$/, "Start Again"],
		["HTTP+SSE alone", { kind: "sse" }, /supports only HTTP\+SSE/, "Switch to SSE"],
		[
			"no host",
			{ kind: "fault", message: "The host name of this address was not found." },
			/^acme\.example cannot be reached: the host name/,
			"Start Again",
		],
		[
			"a bad certificate",
			{ kind: "fault", message: "x", certificate: "It names “y”." },
			/^The certificate of acme\.example is not trusted\.$/,
			"Open Settings",
		],
		[
			"another host",
			{ kind: "redirect", status: 308, to: "https://new.example/mcp", isOtherHost: true },
			/redirects to another host: https:\/\/new\.example\/mcp/,
			"Use This URL",
		],
		[
			"a sign-in",
			{
				kind: "unauthorized",
				signIn: { registers: true, issuer: "https://login.example/" },
				sentHeader: false,
				words: "",
			},
			/requires you to sign in at login\.example\.$/,
			"Sign In…",
		],
		[
			"a sign-in that takes registered clients only",
			{
				kind: "unauthorized",
				signIn: { registers: false, issuer: "https://login.example/" },
				sentHeader: false,
				words: "",
			},
			/at login\.example, which accepts only registered clients\.$/,
			undefined,
		],
		[
			"a sign-in that is not safe",
			{ kind: "unauthorized", signIn: { registers: true, problem: "No PKCE." }, sentHeader: false, words: "" },
			/but the sign-in cannot start\.$/,
			undefined,
		],
		[
			"a key that is refused",
			{ kind: "unauthorized", signIn: undefined, sentHeader: true, words: "" },
			/rejects the key in "headers"/,
			undefined,
		],
		[
			"no key",
			{ kind: "unauthorized", signIn: undefined, sentHeader: false, words: "" },
			/needs a key or token/,
			"Set Authorization Header…",
		],
		[
			"a page",
			{ kind: "page", title: "Acme", better: "https://acme.example/mcp2" },
			/answers with a web page \(“Acme”\)/,
			"Use This URL",
		],
		["a status", { kind: "status", status: 404, text: "", words: "" }, /answers 404\.$/, "Start Again"],
		["another service", { kind: "foreign", type: "text/plain", text: "hi" }, /is not an MCP server/, undefined],
	])("is %s", async (_what, result, what, fix) => {
		const { server } = await found(remote, { dial: async () => result, proxyOf: () => "proxy.example:3128" });
		const [first] = server.findings;
		expect(first?.what).toMatch(what);
		expect(first?.fixes[0]?.title).toBe(fix ?? "Open at Line 3");
		expect(server.findings.map((finding) => finding.what)).toContain(
			"It is reached through the proxy proxy.example:3128.",
		);
	});

	it.each<DialResult>([
		{ kind: "status", status: 400, text: "Bad Request", words: " It says: no tenant" },
		{ kind: "unauthorized", signIn: undefined, sentHeader: true, words: " It says: no tenant" },
		{ kind: "unauthorized", signIn: undefined, sentHeader: false, words: " It says: no tenant" },
	])("shows its own reason after our advice", async (result) => {
		const { server } = await found(remote, { dial: async () => result });
		expect(server.findings[0]?.why).toMatch(/\. It says: no tenant$/);
	});

	it("is not requested while the server runs, and its sign-in is left to the user", async () => {
		const dialled: string[] = [];
		const dial: Probes["dial"] = async ({ url }) => {
			dialled.push(url);
			return {
				kind: "unauthorized",
				signIn: { registers: true, issuer: "https://login.example/" },
				sentHeader: false,
				words: "",
			};
		};
		await found({ ...remote, state: { kind: "starting" } }, { dial });
		expect(dialled).toEqual([]);
		const { whats } = await found({ ...remote, state: { kind: "needs-sign-in", message: "Sign in." } }, { dial });
		expect(whats.slice(0, 1)).toEqual(["waiting It waits for you to sign in."]);
		expect(whats).toContain("fine acme.example asks you to sign in at login.example.");
	});
});
