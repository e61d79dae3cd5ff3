import * as vscode from "vscode";
import { DisposableStore, type Disposable } from "../../base/lifecycle.ts";
import type { PendingDecisions } from "../../questions/decisions/pendingDecisions.ts";
import type { Repetition } from "../../questions/decisions/repetition.ts";
import type { UserRequests } from "../../servers/sessions/session.ts";
import type { WiredSamplingPolicy } from "../../permissions/policies.vscode.ts";
import { type ContextSources, contextCollector } from "./collectContext.ts";
import { SamplingGuard, guardLimits, type GuardLimits } from "./guard.ts";
import { type RedactionServices, wireRedaction } from "./redaction/redaction.vscode.ts";
import { type ReviewPanelServices, reviewPanels } from "./review/panel.vscode.ts";
import { type SamplingDependencies, SamplingService } from "./service.ts";

/** The dependencies of answering sampling requests on the rest of the host. */
export interface SamplingServices
	extends
		Pick<SamplingDependencies, "models" | "chooser" | "prices" | "record" | "queue">,
		Omit<ContextSources, "directory">,
		RedactionServices,
		Pick<ReviewPanelServices, "extensionUri"> {
	readonly pending: PendingDecisions;
	readonly repetition: Repetition;
	readonly sampling: WiredSamplingPolicy;
}

/** Answers sampling requests by reviews. */
export interface WiredSampling extends Pick<UserRequests, "createMessage">, Disposable {}

/** Creates the service that answers sampling requests, until it is disposed. */
export function wireSampling(services: SamplingServices): WiredSampling {
	const { pending, repetition, sampling, extensionUri } = services;
	const store = new DisposableStore();
	const limits = guardSettings();
	const reviews = store.add(
		reviewPanels({
			extensionUri,
			denyAll: (serverId) => void pending.refuseServer(serverId),
			chooseRule: sampling.chooseRule,
		}),
	);
	const service = new SamplingService({
		...services,
		guard: new SamplingGuard({ repetition, loopLimit: () => limits.current.loopLimit }),
		policy: sampling.policy,
		findSecrets: store.add(wireRedaction(services)).findSecrets,
		collectContext: contextCollector(services),
		now: Date.now,
		expiresMs: () => limits.current.expiresMs,
		show: (...shown) => reviews.show(...shown),
	});
	return { createMessage: service.createMessage, dispose: () => store.dispose() };
}

/** The user's limits on servers' requests; read whenever they are needed. */
export function guardSettings(): { readonly current: GuardLimits } {
	return {
		get current() {
			const settings = vscode.workspace.getConfiguration("mcpHost.sampling");
			return guardLimits(settings.get<unknown>("loopLimit"), settings.get<unknown>("reviewTimeout"));
		},
	};
}
