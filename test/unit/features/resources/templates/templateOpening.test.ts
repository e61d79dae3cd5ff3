import { describe, expect, test, vi } from "vitest";
import { HostError } from "../../../../../src/base/errors.ts";
import { silentLog } from "../../../../../src/base/log.ts";
import type { JsonObject } from "../../../../../src/base/json.ts";
import type { FormQuestion } from "../../../../../src/questions/form/formQuestion.ts";
import {
	findTemplate,
	readTemplateRequest,
	rememberTyped,
	TemplateOpening,
} from "../../../../../src/features/resources/templates/templateOpening.ts";
import { TemplateRecents, TemplateResults } from "../../../../../src/features/resources/templates/templateMemory.ts";
import { templatesMatching } from "../../../../../src/features/resources/templates/templateSearch.ts";
import { MemoryStore } from "../../../servers/fixtures.ts";
import { FakeDirectory, FakeSession } from "../fakeSession.ts";

/** A user who answers each form with the next texts, or leaves it, and an editor that opens the given URIs. */
class Scene {
	readonly session = new FakeSession("small");
	readonly directory = new FakeDirectory(this.session);
	readonly asked: FormQuestion[] = [];
	readonly opened: string[] = [];
	answers: (readonly string[] | undefined)[] = [];
	canOpen = true;
	readonly results = new TemplateResults(new MemoryStore());
	readonly recentsStore = new MemoryStore();
	readonly recents = new TemplateRecents(this.recentsStore);
	readonly opening = new TemplateOpening({
		results: this.results,
		recents: this.recents,
		log: silentLog,
		ask: async (question) => {
			this.asked.push(question);
			const texts = this.answers.shift();
			const fields = question.content.kind === "fields" ? question.content.fields : [];
			return (
				texts &&
				Object.fromEntries(
					fields.map(({ name }, index) => [name, texts[index] ?? ""]).filter(([, text]) => text !== ""),
				)
			);
		},
		open: async ({ uri }) => {
			this.opened.push(uri);
			return this.canOpen;
		},
	});

	static async with(...uriTemplates: readonly string[]): Promise<Scene> {
		const scene = new Scene();
		await scene.session.run({ resourceTemplates: uriTemplates.map((uriTemplate) => ({ name: "t", uriTemplate })) });
		return scene;
	}

	/** Runs the command with this argument. */
	async run(argument: unknown): Promise<void> {
		const request = readTemplateRequest(argument);
		if (request === undefined) throw new Error("names no template");
		await this.opening.open(
			await findTemplate(this.directory, request, AbortSignal.timeout(20_000)),
			request.variables,
		);
	}

	initial(): JsonObject | undefined {
		return this.asked.at(-1)?.initial;
	}

	remembered(uriTemplate: string): readonly string[] {
		return this.results.of(this.session.definition.id, uriTemplate).map(({ uri }) => uri);
	}
}

const city = "small://city/{country}/{city}";

