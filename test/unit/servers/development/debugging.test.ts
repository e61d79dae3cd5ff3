import { describe, expect, it } from "vitest";
import { attachTo } from "../../../../src/servers/development/attach.ts";
import { debugArguments, debugLaunch } from "../../../../src/servers/development/debugLaunch.ts";
import { Debugging } from "../../../../src/servers/development/debugging.ts";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import type { ConfigOrigin, ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { reviewServer } from "../../../../src/servers/review/review.ts";
import type { DebugOptions, Launch } from "../../../../src/protocol/launch.ts";

const origin: ConfigOrigin = {
	kind: "mcp-json",
	label: "",
	isWorkspace: true,
	folder: "/ws",
	file: "/ws/.vscode/mcp.json",
};

function parsed(entry: object) {
	const { definitions, problems } = parseConfig({
		origin,
		content: { text: JSON.stringify({ servers: { orders: entry } }) },
	});
	return {
		definition: definitions[0] as ServerDefinition,
		problems: problems.map(({ path, message }) => `${path.slice(2).join(".")}: ${message}`),
	};
}

function launch(command: string, debug?: DebugOptions): Extract<Launch, { kind: "stdio" }> {
	const more = debug === undefined ? {} : { debug };
	return { kind: "stdio", command, args: ["server.mjs"], env: {}, envFile: undefined, cwd: "/ws", ...more };
}

const node = { command: "node", args: ["server.mjs"] };

describe("dev of an entry", () => {
	it("is read as VS Code writes it", () => {
		const { definition, problems } = parsed({ ...node, dev: { watch: "./src/**/*.ts", debug: { type: "node" } } });
		expect(problems).toEqual([]);
		expect(definition.watch).toEqual(["src/**/*.ts"]);
		expect(definition.config).toMatchObject({ debug: { type: "node" } });
	});

	it("is part of what is approved as far as it changes what runs: debug is, watch is not", () => {
		const plain = parsed(node).definition.hash;
		expect(parsed({ ...node, dev: { watch: "*.mjs" } }).definition.hash).toBe(plain);
		const debug = parsed({ ...node, dev: { debug: { type: "debugpy" } } }).definition.hash;
		expect(debug).not.toBe(plain);
		expect(parsed({ ...node, dev: { debug: { type: "debugpy", debugpyPath: "/x" } } }).definition.hash).not.toBe(debug);
	});

	it.each([
		["no object", true, `dev: "dev" must be an object.`],
		[
			"a path out of the folder",
			{ watch: ["../*.js"] },
			`dev.watch.0: A pattern of "watch" is relative to the folder of the server and cannot leave it.`,
		],
		[
			"an absolute pattern",
			{ watch: "/etc/*" },
			`dev.watch: A pattern of "watch" is relative to the folder of the server and cannot leave it.`,
		],
		["a number", { watch: 1 }, `dev.watch: "watch" must be a glob pattern or a list of glob patterns.`],
		[
			"another debugger",
			{ debug: { type: "gdb" } },
			`dev.debug: "debug" must be an object with "type": "node" or "debugpy".`,
		],
		["another key", { reload: 1 }, `dev.reload: "reload" is not a known key of "dev" and is ignored.`],
	])("is left out and reported where it is faulty: %s", (_what, dev, problem) => {
		const { definition, problems } = parsed({ ...node, dev });
		expect(problems).toEqual([problem]);
		expect(definition.watch).toBeUndefined();
		expect(definition.config).not.toHaveProperty("debug");
	});

	it("is shown in the review, with the port that Debug Server opens", () => {
		const { definition } = parsed({ ...node, dev: { watch: "*.mjs", debug: { type: "node" } } });
		const { rows, warnings } = reviewServer(definition, undefined);
		expect(rows).toContainEqual({ label: "Debug Server adds", values: ["--inspect=127.0.0.1:(a free port)"] });
		expect(rows).toContainEqual({ label: "Restarts when these change", values: ["*.mjs"] });
		expect(warnings).toContain(
			"Debug Server opens a debugger port on this machine. While it is open, programs of this machine can run code in the server.",
		);
	});
});

describe("a start for a debugger (CFG-47)", () => {
	it.each<[DebugOptions, string, string, readonly string[]]>([
		[{ type: "node" }, "/usr/bin/node", "/usr/bin/node", ["--inspect=127.0.0.1:7", "server.mjs"]],
		[{ type: "debugpy" }, "python3", "python3", ["-m", "debugpy", "--listen", "127.0.0.1:7", "server.mjs"]],
		[{ type: "debugpy", debugpyPath: "/x/debugpy" }, "python", "/x/debugpy", ["--listen", "127.0.0.1:7", "server.mjs"]],
	])("%j adds what the review shows", (debug, command, started, args) => {
		const made = debugLaunch(launch(command), debug, 7);
		expect([made.command, made.args]).toEqual([started, args]);
		expect([made.command, ...made.args].join(" ")).toContain(debugArguments(debug, "7").join(" "));
	});

	it("is refused for a command that is not the debugger's", () => {
		expect(() => debugLaunch(launch("npx"), { type: "node" }, 7)).toThrow(
			`"dev.debug" of type "node" needs the command node, but the command is npx.`,
		);
	});

	it("gets a free port on loopback at each start, until the user ends it; other starts stay as they are", async () => {
		const debugging = new Debugging();
		const { definition } = parsed({ ...node, dev: { debug: { type: "node" } } });
		const wanted = launch("node", { type: "node" });
		const notes: string[] = [];
		const prepare = () => debugging.prepare(definition, wanted, (note) => notes.push(note));
		expect(await prepare()).toBe(wanted);
		debugging.begin(definition);
		const { args } = await prepare();
		const port = debugging.portOf(definition.id);
		expect(args).toEqual([`--inspect=127.0.0.1:${String(port?.port)}`, "server.mjs"]);
		expect(notes).toEqual([`The debugger listens at 127.0.0.1:${String(port?.port)}`]);
		expect(attachTo(definition, port ?? { type: "node", port: 0 })).toMatchObject({
			type: "node",
			request: "attach",
			address: "127.0.0.1",
			port: port?.port,
		});
		debugging.end(definition.id);
		expect(await prepare()).toBe(wanted);
		expect(debugging.portOf(definition.id)).toBeUndefined();
	});

	it.each([undefined, "stopped", "off", "needs-approval"] as const)(
		"ends with a server that is %s, so that its next start opens no port, but not before its first start",
		async (kind) => {
			const debugging = new Debugging();
			const { definition } = parsed({ ...node, dev: { debug: { type: "node" } } });
			const wanted = launch("node", { type: "node" });
			const prepare = () => debugging.prepare(definition, wanted, () => undefined);
			debugging.begin(definition);
			debugging.endStopped(() => kind);
			expect(await prepare()).not.toBe(wanted);
			for (const alive of ["running", "starting", "failed"] as const) debugging.endStopped(() => alive);
			expect(await prepare()).not.toBe(wanted);
			debugging.endStopped(() => kind);
			expect(await prepare()).toBe(wanted);
		},
	);

	it("needs dev.debug in the entry", () => {
		expect(() => new Debugging().begin(parsed(node).definition)).toThrow(`Add "dev"`);
	});
});
