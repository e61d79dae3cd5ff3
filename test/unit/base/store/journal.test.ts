import {
	appendFileSync,
	chmodSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compact } from "../../../../src/base/store/compact.ts";
import { JournalScene, valuesOf } from "./scene.ts";

describe("A journal", () => {
	it("shows an entry at once, in this window, in others on reading, and in those that open later", () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", { deep: [1] });
		expect([one.get("a")?.value, other.get("a")]).toEqual([{ deep: [1] }, undefined]);
		expect(other.refresh()).toBe(true);
		expect(other.get("a")?.value).toEqual({ deep: [1] });
		expect(other.refresh()).toBe(false);
		expect(scene.values()).toEqual({ a: { deep: [1] } });
	});

	it("applies the later value, and nothing after a removal", () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", 1);
		other.put("a", 2);
		expect(scene.values()).toEqual({ a: 2 });
		one.remove("a");
		expect(other.get("a")?.value).toBe(2);
		other.refresh();
		expect(other.get("a")).toBeUndefined();
		other.put("a", 3);
		one.refresh();
		expect([valuesOf(one), valuesOf(other), scene.values()]).toEqual([{ a: 3 }, { a: 3 }, { a: 3 }]);
	});

	it("applies a removal if its order is unknown", () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", "old");
		other.refresh();
		one.remove("a");
		scene.now += 5;
		// Written without reading the other window's entry.
		other.write([{ key: "a", value: "unaware" }], true);
		for (const window of [one, other]) window.refresh();
		expect([valuesOf(one), valuesOf(other), scene.values()]).toEqual([{}, {}, {}]);
		other.put("a", "aware");
		expect(scene.values()).toEqual({ a: "aware" });
	});

	it("keeps the observed order, although a clock is set back", () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", 1);
		scene.now -= 365 * 24 * 3_600_000;
		other.put("a", 2);
		expect(scene.values()).toEqual({ a: 2 });
		other.remove("a");
		expect(scene.values()).toEqual({});
	});

	it("treats keys as data", () => {
		using scene = new JournalScene();
		scene.window().put("__proto__", { polluted: true });
		const fresh = scene.window();
		fresh.refresh();
		expect(fresh.get("__proto__")?.value).toEqual({ polluted: true });
		expect(fresh.get("constructor")).toBeUndefined();
	});

	it("notifies of changes by any window, and of nothing else", () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		let changes = 0;
		other.onDidChange(() => changes++);
		other.refresh();
		expect(changes).toBe(0);
		one.put("a", 1);
		other.refresh();
		other.refresh();
		expect(changes).toBe(1);
	});

	it("is readable only by its user", async () => {
		using scene = new JournalScene();
		const window = scene.window();
		window.put("a", 1);
		await compact(window);
		window.put("b", 1);
		expect(statSync(scene.folder).mode & 0o777).toBe(0o700);
		for (const file of scene.files) expect(statSync(path.join(scene.folder, file)).mode & 0o777).toBe(0o600);
	});
});

