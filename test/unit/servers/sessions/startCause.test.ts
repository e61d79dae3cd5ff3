import { describe, expect, it } from "vitest";
import { causeOf, tellingLine } from "../../../../src/servers/sessions/startCause.ts";

/** The output of real programs, and the expected explanation. */
const outputs: readonly (readonly [
	what: string,
	output: string,
	kind: string,
	subject: string | undefined,
	words: RegExp,
])[] = [
	[
		"npm: a package that does not exist",
		`npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/@acme%2fno-such-server - Not found
npm error 404
npm error 404  '@acme/no-such-server@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log`,
		"no-package",
		"@acme/no-such-server",
		/no package “@acme\/no-such-server” in the registry of npm/,
	],
	[
		"npm 8: the same, without the sentence",
		"npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://registry.npmjs.org/no-such-server - Not found",
		"no-package",
		"no-such-server",
		/no package “no-such-server”/,
	],
	[
		"npm: a version that does not exist",
		"npm error code ETARGET\nnpm error notarget No matching version found for left-pad@99.0.0.\nnpm error notarget In most cases",
		"no-version",
		"left-pad@99.0.0",
		/no such version.*left-pad@99\.0\.0/,
	],
	[
		"npm: a registry that cannot be reached",
		"npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND",
		"registry",
		"ENOTFOUND",
		/could not get the package from its registry \(ENOTFOUND\)/,
	],
	[
		"npm: a cache that belongs to somebody else",
		"npm error code EACCES\nnpm error syscall mkdir\nnpm error path /root/.npm\nnpm error Error: EACCES: permission denied, mkdir '/root/.npm'",
		"no-permission",
		undefined,
		/permission denied/,
	],
	[
		"Node: a package that was installed without its own parts, and places in Node's code that mean nothing",
		`Error: Cannot find module '../build/Release/keytar.node'
Require stack:
- /home/me/node_modules/keytar/lib/keytar.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1564:15)
    at Module.require (node:internal/modules/cjs/loader:1674:12)
    at Module._compile (node:internal/modules/cjs/loader:1929:14) {
  code: 'MODULE_NOT_FOUND',`,
		"no-module",
		"../build/Release/keytar.node",
		/not installed or built completely: it lacks “\.\.\/build\/Release\/keytar\.node”/,
	],
	[
		"Node: a package that imports what another one does not have",
		"Fatal: Cannot find module '/home/me/node_modules/sdk/dist/mcp' imported from /home/me/node_modules/acme/index.js",
		"no-module",
		"/home/me/node_modules/sdk/dist/mcp",
		/not installed or built completely: it lacks “\/home\/me\/node_modules\/sdk\/dist\/mcp”/,
	],
	[
		"Node: a part of a server of one's own that was not built",
		"Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/dist/tools.js' imported from /srv/dist/index.js",
		"no-module",
		"/srv/dist/tools.js",
		/it lacks “\/srv\/dist\/tools\.js”.*build it/,
	],
	[
		"npm: a library in place of a server",
		"npm error could not determine executable to run\nnpm error A complete log of this run can be found in: /x",
		"no-program",
		"could not determine executable to run",
		/contains no program to run/,
	],
	[
		"npm: an engine that is too old",
		`npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'acme-mcp@2.0.0',
npm warn EBADENGINE   required: { node: '>=22' },
npm warn EBADENGINE   current: { node: 'v16.20.2', npm: '8.19.4' }
npm warn EBADENGINE }
/home/me/.npm/_npx/1/node_modules/acme-mcp/index.js:3
options ??= {};
        ^^^
SyntaxError: Unexpected token '??='`,
		"old-runtime",
		">=22",
		/needs version >=22 of Node\.js, but was run with version 16\.20\.2\. Install/,
	],
	[
		"Node: a program that checks",
		"This server requires Node.js 20 or newer.",
		"old-runtime",
		"20",
		/version 20 of Node/,
	],
	[
		"Node: one that names both",
		"acme-mcp 1.4.2 requires Node.js >= 22, you have v18.19.1",
		"old-runtime",
		"22",
		/needs version 22 of Node\.js, but was run with version 18\.19\.1\./,
	],
	["Node: another one", "Error: Node.js >= 18.0.0 is required", "old-runtime", "18.0.0", /version 18\.0\.0 of Node/],
	[
		"uv: a package that does not exist",
		`  × No solution found when resolving tool dependencies:
  ╰─▶ Because mcp-no-such was not found in the package registry and you require mcp-no-such, we can conclude that your requirements are unsatisfiable.`,
		"no-package",
		"mcp-no-such",
		/no package “mcp-no-such” in the registry of Python/,
	],
	[
		"uv: no such Python",
		"error: No interpreter found for Python 3.13 in managed installations or search path",
		"old-runtime",
		"Python 3.13",
		/another version of Python \(Python 3\.13\)/,
	],
	[
		"Docker: not running",
		"docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\nSee 'docker run --help'.",
		"no-docker",
		"Docker",
		/Docker is not running/,
	],
	[
		"Docker on Windows: not running",
		"error during connect: this error may indicate that the docker daemon is not running: open //./pipe/docker_engine: The system cannot find the file specified.",
		"no-docker",
		"docker",
		/Docker is not running/,
	],
	[
		"Docker: not allowed",
		"docker: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
		"no-permission",
		"Docker",
		/may not use Docker/,
	],
	[
		"Docker: no image",
		"Unable to find image 'acme/mcp:latest' locally\ndocker: Error response from daemon: pull access denied for acme/mcp, repository does not exist or may require 'docker login'",
		"no-image",
		"acme/mcp",
		/no image “acme\/mcp”/,
	],
	[
		"Node: a port in use",
		`node:events:497
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use 127.0.0.1:3000
    at Server.setupListenHandle [as _listen2] (node:net:1908:16)`,
		"port-in-use",
		"3000",
		/Port 3000, which the server needs, is in use/,
	],
	[
		"Node: a port in use, in version 6 of the protocol",
		"Error: listen EADDRINUSE: address already in use :::8080",
		"port-in-use",
		"8080",
		/Port 8080/,
	],
	["Python: a port in use", "OSError: [Errno 98] Address already in use", "port-in-use", undefined, /A port that/],
	["Go: a port in use", "listen tcp :8080: bind: address already in use", "port-in-use", "8080", /Port 8080/],
	[
		"Node: a missing key",
		`/srv/index.js:3
throw new Error("ACME_API_KEY is required");
^

Error: ACME_API_KEY is required
    at Object.<anonymous> (/srv/index.js:3:7)

Node.js v22.14.0`,
		"missing-value",
		"ACME_API_KEY",
		/ACME_API_KEY is not set, and the server needs it\. Add it to "env"/,
	],
	[
		"Python: a missing key",
		"Traceback (most recent call last):\n  File \"s.py\", line 3, in <module>\nKeyError: 'ACME_API_KEY'",
		"missing-value",
		"ACME_API_KEY",
		/ACME_API_KEY is not set/,
	],
	[
		"Go: a missing key",
		"2026/01/02 15:04:05 GITHUB_PERSONAL_ACCESS_TOKEN not set",
		"missing-value",
		"GITHUB_PERSONAL_ACCESS_TOKEN",
		/is not set/,
	],
	[
		"a command to set it",
		"Error: the API key is missing.\nSet SMALL_API_KEY and start again.",
		"missing-value",
		"SMALL_API_KEY",
		/SMALL_API_KEY is not set/,
	],
	[
		"Missing required environment variable: SLACK_BOT_TOKEN",
		"Missing required environment variable: SLACK_BOT_TOKEN",
		"missing-value",
		"SLACK_BOT_TOKEN",
		/SLACK_BOT_TOKEN/,
	],
	[
		"Please provide BRAVE_API_KEY",
		"Please provide BRAVE_API_KEY in the environment",
		"missing-value",
		"BRAVE_API_KEY",
		/BRAVE_API_KEY/,
	],
	["a key without a name", "Error: no API key", "missing-value", undefined, /has no key or token.*no API key/],
	[
		"an argument",
		"error: required option '--api-key <key>' not specified",
		"missing-value",
		undefined,
		/requires the argument --api-key/,
	],
	["a refused key", "Error: Request failed: Invalid API key provided", "refused-key", undefined, /was rejected/],
	[
		"Node: a file that is not there",
		"Error: Cannot find module '/srv/dist/index.js'\n    at Function._resolveFilename (node:internal/modules/cjs/loader:1401:15) {\n  code: 'MODULE_NOT_FOUND'\n}",
		"no-module",
		"/srv/dist/index.js",
		/The file “\/srv\/dist\/index\.js” does not exist/,
	],
	[
		"Node: a package that is not there",
		"Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@acme/sdk' imported from /srv/index.js",
		"no-module",
		"@acme/sdk",
		/The package “@acme\/sdk”.*npm install/,
	],
	[
		"Python: a module that is not there",
		"Traceback (most recent call last):\n  File \"/srv/s.py\", line 1, in <module>\n    import mcp\nModuleNotFoundError: No module named 'mcp'",
		"no-module",
		"mcp",
		/“mcp” is missing/,
	],
	["python -m", "/usr/bin/python3: No module named acme_mcp", "no-module", "acme_mcp", /“acme_mcp” is missing/],
	[
		"Python: a script that is not there",
		"python3: can't open file '/srv/server.py': [Errno 2] No such file or directory",
		"no-file",
		"/srv/server.py",
		/does not exist/,
	],
	["env: no node", "/usr/bin/env: ‘node’: No such file or directory", "no-program", "node", /program “node”/],
	["sh: not found", "sh: 1: acme-mcp: not found", "no-program", "acme-mcp", /program “acme-mcp”/],
	[
		"a host that is unknown",
		"Error: getaddrinfo ENOTFOUND db.acme.example",
		"unreachable",
		"db.acme.example",
		/could not find the host/,
	],
	[
		"a database that is not running",
		"Error: connect ECONNREFUSED 127.0.0.1:5432",
		"unreachable",
		"127.0.0.1:5432",
		/Nothing answers at “127\.0\.0\.1:5432”/,
	],
	[
		"Python: any exception",
		'Traceback (most recent call last):\n  File "s.py", line 9, in main\n    run()\nValueError: bad shape of the world',
		"said",
		undefined,
		/^Its last output was: “ValueError: bad shape of the world”\.$/,
	],
	[
		"a banner of a web server",
		"INFO: Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)",
		"not-stdio",
		"http://127.0.0.1:8000",
		/a server for HTTP/,
	],
];

