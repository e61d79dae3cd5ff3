import { describe, expect, it } from "vitest";
import { Scene } from "../unit/features/elicitation/scene.ts";
import { fieldsOf, inputsOf, problemsOf, submitWith } from "../unit/questions/form/formScene.ts";
import { messagesOf } from "../servers/received.ts";
import { textOf } from "./fixtures.ts";
import { libraryReaches, type ReachedLibrary } from "./libraryReach.ts";
import type { ServerSession } from "../../src/servers/sessions/serverSession.ts";
import { TestHost } from "./testHost.ts";

const patience = { timeout: 60_000 };

/** The product's core and its elicitation, whole, with a user and a library. */
async function meet(host: TestHost, library: ReachedLibrary): Promise<{ session: ServerSession; scene: Scene }> {
	const scene = new Scene();
	host.answerWith({
		createMessage: () => Promise.reject(new Error("Nobody asks for a completion.")),
		elicit: (...request) => scene.service.elicit(...request),
		onVisited: (...visit) => scene.service.onVisited(...visit),
	});
	return { session: await host.run("library", library.config), scene };
}

/** Waits until this many forms were shown. */
async function shown(scene: Scene, count = 1): Promise<void> {
	await expect.poll(() => scene.forms.length, patience).toBe(count);
}

describe.each(libraryReaches)("the library's questions over $name", ({ era, reach }) => {
	it("have every kind of field, and the answer is exactly as entered", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		const call = session.callTool("elicit", { form: "all" });
		await shown(scene);
		const fields = fieldsOf(scene.form);
		expect(fields.map(({ kind }) => kind).join(" ")).toBe(
			"text text text text text text text number number boolean choice choice choice choices choices",
		);
		await scene.form.submit();
		const labels = fields.map(({ label }) => label);
		expect(problemsOf(scene.form).map((problem) => labels.indexOf(problem.replace(/: .*/, "")))).toEqual([1, 3, 8]);
		const titled = fields[11];
		const red = titled?.kind === "choice" ? titled.options.find(({ label }) => label.includes("#f00")) : undefined;
		const inputs = inputsOf(scene.form).with(0, "").with(1, "äöü").with(3, "a@b.c").with(8, "7");
		await submitWith(scene.form, ...inputs.with(11, red?.value ?? ""));
		expect(JSON.parse(textOf(await call))).toEqual([
			{
				kind: "elicit",
				action: "accept",
				content: {
					short: "äöü",
					long: "line one\nline two",
					email: "a@b.c",
					address: "https://library.example/",
					number: 0.5,
					integer: 7,
					flag: false,
					one: "green",
					titled: "#f00",
					several: ["poetry"],
				},
			},
		]);
	});

	it("are checked against a pattern before they are sent", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		const call = session.callTool("elicit", { form: "card" });
		await shown(scene);
		await submitWith(scene.form, "Ann", "ab12", "14", true);
		expect(problemsOf(scene.form)).toEqual([
			expect.stringMatching(/: Enter text that matches \^\[A-Z\]\{2\}\\d\{4\}\$$/),
		]);
		await submitWith(scene.form, "Ann", "AB1234", "14", true);
		expect(JSON.parse(textOf(await call))).toMatchObject([{ content: { card: "AB1234" } }]);
	});

	it("are refused when they are more than a user fills in (ELC-06)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		const answer = await session.callTool("elicit", { form: "thousand" }).then(textOf, (error: Error) => error.message);
		expect(answer).toMatch(/1000 properties; at most 100/);
		expect([scene.forms, scene.pending.all]).toEqual([[], []]);
		expect(textOf(await session.callTool("finish", { id: "x" }))).toBe("finished");
	});

	it("are answered separately, whatever is asked at the same time (ELC-07)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		const calls = [1, 2, 3].map((count) => session.callTool("elicit", { form: "one", count }));
		await expect.poll(() => scene.pending.all.length, patience).toBe(6);
		for (let count = 1; count <= 6; count++) {
			await shown(scene, count);
			await submitWith(scene.form, count % 2 === 0);
		}
		const answers = await Promise.all(calls.map(async (call) => JSON.parse(textOf(await call)) as unknown[]));
		expect(answers.map(({ length }) => length)).toEqual([1, 2, 3]);
		if (era === "legacy") return;
		const retries = messagesOf(library.received(), "tools/call").map(({ params }) => params as Record<string, unknown>);
		const states = retries.flatMap(({ requestState, arguments: args }) =>
			requestState === undefined ? [] : [`${requestState as string}, ${(args as { count: number }).count}`],
		);
		expect(new Set(states)).toEqual(new Set([1, 2, 3].map((count) => `state of ${count}, ${count}`)));
	});

	it("end with their server, and show it (ELC-08)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		const call = session.callTool("elicit", { form: "card" });
		const failed = expect(call).rejects.toThrow();
		await shown(scene);
		await session.stop();
		await failed;
		await expect.poll(() => scene.form.state.end).toMatch(/^library stopped before you answered/);
		expect(scene.pending.all).toEqual([]);
	});

	it("are a page to open, whose end the server may report", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		const call = session.callTool("elicit-url", { id: "one" });
		await shown(scene);
		await scene.form.submit();
		expect(textOf(await call)).toBe("accept");
		expect(scene.opened).toEqual(["https://library.example/consent?for=card"]);
		if (era === "modern") return expect(scene.waits).toEqual([]);
		await session.callTool("finish", { id: "another" });
		expect(scene.waits.map(({ over }) => over.aborted)).toEqual([false]);
		await session.callTool("finish", { id: "one" });
		await expect.poll(() => scene.waits[0]?.over.aborted).toBe(true);
	});

	it.each(["user", "server"])("are a page that the call needs first, whose completion the %s reports", async (who) => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		const call = session.callTool("needs-page", { id: who });
		const ended = call.then(textOf, (error: Error) => error.message);
		await shown(scene);
		await scene.form.submit();
		if (era === "legacy") {
			await shown(scene, 2);
			expect(scene.form.document.heading).toBe("library (server) is waiting until you are done at library.example");
			if (who === "user") {
				// Too early: the server rejects it, and the user is asked again.
				await scene.form.submit();
				await shown(scene, 3);
			}
			await session.callTool("finish", { id: who });
		}
		expect(await ended).toBe("the page was visited");
		expect(scene.opened).toHaveLength(1);
	});

	it("are not opened unless they are web pages (ELC-04)", async () => {
		await using host = new TestHost();
		await using library = await reach(host);
		const { session, scene } = await meet(host, library);
		for (const url of ["file:///etc/passwd", "https://good.example@evil.example/", "http://evil.example/"]) {
			const answer = await session.callTool("elicit-url", { url }).then(textOf, (error: Error) => error.message);
			expect(answer).toMatch(/The URL must/);
		}
		expect([scene.forms, scene.opened]).toEqual([[], []]);
	});
});

