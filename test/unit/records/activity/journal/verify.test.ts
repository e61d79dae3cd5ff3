import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sha256 } from "../../../../../src/base/hash.ts";
import { lineAfter } from "../../../../../src/records/activity/journal/chain.ts";
import { openSeal } from "../../../../../src/records/activity/journal/seal.ts";
import { MemorySecrets } from "../../../servers/fixtures.ts";
import { entriesOf, JournalScene, started } from "./scene.ts";

/** A window with three servers started; its file has four lines, since the first records its opening. */
async function scene3() {
	const scene = await JournalScene.begin();
	const window = scene.window();
	for (const name of ["a", "b", "c"]) window.note(started(name));
	return { scene, window };
}

it("detects a changed entry (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	scene.tamper(window, (lines) => lines.with(1, lines[1]!.replace('"server":"a"', '"server":"x"')));
	expect((await scene.verify(window)).findings).toEqual([
		"Entries 2 to 3 of window w1 do not match: one of them was changed or inserted.",
	]);
});

it("detects removed and added entries (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	scene.tamper(window, (lines) => lines.toSpliced(1, 1));
	expect((await scene.verify(window)).findings).toEqual(["Entry 2 of window w1 is missing."]);
	scene.tamper(window, (lines) => lines.toSpliced(1, 0, lines[0]!));
	expect((await scene.verify(window)).findings.length).toBeGreaterThan(0);
});

it("detects entries that another program removed like MCP Host does (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const [, line = ""] = scene.linesOf(window);
	const forged = JSON.stringify({ v: 1, removed: [2, 2], hash: sha256(line), proof: sha256("no key") });
	scene.tamper(window, (lines) => lines.with(1, forged));
	const finding = "Entry 2 of window w1 was removed, but not by MCP Host.";
	expect((await scene.verify(window)).findings).toEqual([finding]);
	// A removal by MCP Host beside it does not make it valid.
	await window.remove(({ entry }) => entry.kind === "server" && entry.server === "b");
	expect((await scene.verify(window)).findings).toEqual([finding]);
});

it("trusts no record of a removal that MCP Host did not write, and hides nothing for it (JRN-04)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const other = scene.window();
	other.note(started("d"));
	const ranges = { [window.name]: [{ from: 1, to: 4, hash: window.head.hash }] };
	const forge = (proof: string): void => {
		const entry = { kind: "journal", event: "removed", why: "cleared", count: 4, ranges, proof } as const;
		scene.tamper(other, (lines) => [...lines.slice(0, 2), lineAfter(other.head, scene.now, entry)]);
	};
	forge(sha256("no key"));
	expect(await entriesOf(window)).toEqual(["a", "b", "c", "d"].map(started));
	const finding = "Entry 3 of window w2 records a removal, but was not written by MCP Host.";
	expect((await scene.verify(window)).findings).toEqual([finding]);
	// Nor one that it wrote in another window.
	forge(scene.seal.over(window.name, ranges));
	expect(await entriesOf(window)).toHaveLength(4);
	expect((await scene.verify(window)).findings).toEqual([finding]);
	// With the file gone as well, the anchor also shows it.
	const anchor = { at: scene.now, heads: { [window.name]: window.head } };
	rmSync(scene.fileOf(window));
	expect((await scene.verify(other, [anchor])).findings).toContainEqual(
		expect.stringMatching(/^Entries of window w1 are missing: the anchor of/),
	);
});

const disturbances: readonly (readonly [string, (file: string) => void])[] = [
	["is deleted", (file) => rmSync(file)],
	["is moved away", (file) => renameSync(file, `${file}.away`)],
	["is shortened", (file) => truncateSync(file, 0)],
	["is shortened within a line", (file) => truncateSync(file, 150)],
	["is replaced", (file) => (renameSync(file, `${file}.away`), writeFileSync(file, "{}\n"))],
	[
		"is replaced by a copy that ends earlier",
		(file) => {
			const lines = readFileSync(file, "utf8").split("\n").slice(0, 2);
			rmSync(file);
			writeFileSync(file, `${lines.join("\n")}\n`);
		},
	],
];

it.each(disturbances)(
	"detects that the file of a window %s while it lives, and loses nothing after it (JRN-04)",
	async (_, disturb) => {
		const { scene, window } = await scene3();
		await using __ = scene;
		disturb(scene.fileOf(window));
		const { findings } = await scene.verify(window, [], window);
		expect(findings).toContainEqual("Entries of window w1 are missing: this window recorded 4 entries.");
		const other = scene.window();
		window.note(started("d"));
		window.note(started("e"));
		expect((await entriesOf(window)).slice(-2)).toEqual([started("d"), started("e")]);
		expect((await scene.verify(other)).findings).not.toEqual([]);
	},
);

it("removes nothing while the key of its proofs cannot be read, and continues otherwise (JRN-06)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const locked = await openSeal({
		get: () => Promise.reject(new Error("The keyring is locked.")),
		store: () => Promise.resolve(),
	});
	Object.assign(scene, { seal: locked });
	await expect(window.remove(() => true)).rejects.toThrow(/Entries cannot be removed.*The keyring is locked\./);
	window.note(started("d"));
	expect(await entriesOf(window)).toHaveLength(4);
	expect((await scene.verify(window)).findings).toEqual([]);
});

it("proves with one key in all windows of an editor", async () => {
	const kept = new MemorySecrets();
	const [one, two] = [await openSeal(kept), await openSeal(kept)];
	expect(two.holds("w1", { a: 1 }, one.over("w1", { a: 1 }))).toBe(true);
	expect(two.holds("w2", { a: 1 }, one.over("w1", { a: 1 }))).toBe(false);
});

it("detects missing or added lines at the end of a chain, by another window's observation (JRN-04)", async () => {
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
		"Entries of window w1 are missing: window w2 recorded 4 entries.",
	]);
	const last = { n: 4, hash: sha256(whole[3]!) };
	scene.tamper(window, () => [...whole, lineAfter(last, 5, started("x"))]);
	expect((await scene.verify(other)).findings).toEqual([
		"Entries were added to the log of window w1 after it had closed: window w2 recorded entry 4 as the last one.",
	]);
});

it("detects a rewritten chain, by an anchor that is elsewhere (JRN-08)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const anchor = { at: scene.now, heads: { [window.name]: window.head } };
	expect(await scene.verify(window, [anchor])).toMatchObject({ findings: [], confirmed: 1 });
	// A writer of the file can also make a consistent chain.
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
		expect.stringMatching(/^Entries of window w1 up to 4 were changed: the anchor of 2026-11-22T\S+ recorded/),
	]);
});

it("does not report a window that was killed while it wrote as a change (JRN-03)", async () => {
	const { scene, window } = await scene3();
	await using _ = scene;
	const other = scene.window();
	other.note(started("d"));
	scene.kill(window);
	const { writeFileSync } = await import("node:fs");
	writeFileSync(scene.fileOf(window), `${scene.linesOf(window).join("\n")}\n{"v":1,"n":`);
	expect(await scene.verify(other)).toMatchObject({ findings: [], remarks: [expect.stringMatching(/is incomplete/)] });
});