describe("Damage", () => {
	it("invalidates only the damaged lines, and disappears when the journal is compacted", async () => {
		using scene = new JournalScene();
		const window = scene.window();
		window.put("a", 1);
		const [file = ""] = scene.files;
		const damage = ["\u0000\u0000 half", "[]", "7", '{"v":1,"at":-1,"key":"x","value":1}', '{"v":1,"at":1,"value":1}'];
		appendFileSync(path.join(scene.folder, file), damage.map((line) => `${line}\n`).join(""));
		window.put("b", 2);
		expect(window.damaged).toEqual(damage);
		expect(scene.values()).toEqual({ a: 1, b: 2 });
		await compact(window, { keepsDamage: true });
		expect(window.damaged).toEqual([]);
		expect(scene.values()).toEqual({ a: 1, b: 2 });
		expect(readFileSync(path.join(scene.folder, "things.damaged"), "utf8")).toContain("half");
	});

	const farAhead = 7_999_999_999_999_999;
	it.each<[string, string]>([
		["beyond all numbers", `{"v":1,"at":${Number.MAX_SAFE_INTEGER},"key":"a","value":"forged"}`],
		["at the end of the clock", `{"v":1,"at":${farAhead},"key":"a","value":"forged"}`],
		["a thousand years ahead, of a removal", `{"v":1,"at":${farAhead},"key":"a"}`],
		["no number", '{"v":1,"at":NaN,"key":"a","value":"forged"}'],
		["null", '{"v":1,"at":null,"key":"a","value":"forged"}'],
		["infinite", '{"v":1,"at":1e999,"key":"a","value":"forged"}'],
		["negative", '{"v":1,"at":-5,"key":"a","value":"forged"}'],
		["a part of one", '{"v":1,"at":1.5,"key":"a","value":"forged"}'],
		["of a removal that comes after it", `{"v":1,"at":5,"knew":${farAhead},"key":"a","value":"forged"}`],
		["of a removal at its own moment", '{"v":1,"at":1000,"knew":1000,"key":"a","value":"forged"}'],
	])("of an impossible time, %s, neither outlives later lines nor damages them (SEC-11)", (_what, forged) => {
		using scene = new JournalScene();
		const [window, other] = [scene.window(), scene.window()];
		window.put("a", 1);
		const [file = ""] = scene.files;
		appendFileSync(path.join(scene.folder, file), `${forged}\n`);
		other.refresh();
		other.put("a", 2);
		other.put("b", 3);
		const fresh = scene.window();
		fresh.refresh();
		expect([valuesOf(window), valuesOf(fresh), fresh.damaged]).toEqual([{ a: 1 }, { a: 2, b: 3 }, [forged]]);
		fresh.remove("a");
		expect(scene.values()).toEqual({ b: 3 });
	});

	it("is not caused by a clock that was some years ahead: later entries replace it", () => {
		using scene = new JournalScene();
		scene.now += 12 * 365 * 24 * 3_600_000;
		scene.window().put("a", "early");
		scene.window().remove("b");
		scene.now -= 12 * 365 * 24 * 3_600_000;
		const window = scene.window();
		window.put("a", "late");
		window.put("b", "late");
		expect(scene.values()).toEqual({ a: "late", b: "late" });
		expect(window.damaged).toEqual([]);
	});

	it("is not caused by a clock that was reset", () => {
		using scene = new JournalScene();
		scene.window().put("a", 1);
		scene.now = 0;
		expect(scene.values()).toEqual({ a: 1 });
	});

	it("by a crash at any byte affects at most the line that was being written", () => {
		using scene = new JournalScene();
		const writer = scene.window();
		for (const key of ["a", "b", "Zürich \u{1F600}", "d"]) writer.put(key, "x".repeat(20));
		const file = path.join(scene.folder, scene.files[0] ?? "");
		const whole = readFileSync(file);
		const ends = [...whole.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index] : []));
		for (let cut = 0; cut <= whole.length; cut++) {
			writeFileSync(file, whole);
			truncateSync(file, cut);
			// A line may be complete without its end.
			expect(Object.keys(scene.values()), `cut at ${cut}`).toHaveLength(ends.filter((end) => end <= cut).length);
		}
	});

	it("is noticed if a file is shorter than before", () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", 1);
		one.put("b", 2);
		other.refresh();
		truncateSync(path.join(scene.folder, scene.files[0] ?? ""), 0);
		other.refresh();
		expect(valuesOf(other)).toEqual({});
	});
});

describe("Another version of the extension", () => {
	const foreign = '{"v":2,"what":"a newer line","key":"a"}';

	it("keeps its lines through every compaction, and they have no effect here", async () => {
		using scene = new JournalScene();
		const window = scene.window();
		window.put("a", 1);
		writeFileSync(path.join(scene.folder, "things-newer-1.jsonl"), `${foreign}\n`);
		await compact(window);
		await compact(scene.window());
		window.put("b", 2);
		await compact(window);
		expect(scene.disk.split("\n").filter((line) => line === foreign)).toEqual([foreign]);
		expect(scene.values()).toEqual({ a: 1, b: 2 });
		expect(scene.window().damaged).toEqual([]);
	});

	it("may add members to our lines, which are kept", async () => {
		using scene = new JournalScene();
		mkdirSync(scene.folder, { recursive: true });
		const more = '{"v":1,"at":5,"key":"a","value":1,"reason":"newer"}';
		writeFileSync(path.join(scene.folder, "things-newer-1.jsonl"), `${more}\n`);
		const window = scene.window();
		await compact(window);
		expect(scene.values()).toEqual({ a: 1 });
		expect(scene.disk).toContain('"reason":"newer"');
	});
});

describe("A folder that cannot be used", () => {
	it("is reported once; decisions apply in this window, and are written when possible", () => {
		using scene = new JournalScene();
		writeFileSync(scene.folder, "a file in its place");
		const window = scene.window();
		window.put("a", 1);
		window.put("b", 2);
		window.remove("a");
		expect(valuesOf(window)).toEqual({ b: 2 });
		expect(scene.problems).toHaveLength(1);
		rmSync(scene.folder);
		window.put("c", 3);
		expect(window.fault).toBeUndefined();
		expect(scene.values()).toEqual({ b: 2, c: 3 });
	});

	it("applies nothing that can no longer be read", () => {
		using scene = new JournalScene();
		const [one, other] = [scene.window(), scene.window()];
		one.put("a", 1);
		other.refresh();
		rmSync(scene.folder, { recursive: true });
		writeFileSync(scene.folder, "");
		other.refresh();
		expect(valuesOf(other)).toEqual({});
		expect(other.fault).toBeDefined();
	});

	it.runIf(process.getuid?.() !== 0)("that is read-only can still be read", () => {
		using scene = new JournalScene();
		scene.window().put("a", 1);
		chmodSync(scene.folder, 0o500);
		const window = scene.window();
		window.put("b", 2);
		expect(valuesOf(window)).toEqual({ a: 1, b: 2 });
		chmodSync(scene.folder, 0o700);
		window.refresh();
		expect(scene.values()).toEqual({ a: 1, b: 2 });
	});

	it("is not needed if nothing has to outlive the window", () => {
		using scene = new JournalScene();
		const window = scene.window({ folder: undefined });
		window.put("a", 1);
		window.put("b", 1);
		window.remove("a");
		expect(valuesOf(window)).toEqual({ b: 1 });
	});
});
