import { describe, expect, it } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { toAddServersView } from "../../../../src/setup/entries/addServersView.ts";
import { addingScene, localServer } from "./addingScene.ts";

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

function block(entry: object, name = "github"): string {
	return JSON.stringify({ mcpServers: { [name]: entry } });
}

describe("text that looks secret (ADD-04)", () => {
	it.each([
		["by its name", { env: { API_KEY: "some-other-words" } }, "API_KEY", "some-other-words"],
		["by its form", { env: { THING: token } }, "THING", token],
		["a header", { url: "https://a.example", headers: { "X-Functions-Key": "abc" } }, "X-Functions-Key", "abc"],
		[
			"behind a scheme",
			{ url: "https://a.example", headers: { Authorization: `Bearer ${token}` } },
			"Authorization",
			token,
		],
		["an option", { command: "x", args: ["--api-key", "some-value"] }, "--api-key", "some-value"],
		["an option in one word", { command: "x", args: [`--token=${token}`] }, "--token", token],
		["a variable of a container", { command: "docker", args: ["run", "-e", `KEY_X=${token}`, "img"] }, "KEY_X", token],
		[
			"a header among arguments",
			{ command: "npx", args: ["mcp-remote", "https://a.example", "--header", `Authorization: Bearer ${token}`] },
			"Authorization",
			token,
		],
		[
			"the password of an address",
			{ command: "x", args: ["postgresql://me:hunter2@db/x"] },
			"password in an address",
			"hunter2",
		],
		[
			"the secret of a client",
			{ url: "https://a.example", oauth: { clientId: "me", clientSecret: "abcd-efgh" } },
			"clientSecret",
			"abcd-efgh",
		],
		["a part of a query", { url: `https://a.example/mcp?api_key=abc&x=1` }, "api_key", "abc"],
		[
			"a part of a path",
			{ url: "https://a.example/s/NTk0Yzk2ZTctYTFkZi00MWNlL/mcp" },
			"part of the URL",
			"NTk0Yzk2ZTctYTFkZi00MWNlL",
		],
	])("is proposed as a secret: %s", (_what, entry, label, value) => {
		const { row, candidate } = addingScene(block({ command: "url" in entry ? undefined : "x", ...entry }));
		expect(row(label)).toMatchObject({ kind: "secret", text: value });
		const composed = candidate().compose();
		expect(JSON.stringify([composed.entry, composed.inputs])).not.toContain(value);
		expect([...composed.values.values()]).toEqual([value]);
		expect(composed.inputs).toMatchObject([{ type: "promptString", password: true }]);
		const [id] = composed.values.keys();
		expect(JSON.stringify(composed.entry)).toContain(`\${input:${id}}`);
	});

	it.each([
		["a number", { MAX_TOKENS: "100" }],
		["a switch", { USE_AUTH: "true" }],
		["a mode", { LOG_LEVEL: "debug" }],
		["a path", { KEY_FILE: "/home/me/key.pem" }],
		["a variable", { MODE: "${workspaceFolder}/x" }],
	])("is not detected in %s", (_what, env) => {
		const { candidate } = addingScene(block({ command: "x", env }));
		expect(candidate().rows.map(({ kind }) => kind)).toEqual(["plain"]);
		expect(candidate().compose()).toMatchObject({ entry: { env }, inputs: [] });
	});

	it("is requested if the text has only a placeholder for it", () => {
		const { row, candidate } = addingScene(block({ command: "x", env: { GITHUB_TOKEN: "<YOUR_TOKEN>", API_KEY: "" } }));
		expect(row("GITHUB_TOKEN")).toMatchObject({ kind: "secret", text: "", placeholder: "<YOUR_TOKEN>" });
		const { entry, inputs, values } = candidate().compose();
		expect(entry["env"]).toEqual({ GITHUB_TOKEN: "${input:github-github-token}", API_KEY: "${input:github-api-key}" });
		expect(inputs).toHaveLength(2);
		expect(values.size).toBe(0);
	});

	it("is taken from the environment if that has it and the text has not", () => {
		const { row, candidate } = addingScene(block({ command: "x", env: { GITHUB_TOKEN: "<YOUR_TOKEN>" } }), {
			variables: ["GITHUB_TOKEN"],
		});
		expect(row("GITHUB_TOKEN")).toMatchObject({ kind: "environment", variable: "GITHUB_TOKEN" });
		expect(candidate().compose()).toMatchObject({
			entry: { env: { GITHUB_TOKEN: "${env:GITHUB_TOKEN}" } },
			inputs: [],
		});
	});

	it("of a missing variable is requested instead: the server would not start", () => {
		const line = "docker run -i --rm -e GITHUB_TOKEN -e MODE ghcr.io/github/github-mcp-server";
		expect(addingScene(line).row("GITHUB_TOKEN").kind).toBe("secret");
		expect(addingScene(line).row("MODE").kind).toBe("environment");
		expect(addingScene(line, { variables: ["GITHUB_TOKEN"] }).row("GITHUB_TOKEN").kind).toBe("environment");
	});

	it("keeps the inputs that a text defines, whose values may be given at once", () => {
		const inputs = [{ id: "key", type: "promptString", description: "Your key", password: true }];
		const text = JSON.stringify({ inputs, servers: { a: { command: "x", env: { KEY: "${input:key}" } } } });
		const { adding, candidate, row } = addingScene(text);
		expect(candidate().compose()).toMatchObject({ entry: { env: { KEY: "${input:key}" } }, inputs, values: new Map() });
		adding.edit(candidate().id, (one) => one.change(row("KEY").id, { text: "mine" }));
		expect([...candidate().compose().values]).toEqual([["key", "mine"]]);
	});
});

