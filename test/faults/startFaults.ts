import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { JsonObject } from "../../src/base/json.ts";
import type { ConfigOrigin } from "../../src/servers/definitions/config.ts";
import type { Fault, Procedure } from "./fault.ts";
import { now } from "./pace.ts";
import type { Stage } from "./stage.ts";
import { describe } from "./stateWords.ts";

/** How soon a user must see why a command does not start, in milliseconds (CFG-17). */
const seenMs = 2000;

/** A server that cannot start; the reason is shown soon. */
function cannotStart(
	row: string,
	title: string,
	config: (stage: Stage) => JsonObject,
	words: RegExp,
	after?: (stage: Stage) => void,
): Procedure {
	return {
		row,
		title,
		phases: ["handshake"],
		carriers: ["stdio"],
		async run(stage) {
			const whole = { ...stage.stdioConfig(), ...config(stage) };
			await stage.configure(whole);
			const startedAt = now();
			const state = await stage.start();
			const tookMs = now() - startedAt;
			assert.match(describe(state), words);
			assert.equal(state.kind, "failed");
			assert.ok(tookMs < seenMs, `that took ${Math.round(tookMs)} ms`);
			after?.(stage);
			await stage.configure(stage.stdioConfig());
		},
	};
}

function file(stage: Stage, name: string, content: string, mode = 0o644): string {
	const path = stage.testHost.path(name);
	writeFileSync(path, content);
	chmodSync(path, mode);
	return path;
}

const planted = "planted-in-the-environment";

/** Texts of a configuration file; `{}` marks the entry of a server that works. */
const tolerated: Readonly<Record<string, string>> = {
	"a byte order mark": '\ufeff{"servers":{"faulty":{}}}',
	comments: '// hello\n{"servers":{/* here */"faulty":{}}} // bye',
	"commas at the end": '{"servers":{"faulty":{},},}',
	"neighbours of the wrong type": '{"servers":{"a":7,"b":null,"c":"text","d":[],"e":{},"faulty":{}}}',
	"wrong types inside a neighbour": '{"servers":{"a":{"command":1,"args":"x","env":[]},"faulty":{}}}',
	"names that are members of every object":
		'{"servers":{"__proto__":{"command":"x"},"constructor":{"command":"y"},"faulty":{}}}',
	"the same name twice": '{"servers":{"faulty":{"command":"no-such-command"},"faulty":{}}}',
	"inputs of the wrong type": '{"inputs":{"a":1},"servers":{"faulty":{}}}',
	"ten thousand neighbours": `{"servers":{"faulty":{},${Array.from({ length: 10_000 }, (_, index) => `"n${index}":{"command":"x"}`).join()}}}`,
};
const hopeless: Readonly<Record<string, string>> = {
	nothing: "",
	"an array": "[]",
	"a number": "7",
	"half a file": '{"servers":{"half":{"comm',
	"no JSON": "servers: {}",
	"five megabytes": `{"servers":{"a":"${"x".repeat(5_000_000)}"}}`,
};

const user: ConfigOrigin = { kind: "user-settings", label: "User Settings", isWorkspace: false };

