import { createServer } from "node:http";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isJsonObject } from "../../src/base/json.ts";
import { checkConduct } from "../../src/surfaces/doctor/protocolChecks.ts";
import { gatherFacts } from "../../src/surfaces/doctor/gatherFacts.ts";
import { lintDefinitions } from "../../src/surfaces/doctor/lint.ts";
import type { Finding } from "../../src/surfaces/doctor/finding.ts";
import { seededAnswer, type SeededFault, seededFaults } from "../servers/seededServer.ts";
import { scriptConfig, smallConfig } from "./fixtures.ts";
import { diagnose } from "./doctorScene.ts";
import { TestHost } from "./testHost.ts";

const script = new URL("../servers/seededServer.ts", import.meta.url).pathname;

/** The findings about the one server of a host, by the rules of the protocol and of definitions. */
async function findingsOf(host: TestHost): Promise<readonly Finding[]> {
	const session = host.session("seeded");
	for (const list of [session.tools, session.prompts, session.resources, session.resourceTemplates])
		await expect.poll(() => list.status.kind).not.toBe("loading");
	const facts = await gatherFacts(
		{
			directory: host.host.registry,
			problems: () => [],
			whyNot: (definition) => host.host.whyNot(definition),
			resolve: (definition) => host.host.resolve(definition, () => false),
			textOf: async () => "{}",
			isWorkspaceTrusted: () => true,
			environment: {},
			costs: { of: () => undefined, isLazy: () => false, whyHidden: () => undefined },
			trace: host.trace,
			otherHost: () => undefined,
			elsewhere: async () => [],
			placeFiles: async () => [],
		},
		session.definition.id,
	);
	if (facts === undefined) throw new Error("Nothing is known of the server.");
	return [...checkConduct(facts), ...lintDefinitions(facts)];
}

/** The rule and the place of the finding that each fault must lead to. */
const expected: Readonly<Record<SeededFault, readonly [rule: string, at: string]>> = {
	"stdout-banner": ["stdout", "standard output"],
	"tool-without-object-schema": ["left-out", "tools/list: result.tools[2].inputSchema.type"],
	"tool-listed-twice": ["duplicate", "tools/list: result.tools[2]"],
	"error-code-as-text": ["json-rpc", "tools/call: error.code"],
	"id-as-text": ["json-rpc", "tools/list: id"],
	"no-server-version": ["tolerated", "initialize: serverInfo.version"],
	"no-jsonrpc": ["json-rpc", "an answer: jsonrpc"],
	"null-title": ["tolerated", "tools/list: tools[].title"],
	"prompts-not-implemented": ["capability", "prompts/list"],
	"cursor-repeats": ["list", "tools/list"],
	"not-a-number": ["json-rpc", "size"],
	"resource-without-name": ["left-out", "resources/list: result.resources[1].name"],
	"stray-response": ["dropped", "an answer: id"],
	"no-description": ["no-description", "tool “count_orders”"],
	"no-parameter-description": ["no-argument-description", "tool “count_orders”: inputSchema"],
	"similar-names": ["similar-names", "tool “searchOrders”"],
	"long-name": ["refused-name", `tool “${"count_orders_".repeat(6)}”`],
	"refused-characters": ["refused-name", "tool “count.orders”"],
	"read-only-delete": ["contradicting-annotations", "tool “delete_orders”"],
	"hidden-characters": ["hidden-characters", "tool “count_orders”"],
	"enum-codes": ["enum-without-meaning", "tool “count_orders”: inputSchema.properties.kind"],
	"same-description": ["same-description", "tool “count_orders”"],
	"schema-anyof": ["refused-schema", "tool “count_orders”: inputSchema"],
	"list-without-items": ["refused-schema", "tool “count_orders”: inputSchema.properties.days"],
	"expensive-tools": ["token-budget", "tools/list"],
	"no-mime-type": ["no-mime-type", "resource orders://all"],
	"empty-capability": ["empty-capability", "capabilities.prompts"],
	"no-argument-description": ["no-argument-description", "prompt “apology”"],
	"unknown-method-silent": ["unknown-method", "unknown method"],
	"unknown-method-accepted": ["unknown-method", "unknown method"],
	"unknown-tool-accepted": ["unknown-tool", "tools/call"],
	"no-ping": ["ping", "ping"],
	"unused-argument": ["unused-argument", "prompt “apology”"],
	"wrong-parameters-accepted": ["wrong-parameters", "tools/call"],
	"unknown-resource-accepted": ["unknown-resource", "resources/read"],
	"completion-refused": ["completion", "completion/complete"],
	"completion-too-long": ["schema", "completion/complete: result.completion.values"],
	"unknown-completion-accepted": ["unknown-completion", "completion/complete"],
	"template-not-read": ["template", "template orders://{number}"],
	"template-malformed": ["invalid-template", "template orders://{number"],
	"invalid-cursor-accepted": ["invalid-cursor", "tools/list"],
};

