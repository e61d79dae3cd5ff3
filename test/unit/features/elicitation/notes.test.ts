import { expect, it } from "vitest";
import { submitWith } from "../../questions/form/formScene.ts";
import { formRequest, pageRequest, Scene } from "./scene.ts";

it("records that a form was shown and how it ended, without the answer (JRN-13)", async () => {
	const ends = [
		[(scene: Scene) => submitWith(scene.form, "Barcelona", "3"), "question answered user"],
		[async (scene: Scene) => scene.form.decline(), "question declined user"],
		[async (scene: Scene) => scene.form.cancel(), "question dismissed user"],
		[async (scene: Scene) => scene.controller.abort(), "question lapsed"],
	] as const;
	for (const [end, step] of ends) {
		const scene = new Scene();
		const answer = scene.ask(formRequest, "tools/call book");
		await end(scene);
		await answer.catch(() => undefined);
		expect(scene.notes.steps).toEqual(["question asked server", step]);
		expect(scene.notes.entries[0]).toMatchObject({ what: "form", during: "tools/call book", exchange: "here-1" });
		expect(JSON.stringify(scene.notes.entries)).not.toContain("Barcelona");
	}
});

it("records a page that was opened, and one that was not (JRN-13)", async () => {
	const scene = new Scene();
	const first = scene.ask(pageRequest);
	await expect.poll(() => scene.forms.length).toBe(1);
	await submitWith(scene.form);
	await first;
	expect(scene.notes.steps).toEqual(["question asked server", "question opened user"]);
	expect(scene.notes.entries[1]).toMatchObject({ what: "page" });
});

it("counts repeated requests that are refused unseen, in place of a list of them (JRN-13)", async () => {
	const scene = new Scene();
	for (let count = 0; count < 1234; count++)
		await expect(scene.ask({ ...pageRequest, url: `javascript:alert(${count})` })).rejects.toThrow();
	expect(scene.notes.steps).toEqual(Array.from({ length: 4 }, () => "question refused host"));
	expect(scene.notes.entries.at(-1)).toMatchObject({ reason: expect.stringContaining("1,000 such requests") });
});

it("records requests that were refused unseen, and why (JRN-13)", async () => {
	const scene = new Scene();
	await expect(scene.ask({ ...pageRequest, url: "javascript:alert(1)" })).rejects.toThrow();
	expect(scene.notes.steps).toEqual(["question refused host"]);
});
