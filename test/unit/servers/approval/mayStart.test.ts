import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Approvals } from "../../../../src/servers/approval/approvals.ts";
import { whyNotStart } from "../../../../src/servers/approval/mayStart.ts";
import { memoryStore } from "../../base/store/storeFolder.ts";
import { definition, stdioConfig, workspaceOrigin } from "../fixtures.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
const sources = globSync("src/**/*.ts", { cwd: root }).map((file) => ({
	file: file.replaceAll(path.sep, "/"),
	text: readFileSync(path.join(root, file), "utf8"),
}));

/** The files whose text matches a pattern. */
function filesWith(pattern: RegExp): readonly string[] {
	return sources.flatMap(({ file, text }) => (pattern.test(text) ? [file] : [])).toSorted();
}

describe("whyNotStart", () => {
	it("names the missing condition: on, left here, trusted, approved, in this order (CFG-01)", async () => {
		const approvals = new Approvals();
		approvals.open(memoryStore().journal("approvals"));
		const on = { has: () => false };
		const mine = definition();
		const theirs = definition("a", stdioConfig(), workspaceOrigin);
		const judge = (one: typeof mine, isTrusted: boolean) =>
			whyNotStart(one, { approvals, switchedOff: on }, { isWorkspaceTrusted: () => isTrusted });
		const unapproved = { kind: "needs-approval", reason: "unapproved" };
		const untrusted = { kind: "needs-approval", reason: "the workspace is not trusted" };
		expect([judge(mine, false), judge(theirs, false), judge(theirs, true)]).toEqual([
			unapproved,
			untrusted,
			unapproved,
		]);
		await approvals.approve(theirs);
		await approvals.approve(mine);
		expect([judge(theirs, false), judge(theirs, true), judge(mine, false)]).toEqual([untrusted, undefined, undefined]);
		const changed = definition("a", stdioConfig({ command: "other" }), workspaceOrigin);
		expect(judge(changed, true)).toEqual({ kind: "needs-approval", reason: "unapproved: the definition changed" });

		const trusted = { isWorkspaceTrusted: () => true };
		expect(whyNotStart(mine, { approvals, switchedOff: { has: () => true } }, trusted)).toEqual({ kind: "off" });
		const left = { ...trusted, isLeft: () => true };
		expect(whyNotStart(mine, { approvals, switchedOff: on }, left)).toEqual({ kind: "left-to-editor" });
	});

	it("is called in one place, through which every start, connection and resolution of variables goes", () => {
		expect(filesWith(/\bwhyNotStart\(/)).toEqual(["src/servers/approval/mayStart.ts", "src/servers/host.ts"]);
		// A file that resolves variables or connects by another way would bypass it.
		expect(filesWith(/\bresolveVariables\(/)).toEqual([
			"src/servers/approval/startLaunch.ts",
			"src/servers/definitions/variables.ts",
		]);
		expect(filesWith(/\bstartLaunch\.ts"/)).toEqual(["src/servers/host.ts"]);
		expect(filesWith(/"[^"]*\/connection\/connect\.ts"/)).toEqual(["src/servers/host.ts"]);
	});

	it("is derived from no state that is meant for display", () => {
		const derived = /\bmayStart\b\s*=\s*[^;]*state\.kind/;
		expect(filesWith(derived)).toEqual([]);
	});
});
