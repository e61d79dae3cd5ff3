/** The values that a review of a server hides, and that nothing more is hidden. */
import { describe, expect, it } from "vitest";
import { prefilled } from "../../../src/servers/definitions/inputValues.ts";
import { approvalOf } from "../../../src/servers/approval/keptApproval.ts";
import { define } from "../../../src/servers/definitions/parseConfig.ts";
import { reviewServer } from "../../../src/servers/review/review.ts";
import type { ServerReview } from "../../../src/servers/review/reviewProtocol.ts";
import { definition, stdioConfig, workspaceOrigin } from "./fixtures.ts";

/** The values of a row of a review. */
function valuesOf({ rows }: ServerReview, label: string): readonly string[] | undefined {
	return rows.find((row) => row.label === label)?.values;
}

describe("reviewServer: hidden values", () => {
	it.each([
		["NODE_OPTIONS", "--import=data:text/javascript,run() --title=a://b@c"],
		["NODE_OPTIONS", "--import=data:text/javascript,https://%0Arun()@c"],
		["PATH", "https://evil/bin:@x:/x://y@z:/usr/bin"],
		["npm_config_node_options", "--title https://user:x@c"],
		["npm_config_@secretlab:registry", "https://registry.example/"],
		["npm_config_registry", "https://`run()`@registry.example/"],
		// Separators of commands or addresses, quotes, and call syntax of some shell or language are not plain characters.
		...[
			"&run&",
			";run",
			"|run",
			">run",
			"a,b",
			"'+run+'",
			'"+run+"',
			"\u201C+run+\u201D",
			"{run}",
			"[run]",
			"$(run)",
		].map((code): [string, string] => ["npm_config_registry", `https://u:${code}@registry.example/`]),
		...["#", "?", "/", "\\"].map((end): [string, string] => ["PIP_INDEX_URL", `https://evil.example${end}@r.example/`]),
		["GIT_CONFIG_VALUE_0", "PATH=https://evil:@x ssh"],
		["PIP_INDEX_URL", `(5 characters) ${"a".repeat(64)}`],
	])("hides nothing of %s=%s behind text that looks like a password (CFG-27)", (name, value) => {
		const review = reviewServer(definition("a", stdioConfig({ env: { [name]: value } })), undefined);
		expect(valuesOf(review, "Environment")).toEqual([`${name}=${value}`]);
		expect(review.warnings.join()).toContain(`It sets ${name}`);
	});

	it.each([
		[
			"UV_INDEX",
			"own=https://hunter2@r.example/ https://u:hunter2@ss@s.example",
			["(masked: 7 characters)", "(masked: 12 characters)"],
		],
		["GOPROXY", "https://u:hunter2$%20@r.example,direct", ["(masked: 13 characters)"]],
		["npm_config_registry", "https://u:hunter2^\u00FC\u00DF\u20AC~@r.example/", ["(masked: 14 characters)"]],
		["PIP_INDEX_URL", "https://u:hunter2\u5BC6\u7801\u0661@r.example/", ["(masked: 12 characters)"]],
		["YARN_NPM_REGISTRY_SERVER", "https://\u043C\u044B:hunter2e\u0301@r.example/", ["(masked: 12 characters)"]],
		["GIT_CONFIG_KEY_0", "url.https://u:hunter2@r.example/.insteadOf", ["(masked: 9 characters)"]],
	])("hides the user name in an address in %s, and compares it (CFG-27)", (name, value, hidden) => {
		const entry = (text: string) => definition("a", stdioConfig({ env: { [name]: text } }));
		const [pair = ""] = valuesOf(reviewServer(entry(value), undefined), "Environment") ?? [];
		for (const part of hidden) expect(pair).toContain(`://${part}@`);
		expect(pair).toContain("r.example");
		const kept = approvalOf("former", entry(value).config);
		expect(pair + JSON.stringify(kept)).not.toContain("hunter2");
		const environment = ({ rows }: ServerReview) => rows.find(({ label }) => label === "Environment");
		expect(environment(reviewServer(entry(value), kept))).toEqual({ label: "Environment", values: [pair] });
		const other = environment(reviewServer(entry(value.replace("hunter2", "hunter3")), kept));
		expect(other).toEqual({ label: "Environment", values: [`${pair} (another value)`], former: [pair] });
	});

	it("shows an input's default and choices, but no invisible ones (CFG-38)", () => {
		const base = { isPassword: false, description: "x" };
		const options = Array.from({ length: 52 }, (_, index) => `--eval=run(${index})`);
		const code = { ...base, id: "code", defaultValue: "require('child_process')\n.execSync('run')" };
		const inputs = [
			code,
			{ ...base, id: "mode", options },
			{ ...base, id: "key", isPassword: true, defaultValue: "hunter2" },
		];
		const config = stdioConfig({ args: ["${input:code}", "${input:mode}", "${input:key}"] });
		const shown = valuesOf(reviewServer(define("a", config, workspaceOrigin, inputs), undefined), "Asks you for");
		expect(shown).toEqual([
			"code: x",
			"default of code: require('child_process')\\u000A.execSync('run')",
			"mode: x",
			...options.slice(0, 50).map((option) => `choice of mode: ${option}`),
			"2 more choices of mode, shown when you choose",
			"key: x (not shown while you type)",
		]);
		// Values that are not shown in the review are not in the box either.
		expect(inputs.map(prefilled)).toEqual([code.defaultValue, undefined, undefined]);
	});
});