describe("opening from a template", () => {
	test("asks for the variables, opens their URI, and remembers the URI and the values", async () => {
		const scene = await Scene.with(city);
		scene.answers = [["France", "Lyon"]];
		await scene.run({ server: "small", uriTemplate: city });
		expect(scene.opened).toEqual(["small://city/France/Lyon"]);
		expect(scene.remembered(city)).toEqual(["small://city/France/Lyon"]);
		scene.answers = [undefined];
		await scene.run({ server: scene.session.definition.id, uriTemplate: city });
		const content = scene.asked[1]?.content;
		expect(content?.kind === "fields" && content.fields.map(({ recent }) => recent)).toEqual([["France"], ["Lyon"]]);
		expect(scene.opened).toHaveLength(1);
	});

	test("a list is remembered value by value", async () => {
		const scene = await Scene.with("x://s{/path*}");
		scene.answers = [["a\nb"]];
		await scene.run({ server: "small", uriTemplate: "x://s{/path*}" });
		expect(scene.recents.of({ server: scene.session.definition.id, uriTemplate: "x://s{/path*}" }, "path")).toEqual([
			"a",
			"b",
		]);
	});

	test("a long list writes only what is kept of it", async () => {
		const scene = await Scene.with("x://s{/path*}");
		const update = vi.spyOn(scene.recentsStore, "update");
		scene.answers = [[Array.from({ length: 1000 }, (_, index) => String(index)).join("\n")]];
		await scene.run({ server: "small", uriTemplate: "x://s{/path*}" });
		expect(update.mock.calls.length).toBe(10);
		const address = { server: scene.session.definition.id, uriTemplate: "x://s{/path*}" };
		expect(scene.recents.of(address, "path")[0]).toBe("0");
	});

	test("opens at once a fully given template, and one without variables", async () => {
		const scene = await Scene.with(city, "x://fixed", "x://list{?q*,n,o*}");
		await scene.run({ server: "small", uriTemplate: city, variables: { country: "France", city: "Paris" } });
		await scene.run({ server: "small", uriTemplate: "x://fixed" });
		const variables = { q: ["a", "b"], n: 5, o: { k: true } };
		await scene.run({ server: "small", uriTemplate: "x://list{?q*,n,o*}", variables });
		await scene.run({ server: "small", uriTemplate: "x://list{?q*,n,o*}", variables: {} });
		expect(scene.opened).toEqual(["small://city/France/Paris", "x://fixed", "x://list?q=a&q=b&n=5&k=true", "x://list"]);
		expect(scene.asked).toEqual([]);
		expect(scene.remembered("x://fixed")).toEqual([]);
	});

	test("asks for the missing variables of a key binding", async () => {
		const scene = await Scene.with(city);
		await scene.run({ server: "small", uriTemplate: city, variables: { country: "France" } });
		expect(scene.initial()).toEqual({ country: "France" });
	});

	test("an unopened URI is not remembered, and need not be entered again", async () => {
		const scene = await Scene.with(city);
		scene.answers = [["France", "Atlantis"], undefined, ["France", "Lyon"], undefined];
		scene.canOpen = false;
		await scene.run({ server: "small", uriTemplate: city });
		expect(scene.remembered(city)).toEqual([]);
		scene.canOpen = true;
		await scene.run({ server: "small", uriTemplate: city });
		expect(scene.initial()).toEqual({ country: "France", city: "Atlantis" });
		await scene.run({ server: "small", uriTemplate: city });
		await scene.run({ server: "small", uriTemplate: city });
		expect(scene.initial()).toEqual({});
	});

	test("a secret is remembered neither as a value nor within a URI", async () => {
		const scene = await Scene.with("x://{password}", "x://q{?filter*}");
		scene.answers = [["hunter2"], ["password=hunter2"]];
		await scene.run({ server: "small", uriTemplate: "x://{password}" });
		await scene.run({ server: "small", uriTemplate: "x://q{?filter*}" });
		expect(scene.opened).toEqual(["x://hunter2", "x://q?password=hunter2"]);
		expect([scene.remembered("x://{password}"), scene.remembered("x://q{?filter*}")]).toEqual([[], []]);
	});

	test.each([
		[{ server: "none", uriTemplate: city }, 'No server named "none" is configured.'],
		[{ server: "small", uriTemplate: "x://{a}" }, 'The server "small" does not list the resource template x://{a}.'],
		[
			{ server: "small", uriTemplate: city, variables: { town: "a" } },
			'has no variable "town". It has: country, city.',
		],
		[{ server: "small", uriTemplate: "x://fixed", variables: { a: "a" } }, "It has none."],
		[{ server: "small", uriTemplate: city, variables: { city: null } }, 'The variable "city" of Use Resource Template'],
		[{ server: "small", uriTemplate: city, variables: "Paris" }, "must be an object of strings"],
		[{ server: "small", uriTemplate: "x://{a" }, "an opening brace without a closing one"],
	])("explains what is wrong with %j", async (argument, message) => {
		const scene = await Scene.with(city, "x://fixed", "x://{a");
		await expect(scene.run(argument)).rejects.toThrow(message);
		await expect(scene.run(argument)).rejects.toSatisfy((error) => HostError.is(error));
		expect(scene.opened).toEqual([]);
	});

	test("reports that a server does not run", async () => {
		const scene = await Scene.with(city);
		scene.session.setState({ kind: "stopped" });
		await expect(scene.run({ server: "small", uriTemplate: city })).rejects.toSatisfy((error) =>
			HostError.is(error, "not-connected"),
		);
	});
});

