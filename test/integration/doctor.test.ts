/** Ten typical broken set-ups, with real processes and servers, and the doctor's findings for each. */
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createSocket, type AddressInfo, type Server } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { describeState } from "../../src/servers/sessions/describeState.ts";
import type { ShellOptions } from "../../src/surfaces/doctor/shellPath.ts";
import { makeCertificates } from "../servers/certificates.ts";
import { diagnose } from "./doctorScene.ts";
import { smallConfig } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** In every entry that can hold one; in no report. */
const secret = "sk-acme-4fQ8zT1vB7nM2xK9";

/** A broken set-up, and its expected first finding. */
interface Broken {
	readonly entry: JsonObject;
	readonly options?: Partial<ShellOptions>;
	readonly says: RegExp;
	readonly fixes?: readonly string[];
}

/** Resources of a test, closed at its end. */
class Opened implements AsyncDisposable {
	private readonly servers: Server[] = [];

	/** A server on a free port; returns the port. */
	async listen(server: Server): Promise<number> {
		this.servers.push(server);
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		return (server.address() as AddressInfo).port;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		for (const server of this.servers) {
			if ("closeAllConnections" in server) (server as ReturnType<typeof createServer>).closeAllConnections();
			await new Promise((closed) => server.close(closed));
		}
	}
}

const answering = (status: number, headers: Record<string, string>, body: string): RequestListener => {
	return (request, response) => {
		request.resume();
		response.writeHead(status, headers).end(body);
	};
};

/** A program for /bin/sh in a folder of the test. */
function script(host: TestHost, name: string, text: string): string {
	const folder = host.path("bin");
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, name);
	writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
	return folder;
}

const node = (code: string, env: JsonObject = {}): JsonObject => ({
	command: process.execPath,
	args: ["-e", code],
	env: { ACME_TOKEN: secret, ...env },
});

const setUps: Readonly<Record<string, (host: TestHost, opened: Opened) => Broken | Promise<Broken>>> = {
	"a slip in the command": () => ({
		entry: { command: "npxx", args: ["-y", "acme-mcp"], env: { ACME_TOKEN: secret } },
		says: /^There is no command “npxx” on the PATH of VS Code, nor on that of a terminal\.$/,
		fixes: ["Use npx"],
	}),
	"a package that does not exist": async (host, opened) => {
		const notFound = answering(404, { "content-type": "application/json" }, '{"error":"Not found"}');
		const port = await opened.listen(createServer(notFound));
		return {
			entry: {
				command: "npx",
				args: ["-y", "@acme/no-such-server"],
				env: {
					ACME_TOKEN: secret,
					HOME: host.path(),
					npm_config_registry: `http://127.0.0.1:${port}/`,
					npm_config_cache: host.path("npm"),
					npm_config_update_notifier: "false",
				},
			},
			says: /^There is no package “@acme\/no-such-server” in the registry of npm\./,
		};
	},
	"a key that is not set": () => ({
		entry: node('console.error("I was given " + process.env.ACME_TOKEN); throw new Error("ACME_API_KEY is required")'),
		says: /^ACME_API_KEY is not set, and the server needs it\./,
		fixes: ["Set Variable…"],
	}),
	"a command that only terminals find": (host) => {
		const folder = script(host, "acme-mcp", "exit 1");
		writeFileSync(host.path(".bash_profile"), `echo "Welcome back"\nexport PATH="${folder}:$PATH"\n`);
		return {
			entry: { command: "acme-mcp", args: [], env: { ACME_TOKEN: secret } },
			options: { shell: "/bin/bash", environment: { HOME: host.path(), PATH: process.env["PATH"] } },
			says: /^VS Code does not find “acme-mcp”, but a terminal does: .*\/bin\/acme-mcp\.$/,
			fixes: ["Use This PATH"],
		};
	},
	"a web page in place of a server": async (_host, opened) => {
		const page = answering(200, { "content-type": "text/html" }, "<html><title>Acme Cloud</title></html>");
		const port = await opened.listen(createServer(page));
		return {
			entry: { url: `http://127.0.0.1:${port}/docs`, headers: { "X-Acme-Key": secret } },
			says: /^127\.0\.0\.1:\d+ answers with a web page \(“Acme Cloud”\), not as an MCP server\.$/,
		};
	},
	"a certificate that nobody trusts": async (host, opened) => {
		const { key, certificate } = await makeCertificates(host.folder);
		const port = await opened.listen(createSecureServer({ key, cert: certificate }, answering(200, {}, "{}")));
		return {
			entry: { url: `https://127.0.0.1:${port}/mcp`, headers: { "X-Acme-Key": secret } },
			says: /^The certificate of 127\.0\.0\.1:\d+ is not trusted\.$/,
		};
	},
	"a server that wants a key and does not say where to get one": async (_host, opened) => {
		const refuse: RequestListener = (request, response) => {
			request.resume();
			response.writeHead(request.url === "/mcp" ? 401 : 404).end();
		};
		const port = await opened.listen(createServer(refuse));
		return {
			entry: { url: `http://127.0.0.1:${port}/mcp` },
			says: /^127\.0\.0\.1:\d+ needs a key or token \(401\), but does not offer sign-in\.$/,
			fixes: ["Set Authorization Header…"],
		};
	},
	"a server that prints between its messages": () => ({
		entry: node(`process.stdin.on("data", () => process.stdout.write("DEBUG got a message: "));
			process.stdin.on("end", () => process.exit(0)); process.stdout.write("Starting up\\n");`),
		says: /^It wrote text to standard output, where only MCP messages are allowed: “Starting up”\./,
	}),
	"a Node.js that is too old": (host) => {
		const engine = `npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'acme-mcp@2.0.0',
npm warn EBADENGINE   required: { node: '>=22' },
npm warn EBADENGINE   current: { node: 'v16.20.2', npm: '8.19.4' }
npm warn EBADENGINE }
SyntaxError: Unexpected token '??='`;
		script(host, "npx", `cat >&2 <<'END'\n${engine}\nEND\nexit 1`);
		const folder = script(host, "node", "echo v16.20.2");
		return {
			entry: { command: "npx", args: ["-y", "acme-mcp"], env: { PATH: `${folder}:/usr/bin:/bin`, ACME_TOKEN: secret } },
			says: /^The server needs version >=22 of Node\.js/,
		};
	},
	"a port that is in use": async (_host, opened) => {
		const port = await opened.listen(createSocket());
		return {
			entry: node(`require("node:net").createServer().listen(${port}, "127.0.0.1")`),
			says: /^Port \d+, which the server needs, is in use by another program/,
		};
	},
};

