import { expect, it } from "vitest";
import { Emitter } from "../../../src/base/event.ts";
import { noteEndpoints } from "../../../src/models/endpointNotes.ts";
import { CollectedNotes } from "../records/activity/collectedNotes.ts";

it("records which endpoints were added, changed and removed, and nothing of the initial ones or other settings (JRN-15)", () => {
	const changed = new Emitter<undefined>();
	const local = { name: "Local", baseURL: "http://127.0.0.1:11434/v1" };
	const setting = { value: [local] as unknown, onDidChange: changed.event };
	const notes = new CollectedNotes();
	const noting = noteEndpoints(setting, notes);
	const become = (...endpoints: readonly object[]): void => {
		setting.value = endpoints;
		changed.fire(undefined);
	};
	become(local);
	become(local, { name: "Work", baseURL: "https://models.example/v1", headers: { "x-team": "a" } });
	become(local, { name: "Work", baseURL: "https://models.example/v1", headers: { "x-team": "b" } }, { name: 7 });
	become(local);
	noting.dispose();
	become();
	const place = "the model endpoints";
	expect(notes.entries).toEqual(
		["added", "edited", "removed"].map((event) => ({ kind: "configuration", event, place, names: ["Work"] })),
	);
});