const brief = (findings: readonly Finding[]): readonly string[] =>
	findings.map(({ rule = "", at = "", what }) => `${rule} | ${at} | ${what}`);

describe("Check Server over standard input and output", () => {
	it("finds nothing in a server without a fault (DOC-08)", async () => {
		await using host = new TestHost();
		await host.run("seeded", { ...scriptConfig(script), protocol: "legacy" });
		expect(brief(await findingsOf(host))).toEqual([]);
	});

	it.each(["legacy", "modern"] as const)(
		"finds no departure from the protocol in the small server: %s (DOC-08)",
		async (era) => {
			await using host = new TestHost();
			await host.run("seeded", smallConfig(era));
			const findings = await findingsOf(host);
			expect(brief(findings.filter(({ layer, weight }) => layer === "protocol" && weight !== "note"))).toEqual([]);
		},
	);

	it.each(seededFaults)("finds the fault at its place: %s (DOC-08, DOC-09)", async (fault) => {
		await using host = new TestHost();
		await host.run("seeded", { ...scriptConfig(script, fault), protocol: "legacy" });
		const findings = await findingsOf(host);
		const [rule, at] = expected[fault];
		expect(
			findings.filter((one) => one.rule === rule && one.at === at),
			brief(findings).join("\n"),
		).toHaveLength(1);
		// A number that JSON does not have is null for the schemas.
		const other = findings.filter(
			(one) => one.rule !== rule && !(fault === "not-a-number" && one.rule === "tolerated"),
		);
		expect(brief(other.filter(({ weight }) => weight === "warning"))).toEqual([]);
	});

	it("never says that no problems were found where something was left out (DOC-08)", async () => {
		await using host = new TestHost();
		const config = { ...scriptConfig(script, "tool-without-object-schema"), protocol: "legacy" };
		await host.run("seeded", config);
		const { server } = await diagnose(host, "seeded", { seeded: config });
		expect(server.verdict).toEqual({ weight: "warning", words: "It is running, with a warning." });
		expect(server.findings[0]).toMatchObject({
			layer: "Protocol",
			where: "tools/list: result.tools[2].inputSchema.type",
		});
		expect(server.findings[0]?.why).toContain("Specification 2025-11-25, “Tools”.");
	});
});

describe("Check Server over HTTP", () => {
	it.each([undefined, "tool-listed-twice", "unknown-method-accepted", "unknown-tool-accepted", "no-ping"] as const)(
		"finds what it finds over standard input and output: %s (DOC-08)",
		async (fault) => {
			const server = createServer((request, response) => {
				let body = "";
				request.on("data", (chunk: Buffer) => (body += chunk.toString()));
				request.on("end", () => {
					const message: unknown = body === "" ? undefined : JSON.parse(body);
					const answer = isJsonObject(message) ? seededAnswer(fault, message) : undefined;
					if (request.method !== "POST") response.writeHead(405).end();
					else if (answer === undefined) response.writeHead(202).end();
					else response.writeHead(200, { "content-type": "application/json" }).end(answer);
				});
			});
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
			const address = server.address();
			const port = typeof address === "object" && address !== null ? address.port : 0;
			try {
				await using host = new TestHost();
				await host.run("seeded", { url: `http://127.0.0.1:${port}/mcp`, protocol: "legacy" });
				const findings = await findingsOf(host);
				const [rule, at] = fault === undefined ? [] : expected[fault];
				expect(findings.filter((one) => one.rule !== "trouble").map((one) => [one.rule, one.at])).toEqual(
					fault === undefined ? [] : [[rule, at]],
				);
			} finally {
				server.closeAllConnections();
				server.close();
			}
		},
	);
});
