import { describe, expect, test } from "vitest";
import { explainNoServer } from "../../../../src/servers/sessions/absence.ts";
import { FakeSession } from "../../features/prompts/fakeDirectory.ts";

describe("the reason why there is no server to choose from", () => {
	test("without any, one can be added", () => {
		expect(explainNoServer([])).toEqual({ message: "No MCP server is configured.", remedy: "Add Servers…" });
	});

	test("otherwise the state of each is shown, and the list of servers is a button away", () => {
		const travel = new FakeSession("travel\u202E", []);
		const notes = new FakeSession("notes", []);
		notes.state = { kind: "stopped" };
		expect(explainNoServer([travel])).toEqual({
			message: "The only server cannot be used with this command now: travel\\u202E (running).",
			remedy: "Show Servers",
		});
		const many = [travel, notes, ...Array.from({ length: 6 }, (_, index) => new FakeSession(`s${index}`, []))];
		expect(explainNoServer(many).message).toMatch(/^None of the servers .* notes \(stopped\), .* and 3 more\.$/);
	});
});