describe("The doctor names the true cause first (DOC-03)", () => {
	it.each(Object.keys(setUps))("of %s", async (what) => {
		await using host = new TestHost({ handshakeMs: what.includes("prints") ? 5000 : 60_000, probeMs: 1000 });
		await using opened = new Opened();
		const setUp = setUps[what];
		if (setUp === undefined) throw new Error("no such set-up");
		const { entry, options, says, fixes = [] } = await setUp(host, opened);
		await host.start("acme", entry);
		const { server, report } = await diagnose(host, "acme", { acme: entry }, options);
		const [first] = server.findings;
		expect(first).toMatchObject({ weight: "cause", what: expect.stringMatching(says) });
		expect(server.verdict).toEqual({ weight: "cause", words: first?.what });
		expect(first?.fixes.map(({ title }) => title)).toEqual(expect.arrayContaining([...fixes]));
		expect(report).not.toContain(secret);
		expect(report).toContain("**Cause**");
	});

	it("names the Node.js version", async () => {
		await using host = new TestHost();
		await using opened = new Opened();
		const broken = await setUps["a Node.js that is too old"]?.(host, opened);
		await host.start("acme", broken?.entry ?? {});
		const { server } = await diagnose(host, "acme", { acme: broken?.entry });
		expect(server.findings[0]?.why).toMatch(/It was run with .*\/bin\/node, which is v16\.20\.2\./);
	});
});

it("While npx downloads, the row of its server shows it (DOC-02)", async () => {
	await using host = new TestHost();
	const line = "npm warn exec The following package was not found and will be installed: acme-mcp@1.0.0";
	const folder = script(host, "npx", `echo "${line}" >&2\nexec sleep 600`);
	await host.configure({
		acme: { command: "npx", args: ["-y", "acme-mcp"], env: { PATH: `${folder}:/usr/bin:/bin` } },
	});
	const session = host.session("acme");
	void session.start();
	await expect.poll(() => describeState(session.state)).toBe("downloading with npx…");
	await session.stop();
	expect(describeState(session.state)).toBe("stopped");
});

