import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDemoModel } from "../../../../src/surfaces/demo/model.ts";
import type { ModelMessage, ModelTool } from "../../../../src/models/model.ts";
import type { Era } from "../../../../src/protocol/connection.ts";
import { eventsOf, takeTurn, textOf, user } from "./conversation.ts";
import { bundleDemoServer, connectDemo, type DemoConnection, type DemoServerBundle } from "./demoServer.ts";

describe("the demo model with the tools of the demo server", () => {
	let bundle: DemoServerBundle;

	beforeAll(async () => {
		bundle = await bundleDemoServer();
	});

	afterAll(() => bundle.remove());

	it.each<Era>(["legacy", "modern"])("plays the prompt's vacation to its end in the %s era", async (era) => {
		const model = createDemoModel({ pace: 0 });
		const demo = await connectDemo(bundle.path, era);
		demo.answerForm = () => ({
			action: "accept",
			content: { bedType: "king", arrivalTime: "18:30", email: "sam@example.org" },
		});
		demo.answerSampling = async ({ messages, systemPrompt, maxTokens }) => {
			const asked = messages.flatMap(({ content }) => ("text" in content ? [user(content.text)] : []));
			const system: ModelMessage = { role: "system", content: [{ type: "text", text: systemPrompt ?? "" }] };
			const text = textOf(await eventsOf(model, [system, ...asked], { maxTokens }));
			return { model: model.info.id, role: "assistant", content: { type: "text", text } };
		};
		const { calls, text } = await takeTurn(model, await promptMessages(demo), await toolsOf(demo), async (call) => {
			const result = await demo.client.callTool({ name: call.name.replace("travel_", ""), arguments: call.arguments });
			const lines = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
			return { text: lines.join("\n"), isError: result.isError === true };
		});
		expect(calls).toHaveLength(5);
		expect(text).toContain("**Paris** from London, 2027-06-12, 5 nights, 3 travelers, budget €2000");
		expect(text).toMatch(/- \*\*Flights\*\*: Flights from London to Paris on 2027-06-12 for 3 travelers/);
		expect(text).toMatch(/- \*\*Weather\*\*: Paris on 2027-06-12: /);
		expect(text).toMatch(/- \*\*Best flight\*\*: [A-Z]{2}\d{3}: €\d+, /);
		expect(text).toMatch(
			/- \*\*Hotel\*\*: Booked, reference DEMO-\w{4}: Hotel Sample Paris, Paris, 2027-06-12 to 2027-06-17/,
		);
		expect(text).toMatch(/- \*\*Calendar\*\*: Added "Trip to Paris" from 2027-06-12 to 2027-06-17 to the calendar\./);
		await demo.close();
	});
});

/** The prompt's messages, as a host sends them to a model. */
async function promptMessages({ client }: DemoConnection): Promise<ModelMessage[]> {
	const args = { destination: "Paris", departureDate: "2027-06-12", budget: "2000", travelers: "3" };
	const { messages } = await client.getPrompt({ name: "plan-vacation", arguments: args });
	return messages.map(({ role, content }): ModelMessage => {
		const source = content.type === "resource" ? content.resource : content;
		return { role, content: [{ type: "text", text: "text" in source ? source.text : "" }] };
	});
}

async function toolsOf({ client }: DemoConnection): Promise<ModelTool[]> {
	const { tools } = await client.listTools();
	return tools.map(({ name, description = "" }) => ({ name: `travel_${name}`, description, inputSchema: {} }));
}
