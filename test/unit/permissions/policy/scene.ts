import { compileGlob, countAlternatives } from "../../../../src/base/glob.ts";
import { Emitter } from "../../../../src/base/event.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import type { PinState } from "../../../../src/permissions/pinning/pin.ts";
import type { Glob, GlobLibrary } from "../../../../src/base/globs.ts";
import { compile } from "../../../../src/base/globs.ts";
import { Grants } from "../../../../src/permissions/grants/grants.ts";
import { judge, toJudged } from "../../../../src/permissions/policy/judge.ts";
import { parsePolicyFile, parseRules } from "../../../../src/permissions/policy/parseRules.ts";
import { RulesAndGrants } from "../../../../src/permissions/policy/policy.ts";
import type { ObservedRules, RuleList } from "../../../../src/permissions/policy/rule.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import type { Tool } from "../../../../src/servers/sessions/session.ts";
import type { ToolEntry } from "../../../../src/permissions/catalog/catalog.ts";
import { FakeSession } from "../../features/resources/fakeSession.ts";
import { StoreFolder } from "../../base/store/storeFolder.ts";
import { workspaceOrigin } from "../../servers/fixtures.ts";
import { tool } from "../../features/tools/toolSession.ts";

/** The library itself, as the lazy part has it. */
export const library: GlobLibrary = { compileGlob, countAlternatives };

/** A pattern that must be usable. */
export function globOf(pattern: string, kind: "name" | "value" = "value"): Glob {
	const compiled = compile(pattern, kind, library);
	if ("problem" in compiled) throw new Error(compiled.problem);
	return compiled.glob;
}

/** The user's own rules. */
export function own(...rules: readonly unknown[]): RuleList {
	return parseRules(rules, { kind: "user", label: "User Settings" }, library);
}

/** The rules of a folder's file, as its text or as its rules. */
export function file(content: string | readonly unknown[], folder = "shop"): RuleList {
	const text = typeof content === "string" ? content : JSON.stringify({ rules: content });
	const uri = `file:///${folder}/.vscode/mcp-policy.json`;
	return parsePolicyFile(text, { kind: "folder", label: `.vscode/mcp-policy.json in ${folder}`, uri }, library);
}

/** The checked properties of a tool. */
interface EntryOptions {
	readonly server?: string;
	readonly definition?: Partial<ServerDefinition>;
	readonly more?: Partial<Tool>;
	readonly isOfWorkspace?: boolean;
}

/** A tool of a running server. */
export async function entryOf(
	name = "book",
	options: EntryOptions = {},
): Promise<ToolEntry & { readonly session: FakeSession }> {
	const { server = "travel", definition = {}, more = {}, isOfWorkspace = false } = options;
	const origin = isOfWorkspace ? { origin: workspaceOrigin } : {};
	const session = new FakeSession(server, { ...origin, ...definition });
	const offered = tool(name, {}, more);
	await session.run({ tools: [offered] });
	return { session, tool: offered, modelName: `${server}_${name}`, hidden: undefined };
}

/** The decision of rules about a call: `deny`, or `none` when there is none. */
export function judged(lists: readonly RuleList[], entry: ToolEntry, args: JsonObject = {}): string {
	return judge(lists, toJudged(entry, args))?.decision ?? "none";
}

/** Rules, grants and pins as set by a test, with the resulting policy. */
export class PolicyScene {
	now = Date.UTC(2026, 10, 21, 12);
	readonly folder = new StoreFolder(() => this.now);
	pin: PinState = { kind: "same" };
	readonly pinsChanged = new Emitter<void>();
	readonly grants = this.openWindow();
	readonly policy: RulesAndGrants;
	private lists: readonly RuleList[] | undefined;
	private readonly rulesChanged = new Emitter<void>();

	constructor(...lists: readonly RuleList[]) {
		this.lists = lists;
		const current = (): readonly RuleList[] | undefined => this.lists;
		const rules: ObservedRules = {
			get lists() {
				return current();
			},
			onDidChange: this.rulesChanged.event,
		};
		const pins = { stateOf: () => this.pin, onDidChange: this.pinsChanged.event };
		this.policy = new RulesAndGrants({ rules, grants: this.grants, pins });
	}

	/** The rules as read again; undefined while they are being read. */
	setRules(lists: readonly RuleList[] | undefined): void {
		this.lists = lists;
		this.rulesChanged.fire();
	}

	/** The grants as another window, or this one after a restart, sees them. */
	openWindow(workspace?: string): Grants {
		return new Grants({ store: this.folder.open(workspace), now: () => this.now });
	}
}
