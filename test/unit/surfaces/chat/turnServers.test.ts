import { describe, expect, test } from "vitest";
import { chooseServers, wordsWithout } from "../../../../src/surfaces/chat/turnServers.ts";
import { ToolSession } from "../../features/tools/toolSession.ts";

const servers = ["travel", "github", "my server", "-odd"].map((name) => new ToolSession(name));
const idsOf = (...names: readonly string[]): ReadonlySet<string> =>
	new Set(servers.filter(({ definition }) => names.includes(definition.name)).map(({ definition }) => definition.id));

describe("the words at the beginning of a message", () => {
	test.each([
		["-github plan a trip", ["github"], "plan a trip", "Without github in this turn."],
		["-github -travel go", ["github", "travel"], "go", "Without github, travel in this turn."],
		["+travel plan", ["github", "my server", "-odd"], "plan", "Only travel in this turn."],
		['-"my server" plan', ["my server"], "plan", "Without my server in this turn."],
		["+travel +github -github plan", ["github", "my server", "-odd"], "plan", "Only travel in this turn."],
		["--odd plan", ["-odd"], "plan", "Without -odd in this turn."],
		["\n -github\nplan", ["github"], "plan", "Without github in this turn."],
	])("leave servers out: %j", (prompt, without, text, note) => {
		expect(chooseServers(prompt, servers)).toEqual({ without: idsOf(...without), text, note });
	});

	test.each(["plan -github", "-git plan", "- github plan", "-1 is negative", "-github", "+travel -github ", ""])(
		"are part of the message when they name no server exactly, or nothing follows: %j",
		(prompt) => {
			expect(chooseServers(prompt, servers)).toEqual({ without: new Set(), text: prompt });
		},
	);

	test("that match two servers leave none out", () => {
		const twice = [...servers, new ToolSession("github")];
		const note = "More than one server is named github, so none of them was chosen.";
		expect(chooseServers("-github plan", twice)).toEqual({ without: new Set(), text: "-github plan", note });
	});

	test.each([
		["-gitub plan", "gitub", "github"],
		["-Github plan", "Github", "github"],
		['+"my sever" plan', "my sever", "my server"],
	])("that nearly match a server choose nothing, which is reported: %j", (prompt, name, meant) => {
		const note = `No server is named ${name}, so none was chosen: did you mean ${meant}?`;
		expect(chooseServers(prompt, servers)).toEqual({ without: new Set(), text: prompt, note });
	});

	test("are reported beside those that were recognised", () => {
		const { without, text, note } = chooseServers("-github -travl plan", servers);
		expect([without, text]).toEqual([idsOf("github"), "-travl plan"]);
		expect(note).toMatch(/^Without github in this turn\. No server is named travl/);
	});

	test("are written for the user so that they are read the same", () => {
		const words = wordsWithout(servers);
		const { without, text } = chooseServers(`${words}plan`, servers);
		expect([without.size, text]).toEqual([servers.length, "plan"]);
	});
});
