import { describe, expect, test } from "vitest";
import { answerInline, elicitationParts } from "../../../../src/surfaces/chat/elicitation.ts";
import type { ChatLink, ChatPart } from "../../../../src/surfaces/chat/parts.ts";
import { TurnClock } from "../../../../src/surfaces/chat/turnClock.ts";
import { TurnQuestions } from "../../../../src/surfaces/chat/turnQuestions.ts";
import type { InlineEvent, InlineQuestion } from "../../../../src/features/elicitation/inline.ts";
import { answerAll } from "../../../../src/features/tools/approval.ts";
import { formOf, formRequest, pageRequest, Scene } from "../../features/elicitation/scene.ts";
import { User, serve, tool } from "../../features/tools/toolSession.ts";
import { play } from "./scripted.ts";

const hostile =
	"VS Code asks: [x](command:evil) ![i](http://canary/?d=1) <img src=x> $(shield) **Microsoft** `code` https://evil.example www.evil.example \u202E";
/** Text that could run, load, link or mislead if it were unescaped in Markdown. */
const alive = /(?<!\\)!\[|(?<!\\)\]\(|(?<!\\)<img|(?<!\\)\$\(|https?:\/\/|www\.|[\u202E]/u;

const call = "tools/call book";

/** Asks in a chat; the chat's content about it. */
function chat(request: object): {
	readonly scene: Scene;
	readonly question: InlineQuestion;
	readonly events: InlineEvent[];
} {
	const scene = new Scene();
	const { events } = scene.chat(call);
	void scene.ask(request, call).catch(() => undefined);
	const [first] = events;
	if (first?.type !== "asked") throw new Error("Nothing was asked.");
	return { scene, question: first.question, events };
}

const asked = (question: InlineQuestion) => elicitationParts({ type: "asked", question });
const textOf = (parts: readonly ChatPart[]): string =>
	parts.map((part) => (part.kind === "text" ? part.markdown : "")).join("");
const linksOf = (parts: readonly ChatPart[]): readonly ChatLink[] =>
	parts.flatMap((part) =>
		part.kind === "links" ? [...(part.main === undefined ? [] : [part.main]), ...part.links] : [],
	);
const labels = (parts: readonly ChatPart[]) => linksOf(parts).map(({ label }) => label);

describe("a server's question in a chat", () => {
	test("shows the server, the message, the fields in short, and the links to the form and to both ways out", () => {
		const parts = asked(chat(formRequest).question);
		expect(textOf(parts)).toContain("**travel \\(server\\) asks for your input**");
		expect(textOf(parts)).toContain("> Where to\\?\\\\u202E");
		expect(textOf(parts)).toContain("- city\\: a text, required\n- nights\\: 2");
		expect(labels(parts)).toEqual(["Answer…", "Decline", "Cancel"]);
	});

	test("shows exactly what each direct answer sends", () => {
		const yesNo = asked(chat(formOf({ type: "boolean", title: "Hold It", description: "For a week" })).question);
		expect(textOf(yesNo)).toContain("\n\nHold It\\: For a week\n\n");
		expect(textOf(yesNo)).toContain("- **Yes** sends value\\: true\n- **No** sends value\\: false");
		expect(labels(yesNo)).toEqual(["Yes", "No", "Decline", "Cancel"]);
		const titled = [
			{ const: "k", title: "King" },
			{ const: "t", title: "Twin" },
		];
		const choice = asked(chat(formOf({ type: "string", oneOf: titled })).question);
		expect(textOf(choice)).toContain("- **Answer 1** King \\(k\\) sends value\\: k");
		expect(labels(choice)).toEqual(["Answer 1", "Answer 2", "Decline", "Cancel"]);
		const optional = asked(chat(formOf({ type: "string", oneOf: titled }, false)).question);
		expect(labels(optional)).toEqual(["Answer…", "Answer 1", "Answer 2", "Decline", "Cancel"]);
		const bare = asked(chat({ message: "Go?", requestedSchema: { type: "object", properties: {} } }).question);
		expect(textOf(bare)).toContain("- **Accept** sends your consent and no values");
		expect(labels(bare)).toEqual(["Accept", "Decline", "Cancel"]);
	});

	test("shows a URL in full with its host set off and cautions, and none of it can be clicked (ELC-04)", () => {
		const parts = asked(chat({ ...pageRequest, url: "https://github.com.evil.example/a?b=c#d" }).question);
		expect(textOf(parts)).toContain("https\\:\\/\\/**github\\.com\\.evil\\.example**\\/a\\?b\\=c\\#d");
		expect(textOf(parts)).toContain("⚠ The name of this site begins with “github\\.com”");
		expect(textOf(parts)).not.toMatch(alive);
		expect(labels(parts)).toEqual(["Open in Browser", "Decline", "Cancel", "Copy URL"]);
	});

	test.each([
		["a user name in front of the host", { ...pageRequest, url: "https://github.com@evil.example/x" }, "user name"],
		["a page that is not encrypted", { ...pageRequest, url: "http://evil.example/x" }, "https"],
		["no address at all", { ...pageRequest, url: "[x](command:evil)" }, "not valid"],
		["a form that cannot be shown", { message: "Go?", requestedSchema: 5 }, "object schema"],
	])("reports that it was refused, and why, for %s (ELC-09)", async (_what, request, why) => {
		const scene = new Scene();
		const { events } = scene.chat(call);
		for (let time = 0; time < 10; time++) await expect(scene.ask(request, call)).rejects.toThrow(why);
		// The chat stays readable after any number of attempts of a server.
		expect(events.map(({ type }) => type)).toEqual(["refused", "refused", "refused"]);
		const shown = events
			.flatMap((event) => elicitationParts(event))
			.map((part) => textOf([part]))
			.join("");
		expect(shown).toContain("**travel** asked ");
		expect(shown).toContain(why);
		expect(shown).toContain("MCP Host rejected the request");
		expect(shown).not.toMatch(alive);
		expect(scene.forms).toEqual([]);
	});

	test("is plain text, and no word of the server is in a link (ELC-02, ELC-03, UI-01 to UI-04)", () => {
		const property = {
			type: "string",
			title: hostile,
			description: hostile,
			enum: [hostile, "b"],
			enumNames: [hostile, hostile],
		};
		const { question } = chat({
			message: hostile,
			requestedSchema: { type: "object", properties: { [hostile]: property }, required: [hostile] },
		});
		const content = question.contentOf(question.answers[0]?.value ?? {}) ?? {};
		const parts = [
			...asked(question),
			...elicitationParts({ type: "ended", question, end: { kind: "answered", content, hidden: [] } }),
			...elicitationParts({ type: "visited", server: hostile, host: hostile }),
			...elicitationParts({ type: "declined", server: hostile }),
		];
		// Values are in code, where nothing is active.
		expect(textOf(parts).replace(/`+ ?[^`]*"[\s\S]*?" ?`+/g, "")).not.toMatch(alive);
		expect(JSON.stringify(linksOf(parts))).not.toMatch(/evil|canary|Microsoft|VS Code/);
	});

	test("warns of a secret, and does not repeat it (ELC-01)", () => {
		const { question } = chat(formOf({ type: "string", title: "Password" }));
		expect(textOf(asked(question))).toContain("⚠ This looks like a secret");
		const end = { kind: "answered", content: { value: "hunter2", city: "Lyon" }, hidden: ["value"] } as const;
		const told = textOf(elicitationParts({ type: "ended", question, end }));
		expect(told).toContain("You answered:");
		expect(told).toContain("**city** `Lyon`");
		expect(told).toContain("**value** (not shown here)");
		expect(told).not.toContain("hunter2");
	});

	test.each([
		[{ kind: "declined", isForAll: false }, /^You declined\.$/],
		[{ kind: "declined", isForAll: true }, /all other requests of \*\*travel\*\*/],
		[{ kind: "cancelled" }, /^You cancelled\.$/],
		[{ kind: "lapsed", reason: "server-gone" }, /travel stopped before you answered.*Nothing was sent/],
		[{ kind: "lapsed", reason: "completed" }, /^travel reports that this is done\.$/],
		[{ kind: "continued" }, /you are done there/],
		[{ kind: "not-opened" }, /was not opened.*received the answer “cancelled”/],
	] as const)("shows the end %j", (end, words) => {
		expect(textOf(elicitationParts({ type: "ended", question: chat(formRequest).question, end })).trim()).toMatch(
			words,
		);
	});

	test("shows which page was opened", () => {
		const { question } = chat(pageRequest);
		const end = { kind: "opened", isByHand: false } as const;
		expect(textOf(elicitationParts({ type: "ended", question, end }))).toContain(
			"You opened the page: https\\:\\/\\/example\\.com\\/sign\\-in\\?x\\=1",
		);
	});
});

describe("a link below a server's question", () => {
	test("answers, declines, cancels and opens the form, each once; afterwards it only shows how it ended", async () => {
		const { scene, question, events } = chat(formOf({ type: "boolean" }));
		expect(await answerInline(question, "elicit-open", undefined)).toBeUndefined();
		expect(scene.forms).toEqual([question.form]);
		await answerInline(question, "elicit-answer", 1);
		expect(question.form.decision.outcome).toMatchObject({ answer: { action: "accept", value: { value: false } } });
		for (const action of ["elicit-answer", "elicit-open", "elicit-decline", "elicit-cancel", "elicit-act"]) {
			expect(await answerInline(question, action, 0)).toBe("You answered.");
		}
		expect(scene.forms).toHaveLength(1);
		await question.form.decision.settled;
		await Promise.resolve();
		expect(events.filter(({ type }) => type === "ended")).toHaveLength(1);
	});

	test.each([
		["elicit-decline", "decline"],
		["elicit-cancel", "cancel"],
	])("%s is %s", async (action, ending) => {
		const { question } = chat(formRequest);
		await answerInline(question, action, undefined);
		expect(question.form.decision.outcome).toMatchObject({ answer: { action: ending } });
	});

	test.each([
		["elicit-answer", 7],
		["elicit-answer", "0"],
		["elicit-act", "no such action"],
		["allow", undefined],
		[undefined, undefined],
	])("that is unknown (%s, %s) does nothing (UI-06)", async (action, detail) => {
		const { question } = chat(formOf({ type: "boolean" }));
		await answerInline(question, action, detail);
		expect(question.form.decision.outcome).toBeUndefined();
	});
});

describe("a turn", () => {
	test("shows a server's questions during its call, and none from outside of it or later", async () => {
		const scene = new Scene();
		const session = await serve("travel", tool("book"));
		const shown: InlineEvent[] = [];
		const during = "tools/call book";
		const asking = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };
		session.onCall = async () => {
			const answer = scene.ask(asking, during, session);
			const question = shown.find((event) => event.type === "asked");
			if (question?.type === "asked") await answerInline(question.question, "elicit-answer", 0);
			return { content: [{ type: "text", text: (await answer).action }] };
		};
		const questions = new TurnQuestions(scene.inline, (event) => void shown.push(event));
		const { events, model } = await play(
			[{ calls: [{ name: "travel_book" }] }, { text: "done" }],
			[session],
			new User({ kind: "allow" }),
			{ onEvent: (event) => questions.follow(event) },
		);
		expect(events.length).toBeGreaterThan(0);
		expect(model.results(1)).toEqual(["accept"]);
		expect(shown.map(({ type }) => type)).toEqual(["asked", "ended"]);
		expect(scene.forms).toEqual([]);
		void scene.ask(asking, during, session);
		expect(scene.forms).toHaveLength(1);
		questions[Symbol.dispose]();
	});

	test("shows questions during several calls at once, and its clock stops meanwhile", async () => {
		const scene = new Scene();
		const session = await serve("travel", tool("book"), tool("hold"));
		const shown: InlineEvent[] = [];
		const asking = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };
		const bothRun = Promise.withResolvers<void>();
		session.onCall = async (name) => {
			if (name === "hold") bothRun.resolve();
			await bothRun.promise;
			// A server of an earlier revision does not name the call of its question.
			const answer = scene.ask(asking, "tools/call hold, tools/call book", session);
			return { content: [{ type: "text", text: (await answer).action }] };
		};
		using clock = new TurnClock(60_000);
		let pauses = 0;
		const pause = clock.pause.bind(clock);
		clock.pause = () => (pauses++, pause());
		const questions = new TurnQuestions(
			scene.inline,
			(event) => {
				shown.push(event);
				if (event.type === "asked") void answerInline(event.question, "elicit-answer", 0);
			},
			clock,
		);
		const user = new User(() => undefined);
		const { model } = await play(
			[{ calls: [{ name: "travel_book" }, { name: "travel_hold" }] }, { text: "done" }],
			[session],
			user,
			{
				clock,
				onEvent: (event) => {
					questions.follow(event);
					if (event.type === "group") answerAll(event.group, { kind: "allow" });
				},
			},
		);
		expect(model.results(1)).toEqual(["accept", "accept"]);
		// The end of one is above the next one.
		expect(shown.map(({ type }) => type)).toEqual(["asked", "ended", "asked", "ended"]);
		expect(scene.forms).toEqual([]);
		// The two calls, and the two questions of their server.
		expect(pauses).toBe(4);
		questions[Symbol.dispose]();
	});

	test("opens no place for a call that is denied", async () => {
		const scene = new Scene();
		const session = await serve("travel", tool("book"));
		const questions = new TurnQuestions(scene.inline, () => undefined);
		await play([{ calls: [{ name: "travel_book" }] }, { text: "done" }], [session], new User({ kind: "deny" }), {
			onEvent: (event) => questions.follow(event),
		});
		expect(scene.inline.placeOf(session, "tools/call book")).toBeUndefined();
	});
});
