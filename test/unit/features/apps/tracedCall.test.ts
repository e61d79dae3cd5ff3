import { expect, test } from "vitest";
import { tracedCall } from "../../../../src/features/apps/tracedCall.ts";
import { directoryOf, serve, ToolSession } from "../tools/toolSession.ts";
import { budget } from "./appScene.ts";

const result = { content: [{ type: "text", text: "5 left" }] };

test("a call of the trace is shown in its app as it was, and nothing is called (TRC-47)", async () => {
	const session = await serve("finance", budget);
	const { id: server } = session.definition;
	const argument = { server, tool: "budget", arguments: { total: 5 }, result, exchange: "a/1" };
	const call = tracedCall(argument, directoryOf(session));
	expect([call.arguments, call.end, call.outcome]).toMatchObject([{ total: 5 }, { result }, { exchange: "a/1" }]);
	expect(session.received).toEqual([]);
	const stopped = directoryOf(new ToolSession("finance"));
	expect(() => tracedCall(argument, stopped)).toThrow("is not running, or no longer has this tool");
	expect(() => tracedCall({ ...argument, tool: "other" }, directoryOf(session))).toThrow("no longer has this tool");
	for (const bad of [undefined, "text", { server, tool: "budget" }])
		expect(() => tracedCall(bad, directoryOf(session))).toThrow("This call has no app");
});
