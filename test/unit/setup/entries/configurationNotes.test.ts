import { expect, it } from "vitest";
import { writerScene } from "./memoryText.ts";

it("records which servers were added to a configuration, and removed again (JRN-15)", async () => {
	const { writer, notes } = writerScene();
	const server = { name: "files", entry: { command: "node" }, inputs: [], values: new Map() };
	const { undo } = await writer.add({ kind: "user" }, [server]);
	await undo();
	const place = expect.any(String) as string;
	expect(notes.entries).toEqual([
		{ kind: "configuration", event: "added", place, names: ["files"] },
		{ kind: "configuration", event: "removed", place, names: ["files"] },
	]);
});
