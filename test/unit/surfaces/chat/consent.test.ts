/** For any events around a question, no call is sent without an approval (TOL-10, TOL-11). */
import { expect, it } from "vitest";
import { DecisionLinks } from "../../../../src/surfaces/chat/decide.ts";
import type { JsonObject } from "../../../../src/base/json.ts";
import { PinnedDefinitions } from "../../../../src/permissions/pinning/pinnedDefinitions.ts";
import { Grants } from "../../../../src/permissions/grants/grants.ts";
import { RulesAndGrants } from "../../../../src/permissions/policy/policy.ts";
import type { RuleList } from "../../../../src/permissions/policy/rule.ts";
import type { ToolPolicy } from "../../../../src/permissions/policy/verdict.ts";
import type { ToolQuestion } from "../../../../src/features/tools/approval.ts";
import type { ToolCallEvent } from "../../../../src/features/tools/call.ts";
import { RunningCalls } from "../../../../src/features/tools/runningCall.ts";
import { own } from "../../permissions/policy/scene.ts";
import { memoryStore } from "../../base/store/storeFolder.ts";
import { directoryOf, User, serve, tool } from "../../features/tools/toolSession.ts";
import { play } from "./scripted.ts";

const rounds = 300;
const everything = { server: "*", tool: "*" };
const words = ["a", "b", "c"];

/** Numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
	let state = Math.imul(seed, 0x9e3779b1) | 1;
	return (sides) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % sides;
	};
}

/** The arguments that are sent if the user approves: the shown ones, or their own. */
function sentBy({
	question,
	settled,
}: Pick<Extract<ToolCallEvent, { type: "decided" }>, "question" | "settled">): object {
	const isEdited = settled.by === "user" && settled.answer.kind === "edited";
	return isEdited ? settled.answer.arguments : question.call.arguments;
}

async function playOut(seed: number): Promise<{ readonly sent: number; readonly asked: number }> {
	const roll = dice(seed);
	const versionOf = (version: number) => tool("write", { text: { type: "string" } }, { description: `v${version}` });
	let version = 0;
	const server = await serve("s", versionOf(version));
	const directory = directoryOf(server);
	const pins = new PinnedDefinitions(directory, memoryStore());
	const grants = new Grants({ store: memoryStore() });
	let lists: readonly RuleList[] = [];
	const rules = {
		get lists() {
			return lists;
		},
		onDidChange: () => ({ dispose: () => undefined }),
	};
	const deciding = new RulesAndGrants({ rules, grants, pins });
	/** The last decision about arguments; no two simultaneous calls have the same. */
	const verdicts = new Map<string, string>();
	const policy: ToolPolicy = {
		decide(entry, args) {
			const verdict = deciding.decide(entry, args);
			verdicts.set(JSON.stringify(args), verdict.decision);
			return verdict;
		},
		onDidChange: deciding.onDidChange,
	};
	const user = new User(() => undefined);
	const { approvals } = user;
	const groups: string[] = [];
	const asked: ToolQuestion[] = [];
	/** The arguments that the user allowed, each once. */
	const allowed: string[] = [];
	const faults: string[] = [];
	let edits = 0;
	const links = new DecisionLinks(approvals, new RunningCalls(), {
		editObject: async () => {
			await Promise.resolve();
			change();
			return roll(3) === 0 ? undefined : ({ text: `edited ${edits++}` } satisfies JsonObject);
		},
		policy,
		chooseGrant: async (entry, args) => {
			await Promise.resolve();
			change();
			const kind = roll(2) === 0 ? "tool" : "arguments";
			const grant = grants.make(entry, args, kind);
			return roll(3) === 0 ? undefined : { label: "granted", save: () => grants.add(grant, "session") };
		},
		askReason: async () => (roll(2) === 0 ? undefined : "no"),
		showChanges: () => undefined,
	});

	/** An event of the server, a file or another window. */
	function change(): void {
		switch (roll(9)) {
			case 0:
				version = roll(3);
				void server.run({ tools: [versionOf(version)] });
				break;
			case 1:
				void server.run({ tools: [] });
				break;
			case 2:
				lists = [own({ decision: "deny" })];
				break;
			case 3:
				lists = [own({ decision: "allow", ...everything })];
				break;
			case 4:
				lists = [own({ decision: "ask" })];
				break;
			case 5:
				lists = [];
				break;
			case 6:
				void grants.revoke(grants.all.map(({ id }) => id));
				break;
			case 7:
				if (roll(6) === 0) server.setState({ kind: "stopped" });
		}
	}

	/** The user, or another caller of the command, follows a link. */
	async function click(): Promise<void> {
		const ids = [...asked.map(({ decision }) => decision.id), ...groups, "none"];
		const id = ids[roll(ids.length)];
		const actions = ["allow", "deny", "edit", "always", "deny-reason", "allow-all", "deny-all", "toString"];
		await links.follow(id, actions[roll(actions.length)]);
	}

	async function noteYes(question: ToolQuestion): Promise<void> {
		const settled = await question.decision.settled;
		if (settled.by === "user" && settled.answer.kind !== "deny")
			allowed.push(JSON.stringify(sentBy({ question, settled })));
	}

	async function clickAround({ decision }: ToolQuestion): Promise<void> {
		for (let clicks = 0; clicks < 30 && decision.outcome === undefined; clicks++) await click();
		decision.answer({ kind: "deny" });
	}

	server.callTool = async (name, args) => {
		const text = JSON.stringify(args);
		const verdict = verdicts.get(text);
		const at = allowed.indexOf(text);
		if (at !== -1) allowed.splice(at, 1);
		else if (verdict !== "allow") faults.push(`${text} went out though the policy says ${verdict}`);
		if (verdict === undefined || verdict === "deny") faults.push(`${text} went out: ${verdict ?? "decided too early"}`);
		server.received.push({ name, text });
		return { content: [] };
	};
	const calls = (): { readonly name: string; readonly arguments: JsonObject }[] =>
		Array.from({ length: 1 + roll(3) }, (_, index) => ({
			name: "s_write",
			arguments: { text: words[index] ?? "" },
		}));
	await play([{ calls: calls() }, { calls: calls() }, { calls: calls() }, { text: "done" }], [server], user, {
		policy,
		pins,
		onEvent: (event) => {
			if (event.type === "group") groups.push(event.group.id);
			if (event.type !== "call") return;
			// Decisions before the user's answer, or before the others were checked, do not count.
			if (event.event.type === "decided") verdicts.delete(JSON.stringify(sentBy(event.event)));
			if (event.event.type === "ruled") verdicts.delete(JSON.stringify(event.event.call.arguments));
			if (event.event.type === "asked") {
				const { question } = event.event;
				asked.push(question);
				void noteYes(question);
				void clickAround(question);
			}
			change();
		},
	});
	expect(faults, `seed ${seed}`).toEqual([]);
	expect(user.pending.all, `seed ${seed}`).toEqual([]);
	return { sent: server.received.length, asked: asked.length };
}

it("each sent call has its own approval, or a rule or grant that is valid at that moment", async () => {
	let [sent, asked] = [0, 0];
	for (let seed = 1; seed <= rounds; seed++) {
		const played = await playOut(seed);
		sent += played.sent;
		asked += played.asked;
	}
	// The random events are frequent enough to be meaningful.
	expect(Math.min(sent, asked)).toBeGreaterThan(rounds / 2);
});
