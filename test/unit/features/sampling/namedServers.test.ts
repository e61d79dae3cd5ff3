/** A name in the user's settings means their own server: for a workspace's it can only be stricter (CFG-35). */
import { describe, expect, it } from "vitest";
import * as library from "../../../../src/base/glob.ts";
import { parseLimits } from "../../../../src/permissions/budgets/limits.ts";
import { isNamed } from "../../../../src/permissions/grants/grant.ts";
import { parseAllowedModels } from "../../../../src/features/sampling/modelChoice/allowedModels.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { define, mergeDefinitions } from "../../../../src/servers/definitions/parseConfig.ts";
import { namesOf } from "../../../../src/servers/definitions/serverNames.ts";
import { FakeModel } from "./fakes.ts";

const config = { kind: "stdio", command: "node", args: [], env: {}, protocol: "auto" } as const;
const own = define("github", config, { kind: "user-settings", label: "User Settings", isWorkspace: false });
const foreign = define("github", config, {
	kind: "mcp-json",
	label: ".vscode/mcp.json in shop",
	file: "/shop/.vscode/mcp.json",
	folder: "/shop",
	isWorkspace: true,
});

/** The shown names of the two while both are configured. */
function both(): readonly [own: ServerDefinition, foreign: ServerDefinition] {
	const [first = own, second = foreign] = mergeDefinitions([[own], [foreign]]);
	return [first, second];
}

describe("limits by name", () => {
	const limitOf = (setting: unknown, server: ServerDefinition): number =>
		parseLimits(setting, library).of(namesOf(server)).requestsPerMinute;

	it.each([
		["wider than the default", { servers: { github: { requestsPerMinute: 500 } } }, 500, 20],
		["none", { servers: { github: { requestsPerMinute: null } } }, Infinity, 20],
		["by a pattern", { servers: { "git*": { requestsPerMinute: 500 } } }, 500, 20],
		["stricter", { servers: { github: { requestsPerMinute: 2 } } }, 2, 2],
		[
			"wider than what counts for all",
			{ servers: { "*": { requestsPerMinute: 5 }, github: { requestsPerMinute: 500 } } },
			500,
			5,
		],
		["for all", { servers: { "*": { requestsPerMinute: 30 } } }, 30, 30],
		["wider than a pattern", { servers: { "git*": { requestsPerMinute: 3 }, github: { requestsPerMinute: 9 } } }, 9, 3],
	])("%s", (_what, setting, forOwn, forForeign) => {
		expect(limitOf(setting, own)).toBe(forOwn);
		expect(limitOf(setting, foreign)).toBe(forForeign);
		// A workspace's server of that name gives the user's own another name, and takes no limit from it.
		const [shownOwn, shownForeign] = both();
		expect(shownOwn.name).not.toBe("github");
		expect(limitOf(setting, shownOwn)).toBe(forOwn);
		expect(limitOf(setting, shownForeign)).toBe(forForeign);
	});
});

it("a rule for “never” applies to every server of the name, however it is shown", () => {
	const [shownOwn, shownForeign] = both();
	const rule = { id: "1", server: own.id, serverName: shownOwn.name, definition: own.hash, at: 0 };
	const never = { ...rule, effect: { kind: "never" } } as const;
	const named = [own, foreign, shownOwn, shownForeign].map((server) => isNamed(never, server));
	expect(named).toEqual([true, true, true, true]);
	expect(isNamed(never, define("hub", config, own.origin))).toBe(false);
});

describe("models by name", () => {
	const models = ["qwen3:8b", "gpt-5-pro"].map((name) => new FakeModel(name, "Ollama").info);
	const modelsOf = (setting: unknown, definition: ServerDefinition): readonly string[] => {
		const asker = { id: definition.id, name: definition.name, definition, during: undefined, isForUser: false };
		const allowed = parseAllowedModels(setting, library);
		return models.filter((model) => allowed.whyNot(model, asker) === undefined).map(({ name }) => name);
	};

	it.each([
		["more than all servers may use", { "*": ["qwen*"], github: ["*"] }, ["qwen3:8b", "gpt-5-pro"], ["qwen3:8b"]],
		["more by a pattern before it", { "git*": ["*"], "*": ["qwen*"] }, ["qwen3:8b", "gpt-5-pro"], ["qwen3:8b"]],
		["fewer", { "*": ["*"], github: ["qwen*"] }, ["qwen3:8b"], ["qwen3:8b"]],
		["others", { "*": ["gpt*"], github: ["qwen*"] }, ["qwen3:8b"], []],
	])("%s", (_what, setting, forOwn, forForeign) => {
		for (const [mine, theirs] of [[own, foreign], both()] as const) {
			expect(modelsOf(setting, mine)).toEqual(forOwn);
			expect(modelsOf(setting, theirs)).toEqual(forForeign);
		}
	});
});
