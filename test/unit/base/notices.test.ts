/** Each notice whose reason can end, driven to that end (FST-20), and the census of all notices with buttons. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { correctedMeanwhile, Notices, type Over, trustedMeanwhile } from "../../../src/base/notices.ts";
import { leftState } from "../../../src/servers/sessions/stateNotice.ts";
import { FakeSession } from "../features/resources/fakeSession.ts";

/** A window whose notices stay until the test answers them. */
class Screen {
	readonly said: string[] = [];
	readonly #notices = new Notices((message) => this.said.push(message));

	/** Shows a notice, and returns what presses one of its buttons or closes it, and gives what is done then. */
	show(key: string, over: Over<unknown>): (button: string | undefined) => Promise<string | undefined> {
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		const chosen = this.#notices.ask(key, over, () => promise);
		return async (button) => {
			resolve(button);
			return chosen;
		};
	}
}

const files = new FakeSession("files");
const failed = { kind: "failed", message: "exited", stderr: [] } as const;

describe("a notice (FST-20)", () => {
	it("does what its button says as long as it is true", async () => {
		const screen = new Screen();
		expect(await screen.show("a", () => undefined)("Go")).toBe("Go");
		expect(await screen.show("a", () => "It is over.")(undefined)).toBeUndefined();
		expect(screen.said).toEqual([]);
	});

	it("that a newer one about the same replaced says so, and the newer one counts", async () => {
		const screen = new Screen();
		const first = screen.show("a", () => undefined);
		const second = screen.show("a", () => undefined);
		const other = screen.show("b", () => undefined);
		expect(await first("Go")).toBeUndefined();
		expect(screen.said).toEqual(["A newer message replaced this one."]);
		expect(await second("Go")).toBe("Go");
		expect(await other("Go")).toBe("Go");
	});

	it.each<[string, () => { over: Over<unknown>; end: () => void }, string]>([
		[
			"a server that did not start",
			() => {
				files.setState(failed);
				return { over: leftState("failed", () => [files]), end: () => files.setState({ kind: "starting" }) };
			},
			"This is no longer so: “files” is now in the state “starting”.",
		],
		[
			"a server that waits for approval",
			() => {
				files.setState({ kind: "needs-approval", reason: "unapproved" });
				return { over: leftState("needs-approval", () => [files]), end: () => files.setState({ kind: "stopped" }) };
			},
			"This is no longer so: “files” is now in the state “stopped”.",
		],
		[
			"a server that is switched off and then removed",
			() => {
				files.setState({ kind: "off" });
				let isThere = true;
				return { over: leftState("off", () => (isThere ? [files] : [undefined])), end: () => void (isThere = false) };
			},
			"This server is no longer configured.",
		],
		[
			"a workspace that is not trusted",
			() => {
				let isTrusted = false;
				return { over: trustedMeanwhile(() => isTrusted), end: () => void (isTrusted = true) };
			},
			"This workspace is trusted by now. Start the server again.",
		],
		[
			"a problem in a setting",
			() => {
				let now: readonly string[] = ["a", "b"];
				return { over: correctedMeanwhile(["b", "c"], () => now), end: () => void (now = ["a"]) };
			},
			"This was corrected in the meantime.",
		],
	])("about %s is true until its reason ends, and says then that it is not", async (_what, begin, said) => {
		const screen = new Screen();
		const { over, end } = begin();
		expect(await screen.show("before", over)("Go")).toBe("Go");
		const late = screen.show("after", over);
		end();
		expect(await late("Go")).toBeUndefined();
		expect(screen.said).toEqual([said]);
	});
});

/**
 * The files that show notices with buttons past the owner, and why that is true whenever it is pressed: `leads` only opens
 * something that is always there, `checks` looks itself whether there is still something to do.
 */
const others: Readonly<Record<string, "leads" | "checks">> = {
	"features/prompts/palette.vscode.ts": "leads",
	"features/resources/failure.vscode.ts": "checks",
	"models/addEndpoint.vscode.ts": "checks",
	"models/detect.vscode.ts": "leads",
	"models/manage.vscode.ts": "leads",
	"permissions/policies.vscode.ts": "leads",
	"questions/decisions/pending.vscode.ts": "checks",
	"records/activity/activity.vscode.ts": "leads",
	"records/trace/exportCommands.vscode.ts": "leads",
	"records/trace/offeredDocuments.vscode.ts": "checks",
	"records/trace/otel/otel.vscode.ts": "leads",
	"servers/commands.vscode.ts": "leads",
	"servers/otherHosts/sharedFiles.vscode.ts": "leads",
	"servers/pick.vscode.ts": "leads",
	"servers/signIn.vscode.ts": "leads",
	"setup/entries/import.vscode.ts": "leads",
	"setup/entries/moveRootFile.vscode.ts": "checks",
	"setup/entries/rows.vscode.ts": "checks",
	"setup/registry/withRegistry.vscode.ts": "leads",
	"setup/templates/newServer.vscode.ts": "leads",
	"surfaces/handover/handOver.vscode.ts": "checks",
	"surfaces/runner/runner.vscode.ts": "checks",
};

describe("notices with buttons", () => {
	it("are shown by their owner, except those that are true whenever they are pressed (FST-20)", () => {
		const answered = /(?:=|return|\() ?\(?await show(?:Information|Warning|Error|Failure)\(/;
		const found = globSync("src/**/*.vscode.ts")
			.map((file) => file.replaceAll("\\", "/").replace("src/", ""))
			.filter((file) => answered.test(readFileSync(`src/${file}`, "utf8")) && !file.startsWith("base/"));
		expect(found.toSorted()).toEqual(Object.keys(others).toSorted());
	});
});