describe("a user's decision about a value (ADD-04)", () => {
	it("is plain text, a variable or a secret, and their own value in each", () => {
		const { adding, candidate, row } = addingScene(
			block({ url: "https://a.example", headers: { "X-Api-Key": "abcdef", Accept: "text/plain" } }),
		);
		const { id } = candidate();
		const decide = (label: string, change: object): void => adding.edit(id, (one) => one.change(row(label).id, change));
		decide("X-Api-Key", { kind: "environment" });
		expect(candidate().compose().entry["headers"]).toEqual({ "X-Api-Key": "${env:X_API_KEY}", Accept: "text/plain" });
		decide("X-Api-Key", { variable: "OTHER" });
		expect(candidate().compose().entry["headers"]).toMatchObject({ "X-Api-Key": "${env:OTHER}" });
		decide("X-Api-Key", { kind: "plain" });
		expect(candidate().compose().entry["headers"]).toMatchObject({ "X-Api-Key": "abcdef" });
		decide("Accept", { kind: "secret", text: "mine", name: "X-Other" });
		expect([...candidate().compose().values]).toEqual([["github-x-other", "mine"]]);
		expect(candidate().compose().entry["headers"]).toEqual({
			"X-Api-Key": "abcdef",
			"X-Other": "${input:github-x-other}",
		});
	});

	it("adds rows and removes them", () => {
		const { adding, candidate, row } = addingScene("npx thing");
		const { id } = candidate();
		adding.edit(id, (one) => one.addRow());
		expect(candidate().compose().entry).not.toHaveProperty("env");
		adding.edit(id, (one) => one.change(row("").id, { name: "A_TOKEN", text: "x", kind: "secret" }));
		expect(candidate().compose().entry["env"]).toEqual({ A_TOKEN: "${input:thing-a-token}" });
		adding.edit(id, (one) => one.removeRow(row("A_TOKEN").id));
		expect(candidate().compose().entry).not.toHaveProperty("env");
	});

	it("requires a valid name of a variable", () => {
		const { adding, candidate, row } = addingScene("A_TOKEN=x npx thing");
		adding.edit(candidate().id, (one) => one.change(row("A_TOKEN").id, { kind: "environment", variable: "a b" }));
		expect(adding.judge(candidate()).problems.join()).toContain("name of the variable");
		expect(adding.obstacle).toContain("Fix “thing” first");
	});
});

