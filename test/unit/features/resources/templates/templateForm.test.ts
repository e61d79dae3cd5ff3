import { describe, expect, test } from "vitest";
import { silentLog } from "../../../../../src/base/log.ts";
import type { JsonObject } from "../../../../../src/base/json.ts";
import type { FormField } from "../../../../../src/questions/form/formProtocol.ts";
import type { FormQuestion } from "../../../../../src/questions/form/formQuestion.ts";
import { FormSession } from "../../../../../src/questions/form/formSession.ts";
import {
	expandTemplate,
	parseTemplate,
	type TemplateValue,
} from "../../../../../src/features/resources/templates/template.ts";
import { templateQuestion, valuesOf } from "../../../../../src/features/resources/templates/templateForm.ts";
import type { ResourceTemplate, Session } from "../../../../../src/servers/sessions/session.ts";
import { accepted, problemsOf, submitWith } from "../../../questions/form/formScene.ts";
import { facts, FakeSession } from "../fakeSession.ts";

interface Scene {
	readonly question: FormQuestion;
	readonly fields: readonly FormField[];
	/** The value of the form whose fields hold these texts. */
	value(...texts: readonly string[]): JsonObject;
	/** The URI of the fields with these texts, or why there is none. */
	uriOf(...texts: readonly string[]): Promise<string | readonly string[]>;
}

interface SceneOptions {
	readonly given?: Readonly<Record<string, TemplateValue>>;
	readonly recent?: Readonly<Record<string, readonly string[]>>;
	readonly session?: FakeSession;
	readonly listing?: Partial<ResourceTemplate>;
}

function formFor(uriTemplate: string, options: SceneOptions = {}): Scene {
	const { given = {}, recent = {}, session = runningSession(), listing = {} } = options;
	const template = parseTemplate(uriTemplate);
	const question = templateQuestion({
		listed: { session, template: { name: "forecast", title: "Forecast", uriTemplate, ...listing } },
		template,
		given: new Map(Object.entries(given)),
		recentOf: (variable) => recent[variable] ?? [],
		log: silentLog,
	});
	const value = (...texts: readonly string[]): JsonObject =>
		Object.fromEntries(
			template.variables.map(({ name }, index) => [name, texts[index] ?? ""]).filter(([, text]) => text !== ""),
		);
	return {
		question,
		fields: question.content.kind === "fields" ? question.content.fields : [],
		value,
		async uriOf(...texts) {
			const problems = await question.validate(value(...texts));
			if (problems.length > 0) return problems.map(({ path, message }) => `${path.join("/") || "-"}: ${message}`);
			return expandTemplate(template, valuesOf(template, value(...texts)));
		},
	};
}

function runningSession(completes = true): FakeSession {
	const session = new FakeSession("weather");
	const capabilities = { resources: {}, ...(completes ? { completions: {} } : {}) };
	session.setState({ kind: "running", facts: { ...facts, capabilities } });
	return session;
}

