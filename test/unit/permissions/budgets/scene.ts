import { compileGlob, countAlternatives } from "../../../../src/base/glob.ts";
import { Emitter } from "../../../../src/base/event.ts";
import { BudgetPolicy } from "../../../../src/permissions/budgets/budgetPolicy.ts";
import { ModelUse } from "../../../../src/permissions/budgets/modelUse.ts";
import { StoreFolder } from "../../base/store/storeFolder.ts";
import type { Store } from "../../../../src/base/store/store.ts";
import { type SamplingLimits, parseLimits } from "../../../../src/permissions/budgets/limits.ts";
import type { Admission, Reservation, Send } from "../../../../src/permissions/budgets/samplingPolicy.ts";
import { Grants } from "../../../../src/permissions/grants/grants.ts";
import type { ModelInfo } from "../../../../src/models/model.ts";
import type { ModelPrice } from "../../../../src/models/prices.ts";
import type { Asker } from "../../../../src/permissions/budgets/asker.ts";
import type { ServerDefinition } from "../../../../src/servers/definitions/config.ts";
import { definition } from "../../servers/fixtures.ts";
import { CollectedNotes } from "../../records/activity/collectedNotes.ts";

/** The library of globs itself, as the lazy part has it. */
export const library = { compileGlob, countAlternatives };

/** A model whose price the scene knows as `price`. */
export const model: ModelInfo = {
	id: "test/model",
	name: "model",
	provider: "Test",
	maxInputTokens: 100_000,
	maxOutputTokens: 10_000,
	supportsTools: false,
	supportsImages: false,
};

/** A server that asks during a call, unless `during` has another value. */
export function askerOf(
	server: string | ServerDefinition = "weather",
	during: string | undefined = "checkWeather",
): Asker {
	const defined = typeof server === "string" ? definition(server) : server;
	return { id: defined.id, name: defined.name, definition: defined, during, isForUser: true };
}

/** The same asker outside of any call. */
export function unasked(asker: Asker): Asker {
	return { ...asker, during: undefined, isForUser: false };
}

/** One window with rules, limits and budgets. Windows of one scene share its stores. */
export class BudgetWindow {
	readonly grants: Grants;
	readonly use: ModelUse;
	readonly store: Store;
	readonly policy: BudgetPolicy;
	readonly problems: string[] = [];

	readonly notes = new CollectedNotes();

	constructor(scene: BudgetScene, workspace: string) {
		const now = (): number => scene.now;
		const onProblem = (message: string): void => void this.problems.push(message);
		this.store = scene.folder.open(workspace);
		this.grants = new Grants({ store: this.store, now, notes: this.notes });
		this.use = new ModelUse({ store: this.store, grants: this.grants, now, onProblem });
		this.policy = new BudgetPolicy({
			grants: this.grants,
			use: this.use,
			limits: {
				get current() {
					return scene.limits;
				},
				onDidChange: scene.limitsChanged.event,
			},
			prices: { of: () => scene.price, onDidChange: () => ({ dispose: () => undefined }) },
			isTrusted: () => scene.isTrusted,
			now,
		});
	}

	/** Admits a request. */
	admit(asker = askerOf(), inputTokens = 10, characters = 40): Admission {
		return this.policy.admit(asker, { inputTokens, characters });
	}

	/** The words with which a request is refused; empty when it is admitted. */
	refusal(asker = askerOf(), inputTokens = 10, characters = 40): string {
		try {
			this.admit(asker, inputTokens, characters).end();
			return "";
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}
}

/** The shared state of windows of one machine, and a user who changes settings. */
export class BudgetScene {
	now = new Date(2026, 10, 22, 12).getTime();
	readonly folder = new StoreFolder(() => this.now);
	price: ModelPrice | undefined;
	isTrusted = true;
	limits: SamplingLimits = parseLimits(undefined, library);
	readonly limitsChanged = new Emitter<void>();
	readonly window = this.open();

	/** Another window, or this one after a reload. */
	open(workspace = "mine"): BudgetWindow {
		return new BudgetWindow(this, workspace);
	}

	/** Sets `mcpHost.sampling.limits`. */
	limit(value: unknown): this {
		this.limits = parseLimits(value, library);
		this.limitsChanged.fire();
		return this;
	}
}

/** A send of the user, or of the rule. */
export function send(inputTokens: number, maxTokens: number, by: Send["by"] = "user"): Send {
	return { model, inputTokens, maxTokens, by };
}

/** A reservation that must be granted. */
export function reserved(result: Reservation | { readonly problem: string }): Reservation {
	if ("problem" in result) throw new Error(result.problem);
	return result;
}

/** Why nothing was reserved; empty when it was. */
export function problemOf(result: Reservation | { readonly problem: string }): string {
	return "problem" in result ? result.problem : "";
}
