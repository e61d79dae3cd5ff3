import { describe, expect, onTestFinished, test } from "vitest";
import type { ServerRequestContext } from "../../../../src/servers/sessions/session.ts";
import { AppScene, type SceneOptions } from "./appScene.ts";

async function begin(options: SceneOptions = {}): Promise<AppScene> {
	const scene = await AppScene.begin(options);
	onTestFinished(() => scene.app.dispose());
	return scene;
}

const report = { type: "resource", resource: { uri: "file:///a/../../report.csv", mimeType: "text/csv", text: "a,b" } };

describe("with the draft features of MCP Apps, an app", () => {
	test("has files saved under safe names, once the user agreed to their content (APP-17)", async () => {
		const scene = await begin();
		const app = await scene.start();
		const bytes = {
			type: "resource",
			resource: { uri: "app:///C:\\x\\.bashrc", blob: Buffer.from("abc").toString("base64") },
		};
		const saved = app.downloadFile([report, bytes]);
		await expect.poll(() => scene.app.questions.current?.exact).toBe("report.csv (3 bytes)\n_.bashrc (3 bytes)");
		expect(scene.saved).toEqual([]);
		expect(await scene.answer("yes")).toBe("The app “Budget Allocator” of finance wants to save 2 files");
		expect((await saved).isError).toBeUndefined();
		expect(scene.saved.map(({ name, bytes: held }) => [name, Buffer.from(held).toString()])).toEqual([
			["report.csv", "a,b"],
			["_.bashrc", "abc"],
		]);
	});

	test("is notified when a file was not saved: by the user's refusal, or because they chose no place (APP-17)", async () => {
		const scene = await begin({ saves: false });
		const app = await scene.start();
		const denied = app.downloadFile([report]);
		await scene.answer("deny");
		expect(await denied).toEqual({ isError: true });
		const left = app.downloadFile([report]);
		await scene.answer("yes");
		expect(await left).toEqual({ isError: true });
		for (const _ of [1, 2]) {
			const again = app.downloadFile([report]);
			await scene.answer("deny");
			await again;
		}
		// The user is not asked a fifth time.
		expect(await app.downloadFile([report])).toEqual({ isError: true });
		expect(scene.saved).toEqual([]);
	});

	test("has its links read from its server like every resource, within limits (APP-17)", async () => {
		const scene = await begin();
		const app = await scene.start();
		let text = "whole";
		scene.session.onRead = async (uri) => ({ contents: [{ uri, text }] });
		const link = { type: "resource_link", uri: "note://host/one.txt", name: "../one" };
		const saved = app.downloadFile([link]);
		expect(await scene.answer("once")).toBe("The app “Budget Allocator” of finance wants to read a resource");
		expect(await scene.answer("yes")).toBe("The app “Budget Allocator” of finance wants to save a file");
		await saved;
		expect(scene.saved.map(({ name }) => name)).toEqual(["one.txt"]);
		text = "x".repeat(20_000_001);
		const large = app.downloadFile([link]);
		await scene.answer("once");
		await expect(large).rejects.toThrow("20 MB");
		expect(scene.saved).toHaveLength(1);
	});

	test("requests a completion by the review of its server, which names the app (APP-18)", async () => {
		const asked: { readonly params: unknown; readonly context: ServerRequestContext }[] = [];
		const scene = await begin({
			createMessage: async (_session, params, context) => {
				asked.push({ params, context });
				return { role: "assistant", model: "m", content: { type: "text", text: "short" } };
			},
		});
		const app = await scene.start();
		const params = { messages: [{ role: "user", content: { type: "text", text: "Sum up." } }], maxTokens: 100 };
		expect(await app.createMessage(params)).toMatchObject({ model: "m", content: { type: "text", text: "short" } });
		await app.createMessage(params);
		expect(asked[0]).toMatchObject({ params, context: { during: "its app “Budget Allocator”" } });
		// All requests of one load count as those of one call, whose number is limited.
		expect(asked[0]?.context.calls?.[0]).toBe(asked[1]?.context.calls?.[0]);
		await scene.app.open();
		await (await scene.attach(true)).createMessage(params);
		expect(asked[2]?.context.calls?.[0]).not.toBe(asked[0]?.context.calls?.[0]);
	});

	test("is informed why there is no completion, and requests none with invalid params, too often, or without its server (APP-18)", async () => {
		const scene = await begin();
		const app = await scene.start();
		const params = { messages: [{ role: "user", content: { type: "text", text: "Sum up." } }], maxTokens: 100 };
		await expect(app.createMessage(params)).rejects.toThrow("User rejected it");
		scene.app.receive(scene.app.view.load, {
			jsonrpc: "2.0",
			id: 99,
			method: "sampling/createMessage",
			params: { maxTokens: 1 },
		});
		await expect.poll(() => scene.sent.at(-1)).toMatchObject({ id: 99, error: { code: -32602 } });
		let said = "";
		for (let count = 0; count < 1000 && !said.includes("too often"); count++)
			said = await app.createMessage(params).then(() => "", String);
		expect(said).toContain("This app calls too often.");
		const other = await begin();
		const side = await other.start();
		other.session.setState({ kind: "stopped" });
		await expect(side.createMessage(params)).rejects.toThrow("The server of this app is not running.");
	});

	test("that requests to be closed is closed (APP-19)", async () => {
		const scene = await begin();
		const app = await scene.start();
		let asked = 0;
		scene.app.onDidAskToClose(() => asked++);
		await app.requestTeardown();
		await expect.poll(() => asked).toBe(1);
	});
});
