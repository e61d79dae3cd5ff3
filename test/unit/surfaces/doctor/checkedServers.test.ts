import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { CheckedServers } from "../../../../src/surfaces/doctor/checkedServers.ts";
import type { Finding } from "../../../../src/surfaces/doctor/finding.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";

const bare: Finding = {
	layer: "definitions",
	weight: "note",
	rule: "no-description",
	what: "The tool has no description.",
	at: "tool “search”",
	subject: "search",
};
const twice: Finding = { ...bare, layer: "protocol", rule: "duplicate", at: "tools/list: result.tools[2]" };

let folder: string;
let directory: FakeDirectory;
let session: FakeSession;
/** The findings of a check of the definitions alone. */
let linted: readonly Finding[];

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), "mcp-host-checked-"));
	writeFileSync(path.join(folder, "server.js"), 'server.registerTool("search", {});\n');
	session = own("orders");
	directory = new FakeDirectory();
	directory.set(session);
	linted = [];
});

/** A session whose server is written in the folder. */
function own(name: string, args = ["server.js"]): FakeSession {
	const config = { kind: "stdio", command: "node", args, env: {}, protocol: "auto" } as const;
	const origin = { kind: "mcp-json", label: "mcp.json", folder, isWorkspace: true } as const;
	return new FakeSession(name, { config, origin });
}

function checkedServers(): CheckedServers {
	const checked = new CheckedServers({
		directory,
		folders: () => [{ name: "orders", path: folder }],
		lint: async () => linted,
	});
	onTestFinished(() => {
		checked.dispose();
		rmSync(folder, { recursive: true });
	});
	return checked;
}

const placesOf = (checked: CheckedServers): readonly string[] =>
	checked.placed.map(({ finding, place }) => `${finding.rule} ${path.basename(place.file)}:${place.line + 1}`);

it("puts findings where the source defines what they are about (DOC-11)", async () => {
	const checked = checkedServers();
	await session.run();
	await checked.take(session, [bare, twice]);
	expect(placesOf(checked)).toEqual(["no-description server.js:1", "duplicate server.js:1"]);
	expect(checked.placed[0]?.place).toMatchObject({ character: 21, length: 6 });
	expect(checked.ofTool(session.definition.id, "search")).toEqual([bare.what, bare.what]);
	expect(checked.ofTool(session.definition.id, "other")).toHaveLength(0);
});

it("replaces the findings of the check before", async () => {
	const checked = checkedServers();
	await session.run();
	await checked.take(session, [bare]);
	await checked.take(session, []);
	expect(placesOf(checked)).toEqual([]);
});

it("forgets the findings about a server that is removed", async () => {
	const checked = checkedServers();
	await session.run();
	await checked.take(session, [bare]);
	directory.set();
	expect(placesOf(checked)).toEqual([]);
	expect(checked.ofTool(session.definition.id, "search")).toHaveLength(0);
});

it("checks the definitions again after a restart (DOC-11)", async () => {
	const checked = checkedServers();
	await session.run();
	await checked.take(session, [bare, twice]);
	linted = [bare];
	await session.run();
	await expect.poll(() => placesOf(checked)).toEqual(["no-description server.js:1"]);
	linted = [];
	await session.run();
	await expect.poll(() => checked.ofTool(session.definition.id, "search")).toHaveLength(0);
});

it("keeps the findings when a check is of a run that has ended, or of a server that does not run", async () => {
	const checked = checkedServers();
	await session.run();
	const { definition, state: former } = session;
	linted = [bare];
	await session.run();
	await checked.take(session, [bare]);
	await checked.take({ definition, state: former }, []);
	session.setState({ kind: "stopped" });
	await checked.take(session, []);
	expect(placesOf(checked)).toEqual(["no-description server.js:1"]);
});

it("leaves out a kind that the entry ignores from now on", async () => {
	const checked = checkedServers();
	await session.run();
	await checked.take(session, [bare, twice]);
	checked.leaveOut(session.definition.id, "duplicate");
	expect(placesOf(checked)).toEqual(["no-description server.js:1"]);
});

it("looks for nothing in a folder that only uses a package", async () => {
	const checked = checkedServers();
	const packaged = new FakeSession("packaged", {
		...own("packaged").definition,
		config: { kind: "stdio", command: "npx", args: ["-y", "orders-mcp"], env: {}, protocol: "auto" },
	});
	directory.set(packaged);
	await packaged.run();
	await checked.take(packaged, [bare]);
	expect(placesOf(checked)).toEqual([]);
	expect(checked.ofTool(packaged.definition.id, "search")).toHaveLength(1);
});