describe("the form of a template", () => {
	test("has a field for each variable, required where the URI would have a hole", () => {
		const { question, fields } = formFor("x://{city}/{city}{/path*}{?units}", {
			listing: { description: "The forecast\nof a city" },
		});
		expect(fields.map(({ label, isRequired }) => [label, isRequired])).toEqual([
			["city", true],
			["path", false],
			["units", false],
		]);
		expect(fields[1]).toMatchObject({ kind: "text", isLong: true, isList: true, suggests: true });
		expect(fields[1]?.description).toContain("one per line");
		expect(question).toMatchObject({
			subject: { kind: "form", server: "weather", title: "Forecast" },
			heading: "Open a resource from Forecast",
			tabTitle: "Template: Forecast",
			quote: "The forecast\nof a city",
			submitLabel: "Open Resource",
			previewLabel: "URI",
			canDecline: false,
			initial: {},
		});
	});

	test("shows a server's texts as text, without hidden characters", () => {
		const { question, fields } = formFor("x://{a%E2%80%AE}", {
			listing: { title: "\u202EFor\necast", description: "\u200B" },
		});
		expect(question.heading).toBe("Open a resource from \\u202EFor ecast");
		expect(question.quote).toBe("\\u200B");
		expect(fields[0]?.label).toBe("a%E2%80%AE");
	});

	test("warns of a variable that looks like a secret", () => {
		const { fields } = formFor("x://{apiKey}{?page,access_token}");
		expect(fields.map(({ warning }) => warning !== undefined)).toEqual([true, false, true]);
		expect(fields[0]?.warning).toContain("It is not saved.");
	});

	test("offers earlier values, and completion if the server supports it", () => {
		const { fields } = formFor("x://{a}/{b}", { recent: { b: ["2", "1"] }, session: runningSession(false) });
		expect(fields.map(({ suggests, recent }) => [suggests, recent])).toEqual([
			[false, undefined],
			[false, ["2", "1"]],
		]);
	});

	test("begins with the given values", () => {
		const given: Readonly<Record<string, TemplateValue>> = {
			b: ["one", "two"],
			c: {
				pairs: [
					["k", "v"],
					["l", "w=x"],
				],
			},
		};
		expect(formFor("x://{a}{/b*}{?c*}", { given }).question.initial).toEqual({ b: "one\ntwo", c: "k=v\nl=w=x" });
	});

	test("RES-12: empty fields are not set; lists take a line for each value; names with values keep their names", async () => {
		const { uriOf } = formFor("x://s{/path*}{?tags*,q}");
		expect(await uriOf("", "", "")).toBe("x://s");
		expect(await uriOf("a b\r\n\nc/d", "red\ngreen", "1,2")).toBe("x://s/a%20b/c%2Fd?tags=red&tags=green&q=1%2C2");
		expect(await uriOf("", "b=1\n2=x\nb=", "")).toBe("x://s?b=1&2=x&b=");
		expect(await uriOf("", "b=1\nplain\n=x", "")).toBe("x://s?tags=b%3D1&tags=plain&tags=%3Dx");
	});

	test("RES-12: a traversal is encoded where the RFC encodes it, and shown before it is read", async () => {
		const simple = formFor("x://files/{name}");
		expect(await simple.uriOf("../../etc/passwd")).toBe("x://files/..%2F..%2Fetc%2Fpasswd");
		const reserved = formFor("x://files/{+path}");
		expect(reserved.question.preview?.(reserved.value("../../etc/passwd"))).toBe("x://files/../../etc/passwd");
		expect(await reserved.uriOf("../../etc/passwd")).toBe("x://files/../../etc/passwd");
	});

	test("explains missing values below their field, and shows the URI so far", async () => {
		const { uriOf, question, value } = formFor("weather://forecast/{city}/{date}{?units}");
		expect(question.preview?.(value("", "", "metric"))).toBe(
			"weather://forecast/{city}/{date}?units=metric (still needed: city, date)",
		);
		expect(question.preview?.(value("São Paulo", "", ""))).toBe(
			"weather://forecast/S%C3%A3o%20Paulo/{date} (still needed: date)",
		);
		expect(question.preview?.(value("São Paulo", "1/2", ""))).toBe("weather://forecast/S%C3%A3o%20Paulo/1%2F2");
		expect(await uriOf("Rome", "", "")).toEqual(["date: date is required: the URI needs it."]);
		expect(await uriOf("Rome", "today", "")).toBe("weather://forecast/Rome/today");
	});

	test("the preview is the exact URI that is opened, for any text", async () => {
		const { uriOf, question, value } = formFor("x://a/{v}{/l*}{+r}");
		for (const text of ["\u202Etxt", "{v}", "%2F%zz", "😀 \ud800", " ", "a\tb"]) {
			expect(question.preview?.(value(text, text, text))).toBe(await uriOf(text, text, text));
		}
	});

	test("refuses several values where the template takes the beginning of one, and an endless URI", async () => {
		const { uriOf, question, value } = formFor("x://{v:3}{/v*}");
		expect(await uriOf("one\ntwo")).toEqual([
			"-: The variable v has a length limit, so it takes one text, not several values.",
		]);
		expect(question.preview?.(value("one\ntwo"))).toContain("has a length limit");
		expect(await formFor("x://{v}").uriOf("a".repeat(70_000))).toEqual([
			"-: The URI would be 70,004 characters long; shorten a value.",
		]);
	});

	test("asks the server to complete a value, with the other variables as context", async () => {
		const asked: unknown[] = [];
		const session = Object.assign(runningSession(), {
			complete: async (...request: Parameters<Session["complete"]>) => {
				asked.push(request.slice(0, 3));
				return { values: ["Paris"] };
			},
		});
		const { question, value } = formFor("x://{country}/{city}{/path*}", { session });
		const { signal } = new AbortController();
		const answer = await question.complete?.("city", value("France", "Pa", "x\ny"), signal, "Pa");
		expect(answer).toEqual({ values: ["Paris"] });
		await question.complete?.("path", value("France", "", "x\ny"), signal, "y");
		const reference = { type: "ref/resource", uri: "x://{country}/{city}{/path*}" };
		expect(asked).toEqual([
			[reference, { name: "city", value: "Pa" }, { country: "France", path: "x,y" }],
			[reference, { name: "path", value: "y" }, { country: "France" }],
		]);
	});

	test("sends the server no secret before the user submits it", async () => {
		const asked: unknown[] = [];
		const session = Object.assign(runningSession(), {
			complete: async (...[, argument, known]: Parameters<Session["complete"]>) => {
				asked.push([argument, known]);
				return { values: [] };
			},
		});
		const { question, fields, value } = formFor("x://{city}/{apiKey}{?options*}", { session });
		expect(fields.map(({ suggests }) => suggests)).toEqual([true, false, true]);
		const entered = value("Pa", "s3cr3t", "page=1\ntoken=s3cr3t");
		const { signal } = new AbortController();
		for (const [name, text] of [
			["city", "Pa"],
			["apiKey", "s3cr3t"],
			["options", "token=s3cr3t"],
			["options", "page=1"],
		] as const) {
			await question.complete?.(name, entered, signal, text);
		}
		expect(asked).toEqual([
			[{ name: "city", value: "Pa" }, {}],
			[{ name: "options", value: "page=1" }, { city: "Pa" }],
		]);
	});

	test("is submitted in a session of the form only when the URI is whole", async () => {
		const form = new FormSession(formFor("x://{a}/{b}").question);
		await submitWith(form, "1", "");
		expect(form.state).toMatchObject({ preview: "x://1/{b} (still needed: b)", failures: 1 });
		expect(problemsOf(form)).toEqual(["b: b is required: the URI needs it."]);
		await submitWith(form, "1", "2");
		expect(await form.decision.settled).toEqual(accepted({ a: "1", b: "2" }));
	});
});
