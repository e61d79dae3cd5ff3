/** Stories of a trace that goes out: what it holds is seen before it is saved (TRC-07). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../servers/httpServer.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { approve, container } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";
import { type RunningEditor, startEditorWithVsix } from "./pages/startEditor.ts";

let http: HttpServer;
let editor: RunningEditor;
beforeAll(async () => {
	http = await startHttpServer();
	editor = await startEditorWithVsix({
		settings: { ...followsColorScheme, "mcpHost.trace": "bodies", "mcpHost.servers": { small: { url: http.url } } },
	});
	await editor.tree.open(container);
	await approve(editor, "small");
});
afterAll(async () => {
	await editor?.stop();
	await http?.[Symbol.asyncDispose]();
});

/** What the server says of one of its tools. */
const description = "Says what you said.";

test("a trace is shown whole before it is saved: without contents, and with them", { tags: "journey" }, async () => {
	const { palette, editors, page } = editor;
	await editor.tree.expand(["small", "Tools"]);
	await palette.runAndPick("MCP Host: Export Trace…", "Metadata Only");
	await editors.waitForText('"contents":"metadata"');
	const metadata = await editors.text();
	expect(metadata).toContain('"method":"tools/list"');
	expect(metadata).not.toContain(description);
	await page
		.getByText(/This is all that will be saved: \d+ exchanges of 1 server/)
		.first()
		.waitFor({ timeout: patience });
	await takePictures(editor, "trace-export");
	await palette.runAndPick("MCP Host: Export Trace…", "With Contents");
	await editors.waitForText('"contents":"contents"');
	expect(await editors.text()).toContain(description);
	await palette.runAndPick("MCP Host: Export Trace…", "HTTP Requests");
	await editors.waitForText('"creator"');
	expect(await editors.text()).toContain(http.url);
	await palette.runAndPick("MCP Host: Save as Mock Server…", "small");
	await editors.waitForText('"contents":"contents"');
	expect(await editors.text()).toContain('"method":"server/discover"');
});
