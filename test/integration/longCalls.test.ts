import { describe, expect, it } from "vitest";
import type { ElicitationRequest } from "../../src/protocol/connection.ts";
import { packageConfig, textOf } from "./fixtures.ts";
import { TestHost } from "./testHost.ts";

/** A user who answers server-everything's questions, and the questions. */
function user(host: TestHost, content: Record<string, string>): ElicitationRequest[] {
	const asked: ElicitationRequest[] = [];
	host.answerWith({
		createMessage: () => Promise.reject(new Error("Nobody asks for a completion.")),
		elicit: (_session, params) => {
			asked.push(params);
			return Promise.resolve(
				params.mode === "url" ? { action: "accept" as const } : { action: "accept" as const, content },
			);
		},
	});
	return asked;
}

describe("server-everything", () => {
	it("does its research as a task, which asks the user during the run", async () => {
		await using host = new TestHost();
		const asked = user(host, { interpretation: "snake" });
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		await expect.poll(() => session.tools.get("simulate-research-query")).toBeDefined();
		const told: (string | undefined)[] = [];
		const result = await session.callTool(
			"simulate-research-query",
			{ topic: "python", ambiguous: true },
			{ onProgress: ({ message }) => told.push(message) },
		);
		expect(textOf(result)).toContain("python (snake)");
		expect(told).toContain("Gathering sources...");
		expect(asked).toHaveLength(1);
	});

	it("lets a call through after the page that it requires was visited", async () => {
		await using host = new TestHost();
		const asked = user(host, {});
		const session = await host.run("everything", packageConfig("everything", "stdio"));
		await expect.poll(() => session.tools.get("trigger-url-elicitation")).toBeDefined();
		const args = { url: "https://example.com/sign", message: "Sign here", errorPath: true };
		expect(textOf(await session.callTool("trigger-url-elicitation", args))).not.toBe("");
		expect(asked.map(({ mode }) => mode).slice(0, 2)).toEqual(["url", "visited"]);
	});
});
