import { describe, expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/base/event.ts";
import { LateValue } from "../../../../src/base/lazy.ts";
import { MissedChanges } from "../../../../src/surfaces/tree/missedChanges.ts";
import { TreeRows, type LateRows } from "../../../../src/surfaces/tree/rows.ts";
import { FakeDirectory, FakeSession } from "../../features/resources/fakeSession.ts";
import { ServerOrder } from "../../../../src/surfaces/tree/serverOrder.ts";
import { TreeScene } from "./treeScene.ts";

describe("the rows of a window that is loaded", () => {
	test("wait until the servers are known, and are complete then: nothing is announced (UI-30)", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const directory = new FakeDirectory();
		const known = Promise.withResolvers<void>();
		const roots = { of: () => [], remark: () => undefined, onDidChange: new Emitter<void>().event };
		const rows = new TreeRows({ directory, roots }, known.promise, new LateValue<{ readonly tree: LateRows }>());
		const announced: unknown[] = [];
		rows.onDidChange((nodes) => announced.push(nodes));

		const asked = rows.children();
		directory.set(new FakeSession("travel"), new FakeSession("other"));
		vi.advanceTimersByTime(1000);
		known.resolve();
		const shown = await asked;
		expect(shown.map((node) => rows.view(node))).toMatchObject([{ label: "travel" }, { label: "other" }]);
		vi.advanceTimersByTime(1000);
		expect(announced).toEqual([]);

		// From now on the editor is notified, and receives its answers at once.
		directory.set(new FakeSession("travel"));
		vi.advanceTimersByTime(1000);
		expect(announced).toEqual([undefined]);
		expect(rows.children()).toHaveLength(1);
		rows.dispose();
		vi.useRealTimers();
	});

	test("are announced once more if a change overlapped with loading them (UI-31)", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
		const scene = new TreeScene();
		const { directory, contents } = scene;
		const roots = { of: () => [], remark: () => undefined, onDidChange: new Emitter<void>().event };
		const wired = new LateValue<{ readonly tree: LateRows }>();
		const rows = new TreeRows({ directory, roots }, Promise.resolve(), wired);
		const [missed, order] = [new MissedChanges(), new ServerOrder(directory)];
		const badge = { badge: () => undefined, onDidChangeBadge: new Emitter<void>().event };
		wired.madeBy(() =>
			Promise.resolve({ tree: { contents, order, missed, ...badge, tooltipOf: async () => undefined } }),
		);
		await wired.get();
		vi.advanceTimersByTime(5000);
		const announced: unknown[] = [];
		rows.onDidChange((nodes) => announced.push(nodes));
		void rows.children();
		directory.set(new FakeSession("travel"), new FakeSession("other"));
		vi.advanceTimersByTime(5000);
		expect(announced).toEqual([undefined, undefined]);
		missed.dispose();
		rows.dispose();
		scene.dispose();
		vi.useRealTimers();
	});
});
