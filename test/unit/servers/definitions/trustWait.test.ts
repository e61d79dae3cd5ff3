import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteTrustWait, startTrusted, trustWarning } from "../../../../src/servers/definitions/trustWait.ts";
import { define } from "../../../../src/servers/definitions/parseConfig.ts";
import { stdioConfig, userOrigin } from "../fixtures.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), "mcp-host-trust-"));
	await mkdir(path.join(folder, "open"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the review of a user's own server says which part of it is in a workspace that is not trusted (FST-23)", async () => {
	const warn = (...args: readonly string[]): Promise<string | undefined> =>
		trustWarning(define("files", stdioConfig({ command: process.execPath, args }), userOrigin), [
			path.join(folder, "open"),
		]);
	expect(await warn("-y", path.join(folder, "open"))).toBe(
		"This workspace is not trusted, and argument 2 is in it. The server starts only once you trust the workspace.",
	);
	expect(await warn("-y", path.join(folder, "other"))).toBeUndefined();
	const remote = { kind: "http", url: "https://mcp.example.com/mcp", headers: {}, protocol: "auto" } as const;
	expect(await trustWarning(define("remote", remote, userOrigin), [folder])).toBeUndefined();
});

test("trust starts the servers that failed without it, and no other (FST-23)", () => {
	const started: string[] = [];
	const session = (name: string, kind: string) => ({
		definition: define(name, stdioConfig({}), userOrigin),
		state: { kind },
		start: async () => started.push(name),
	});
	const sessions = [session("waits", "failed"), session("broken", "failed"), session("stopped", "stopped")];
	const [waits, , stopped] = sessions.map(({ definition }) => definition.id);
	for (const id of [waits, stopped]) if (id !== undefined) noteTrustWait(id, true);
	startTrusted(sessions);
	expect(started).toEqual(["waits"]);
	if (waits !== undefined) noteTrustWait(waits, false);
	startTrusted(sessions);
	expect(started).toEqual(["waits"]);
});