describe("a command that a user changes (ADD-03)", () => {
	it("is read as a shell would, with their decisions about its values kept", () => {
		const { adding, candidate, row } = addingScene(`npx thing --token ${token} "two words"`);
		const { id } = candidate();
		const [group] = toAddServersView(adding).groups;
		expect(group?.candidates[0]?.target).toBe("npx thing --token '${input:thing-token}' 'two words'");
		adding.retarget(id, "npx thing --verbose --token '${input:thing-token}' 'three more words'");
		expect(row("--token")).toMatchObject({ kind: "secret", text: token });
		expect(candidate().compose()).toMatchObject({
			entry: { command: "npx", args: ["thing", "--verbose", "--token", "${input:thing-token}", "three more words"] },
			values: new Map([["thing-token", token]]),
		});
	});

	it("becomes a URL, whose headers are not from its environment", () => {
		const { adding, candidate } = addingScene("A=1 npx thing");
		adding.retarget(candidate().id, "https://a.example/mcp");
		expect(candidate().compose().entry).toEqual({ type: "http", url: "https://a.example/mcp" });
	});

	it("may have arguments that only the user knows to be secrets", () => {
		const { adding, candidate, row } = addingScene("tool -p plain-words other");
		const { id } = candidate();
		expect(candidate().plainArguments).toEqual([0, 1, 2]);
		adding.edit(id, (one) => one.keepArgument(1));
		adding.edit(id, (one) => one.keepArgument(7));
		expect(candidate().plainArguments).toEqual([0, 2]);
		expect(candidate().compose()).toMatchObject({
			entry: { args: ["-p", "${input:tool-p}", "other"] },
			values: new Map([["tool-p", "plain-words"]]),
		});
		adding.retarget(id, "tool more -p '${input:tool-p}' other");
		expect(row("-p")).toMatchObject({ kind: "secret", text: "plain-words" });
		expect(candidate().compose().entry["args"]).toEqual(["more", "-p", "${input:tool-p}", "other"]);
	});

	it("that is invalid is reported and not added", async () => {
		const { adding, added, candidate } = addingScene("npx thing");
		adding.retarget(candidate().id, "npx thing | sh");
		expect(adding.judge(candidate()).problems.join()).toContain("pipes");
		expect(await adding.add(false)).toBe(false);
		expect(added).toEqual([]);
	});
});

describe("servers that may be added", () => {
	it("are named after their package or host, and never like another one", () => {
		const existing = () => [{ name: "memory", config: localServer("other") }];
		const { adding, candidate } = addingScene(block({ command: "x" }, "memory"), { existing });
		expect(candidate().name).toBe("memory-2");
		expect(toAddServersView(adding).groups[0]?.candidates[0]?.state).toBe("new; “memory” is taken");
		adding.edit(candidate().id, (one) => {
			one.name = "memory";
		});
		expect(adding.judge(candidate()).nameProblem).toContain("Another server");
		expect(adding.obstacle).toContain("memory");
	});

	it("are compared with the existing ones (ADD-05)", () => {
		const existing = () => [
			{ name: "memory", config: localServer("npx", "-y", "server-memory", "--key", "${input:k}") },
		];
		const states = [`npx -y server-memory --key ${token}`, "npx -y server-memory --other", "npx -y server-files"].map(
			(line) => {
				const { adding, candidate } = addingScene(line, { existing });
				return [adding.judge(candidate()).likeness.kind, candidate().isChosen];
			},
		);
		expect(states).toEqual([
			["same", false],
			["different", true],
			["new", true],
		]);
		const remote = addingScene("https://a.example/mcp", {
			existing: () => [
				{ name: "a", config: { kind: "http", url: "https://A.example/mcp/", headers: {}, protocol: "auto" } },
			],
		});
		expect(remote.adding.judge(remote.candidate()).likeness).toEqual({ kind: "same", name: "a" });
	});

	it("are added together, with distinct ids of inputs", async () => {
		const text = JSON.stringify({
			mcpServers: {
				"a b": { command: "x", env: { API_KEY: "k1-value" } },
				"a-b": { command: "y", env: { API_KEY: "k2-value" } },
				off: { command: "z", disabled: true },
			},
		});
		const { adding, added } = addingScene(text);
		adding.choosePlace(1);
		expect(await adding.add(false)).toBe(true);
		const [{ place, servers } = { place: undefined, servers: [] }] = added;
		expect(place).toEqual({ kind: "folder", folder: "/ws" });
		expect(servers.map(({ name }) => name)).toEqual(["a b", "a-b"]);
		expect(servers.flatMap(({ values }) => Array.from(values))).toEqual([
			["a-b-api-key", "k1-value"],
			["a-b-api-key-2", "k2-value"],
		]);
	});

	it("hold no variable of the environment in a URL that a workspace keeps (CFG-10)", () => {
		const { adding, candidate } = addingScene("https://a.example/mcp?key=$KEY");
		adding.retarget(candidate().id, "https://a.example/${env:X}/mcp");
		expect(adding.obstacle).toBeUndefined();
		adding.choosePlace(1);
		expect(adding.judge(candidate()).problems.join()).toContain("Keep it as a secret");
	});

	it("are read by the same rules as the configuration, so that no problem is stored", () => {
		const { adding, candidate } = addingScene(block({ command: "x", env: { "A=B": "1" } }));
		expect(adding.judge(candidate()).problems.join()).toContain("not a valid name of a variable");
		expect(adding.obstacle).toBeDefined();
	});

	it("stay in place when writing fails, and the user is informed why", async () => {
		const { adding } = addingScene("npx thing", {
			add: async () => Promise.reject(new HostError("invalid", "The file is not valid JSON.")),
		});
		expect(await adding.add(false)).toBe(false);
		expect(toAddServersView(adding).failure).toBe("The file is not valid JSON.");
		expect(toAddServersView(adding).groups).toHaveLength(1);
	});

	it("of files come in groups, and a file may be followed instead", async () => {
		const found = { format: "x", servers: [], refused: [{ name: "b", reason: "It is built in." }] };
		const server = {
			name: "a",
			entry: { command: "x" },
			inputs: [],
			isOff: false,
			tools: { allowed: ["t"] },
			remarks: [],
		};
		const { adding, added } = addingScene(undefined, {
			sources: [
				{ heading: "Cursor", path: "/home/me/.cursor/mcp.json", found: { ...found, servers: [server] } },
				{ heading: "Zed", found: { ...found, servers: [server] }, follow: () => expect.unreachable() },
			],
		});
		const { groups, chosen } = toAddServersView(adding);
		expect(groups.map(({ heading, isFollowed }) => [heading, isFollowed])).toEqual([
			["Cursor", undefined],
			["Zed", false],
		]);
		expect(chosen).toBe(1);
		expect(groups[1]?.candidates[0]).toMatchObject({ state: "duplicate of one above", isChosen: false });
		expect(groups[0]?.refused).toEqual(["b: It is built in."]);
		expect(groups[0]?.candidates[0]?.notes.join()).toContain("without asking. MCP Host asks before each call.");
		adding.follow(groups[1]?.id ?? "", true);
		await adding.add(false);
		expect(added[0]?.followed.map(({ heading }) => heading)).toEqual(["Zed"]);
	});
});

