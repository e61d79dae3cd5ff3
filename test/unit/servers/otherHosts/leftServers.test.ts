import { afterEach, describe, expect, it } from "vitest";
import type { ServerSession } from "../../../../src/servers/sessions/serverSession.ts";
import { choose } from "../../../../src/servers/otherHosts/choosing.ts";
import { workspaceOrigin } from "../fixtures.ts";
import { makeHost, silentServer } from "../hostScene.ts";
import { FakeEditor } from "./fakeEditor.ts";

const hosts: { shutdown(): Promise<void> }[] = [];
afterEach(async () => {
	for (const host of hosts.splice(0)) await host.shutdown();
});

/** A host with one approved server of a file that the editor's host reads too. */
async function scene(more: object = {}) {
	const editor = new FakeEditor();
	const host = makeHost({
		isLeft: (origin) => editor.shared.isLeft(origin),
		timeouts: { handshakeMs: 60_000, requestMs: 1000, maxRequestMs: 10_000 },
	});
	hosts.push(host);
	editor.shared.onDidChange(() => host.reconsider());
	const text = JSON.stringify({ servers: { a: { ...silentServer, cwd: "/", ...more } } });
	await host.configure([{ origin: workspaceOrigin, content: { text } }], false);
	const [session] = host.registry.sessions;
	if (session === undefined) throw new Error("no session");
	await host.approve(session.definition);
	const answer = (runner: "editor" | "both"): Promise<string> => choose(editor.shared, editor, runner, "workspace");
	return { host, session, answer };
}

const kindOf = ({ state }: ServerSession): string => state.kind;

describe("Servers that the user left to VS Code (CFG-33)", () => {
	it("do not start, although they are approved: neither on request nor with the window", async () => {
		const { host, session, answer } = await scene({ envFile: "/nowhere/.env" });
		await answer("editor");
		expect(kindOf(session)).toBe("left-to-editor");
		await host.startApproved();
		expect((await host.start(session.definition.id)).kind).toBe("left-to-editor");
		expect((await host.start(session.definition.id, true)).kind).toBe("left-to-editor");
		// Its file is not read here either; a missing file would be an error.
		expect(await host.environmentFile(session.definition)).toEqual({});
	});

	it("stop at once if they start or run", async () => {
		const { host, session, answer } = await scene();
		const started = host.start(session.definition.id);
		expect(kindOf(session)).toBe("starting");
		await answer("editor");
		expect((await started).kind).toBe("left-to-editor");
		await expect.poll(() => kindOf(session)).toBe("left-to-editor");
	});

	it("wait for a start again when the answer changes", async () => {
		const { session, answer } = await scene();
		await answer("editor");
		await answer("both");
		expect(kindOf(session)).toBe("stopped");
	});
});
