import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { LateValue } from "../../../../src/base/lazy.ts";
import { MissedChanges } from "../../../../src/surfaces/tree/missedChanges.ts";
import { TreeRows, type LateRows } from "../../../../src/surfaces/tree/rows.ts";
import { ServerOrder } from "../../../../src/surfaces/tree/serverOrder.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";
import { TreeScene } from "./treeScene.ts";

const failed = { kind: "failed", message: "exited", stderr: [] } as const;
const unapproved = { kind: "needs-approval", reason: "unapproved" } as const;

let scene: TreeScene;
let rows: TreeRows;
let wired: LateValue<{ readonly tree: LateRows }>;
let [files, mail, web] = [new FakeSession("files"), new FakeSession("mail"), new FakeSession("web")];
const announced: unknown[] = [];

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
	[files, mail, web] = [new FakeSession("files"), new FakeSession("mail"), new FakeSession("web")];
	const directory = new FakeDirectory(files, mail, web);
	const roots = { of: () => [], remark: () => undefined, onDidChange: new Emitter<void>().event };
	wired = new LateValue();
	rows = new TreeRows({ directory, roots }, Promise.resolve(), wired);
	const badge = { badge: () => undefined, onDidChangeBadge: new Emitter<void>().event };
	wired.madeBy(async () => {
		const { contents } = scene;
		const order = new ServerOrder(directory);
		return { tree: { contents, order, missed: new MissedChanges(), ...badge, tooltipOf: async () => undefined } };
	});
	announced.length = 0;
	rows.onDidChange((nodes) => announced.push(nodes));
	await Promise.resolve();
});
afterEach(() => {
	rows.dispose();
	scene.dispose();
	vi.useRealTimers();
});

async function shown(): Promise<readonly (string | undefined)[]> {
	const nodes = await rows.children();
	return nodes.map((node) => (node.kind === "server" ? node.session.definition.name : undefined));
}

test("servers that failed come first, then those that wait for the user, the others as configured (FST-13)", async () => {
	await wired.get();
	expect(await shown()).toEqual(["files", "mail", "web"]);
	mail.setState(unapproved);
	expect(await shown()).toEqual(["mail", "files", "web"]);
	web.setState(failed);
	expect(await shown()).toEqual(["web", "mail", "files"]);
	files.setState({ kind: "needs-sign-in", message: "Sign in." });
	expect(await shown()).toEqual(["web", "files", "mail"]);
});

test("a server that starts again keeps its place until it runs (FST-13)", async () => {
	await wired.get();
	web.setState(failed);
	web.setState({ kind: "starting" });
	expect(await shown()).toEqual(["web", "files", "mail"]);
	await web.run({ tools: [] });
	expect(await shown()).toEqual(["files", "mail", "web"]);
});

test("a new order refreshes the whole view, and a state that keeps it only its server (FST-13)", async () => {
	await wired.get();
	await shown();
	web.setState(failed);
	vi.advanceTimersByTime(1000);
	expect(announced).toContain(undefined);
	await shown();
	announced.length = 0;
	web.setState({ ...failed, message: "exited again" });
	vi.advanceTimersByTime(1000);
	expect(announced).toHaveLength(1);
	expect(announced).not.toContain(undefined);
});

test("servers that were shown before their order was known are ordered once it is (FST-13)", async () => {
	mail.setState(unapproved);
	expect(await shown()).toEqual(["files", "mail", "web"]);
	vi.advanceTimersByTime(1000);
	announced.length = 0;
	await wired.get();
	vi.advanceTimersByTime(1000);
	expect(announced).toContain(undefined);
	expect(await shown()).toEqual(["mail", "files", "web"]);
});
