import { describe, expect, it } from "vitest";
import { textResult } from "../../../servers/lineServer.ts";
import { initialized, startSessionServer, type SessionServer } from "../../../servers/sessionServer.ts";
import type { ElicitationRequest } from "../../../../src/protocol/connection.ts";
import { control, http, Scene, textOf } from "./connectScene.ts";

const legacy = { verdict: { kind: "legacy" } } as const;

/** A server that requires visits of these pages before each of the first `times` calls. */
function gatekeeper(pages: readonly string[], times = 1): Promise<SessionServer> {
	let calls = 0;
	const elicitations = pages.map((id) => ({
		mode: "url",
		elicitationId: id,
		url: `https://pages.example/${id}`,
		message: `Sign ${id}`,
	}));
	return startSessionServer({
		methods: {
			initialize: () => initialized({ tools: {} }),
			"tools/call": () =>
				calls++ < times
					? { error: { code: -32_042, message: "Visit first", data: { elicitations } } }
					: textResult("let in"),
		},
	});
}

/** A user who answers in a row, and the questions. */
function user(scene: Scene, ...answers: readonly ("accept" | "decline" | "cancel")[]): ElicitationRequest[] {
	const asked: ElicitationRequest[] = [];
	scene.host.elicit = (params) => {
		asked.push(params);
		return Promise.resolve({ action: answers[asked.length - 1] ?? "cancel" });
	};
	return asked;
}

describe.concurrent("a server that requires a page visit first (error -32042)", () => {
	it("asks the user, and the call is sent again on their confirmation", async () => {
		await using scene = new Scene();
		await using server = await gatekeeper(["a", "b"]);
		const asked = user(scene, "accept", "accept", "accept", "accept");
		const connection = await scene.connect(http(server.url), legacy);
		expect(textOf(await connection.callTool("enter", {}, undefined, control()))).toBe("let in");
		expect(asked).toEqual([
			expect.objectContaining({ mode: "url", url: "https://pages.example/a", elicitationId: "a", message: "Sign a" }),
			expect.objectContaining({ mode: "visited", url: "https://pages.example/a", message: "Sign a" }),
			expect.objectContaining({ mode: "url", url: "https://pages.example/b" }),
			expect.objectContaining({ mode: "visited", url: "https://pages.example/b" }),
		]);
		expect(server.paramsOf("tools/call")).toHaveLength(2);
	});

	it("asks nothing further when the server reports that the page is done", async () => {
		await using scene = new Scene();
		await using server = await gatekeeper(["a"]);
		let isCompleted = false;
		scene.host.elicit = (request) => {
			const done = (elicitationId: string): void =>
				server.push({ method: "notifications/elicitation/complete", params: { elicitationId } });
			if (request.mode !== "visited") return Promise.resolve({ action: "accept" });
			done("another");
			done("a");
			return new Promise((resolve) =>
				request.completed.addEventListener("abort", () => {
					isCompleted = true;
					resolve({ action: "accept" });
				}),
			);
		};
		const connection = await scene.connect(http(server.url), legacy);
		expect(textOf(await connection.callTool("enter", {}, undefined, control()))).toBe("let in");
		expect(isCompleted).toBe(true);
	});

	it.each([[["decline"]], [["cancel"]], [["accept", "decline"]]] as const)(
		"fails the call when the user answers %j",
		async (answers) => {
			await using scene = new Scene();
			await using server = await gatekeeper(["a"]);
			user(scene, ...answers);
			const connection = await scene.connect(http(server.url), legacy);
			await expect(connection.callTool("enter", {}, undefined, control())).rejects.toMatchObject({
				code: "denied",
				message: expect.stringContaining("pages.example"),
			});
			expect(server.paramsOf("tools/call")).toHaveLength(1);
		},
	);

	it("is asked again when the user confirms, opens nothing twice, and only up to a limit", async () => {
		await using scene = new Scene();
		await using server = await gatekeeper(["a"], 100);
		const asked = user(scene, ...Array.from({ length: 10 }, () => "accept" as const));
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.callTool("enter", {}, undefined, control())).rejects.toMatchObject({ code: "protocol" });
		expect(asked.map(({ mode }) => mode)).toEqual(["url", ...Array.from({ length: 5 }, () => "visited")]);
		expect(server.paramsOf("tools/call")).toHaveLength(6);
	});

	it("shows at most a few pages to the user", async () => {
		await using scene = new Scene();
		await using server = await gatekeeper(Array.from({ length: 11 }, (_unused, index) => `p${index}`));
		const asked = user(scene);
		const connection = await scene.connect(http(server.url), legacy);
		await expect(connection.callTool("enter", {}, undefined, control())).rejects.toMatchObject({ code: "limit" });
		expect(asked).toEqual([]);
	});
});
