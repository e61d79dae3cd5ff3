/**
 * Stories of one user with two windows, each on its own folder: decisions and usage in one apply to the other, and
 * simultaneous changes in both are neither lost nor counted twice.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerCall, ChatStory, questionCount, questionLink, reviewPanel } from "./fixtures/chatStory.ts";
import { samplingEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { container, reviewFromTree } from "./fixtures/serverReview.ts";
import { patience } from "./pages/conditions.ts";
import type { Workbench } from "./pages/workbench.ts";

const manageRules = "MCP Host: Manage Rules and Grants…";
const running = ", running";
const unapproved = "unapproved";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start(
		{
			small: smallEntry,
			counted: (log) => samplingEntry(log, "--era", "legacy"),
			left: smallEntry,
			right: smallEntry,
		},
		{
			"mcpHost.policy.rules": [{ decision: "allow", server: "counted", tool: "sample" }],
			"mcpHost.sampling.limits": { servers: { counted: { tokensPerDay: 10_000 } } },
		},
	);
	await bothWindows();
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** Both windows with the tree and the chat; the second one is opened if it is missing. */
async function bothWindows(): Promise<readonly [Workbench, Workbench]> {
	const { editor } = story;
	const known = [...editor.windows].find((window) => window !== editor);
	const other = known ?? (await editor.newWindow("test/workspace/roots/client", { isSameUser: true }));
	for (const window of [editor, other]) {
		await window.tree.open(container);
		await window.chat.open();
		await window.chat.waitForModel("scripted-model");
	}
	return [editor, other];
}

/** Does something in both windows at the same moment. */
async function inBoth<T>(act: (window: Workbench, index: 0 | 1) => Promise<T>): Promise<readonly [T, T]> {
	const [first, second] = await bothWindows();
	return Promise.all([act(first, 0), act(second, 1)]);
}

/** Has a tool of `small` called from the chat, without a model. */
async function call({ chat }: Workbench, tool: string): Promise<void> {
	const args = tool === "echo" ? { text: "hello" } : tool === "add" ? { a: 1, b: 2 } : {};
	await chat.send(`@mcp /call small/${tool} ${JSON.stringify(args)}`);
}

/** The grants as the open list of rules and grants shows them, by their labels. */
async function grantsIn({ palette }: Workbench): Promise<readonly string[]> {
	const labels = (await palette.rows()).map(({ label }) => label);
	return labels.filter((label) => label.endsWith(" of small")).toSorted();
}

test("grants that two windows give at the same moment apply to both, and those they revoke to neither", async () => {
	for (const tools of [
		["echo", "add"],
		["whoami", "roots"],
	] as const) {
		await inBoth(async (window, index) => {
			await call(window, tools[index]);
			await window.chat.click(await questionLink(window, 1, "Always…"));
			await window.palette.waitForTitle(`Always Allow: small · ${tools[index]}`);
		});
		await inBoth(async (window, index) => {
			await window.palette.pick("More Choices…");
			await window.palette.pick("This Tool");
			await window.palette.pick("Always");
			await window.chat.waitForText(`You allowed this call, and from now on: ${tools[index]} of small, always.`);
			await window.chat.waitUntilDone();
		});
	}

	const all = ["add of small", "echo of small", "roots of small", "whoami of small"];
	await inBoth(async (window) => {
		await window.palette.run(manageRules);
		await expect.poll(() => grantsIn(window), { timeout: patience }).toEqual(all);
	});
	await story.editor.screenshot("two-windows-grants");
	// Each revokes its own grant, while the list of the other is open.
	await inBoth((window, index) => {
		const own = index === 0 ? "echo of small" : "add of small";
		return window.palette.pressRowButton(own, "Revoke", async () => !(await grantsIn(window)).includes(own));
	});
	await inBoth(async (window) => {
		await expect.poll(() => grantsIn(window), { timeout: patience }).toEqual(["roots of small", "whoami of small"]);
		await window.palette.cancel();
	});

	await inBoth(async (window, index) => {
		// A grant of the other window needs no question.
		const granted = index === 0 ? "roots" : "whoami";
		await call(window, granted);
		await window.chat.waitForText(`Allowed by your grant: ${granted} of small, always.`);
		await window.chat.waitUntilDone();
		expect(await questionCount(window)).toBe(0);
		// A call whose grant the other window revoked asks again.
		await call(window, index === 0 ? "add" : "echo");
		await questionLink(window, 1, "Allow Once");
		await answerCall(window, 1, "Deny");
		await window.chat.waitUntilDone();
	});
});

test("approvals that two windows withdraw and give at the same moment apply to both, at once and after a restart", async () => {
	const names = ["left", "right"] as const;
	const isEverywhere = (state: string): Promise<unknown> =>
		inBoth(async ({ tree }) => {
			for (const name of names) await tree.waitForSpoken(name, state);
		});
	// The second window started the server that the first one had approved.
	await isEverywhere(running);
	await inBoth(async ({ tree, palette }, index) => {
		await tree.titleAction("Revoke Server Approvals…");
		await palette.pick(names[index]);
	});
	await inBoth(({ palette }) => palette.accept());
	await isEverywhere(unapproved);

	const panels = await inBoth((window, index) => reviewFromTree(window, names[index]));
	await Promise.all(panels.map((panel) => panel.button("Approve and Start").click()));
	await inBoth(async ({ tree }, index) => {
		await tree.waitForRunning(names[index]);
		// It need not start here automatically.
		await tree.waitForSpoken(names[index === 0 ? 1 : 0], /^(?!.*unapproved)/);
	});
	for (const window of await bothWindows()) await window.reload();
	await isEverywhere(running);
	await story.editor.screenshot("two-windows-approved");
});

test("usage of two windows at the same moment adds up, once each", async () => {
	const usage = { prompt_tokens: 60, completion_tokens: 70 };
	for (const left of ["10,000", "9,740"]) {
		const panels = await inBoth(async (window) => {
			await window.chat.send(`@mcp /call counted/sample {"text": "Well?"}`);
			const panel = await reviewPanel(window);
			await panel.getByText(`counted today: ${left} of 10,000 tokens left`).waitFor({ timeout: patience });
			return panel;
		});
		story.model.next({ text: "Sunny.", usage }, { text: "Sunny.", usage });
		await Promise.all(panels.map((panel) => panel.getByRole("button", { name: "Send to Model" }).click()));
		await inBoth(async (window, index) => {
			const panel = panels[index];
			await panel.getByRole("textbox", { name: "Text that the server receives" }).waitFor({ timeout: patience });
			await panel.getByRole("button", { name: "Return to Server" }).click();
			await window.chat.waitForText("Sunny.");
			await window.chat.waitUntilDone();
		});
	}
	await inBoth(async ({ palette }) => {
		await palette.run(manageRules);
		await palette.waitForRow("counted");
		const used = async (): Promise<string> =>
			(await palette.rows()).map(({ label, detail }) => `${label} ${detail}`).join("\n");
		await expect
			.poll(used, { timeout: patience })
			.toMatch(/counted 9,480 of 10,000 tokens left[^]*All servers together 520 tokens used/);
		await palette.cancel();
	});
});
