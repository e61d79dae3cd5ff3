import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { facts } from "../../features/resources/fakeSession.ts";
import { TreeScene } from "./treeScene.ts";

let scene: TreeScene;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	scene = new TreeScene();
});
afterEach(() => {
	scene.dispose();
	vi.useRealTimers();
});

describe("changes of the tree", () => {
	test("are announced before a row is unfolded, which the editor may have drawn with nothing below it (ADD-06)", async () => {
		scene.travel.setState({ kind: "running", facts });
		const before = scene.announced.length;
		const announcedThen = scene.tree.whenAnnounced().then(() => scene.announced.slice(before));
		vi.advanceTimersByTime(500);
		expect((await announcedThen).flat()).toContain(scene.server());
		// An announced change delays no caller.
		await scene.tree.whenAnnounced();
	});

	test("are awaited by a listener that receives them before the tree does (ADD-06)", async () => {
		// Asked in the same turn, as by a listener that was registered before the tree.
		const announcedThen = scene.tree.whenAnnounced().then(() => scene.announced.flat());
		scene.travel.setState({ kind: "running", facts });
		await Promise.resolve();
		vi.advanceTimersByTime(500);
		expect(await announcedThen).toContain(scene.server());
	});

	test("are lists that were read again, and unchanged ones delay no caller (ADD-06)", async () => {
		let listed = [{ uri: "x://a", name: "a" }];
		scene.travel.setState({ kind: "running", facts });
		await scene.travel.resources.connect(() => Promise.resolve({ items: listed }));
		scene.settle();
		scene.picture();
		listed = [...listed, { uri: "x://b", name: "b" }];
		for (const isOther of [true, false]) {
			// Another change was announced just now: the next one waits.
			scene.tree.refresh({ server: scene.id });
			scene.announced.length = 0;
			await scene.travel.resources.refresh();
			const announcedThen = scene.tree.whenAnnounced().then(() => scene.announced.flat());
			await new Promise(setImmediate);
			vi.advanceTimersByTime(500);
			expect((await announcedThen).includes(scene.group("resources"))).toBe(isOther);
			scene.picture();
		}
	});
});