describe("a resource that was opened by its URI", () => {
	test("is remembered under the first template of its server that makes it, unless it holds a secret", async () => {
		const scene = await Scene.with("other://{a}", city, "small://{+rest}", "x://{password}");
		const typed = async (uri: string): Promise<void> =>
			rememberTyped(scene.directory, scene.results, { session: scene.session, uri });
		for (const uri of ["small://city/France/Lyon", "small://else", "nothing://", "x://hunter2"]) await typed(uri);
		expect(scene.remembered(city)).toEqual(["small://city/France/Lyon"]);
		expect(scene.remembered("small://{+rest}")).toEqual(["small://else"]);
		expect(scene.remembered("x://{password}")).toEqual([]);
		const stranger = new FakeSession("stranger");
		await rememberTyped(scene.directory, scene.results, { session: stranger, uri: "small://else" });
		expect(scene.results.of(stranger.definition.id, "small://{+rest}")).toEqual([]);
	});
});

describe("readTemplateRequest", () => {
	test("accepts nodes of the tree, and nothing without a template", () => {
		const node = { kind: "template", id: "1", server: "s", uriTemplate: "x://{a}", template: {} };
		expect(readTemplateRequest(node)).toEqual({ server: "s", uriTemplate: "x://{a}", variables: undefined });
		for (const argument of [undefined, null, "x", [], {}, { server: "s" }, { server: 1, uriTemplate: "x" }]) {
			expect(readTemplateRequest(argument)).toBeUndefined();
		}
	});
});

describe("templatesMatching", () => {
	test("finds the templates of running servers that make a URI, with their values", async () => {
		const scene = await Scene.with(city, "small://{+rest}", "small://city/{a}/", "{", "other://{a}");
		const stopped = new FakeSession("stopped");
		scene.directory.set(scene.session, stopped);
		const found = templatesMatching(scene.directory, "small://city/France/São Paulo");
		expect(found.map(({ session, template }) => [session, template.uriTemplate])).toEqual([
			[scene.session, city],
			[scene.session, "small://{+rest}"],
		]);
		expect(found[0]?.values).toEqual(
			new Map([
				["country", "France"],
				["city", "São Paulo"],
			]),
		);
		const holes = templatesMatching(scene.directory, "small://city/France/");
		expect(holes.map(({ template }) => template.uriTemplate)).toEqual(["small://{+rest}", "small://city/{a}/"]);
		expect(templatesMatching(scene.directory, "nothing")).toEqual([]);
	});

	test("finishes with a server's hostile templates, and finds those of the others", async () => {
		const hostile = Array.from({ length: 300 }, (_, index) => `{a${index}}${"{b}{c*}{+d}".repeat(90)}`);
		const scene = await Scene.with(...hostile, city);
		const other = new FakeSession("other");
		await other.run({ resourceTemplates: [{ name: "t", uriTemplate: city }] });
		scene.directory.set(scene.session, other);
		const found = templatesMatching(scene.directory, "small://city/France/Paris");
		expect(found.length).toBeLessThan(100);
		expect(found.at(-1)?.session).toBe(other);
		expect(templatesMatching(scene.directory, `x://${"y".repeat(20_000)}`)).toEqual([]);
	});

	test("finishes with a long URI and many templates that do not match it", async () => {
		const scene = await Scene.with(...Array.from({ length: 5000 }, (_, index) => `{a${index}}/x`));
		expect(templatesMatching(scene.directory, `x://${"y".repeat(2_000_000)}`)).toEqual([]);
	});
});
