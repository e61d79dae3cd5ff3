import { expect, it } from "vitest";
import { sha256 } from "../../../../../src/base/hash.ts";
import { lineAfter } from "../../../../../src/records/activity/journal/chain.ts";
import { call, JournalScene, started } from "./scene.ts";

/** A window with three servers started; its file has four lines, since the first says that it opened. */
async function scene3() {
	const scene = await JournalScene.begin();
	const window = scene.window();
	for (const name of ["a", "b", "c"]) window.note(started(name));
	return { scene, window };
}

it("notices a changed entry (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	scene.tamper(window, (lines) => lines.with(1, lines[1]!.replace('"server":"a"', '"server":"x"')));
	expect((await scene.verify(window)).findings).toEqual([
		"Entries 2 to 3 of window w1 do not belong together: one of them was changed, or inserted.",
	]);
});

it("notices entries that were taken out, and put in (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	scene.tamper(window, (lines) => lines.toSpliced(1, 1));
	expect((await scene.verify(window)).findings).toEqual(["Entry 2 of window w1 is missing."]);
	scene.tamper(window, (lines) => lines.toSpliced(1, 0, lines[0]!));
	expect((await scene.verify(window)).findings.length).toBeGreaterThan(0);
});

it("notices a gap that nobody recorded (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	scene.tamper(window, (lines) => lines.with(1, JSON.stringify({ v: 1, removed: [2, 2], hash: sha256(lines[1]!) })));
	expect((await scene.verify(window)).findings).toEqual([
		"Entry 2 of window w1 were taken out, and no record says that they were removed.",
	]);
});

it("notices what is missing at the end of a chain, or added to it, by what another window saw (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const other = scene.window();
	other.note(started("d"));
	scene.kill(window);
	await other.tidy();
	const whole = scene.linesOf(window);
	expect((await scene.verify(other)).confirmed).toBe(1);
	scene.tamper(window, (lines) => lines.slice(0, -1));
	expect((await scene.verify(other)).findings).toEqual([
		"Entries of window w1 are missing: window w2 saw that there were 4.",
	]);
	const last = { n: 4, hash: sha256(whole[3]!) };
	scene.tamper(window, () => [...whole, lineAfter(last, 5, started("x"))]);
	expect((await scene.verify(other)).findings).toEqual([
		"Entries were added to window w1 after it was gone: window w2 saw that it ended with entry 4.",
	]);
});

it("notices a chain that was made anew, by an anchor that is elsewhere (JRN-08)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const anchor = { at: scene.now, heads: { [window.name]: window.head } };
	expect(await scene.verify(window, [anchor])).toMatchObject({ findings: [], confirmed: 1 });
	// Whoever can write the file can also make a chain that is whole in itself.
	scene.tamper(window, (lines) => {
		let head = { n: 0, hash: sha256(window.name) };
		return lines.map((line, index) => {
			const { at, entry } = JSON.parse(line) as { at: number; entry: ReturnType<typeof started> };
			const text = lineAfter(head, at, index === 1 ? started("x") : entry);
			head = { n: head.n + 1, hash: sha256(text) };
			return text;
		});
	});
	expect((await scene.verify(window)).findings).toEqual([]);
	expect((await scene.verify(window, [anchor])).findings).toEqual([
		expect.stringMatching(/^Entries of window w1 up to 4 are not what they were: the anchor of 2026-11-22T\S+ says/),
	]);
});

it("notices a changed record of a sampling request (JRN-04)", async () => {
	await using scene = await JournalScene.begin();
	const window = scene.window();
	const { server, serverId } = call("sent");
	window.note({ kind: "sampling", id: "s1", phase: "returned", server, serverId, by: "person", digest: "abc" });
	expect((await scene.verify(window, [], () => "abc")).findings).toEqual([]);
	expect((await scene.verify(window)).findings).toEqual([]);
	expect((await scene.verify(window, [], () => "abd")).findings).toHaveLength(1);
});

it("says of a window that was killed while it wrote that this is no change (JRN-03)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const other = scene.window();
	other.note(started("d"));
	scene.kill(window);
	const { writeFileSync } = await import("node:fs");
	writeFileSync(scene.fileOf(window), `${scene.linesOf(window).join("\n")}\n{"v":1,"n":`);
	expect(await scene.verify(other)).toMatchObject({ findings: [], remarks: [expect.stringMatching(/was cut/)] });
});
