import { expect, onTestFinished, test, vi } from "vitest";
import { connectApp } from "../../../../src/features/apps/appPort.ts";
import type { AppView } from "../../../../src/features/apps/appProtocol.ts";
import { AppScene } from "./appScene.ts";

test("the page is notified of another load of an app at once; other news are sent a few times a second (APP-09, APP-22)", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
	const { app } = await AppScene.begin();
	onTestFinished(() => app.dispose());
	const shown: AppView[] = [];
	const listen = () => ({ dispose: () => undefined });
	const send = (message: unknown): void => void shown.push((message as { readonly args: [AppView] }).args[0]);
	const connection = connectApp({ send, listen }, app);
	onTestFinished(() => connection.dispose());
	await app.open();
	expect(shown.at(-1)?.load).toBe(1);
	// No time has passed since.
	await app.open();
	expect(shown.map(({ load }) => load).filter((load, index, all) => load !== all[index - 1])).toEqual([0, 1, 0, 2]);
	const before = shown.length;
	for (let count = 0; count < 100; count++) app.observe(2, "violation", `img-src ${count}`);
	await vi.advanceTimersByTimeAsync(1000);
	expect(shown.length - before).toBeLessThanOrEqual(2);
});
