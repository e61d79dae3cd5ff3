/** Stories of a thousand tools: which of them a model receives, how it finds one, and how users see the cost. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { businessTools } from "../servers/businessTools.ts";
import type { RecordedRequest } from "../servers/scriptedModel.ts";
import { answerCall, ChatStory, questionLink, toolResults } from "./fixtures/chatStory.ts";
import { followsColorScheme, takePictures } from "./fixtures/colorScheme.ts";
import { businessEntry, smallEntry } from "./fixtures/serverEntries.ts";
import { container } from "./fixtures/serverReview.ts";

const wanted = "business_approve_shipment_osaka";

let story: ChatStory;
beforeAll(async () => {
	story = await ChatStory.start({ business: businessEntry, small: smallEntry }, followsColorScheme);
});
afterAll(() => story?.[Symbol.asyncDispose]());

/** The definitions of tools that a recorded request has, by their names. */
const namesIn = ({ body }: RecordedRequest): readonly string[] => (body.tools ?? []).map((tool) => tool.function.name);
/** How many characters the definitions of a request take on the wire. */
const sizeOf = ({ body }: RecordedRequest): number => JSON.stringify(body.tools ?? []).length;

/** The arguments of the calls that the server with a thousand tools received. */
function called(): readonly JsonObject[] {
	return story.received("business", "tools/call").map(({ params }) => params as JsonObject);
}

test("the tree shows the cost of each server's tools, and that they are loaded when needed", async () => {
	const { tree, page } = story.editor;
	await tree.open(container);
	await tree.expand("business");
	await tree.expand("small");
	await tree.waitForSpoken(["business", "Tools"], /^Tools, 1,000, ~1[01]0,000 tokens, loaded when needed$/);
	// A small server's tools are sent to the model nevertheless.
	await tree.waitForSpoken(["small", "Tools"], /^Tools, \d+, ~[\d,]+ tokens$/);
	await takePictures(story.editor, "lazy-tools-cost");

	const tooltip = page.locator(".workbench-hover:visible");
	await tree.hover(["business", "Tools"], "models load only those that they need");
	await story.editor.screenshot("lazy-tools-group-tooltip");
	await tree.expand(["business", "Tools"]);
	await tree.hover(["business", "Tools", "create_invoice_berlin"], "Offered to models");
	expect(await tooltip.innerText()).toMatch(
		/when they search for it or have used it.*Cost: ~\d+ tokens.*business_create_invoice_berlin/s,
	);
	await story.editor.screenshot("lazy-tools-tooltip");
	await tree.collapse(["business", "Tools"]);
});

test("a model searches a thousand tools, loads what it finds, and calls one with the user's consent", async () => {
	const { editor, model } = story;
	const args = { number: "O-1042", note: "as agreed" };
	const [calls, requests] = [called().length, model.requests.length];
	model.next(
		{ toolCalls: [{ name: "search_tools", arguments: { query: "approve a shipment in Osaka" } }] },
		{ toolCalls: [{ name: wanted, arguments: args }] },
		{ text: "The shipment is approved." },
	);
	await editor.chat.send("@mcp approve shipment O-1042, as agreed");
	await questionLink(editor, 1, "Allow Once");
	const question = await editor.chat.lastText();
	expect(question).toMatch(/Searched 1,0\d\d tools for .approve a shipment in Osaka.: \d+ found/);
	expect(question).toContain("business · approve_shipment_osaka");
	expect(called()).toHaveLength(calls);
	await takePictures(editor, "lazy-tools-question");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("The shipment is approved.");
	const made = expect.objectContaining({ name: "approve_shipment_osaka", arguments: args }) as JsonObject;
	expect(called().slice(calls)).toEqual([made]);

	const [first, second, third] = await Promise.all([0, 1, 2].map((index) => model.request(requests + index)));
	if (first === undefined || second === undefined || third === undefined)
		throw new Error("Three requests were expected.");
	// On the wire: first the search and the few tools of the small server, then the found tools, appended.
	expect(namesIn(first)).toContain("search_tools");
	expect(namesIn(first).filter((name) => name.startsWith("business_"))).toEqual([]);
	expect(namesIn(first).filter((name) => name.startsWith("small_")).length).toBeGreaterThan(5);
	expect(namesIn(second)).toContain(wanted);
	expect(second.body.tools?.slice(0, first.body.tools?.length)).toEqual(first.body.tools);
	expect(namesIn(second).length - namesIn(first).length).toBeLessThanOrEqual(5);
	expect(third.body.tools).toEqual(second.body.tools);
	// A thousand tools cost about as much as twenty of them would.
	const twenty = JSON.stringify(businessTools(20)).length;
	expect(sizeOf(first)).toBeLessThan(1.2 * twenty);
	expect(toolResults(second).join()).toContain(
		`- ${wanted} (server business): Approve a shipment of the Osaka office.`,
	);
	expect(toolResults(third).join()).toContain("approve_shipment_osaka done with");
});

test("a later turn begins with the tools that the chat used", async () => {
	const { editor, model } = story;
	model.next({ toolCalls: [{ name: wanted, arguments: { number: "O-1041" } }] }, { text: "Approved." });
	await editor.chat.send("@mcp approve shipment O-1041");
	await answerCall(editor, 1, "Allow Once");
	await editor.chat.waitForText("Approved.");
	await editor.chat.waitUntilDone();
	const [calls, requests] = [called().length, model.requests.length];
	model.next({ toolCalls: [{ name: wanted, arguments: { number: "O-1043" } }] }, { text: "Not approved, then." });
	await editor.chat.send("@mcp and O-1043");
	await answerCall(editor, 1, "Deny");
	await editor.chat.waitForText("Not approved, then.");
	const used = namesIn(await model.request(requests)).filter((name) => name.startsWith("business_"));
	expect(used).toEqual([wanted]);
	expect(called()).toHaveLength(calls);
});

test("a tool that was never loaded is found by its exact name, its arguments are checked, and the user is asked", async () => {
	const { editor, model } = story;
	const [calls, requests] = [called().length, model.requests.length];
	const unloaded = "business_export_invoice_quito";
	model.next(
		{ toolCalls: [{ name: unloaded, arguments: { id: 1 } }] },
		{ toolCalls: [{ name: unloaded, arguments: { number: "Q-1" } }] },
		{ text: "Left alone." },
	);
	await editor.chat.send("@mcp export the invoice Q-1");
	await answerCall(editor, 1, "Deny");
	await editor.chat.waitForText("Left alone.");
	expect(namesIn(await model.request(requests))).not.toContain(unloaded);
	expect(namesIn(await model.request(requests + 1))).toContain(unloaded);
	expect(toolResults(await model.request(requests + 1)).join()).toContain("number");
	expect(called()).toHaveLength(calls);
});
