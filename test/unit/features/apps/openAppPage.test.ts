import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { keyOf, KnownApps } from "../../../../src/features/apps/knownApps.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { FormerPages } from "../../../../src/features/apps/formerPages.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { AppScene, memory, type SceneOptions, uri } from "./appScene.ts";

async function begin(options: SceneOptions = {}): Promise<AppScene> {
	const scene = await AppScene.begin(options);
	onTestFinished(() => scene.app.dispose());
	return scene;
}

describe("an app", () => {
	test.each([
		[
			"of another type",
			{ mimeType: "text/html" },
			/has the type text\/html, so it is not shown.*The server must set it/,
		],
		[
			"too long",
			{ html: "x".repeat(12_000_001) },
			/is longer than 12 million characters\..*The server must make it shorter/,
		],
	])(
		"whose page is %s shows the reason in its place, at once and step by step (APP-01, APP-11)",
		async (_why, options, why) => {
			const scene = await begin(options);
			await scene.app.open();
			expect(scene.app.view).toMatchObject({
				load: 0,
				blank: { sentence: expect.stringMatching(why), isInPlace: true },
			});
			expect(scene.app.view.blank?.lines.map(({ kind }) => kind)).toContain("bad");
			expect(scene.app.frame(0)).toBeUndefined();
		},
	);

	test.each([
		[
			"does not give",
			async () => Promise.reject(new Error("no such \u202E page")),
			/cannot be read: no such \\u202E page/,
		],
		["gives nothing for", async () => ({ contents: [] }), /is empty\./],
		[
			"encodes wrongly",
			async () => ({ contents: [{ uri, mimeType: "text/html;profile=mcp-app", blob: "/w==" }] }),
			/is not UTF-8 text/,
		],
	])(
		"whose page its server %s shows it at once, and works once the page can be read (APP-11)",
		async (_what, onRead, why) => {
			const scene = await begin();
			const { onRead: whole } = scene.session;
			scene.session.onRead = onRead;
			await scene.app.open();
			expect(scene.app.view.blank).toMatchObject({ sentence: expect.stringMatching(why), isInPlace: true });
			scene.session.onRead = whole;
			await scene.app.open();
			expect(scene.app.view.blank).toBeUndefined();
			expect(scene.app.view.load).toBe(1);
		},
	);

	test("that requests domains waits for the user, asks again when it requests more, and gets no other (APP-06)", async () => {
		const state = memory();
		const first = await begin({ state, ui: { csp: { connectDomains: ["https://api.example"] } } });
		const opening = first.app.open();
		expect(await first.answer("allow")).toBe("The app “Budget Allocator” of finance wants to reach a domain");
		await opening;
		expect(first.app.domains.connect).toEqual(["https://api.example"]);

		const again = await begin({ state, ui: { csp: { connectDomains: ["https://api.example"] } } });
		await again.app.open();
		expect(again.app.view.load).toBe(1);

		const wider = await begin({
			state,
			html: "<p>Other",
			ui: { csp: { connectDomains: ["https://api.example"], resourceDomains: ["https://cdn.example"] } },
		});
		const asked = wider.app.open();
		await expect.poll(() => wider.app.questions.current?.heading).toMatch(/wants to reach another domain$/);
		expect(wider.app.questions.current?.notes[0]).toMatch(/^Its page has changed. The previous page was shown since /);
		await wider.answer("without");
		await asked;
		expect(wider.app.domains).toEqual({ connect: ["https://api.example"], resource: [], frame: [], baseUri: [] });
		wider.app.toggleDetails();
		const lines = (wider.app.view.details ?? []).flatMap((detail) => detail.lines.map(({ text }) => text));
		expect(lines).toContain("Load from https://cdn.example: not granted");
		expect(lines.some((line) => line.startsWith("Its page has changed. The previous page was shown since "))).toBe(
			true,
		);
	});

	test("asks again, with nothing allowed, once what it was allowed is revoked, also while it is open (FST-17)", async () => {
		const state = memory();
		const scene = await begin({ state, ui: { csp: { connectDomains: ["https://api.example"] } } });
		const opening = scene.app.open();
		await scene.answer("allow");
		await opening;
		const known = new KnownApps(state);
		const [allowed] = known.all;
		expect(allowed).toMatchObject({ server: "finance", domains: ["https://api.example"], clipboard: false });
		expect(allowed?.key).toBe(keyOf(scene.app.session, scene.app.uri));
		await known.revoke(allowed?.key ?? "");
		const again = scene.app.open();
		await expect.poll(() => scene.app.questions.current?.heading).toMatch(/wants to reach a domain$/);
		await scene.answer("without");
		await again;
		expect(scene.app.domains.connect).toEqual([]);
		expect(known.all).toEqual([]);
	});

	test("that requests the clipboard waits for the user, and needs their consent, which is remembered (APP-06)", async () => {
		const state = memory();
		const ui = { permissions: { clipboardWrite: {} }, csp: { connectDomains: ["https://api.example"] } };
		const open = async (answer?: string): Promise<readonly unknown[]> => {
			const scene = await begin({ state, ui });
			const opening = scene.app.open();
			if (answer === undefined) await opening;
			else await expect.poll(() => scene.app.questions.current).toBeDefined();
			const asked = scene.app.questions.current;
			if (answer !== undefined) {
				expect(scene.app.frame(scene.app.view.load)).toBeUndefined();
				await Promise.all([opening, scene.answer(answer)]);
			}
			scene.app.toggleDetails();
			const lines = (scene.app.view.details ?? []).flatMap((detail) => detail.lines.map(({ text }) => text));
			const line = lines.find((text) => text.startsWith("Write to the clipboard"));
			return [asked?.heading, asked?.exact, scene.app.frame(scene.app.view.load)?.allow, line];
		};
		const who = "The app “Budget Allocator” of finance wants to";
		const both = "Connect to https://api.example\nWrite to the clipboard";
		const heading = `${who} reach a domain and write to the clipboard`;
		expect(await open("without")).toEqual([heading, both, "", "Write to the clipboard: not granted"]);
		expect(await open("allow")).toEqual([heading, both, "clipboard-write", "Write to the clipboard: granted"]);
		expect(await open()).toEqual([undefined, undefined, "clipboard-write", "Write to the clipboard: granted"]);
	});

	test("that had domains and also requests the clipboard keeps them without it, and loses those that it no longer requests (APP-06)", async () => {
		const state = memory();
		const csp = { connectDomains: ["https://api.example"] };
		const first = await begin({ state, ui: { csp } });
		await Promise.all([first.app.open(), first.answer("allow")]);
		const wider = await begin({ state, ui: { csp, permissions: { clipboardWrite: {} } } });
		const [, heading] = await Promise.all([wider.app.open(), wider.answer("without")]);
		expect(heading).toBe("The app “Budget Allocator” of finance wants to write to the clipboard");
		expect(wider.app.domains.connect).toEqual(["https://api.example"]);
		expect(wider.app.frame(wider.app.view.load)?.allow).toBe("");
		const granted = await begin({ state, ui: { permissions: { clipboardWrite: {} } } });
		await Promise.all([granted.app.open(), granted.answer("allow")]);
		expect(granted.app.domains.connect).toEqual([]);
		const less = await begin({ state });
		await less.app.open();
		expect(less.app.frame(less.app.view.load)?.allow).toBe("");
	});

	test("whose page changed offers the difference, also while it asks, and none if it is unknown (APP-25)", async () => {
		const state = memory();
		const folder = mkdtempSync(path.join(tmpdir(), "apps-"));
		onTestFinished(() => rmSync(folder, { recursive: true }));
		const open = async (html: string, ui?: JsonObject): Promise<AppScene> => {
			const pages = new FormerPages({ folder, redact: (text) => text });
			const scene = await begin({ state, html, pages, ...(ui === undefined ? {} : { ui }) });
			void scene.app.open();
			await expect.poll(() => scene.app.view.load > 0 || scene.app.view.question !== undefined).toBe(true);
			return scene;
		};
		const first = await open("<p>One");
		// It is stored in a file, from which the others read it.
		await expect.poll(() => readdirSync(folder).filter((name) => !/\.\d+$/.test(name))).toHaveLength(1);
		expect(first.app.view.isComparable).toBeUndefined();
		first.app.compare();
		expect(first.differences).toEqual([]);
		const same = await open("<p>One");
		expect(same.app.view.isComparable).toBeUndefined();
		const other = await open("<p>Two", { csp: { connectDomains: ["https://api.example"] } });
		expect(other.app.view).toMatchObject({
			isComparable: true,
			notice: expect.stringMatching(/^Its page has changed. The previous page was shown since /),
			question: { heading: "The app “Budget Allocator” of finance wants to reach a domain" },
		});
		other.app.compare();
		expect(other.differences).toEqual([
			{
				title: expect.stringMatching(/^Budget Allocator · finance \(Shown Since .* ↔ Now\)$/),
				before: "<p>One",
				now: "<p>Two",
			},
		]);
		await other.answer("allow");
		await expect.poll(() => other.app.view.load).toBe(1);
		other.app.toggleDetails();
		expect(JSON.stringify(other.app.view.details)).toContain(
			"Its page has changed. The previous page was shown since ",
		);
		await other.app.open();
		expect(other.app.view.isComparable).toBeUndefined();
	});

	test("reaches no domain that is denied to all apps, and the user is not asked about it (APP-23)", async () => {
		const connectDomains = ["https://api.example", "wss://live.ads.example:8443", "https://*.example"];
		const ui = { csp: { connectDomains, resourceDomains: ["https://ads.example"] } };
		const scene = await begin({ ui, deniedDomains: ["*.Ads.example"] });
		const opening = scene.app.open();
		await expect.poll(() => scene.app.questions.current?.exact).toBe("Connect to https://api.example");
		await scene.answer("allow");
		await opening;
		expect(scene.app.domains).toEqual({ connect: ["https://api.example"], resource: [], frame: [], baseUri: [] });
	});
});