describe("the view's data", () => {
	it("holds no secret, and shows invisible characters (ADD-04, CFG-07)", () => {
		const { adding } = addingScene(
			block({
				command: "run",
				args: ["a\u202Eb", `--token=${token}`],
				env: { API_KEY: "hunter-two", "A\u200BB": "1" },
				cwd: "/x\u200B",
			}),
		);
		const { text: _text, ...view } = toAddServersView(adding);
		const said = JSON.stringify(view);
		expect(said).not.toContain(token);
		expect(said).not.toContain("hunter-two");
		expect(said).toContain("a\\\\u202Eb");
		expect(said).toContain("/x\\\\u200B");
		expect(said).toContain("hidden characters: A\\\\u200BB");
		expect(said).toContain("•••••••• (10 characters)");
	});

	it("lists the values to fill in", () => {
		const { adding } = addingScene("npx -y server-files /path/to/folder <your folder>");
		expect(toAddServersView(adding).groups[0]?.candidates[0]?.notes).toEqual([
			"“/path/to/folder”, “<your folder>” look like placeholders. Change the command first.",
		]);
	});

	it("allows nothing to be added as long as there is nothing", async () => {
		const { adding, added } = addingScene();
		expect(toAddServersView(adding)).toMatchObject({ text: "", groups: [], chosen: 0 });
		expect(await adding.add(false)).toBe(false);
		adding.byHand();
		expect(await adding.add(false)).toBe(false);
		expect(added).toEqual([]);
		const [group] = toAddServersView(adding).groups;
		expect(group?.candidates[0]).toMatchObject({ isByHand: true, problems: [] });
		adding.retarget(group?.candidates[0]?.id ?? "", "npx -y @acme/files");
		expect(toAddServersView(adding).groups[0]?.candidates[0]).toMatchObject({ name: "files", problems: [] });
		expect(await adding.add(true)).toBe(true);
		expect(added).toMatchObject([{ andReview: true, servers: [{ name: "files" }] }]);
	});
});
