import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../../../src/base/hash.ts";
import { FormerPages, pageDifference } from "../../../../src/features/apps/formerPages.ts";

interface Folder {
	readonly folder: string;
	/** The pages as a window has them. */
	readonly open: () => FormerPages;
}

function begin(): Folder {
	const parent = mkdtempSync(path.join(tmpdir(), "pages-"));
	onTestFinished(() => rmSync(parent, { recursive: true }));
	const folder = path.join(parent, "apps");
	const redact = (text: string): string => text.replaceAll("hunter-two", "⟦Password⟧");
	return { folder, open: () => new FormerPages({ folder, redact }) };
}

test("the page of an app is kept for the next window, for this user only, until another replaces it (APP-25)", async () => {
	const { folder, open } = begin();
	const page = "<p>One</p><script>sk.createElementNamed(1)</script>";
	await open().keep("a", page);
	expect(await open().read("a", sha256(page))).toBe(page);
	expect(await open().read("b", sha256(page))).toBeUndefined();
	if (process.platform !== "win32") expect(statSync(path.join(folder, "a.html")).mode & 0o77).toBe(0);
	await open().keep("a", "<p>Two");
	// A file that another program wrote there is not used.
	expect(await open().read("a", sha256(page))).toBeUndefined();
	expect(readdirSync(folder)).toEqual(["a.html"]);
});

test.each([
	["a secret that the host knows", "<script>hunter-two"],
	["text that looks like a key", `<script>const key = "ghp_${"aB3".repeat(12)}"`],
	["a private key", "-----BEGIN RSA PRIVATE KEY-----"],
])("a page with %s is kept in memory only, and the previous one is deleted (SEC-03)", async (_what, page) => {
	const { folder, open } = begin();
	const pages = open();
	await pages.keep("a", "<p>One");
	await pages.keep("a", page);
	expect(readdirSync(folder)).toEqual([]);
	expect(await pages.read("a", sha256(page))).toBe(page);
	expect(await open().read("a", sha256(page))).toBeUndefined();
	for (const key of ["b", "c", "d", "e", "f"]) await pages.keep(key, page);
	expect(await pages.read("a", sha256(page))).toBeUndefined();
});

test("kept pages are limited in number and size, and a folder that cannot be written is harmless (APP-25)", async () => {
	const { folder, open } = begin();
	const pages = open();
	for (let index = 0; index < 22; index++) {
		await pages.keep(`app${index}`, "<p>");
		utimesSync(path.join(folder, `app${index}.html`), index, index);
	}
	expect(readdirSync(folder)).toHaveLength(20);
	expect(await open().read("app0", sha256("<p>"))).toBeUndefined();
	expect(await open().read("app21", sha256("<p>"))).toBe("<p>");
	const long = "x".repeat(2_000_001);
	await pages.keep("app21", long);
	expect(await pages.read("app21", sha256(long))).toBeUndefined();
	rmSync(folder, { recursive: true });
	writeFileSync(folder, "");
	await pages.keep("a", "<p>");
	expect(await pages.read("a", sha256("<p>"))).toBeUndefined();
});

test("a page of one long line is compared in lines, and one of short lines unchanged (APP-25)", () => {
	const long = `<b>1</b><i>2</i>${"a{b:c;d:e}".repeat(100)}`;
	const { before, now } = pageDifference("a", { at: 0, html: long }, "<b>1</b><i>2</i>\n");
	expect(before.split("\n").slice(0, 4)).toEqual(["<b>1</b>", "<i>2</i>a{", "b:c;", "d:e}"]);
	expect(before.replaceAll("\n", "")).toBe(long);
	expect(now).toBe("<b>1</b><i>2</i>\n");
});
