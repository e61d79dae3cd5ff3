import * as vscode from "vscode";
import { oneLine } from "../base/text.ts";
import { withoutIcons } from "../base/words.ts";
import type { ServerDefinition } from "../servers/definitions/config.ts";
import type { BudgetPolicy } from "./budgets/budgetPolicy.ts";
import type { ReviewMode } from "./budgets/samplingPolicy.ts";
import {
	budgetChoices,
	callChoices,
	effectChoices,
	type LastingChoice,
	lastingChoices,
	usualChoices,
	whenChoices,
} from "./grants/choices.ts";
import { describeCover, describeRule, describeScope, type Grant, type SamplingCover } from "./grants/grant.ts";
import type { Grants } from "./grants/grants.ts";
import { whyVoid } from "./grants/grantStatus.ts";
import { parseBudget, type RuleBudget } from "./grants/ruleBudget.ts";
import type { RulesAndGrants } from "./policy/policy.ts";
import type { ChooseGrant } from "./policy/verdict.ts";

/**
 * Asks the user what to allow from now on: the tool in this session or in this workspace, or one of all choices. If a
 * rule asks or denies, no grant would apply, so none is offered.
 */
export function grantChooser(policy: RulesAndGrants, grants: Grants): ChooseGrant {
	return async (entry, args, signal) => {
		const { session, tool } = entry;
		const title = `Always Allow: ${oneLine(session.definition.name, 60)} · ${oneLine(tool.name, 100)}`;
		const choose = new Chooser(title, signal);
		const rule = policy.judge(entry, args);
		if (rule !== undefined && rule.decision !== "allow") {
			const label = "$(info) A rule decides this call; grants do not apply";
			const refusal = { label, detail: withoutIcons(rule.label) };
			const picked = await choose.ask("Nothing can be allowed for later calls", [refusal], true);
			if (picked !== undefined) await vscode.commands.executeCommand("mcpHost.manageRules");
			return undefined;
		}
		const more = { label: "More Choices…", description: "these arguments only, for a time, in all workspaces" };
		const asked = "Choose what may run without asking you. Press Escape to change nothing.";
		let chosen = await choose.ask(asked, [...usualChoices, more], true);
		if (chosen === more) {
			const calls = await choose.ask(asked, callChoices(entry));
			const lasting = calls && (await chooseLasting(choose, calls.covers, session.definition));
			chosen = lasting && { ...lasting, ...calls };
		}
		if (chosen === undefined || !("covers" in chosen) || signal.aborted) return undefined;
		const { covers, scope, lastsMs } = chosen;
		const grant = grants.make(entry, args, covers, lastsMs);
		const label = `${describeCover(grant)}, ${describeScope(scope, grant.expiresAt)}`;
		return { label, save: () => grants.add(grant, scope) };
	};
}

/**
 * Asks how a server's requests are handled from now on, and for how long. Escape at any step changes nothing. Returns
 * the choice, once it applies.
 */
export async function chooseRule(
	policy: BudgetPolicy,
	definition: ServerDefinition,
): Promise<ReviewMode | "never" | undefined> {
	const { grants } = policy.services;
	const name = withoutIcons(oneLine(definition.name, 60));
	const choose = new Chooser(`Rules for ${name}`);
	const standing = grants.about(definition).filter((rule) => grants.stands(rule));
	const current = standing.find((rule) => whyVoid(rule, definition, policy.scene) === undefined);
	const rows = effectChoices.map(({ kind: chosen, label, description }) => {
		const icon = chosen === (current?.covers.kind ?? "review") ? "check" : "blank";
		const words = chosen === current?.covers.kind ? `now: ${describeRule(current)}` : description;
		return { label: `$(${icon}) ${label}`, description: words, chosen };
	});
	const kind = (await choose.ask(`Choose what happens when ${name} sends a sampling request`, rows, true))?.chosen;
	if (kind === undefined) return undefined;
	if (kind === "review") {
		await grants.revoke(standing.map(({ id }) => id));
		return "review";
	}
	const covers = kind === "auto" ? await chooseAuto(choose) : { kind };
	const lasting = covers && (await chooseLasting(choose, kind, definition));
	if (covers === undefined || lasting === undefined) return undefined;
	await grants.set(definition, covers, lasting.scope, lasting.lastsMs);
	return kind;
}

async function chooseAuto(choose: Chooser): Promise<SamplingCover | undefined> {
	const asked = "Choose how much it may use without asking you. You do not review the completions.";
	const picked = await choose.ask(asked, budgetChoices);
	const budget = picked && (picked.budget ?? (await enterBudget(choose)));
	const when = budget && (await choose.ask("Choose when it may continue without asking you", whenChoices));
	return when && budget && { kind: "auto", budget, coversUnasked: when.coversUnasked };
}

async function enterBudget({ title }: Chooser): Promise<RuleBudget | undefined> {
	const text = await vscode.window.showInputBox({
		title,
		prompt: "Enter the requests, tokens and dollars to limit; “a day” starts again at midnight",
		placeHolder: "20 requests, 50,000 tokens, $0.50 a day",
		ignoreFocusOut: true,
		validateInput(entered) {
			const budget = parseBudget(entered);
			return "problem" in budget ? budget.problem : undefined;
		},
	});
	const budget = parseBudget(text ?? "");
	return "problem" in budget ? undefined : budget;
}

function chooseLasting(
	choose: Chooser,
	kind: Grant["covers"]["kind"],
	definition: ServerDefinition,
): Promise<LastingChoice | undefined> {
	return choose.ask("For how long?", lastingChoices(kind, definition));
}

/** Questions under one title, until they are withdrawn. */
class Chooser {
	readonly title: string;
	private readonly signal: AbortSignal | undefined;

	constructor(title: string, signal?: AbortSignal) {
		this.title = title;
		this.signal = signal;
	}

	/** Asks for one of the rows. The last one leads to all rules and grants where that is wanted, and chooses none. */
	async ask<T extends vscode.QuickPickItem>(
		placeHolder: string,
		rows: readonly T[],
		leadsToAll = false,
	): Promise<T | undefined> {
		const cancellation = new vscode.CancellationTokenSource();
		const onAbort = (): void => cancellation.cancel();
		this.signal?.addEventListener("abort", onAbort, { once: true });
		if (this.signal?.aborted === true) onAbort();
		const all = { label: "$(settings-gear) Manage Rules and Grants…" };
		const end = leadsToAll ? [{ label: "", kind: vscode.QuickPickItemKind.Separator }, all] : [];
		// The panel from which it is asked takes the focus back when the question before it closes.
		const options = { title: this.title, placeHolder, ignoreFocusOut: true };
		try {
			const picked = await vscode.window.showQuickPick([...rows, ...end], options, cancellation.token);
			if (picked === all) await vscode.commands.executeCommand("mcpHost.manageRules");
			return rows.find((row) => row === picked);
		} finally {
			this.signal?.removeEventListener("abort", onAbort);
			cancellation.dispose();
		}
	}
}
