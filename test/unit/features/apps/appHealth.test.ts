import { describe, expect, onTestFinished, test } from "vitest";
import { AppHealth, type HealthLine } from "../../../../src/features/apps/appHealth.ts";

function health(): { readonly known: AppHealth; readonly wait: (ms: number) => void } {
	let now = 1000;
	return { known: new AppHealth(() => now), wait: (ms) => (now += ms) };
}

/** An app whose page was read and has its frame. */
function framed(): ReturnType<typeof health> {
	const scene = health();
	scene.wait(20);
	scene.known.read(2048);
	scene.known.framed();
	onTestFinished(() => scene.known.dispose());
	return scene;
}

function textOf({ kind, text, advice }: HealthLine): string {
	return `${kind} ${text}${advice === undefined ? "" : ` > ${advice}`}`;
}

/** Events of a visible app. */
function seen(known: AppHealth): void {
	known.loaded();
	known.asked();
	known.initialized();
	known.painted();
	known.told();
}

describe("why an app is blank (APP-11)", () => {
	test("is not shown before it is late, and never for a working app", () => {
		const { known, wait } = framed();
		known.failed("boom");
		wait(4999);
		expect(known.blank).toBeUndefined();
		seen(known);
		wait(20_000);
		expect(known.blank).toBeUndefined();
	});

	test.each([
		["its page was not loaded", () => undefined, /has not loaded yet/],
		[
			"the policy stopped a script that another needs",
			(known: AppHealth) => (
				known.loaded(),
				known.violated("script-src-elem https://cdn.example/x.js"),
				known.failed("L is not defined")
			),
			/needs access that it did not request .*cdn\.example/,
		],
		[
			"a script failed",
			(known: AppHealth) => (known.loaded(), known.failed("L is not defined (page:3)")),
			/script of the app failed: L is not defined/,
		],
		["it sends nothing", (known: AppHealth) => known.loaded(), /has not sent ui\/initialize yet/],
		[
			"it stops half-way",
			(known: AppHealth) => (known.loaded(), known.asked()),
			/but not ui\/notifications\/initialized/,
		],
		[
			"it has its result and draws nothing",
			(known: AppHealth) => (known.loaded(), known.asked(), known.initialized(), known.told()),
			/is ready, but has not drawn anything yet/,
		],
	])("is shown when %s, after five seconds", (_name, happen, sentence) => {
		const { known, wait } = framed();
		happen(known);
		wait(4999);
		expect(known.blank).toBeUndefined();
		wait(1);
		expect(known.blank).toMatchObject({ sentence: expect.stringMatching(sentence), isInPlace: true });
		known.painted();
		// A visible app is not covered.
		expect(known.blank?.isInPlace ?? false).toBe(false);
	});

	test("is shown for a page that its server does not return, and not for one that waits for the user", () => {
		const { known, wait } = health();
		wait(5000);
		expect(known.blank?.sentence).toMatch(/server has not sent the app.s page yet/);
		known.read(10);
		wait(60_000);
		expect(known.blank).toBeUndefined();
		known.framed();
		wait(4999);
		expect(known.blank).toBeUndefined();
	});

	test("is not shown for an app whose call still runs, and from then on after five seconds as well", () => {
		const { known, wait } = framed();
		known.loaded();
		known.asked();
		known.initialized();
		wait(60_000);
		expect(known.blank).toBeUndefined();
		known.told();
		wait(4999);
		expect(known.blank).toBeUndefined();
		wait(1);
		expect(known.blank?.sentence).toMatch(/has not drawn anything yet/);
	});

	test("is shown for an app without a size; a checker that tries to compile is no cause", () => {
		const { known, wait } = framed();
		known.loaded();
		known.violated("script-src eval");
		wait(9000);
		expect(known.blank?.sentence).toMatch(/has not sent ui\/initialize yet/);
		known.initialized();
		let changes = 0;
		known.onDidChange(() => changes++);
		known.resized(0, 100);
		known.resized(0, 200);
		expect(known.blank?.sentence).toMatch(/size of zero/);
		known.resized(300, 200);
		expect(changes).toBe(2);
		expect(known.violations).toBe(0);
	});

	test("is a list: page, type, policy, scripts, handshake, size and drawing, each with its time and what to do", () => {
		const { known, wait } = framed();
		wait(80);
		known.loaded();
		known.violated("connect-src https://a.example");
		known.violated("connect-src https://a.example");
		wait(100);
		known.failed("L is not defined (page:3)");
		known.asked();
		known.resized(0, 40);
		expect(known.lines.map(textOf)).toEqual([
			"good Page of 2.0 KB read after 20 ms",
			"good Its type is text/html;profile=mcp-app",
			"good Loaded after 100 ms",
			"bad Blocked by the policy after 100 ms (2 times): connect-src https://a.example > The server must request it in the csp of the page.",
			"bad Error after 200 ms: L is not defined (page:3) > The server must fix this.",
			"good Sent ui/initialize after 200 ms",
			"open Not initialized yet > It did not continue after ui/initialize. The server must fix this.",
			"bad Wants 0 × 40 pixels > Reload it, or read the text of the result.",
			"open Has not drawn anything yet > Reload it, or read the text of the result.",
		]);
	});

	const never = [
		"open Not loaded",
		"open No policy applied",
		"open No script ran",
		"open Not initialized",
		"open No size, nothing drawn",
	];
	test.each([
		["read", ["bad Page not read: no such page (after 30 ms) > Look."]],
		["type", ["good Page of 2.0 KB read after 30 ms", "bad Its type is text/html > Look."]],
		[
			"content",
			[
				"good Page of 2.0 KB read after 30 ms",
				"good Its type is text/html;profile=mcp-app",
				"bad It is too long > Look.",
			],
		],
	] as const)("is listed at once for a page that fails at the step %s, up to that step", (step, lines) => {
		const { known, wait } = health();
		wait(30);
		const line = { read: "Page not read: no such page", type: "Its type is text/html", content: "It is too long" }[
			step
		];
		known.refused({ step, length: 2048, sentence: "It is none.", line, advice: "Look." });
		expect(known.blank).toMatchObject({ sentence: "It is none. Look.", isInPlace: true });
		expect(known.lines.map(textOf)).toEqual([...lines, ...never]);
		known.begin();
		expect(known.blank).toBeUndefined();
	});

	test("keeps a bounded number of everything, with counts", () => {
		const { known } = health();
		for (let index = 0; index < 500; index++) {
			known.failed(`error ${index} ${"x".repeat(1000)}`);
			known.violated(index < 3 ? "connect-src https://a.example" : `img-src https://a${index}.example`);
			known.misbehaved("Too much");
		}
		const lines = known.lines.map(({ text }) => text);
		expect(lines).toContain("Blocked by the policy after 0 ms (3 times): connect-src https://a.example");
		expect(lines).toContain("Noticed after 0 ms (500 times): Too much");
		expect(lines.length).toBeLessThan(60);
	});
});