/** Faults before a process runs: commands, folders, environments, configuration files. */
export const startFaults: readonly Fault[] = [
	{
		row: "CFG-14",
		title: "secrets in the environment of the editor",
		phases: ["idle"],
		carriers: ["stdio"],
		act: (turn) => turn.answer(),
		async run(stage) {
			const names = [
				"GITHUB_TOKEN",
				"VSCODE_IPC_HOOK",
				"ELECTRON_RUN_AS_NODE",
				"AWS_SECRET_ACCESS_KEY",
				"NODE_OPTIONS_OF_THE_EDITOR",
			];
			for (const name of names) process.env[name] = planted;
			try {
				await stage.run();
				for (const pid of stage.processes) {
					const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
					assert.ok(!environment.includes(planted), "the server got a secret of the editor");
					assert.ok(environment.includes("PATH="));
				}
			} finally {
				for (const name of names) delete process.env[name];
			}
		},
	},
	cannotStart(
		"CFG-15",
		"a command that only the folder has",
		(stage) => {
			file(stage, "only-here", `#!/bin/sh\ntouch ${stage.testHost.path("was-run")}\n`, 0o755);
			return { command: "only-here", cwd: stage.testHost.folder };
		},
		/only-here was not found.*PATH/s,
		(stage) => assert.ok(!existsSync(stage.testHost.path("was-run")), "the folder's file was run"),
	),
	cannotStart(
		"CFG-16",
		"a working directory that is missing",
		() => ({ cwd: "/no/such/folder" }),
		/\/no\/such\/folder/,
	),
	cannotStart("CFG-16", "a working directory that is a file", () => ({ cwd: "/etc/passwd" }), /\/etc\/passwd/),
	cannotStart(
		"CFG-16",
		"a working directory that is a link to nothing",
		(stage) => {
			const link = stage.testHost.path("link");
			symlinkSync("/no/such/target", link);
			return { cwd: link };
		},
		/link/,
	),
	cannotStart(
		"CFG-17",
		"a command that is not found",
		() => ({ command: "no-such-command-here" }),
		/no-such-command-here was not found/,
	),
	cannotStart("CFG-17", "a path that is not found", () => ({ command: "/no/such/command" }), /\/no\/such\/command/),
	cannotStart(
		"CFG-17",
		"a file that is not executable",
		(stage) => ({ command: file(stage, "plain.sh", "echo hi\n") }),
		/not executable|not found/,
	),
	cannotStart(
		"CFG-17",
		"a program of another machine",
		(stage) => ({ command: file(stage, "alien", "\u007fELF\u0002\u0001\u0001 of no machine\n", 0o755) }),
		/could not be started|exited|ended/,
	),
	cannotStart(
		"CFG-17",
		"a folder as a command",
		(stage) => {
			mkdirSync(stage.testHost.path("folder"));
			return { command: stage.testHost.path("folder") };
		},
		/not found|not executable|could not be started/,
	),
	cannotStart(
		"CFG-17",
		"a script that exits with 127",
		(stage) => ({ command: file(stage, "lost.sh", "#!/bin/sh\necho not here >&2\nexit 127\n", 0o755), args: [] }),
		/127/,
		(stage) => {
			const told = stage.states.some((state) => state.kind === "failed" && state.stderr.join("").includes("not here"));
			assert.ok(told, "what it wrote last is not shown");
		},
	),
	cannotStart("CFG-17", "an argument with a NUL", () => ({ args: ["a\u0000b"] }), /NUL/),
	...Object.entries({ ...tolerated, ...hopeless }).map(([title, text]): Procedure => ({
		row: "CFG-18",
		title: `a configuration file with ${title}`,
		phases: ["idle"],
		carriers: ["stdio"],
		act: (turn) => turn.answer(),
		async run(stage) {
			const { host } = stage.testHost;
			const healthy = stage.testHost.session("healthy");
			const config = stage.stdioConfig();
			const isTolerated = Object.hasOwn(tolerated, title);
			const whole = text.replace('"faulty":{}', `"faulty":${JSON.stringify(config)}`);
			const origin: ConfigOrigin = {
				kind: "mcp-json",
				label: "mcp.json",
				file: "/ws/.vscode/mcp.json",
				isWorkspace: true,
			};
			const own = { healthy: stage.healthyConfig, ...(isTolerated ? {} : { faulty: config }) } as JsonObject;
			const problems = await host.configure(
				[
					{ origin: user, content: { value: own } },
					{ origin, content: { text: whole } },
				],
				false,
			);
			assert.equal(stage.testHost.session("healthy"), healthy, "the healthy server was replaced");
			if (!isTolerated && title !== "nothing") assert.ok(problems.length > 0, "nothing says what is wrong");
			await host.approve(stage.session.definition);
			await stage.run();
			await stage.callsWork();
			assert.equal(Object.getPrototypeOf({}), Object.prototype);
		},
	})),
];
