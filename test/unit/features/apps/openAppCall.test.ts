import { describe, expect, onTestFinished, test } from "vitest";
import { HostError } from "../../../../src/base/errors.ts";
import { AppScene, done, type SceneOptions } from "./appScene.ts";

async function begin(options: SceneOptions): Promise<AppScene> {
	const scene = await AppScene.begin(options);
	onTestFinished(() => scene.app.dispose());
	return scene;
}

describe("an app", () => {
	test("that opens while its call runs gets the arguments at once, and then the end of the call, at any place (APP-16)", async () => {
		const scene = await begin({ isRunning: true });
		const app = await scene.start();
		await expect.poll(() => app.heard.map(({ method }) => method)).toEqual(["tool-input"]);
		expect(scene.app.view.notice).toBe("The tool is still running. The app receives the result when it is ready.");
		await scene.app.leaveFor("sideBar");
		const there = await scene.attach(true);
		scene.call.finish(done({ total: 5 }, { content: [{ type: "text", text: "5 left" }] }));
		await expect.poll(() => there.heard.map(({ method }) => method)).toEqual(["tool-input", "tool-result"]);
		expect(scene.app.view.notice).toBeUndefined();
		// A message is not sent twice.
		scene.call.finish({ kind: "cancelled" });
		expect(scene.sent.filter(({ method }) => method === "ui/notifications/tool-cancelled")).toEqual([]);
	});

	test("that opens while a model writes its call gets the partial arguments, then the whole once it is sent, and nothing in between (APP-24)", async () => {
		const scene = await begin({ isRunning: "written" });
		scene.call.write({ tot: 1 });
		const app = await scene.start();
		await expect.poll(() => app.heard).toEqual([{ method: "tool-input-partial", params: { arguments: { tot: 1 } } }]);
		expect(scene.app.view.notice).toBe(
			"The model is still writing the call. The app receives the arguments as they are written.",
		);
		scene.call.write({ total: 5 });
		scene.call.send({ total: 5 });
		scene.call.write({ total: 6 });
		scene.call.finish(done({ total: 5 }, { content: [{ type: "text", text: "5 left" }] }));
		scene.call.send({ total: 7 });
		await expect
			.poll(() => app.heard.map(({ method }) => method))
			.toEqual(["tool-input-partial", "tool-input-partial", "tool-input", "tool-result"]);
		expect(app.heard[2]?.params).toEqual({ arguments: { total: 5 } });
	});

	test("whose call was written but not sent receives the missing result, and no arguments (APP-24)", async () => {
		const scene = await begin({ isRunning: "written" });
		const app = await scene.start();
		scene.call.finish({ kind: "denied" });
		await expect
			.poll(() => app.heard)
			.toEqual([{ method: "tool-cancelled", params: { reason: "The call was denied." } }]);
	});

	test.each([
		[{ kind: "cancelled", isSent: true, isAlone: true }, "The user cancelled the call while it ran."],
		[{ kind: "cancelled", isSent: true }, "The call was stopped while it ran."],
		[{ kind: "failed", error: new HostError("timeout", "finance did not answer.") }, "finance did not answer."],
	] as const)(
		"whose call ends without a result receives the reason, and so does the user (APP-16) %#",
		async (outcome, reason) => {
			const scene = await begin({ isRunning: true });
			const app = await scene.start();
			scene.call.finish(outcome);
			await expect.poll(() => app.heard[1]).toEqual({ method: "tool-cancelled", params: { reason } });
			expect(scene.app.view.notice).toBe(`There is no result for the app: ${reason}`);
		},
	);
});