describe("two servers that use the same ids at the same time (ELC-07)", () => {
	it.each(["legacy", "modern"] as const)("are kept separate in the %s era", async (era) => {
		await using host = new TestHost();
		const reaches = libraryReaches.find(({ name }) => name === `stdio, ${era}`);
		if (reaches === undefined) throw new Error("no library");
		await using library = await reaches.reach(host);
		const scene = new Scene();
		host.answerWith({
			createMessage: () => Promise.reject(new Error("Nobody asks for a completion.")),
			elicit: (...request) => scene.service.elicit(...request),
			onVisited: (...visit) => scene.service.onVisited(...visit),
		});
		await host.configure({ one: library.config, two: library.config });
		const sessions = ["one", "two"].map((name) => host.session(name));
		await Promise.all(sessions.map((session) => session.start()));
		const calls = sessions.map((session) => session.callTool("elicit-url", { id: "same" }));
		for (let count = 1; count <= 2; count++) {
			await shown(scene, count);
			await scene.form.submit();
		}
		expect(await Promise.all(calls.map(async (call) => textOf(await call)))).toEqual(["accept", "accept"]);
		if (era === "modern") return;
		await sessions[0]?.callTool("finish", { id: "same" });
		await expect
			.poll(() => new Map(scene.waits.map(({ title, over }) => [/for (\w+)/.exec(title)?.[1], over.aborted])))
			.toEqual(
				new Map([
					["one", true],
					["two", false],
				]),
			);
	});
});
