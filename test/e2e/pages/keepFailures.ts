/** Loaded before every story file: keeps evidence of a failed story, and cleans up after it. */
import path from "node:path";
import { afterAll, afterEach } from "vitest";
import { keepEvidence } from "./evidence.ts";
import { runningEditors } from "./startEditor.ts";

afterEach(async ({ task }) => {
	if (task.result?.state !== "fail") return;
	await keepEvidence(task.name, runningEditors);
	for (const editor of runningEditors) await editor.recover().catch((error: unknown) => console.error(error));
});

// Keeps failures before the first story; it runs before the file's own hook, which stops the editor.
// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures the hook wants: none
afterAll(async ({}, file) => {
	if (file.result?.state === "fail" && runningEditors.size > 0)
		await keepEvidence(path.basename(file.name), runningEditors);
});
