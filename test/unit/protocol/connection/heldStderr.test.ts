import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Scene } from "./connectScene.ts";
import { HeldStderr } from "../../../../src/protocol/connection/connect.ts";

describe("HeldStderr", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	/** The reported lines, the announcement as `--`. */
	const hold = (): { readonly told: string[]; readonly held: HeldStderr } => {
		const told: string[] = [];
		return { told, held: new HeldStderr({ onStderr: (text) => told.push(text) }, () => told.push("--"), 500) };
	};

	it("reports all lines once it is released, and later ones at once", () => {
		const { told, held } = hold();
		held.onStderr("a");
		held.onStderr("b");
		expect(told).toEqual([]);
		held.release();
		held.onStderr("c");
		held.release();
		expect(told).toEqual(["--", "a", "b", "c"]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("is released when the second process outlives the first", () => {
		const { told, held } = hold();
		held.onStderr("a");
		vi.advanceTimersByTime(2000);
		expect(told).toEqual(["--", "a"]);
	});

	it("is released when the second process floods its standard error", () => {
		const { told, held } = hold();
		const text = "x".repeat(40_000);
		held.onStderr(text);
		expect(told).toEqual([]);
		held.onStderr(text);
		expect(told).toEqual(["--", text, text]);
		held.onStderr("y");
		expect(told.at(-1)).toBe("y");
	});

	it("reports nothing of dropped lines", () => {
		const { told, held } = hold();
		held.onStderr("a");
		held.drop();
		held.onStderr("b");
		held.release();
		vi.advanceTimersByTime(10_000);
		expect(told).toEqual([]);
	});
});

describe("a server that ends at once for reasons of its own", () => {
	it("is shown with the output of its first start", async () => {
		await using scene = new Scene();
		await expect(scene.connect(scene.faulty("exitAtOnce"))).rejects.toMatchObject({
			message: "The server exited with code 3 during the handshake.",
		});
		expect(scene.host.retries).toEqual([]);
		expect(scene.host.stderr).toBe("Error: the API key is missing.\nSet SMALL_API_KEY and start again.\n");
		expect(scene.starts).toBeLessThanOrEqual(2);
	});
});