describe("The output of a server before it ended (DOC-01)", () => {
	it.each(outputs)("%s", (_what, output, kind, subject, words) => {
		const cause = causeOf(output.split("\n"), undefined, { mayGuess: true });
		expect(cause).toMatchObject({ kind, ...(subject === undefined ? {} : { subject }) });
		expect(cause?.words).toMatch(words);
	});

	it("is not interpreted when the server had run", () => {
		expect(causeOf(["Handled 3 requests"], undefined, { mayGuess: false })).toBeUndefined();
		expect(
			causeOf(["Error: listen EADDRINUSE: address already in use :::80"], undefined, { mayGuess: false })?.kind,
		).toBe("port-in-use");
	});

	it("counts on standard output, too, which is reserved for messages", () => {
		expect(causeOf([], "ACME_API_KEY is required", { mayGuess: true })).toMatchObject({
			kind: "missing-value",
			subject: "ACME_API_KEY",
		});
		expect(causeOf([], "Starting the server...", { mayGuess: true })).toMatchObject({ kind: "not-stdio" });
		expect(causeOf([], "Server listening on http://localhost:3000/mcp", { mayGuess: true })).toMatchObject({
			kind: "not-stdio",
			subject: "http://localhost:3000/mcp",
		});
	});

	it("names no variable that the server was given, nor one of the code that threw", () => {
		const thrown = ['use(ACME_TOKEN); fail("ACME_REGION is required")', "^", "", "Error: ACME_TOKEN needs ACME_REGION"];
		const given = new Set(["ACME_TOKEN"]);
		expect(causeOf(thrown, undefined, { mayGuess: true, given })?.subject).toBe("ACME_REGION");
		expect(causeOf(["ACME_TOKEN is required"], undefined, { mayGuess: true, given })?.kind).toBe("said");
	});

	it("explains nothing if it has no reason", () => {
		expect(causeOf([], undefined, { mayGuess: true })).toBeUndefined();
		expect(causeOf(["", "  ^", "}"], undefined, { mayGuess: true })).toBeUndefined();
	});

	it("is shortened and shown unchanged", () => {
		const words = causeOf([`Error: ${"long ".repeat(400)}`, "\u202Eright to left is required"], undefined, {
			mayGuess: true,
		})?.words;
		expect(words?.length).toBeLessThan(300);
		expect(causeOf(["Error: \u202E"], undefined, { mayGuess: true })?.words).toContain("\\u202E");
	});

	it("has one most informative line", () => {
		expect(tellingLine(["Loading", "Error: it broke", "    at x.js:3:1", "Node.js v22.1.0"])).toBe("Error: it broke");
		expect(tellingLine(["Loading", "Bye"])).toBe("Bye");
	});
});