describe("The doctor starts nothing", () => {
	it("of an unapproved server: not even the version of its programs is requested (DOC-04)", async () => {
		await using host = new TestHost();
		const folder = script(host, "node", `touch "${host.path("ran")}"`);
		const entry = { command: "node", args: ["x.js"], env: { PATH: folder } };
		const origin = { kind: "user-settings", label: "User Settings", isWorkspace: false } as const;
		await host.host.configure([{ origin, content: { value: { acme: entry } } }], false);
		const { server } = await diagnose(host, "acme", { acme: entry });
		expect(server.findings[0]).toMatchObject({ weight: "waiting", what: expect.stringMatching(/^It waits for you/) });
		expect(existsSync(host.path("ran"))).toBe(false);
	});

	it.each([false, true])(
		"of a server that is turned off in its entry, in a trusted workspace: %s (DOC-04)",
		async (isTrusted) => {
			await using host = new TestHost();
			await using opened = new Opened();
			host.isWorkspaceTrusted = isTrusted;
			const heard: unknown[] = [];
			const port = await opened.listen(
				createServer((request, response) => {
					heard.push(request.headers);
					response.end();
				}),
			);
			const url = `http://127.0.0.1:${port}/mcp`;
			const servers = {
				local: { command: "node", args: ["x.js"], env: { PATH: script(host, "node", `touch "${host.path("ran")}"`) } },
				remote: { type: "http", url, headers: { "X-Key": "${env:HOME}" } },
			};
			const off = Object.fromEntries(Object.entries(servers).map(([name, one]) => [name, { ...one, disabled: true }]));
			const origin = { kind: "mcp-json", label: ".vscode/mcp.json", isWorkspace: true, folder: host.path("") } as const;
			await host.host.configure([{ origin, content: { value: off } }], false);
			for (const name of ["local", "remote"]) {
				const { server } = await diagnose(host, name, off);
				expect(server.findings.map(({ what }) => what)).toContain("It is switched off.");
			}
			expect([existsSync(host.path("ran")), heard]).toEqual([false, []]);
		},
	);
});

it("A running server is reported as running, and its risks are only remarks", async () => {
	await using host = new TestHost();
	const entry = smallConfig("modern");
	await host.run("small", entry);
	const { server } = await diagnose(host, "small", { small: entry });
	expect(server.verdict).toEqual({ weight: "fine", words: "It is running. No problems were found." });
});

describe("Messages before a failed start are evidence (DOC-07)", () => {
	it.each(["a server that wants a key and does not say where to get one", "a server that prints between its messages"])(
		"of %s",
		async (what) => {
			await using host = new TestHost({ handshakeMs: 5000, probeMs: 1000 });
			await using opened = new Opened();
			const setUp = await setUps[what]?.(host, opened);
			if (setUp === undefined) throw new Error("no such set-up");
			await host.start("acme", setUp.entry);
			const { server, report, examination } = await diagnose(host, "acme", { acme: setUp.entry });
			const found = server.findings.find(({ evidenceTitle }) => evidenceTitle === "Messages");
			const [wanted, line] = what.includes("key")
				? [/HTTP 401\.$/, /^ {4}[\d:.]+Z HTTP: POST http:\/\/127\.0\.0\.1:\d+\/mcp: HTTP 401/]
				: [/never answered: the connection ended\.$/, /^[\d:.]+Z initialize: never answered/];
			expect(found?.what).toMatch(wanted);
			expect(found?.evidence).toContainEqual(expect.stringMatching(line));
			expect(report).toContain(found?.evidence?.[0]);
			// The button links to the row of the trace.
			const { fix } = examination.fixOf(server.id, found?.key ?? "", "0");
			const exchange = fix.kind === "command" ? fix.exchange : undefined;
			const id = host.trace.find(exchange ?? "");
			expect(host.trace.get(id ?? 0)).toMatchObject({ server: server.id });
		},
	);

	it("are not shown for a running server", async () => {
		await using host = new TestHost();
		await host.run("small", smallConfig("both"));
		const { server } = await diagnose(host, "small", {});
		expect(server.findings.map(({ evidenceTitle }) => evidenceTitle)).not.toContain("Messages");
	});
});
