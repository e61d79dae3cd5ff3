import { describe, expect, it } from "vitest";
import type { ConfigOrigin } from "../../../../src/servers/definitions/config.ts";
import { parseConfig } from "../../../../src/servers/definitions/parseConfig.ts";
import type { RootsRule } from "../../../../src/servers/definitions/rootsRule.ts";
import { userOrigin, workspaceOrigin } from "../fixtures.ts";

/** The rule of a server with this entry, and the texts and messages of its problems. */
function parse(roots: string, origin: ConfigOrigin = workspaceOrigin) {
	const text = `{"servers": {"a": {"command": "x", "roots": ${roots}}}}`;
	const { definitions, problems } = parseConfig({ origin, content: { text } });
	expect(definitions).toHaveLength(1);
	return {
		rule: definitions[0]?.roots,
		problems: problems.map(({ range, message, severity }) => [
			text.slice(range?.offset, (range?.offset ?? 0) + (range?.length ?? 0)),
			message,
			severity,
		]),
	};
}

describe("roots of an entry", () => {
	it.each<[string, RootsRule | undefined]>([
		["null", undefined],
		["true", { extra: [] }],
		["false", { folders: [], extra: [] }],
		["{}", { extra: [] }],
		['{"folders": []}', { folders: [], extra: [] }],
		['{"folders": ["client", "!x"]}', { folders: ["client", "!x"], extra: [] }],
		[
			'{"extra": ["/data", "../x", "C:\\\\x", "${workspaceFolder:b}/x", "${userHome}", "file:///y"]}',
			{ extra: ["/data", "../x", "C:\\x", "${workspaceFolder:b}/x", "${userHome}", "file:///y"] },
		],
		[
			'{"extra": ["https://example.com/a", "git://h/x"], "allowNonFile": true}',
			{ extra: ["https://example.com/a", "git://h/x"] },
		],
	])("reads %s", (roots, rule) => {
		expect(parse(roots)).toEqual({ rule, problems: [] });
	});

	const none: RootsRule = { folders: [], extra: [] };

	it.each<[string, RootsRule, string, string]>([
		["5", none, "5", '"roots" must be true, false or an object, so the server sees no roots.'],
		['["client"]', none, '["client"]', '"roots" must be true, false or an object, so the server sees no roots.'],
		[
			'{"folders": "client"}',
			none,
			'"client"',
			'"folders" must be a list of strings, so the server sees no workspace folder.',
		],
		[
			'{"folders": ["b", 7]}',
			{ folders: ["b"], extra: [] },
			"7",
			'Item 2 of "folders" must be a string of 1 to 2000 characters, and is ignored.',
		],
		[
			'{"folders": [" "]}',
			none,
			'" "',
			'Item 1 of "folders" must be a string of 1 to 2000 characters, and is ignored.',
		],
		[
			'{"extra": ["https://example.com"]}',
			{ extra: [] },
			'"https://example.com"',
			'"https://example.com" is not a file: URI, as the protocol requires of a root. Servers may reject it. To offer it anyway, set "allowNonFile" to true.',
		],
		[
			'{"extra": ["https://me:secret@example.com"], "allowNonFile": true}',
			{ extra: [] },
			'"https://me:secret@example.com"',
			"The address may not contain a user name or password, and is ignored.",
		],
		[
			'{"extra": ["git@example.com:me/x"], "allowNonFile": true}',
			{ extra: [] },
			'"git@example.com:me/x"',
			'"git@example.com:me/x" is neither a path nor a URI with "//", and is ignored.',
		],
		[
			'{"extra": ["command:evil"], "allowNonFile": true}',
			{ extra: [] },
			'"command:evil"',
			'"command:evil" is neither a path nor a URI with "//", and is ignored.',
		],
		[
			'{"extra": ["file:///a%2Fb"]}',
			{ extra: [] },
			'"file:///a%2Fb"',
			'"file:///a%2Fb" is not a path on this machine, and is ignored.',
		],
		[
			'{"extra": ["/data/${env:SECRET}"]}',
			{ extra: [] },
			'"/data/${env:SECRET}"',
			"${env:SECRET} cannot be used in roots; use ${workspaceFolder}, ${workspaceFolder:name} or ${userHome}.",
		],
		[
			'{"extra": ["/a\\u202Eb"]}',
			{ extra: [] },
			'"/a\\u202Eb"',
			'"/a\\u202Eb" contains hidden characters, and is ignored.',
		],
		['{"allowNonFile": "yes"}', { extra: [] }, '"yes"', '"allowNonFile" must be true or false.'],
	])("%s shows less, keeps the server, and is reported at its place", (roots, rule, place, message) => {
		expect(parse(roots)).toEqual({ rule, problems: [[place, message, "error"]] });
	});

	it("warns of unknown keys, and treats inherited ones as absent (CFG-19)", () => {
		expect(parse('{"paths": []}')).toEqual({
			rule: { extra: [] },
			problems: [["[]", '"paths" is not a known key of "roots" and is ignored.', "warning"]],
		});
		expect(parse('{"__proto__": {"folders": []}}').rule).toEqual({ extra: [] });
	});

	it("needs absolute paths if there is no base folder", () => {
		const relative = parse('{"extra": ["../x"]}', userOrigin);
		expect(relative.rule).toEqual({ extra: [] });
		expect(relative.problems[0]?.[1]).toBe(
			'"../x" must be an absolute path here, or begin with ${userHome} or ${workspaceFolder}.',
		);
	});

	it("uses 100 items of a list, and never the text of an address with a password", () => {
		const many = parse(JSON.stringify({ folders: Array.from({ length: 101 }, (_, index) => `f${index}`) }));
		expect(many.rule?.folders).toHaveLength(100);
		expect(many.problems.map(([, message]) => message)).toEqual(['Only the first 100 items of "folders" are used.']);
		const secret = parse('{"extra": ["ftp://u:hunter2@h/"]}');
		expect(JSON.stringify(secret.problems.map(([, message]) => message))).not.toContain("hunter2");
	});

	it("is not part of the definition's hash, so that a change restarts nothing", () => {
		const hashOf = (entry: object): string | undefined =>
			parseConfig({ origin: userOrigin, content: { value: { a: { command: "x", ...entry } } } }).definitions[0]?.hash;
		expect(hashOf({ roots: { extra: ["/data"] } })).toBe(hashOf({}));
	});
});
