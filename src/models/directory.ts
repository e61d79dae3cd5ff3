import { messageOf } from "../base/errors.ts";
import { Emitter, type Event } from "../base/event.ts";
import { canonicalJson } from "../base/json.ts";
import { DisposableStore, type Disposable } from "../base/lifecycle.ts";
import type { Log } from "../base/log.ts";
import { literalRange } from "../base/addresses.ts";
import type { ApiKeys } from "./apiKeys.ts";
import { type ModelEndpoint, type EndpointKind, endpointLabel } from "./endpoints.ts";
import { keeperOf } from "./kept/keptFields.ts";
import { KeptMemory, remembering } from "./kept/keptMemory.ts";
import type { listModels } from "./listModels.ts";
import type { ChatModel, ModelDirectory } from "./model.ts";
import { parseEndpoints } from "./parseEndpoints.ts";
import { chattingModels, type ListedModel, profileOf } from "./profile.ts";
import { SchemaRefusals } from "./schemaRefusals.ts";

/** A value that changes, such as a setting. */
export interface Observed<T> {
	readonly value: T;
	readonly onDidChange: Event<unknown>;
}

/** The inputs of the directory. */
export interface DirectoryServices {
	/** The setting `mcpHost.models`, unchecked. */
	readonly setting: Observed<unknown>;
	readonly keys: ApiKeys;
	/** The scripted model of the demo server. */
	readonly demoModel: ChatModel;
	/** Whether the demo server runs, so that its model is offered too. */
	readonly demoOffered: Observed<boolean>;
	readonly list: typeof listModels;
	readonly log: Log;
	/** The note about an unreachable address: which machine it means (`machineNote`). */
	readonly note?: (address: string) => string;
	/** Called with the problems of the setting, once for as long as they stay the same. */
	readonly report?: (problems: readonly string[]) => void;
	/** Milliseconds until an endpoint that could not be asked is asked again. */
	readonly retryMs?: number;
}

/** An endpoint and the result of asking for its models. */
export interface EndpointStatus {
	readonly endpoint: ModelEndpoint;
	/** Why its models could not be listed; undefined when they were, or when the setting names them. */
	readonly problem: string | undefined;
	readonly modelCount: number;
}

/** How often an unreachable endpoint is asked again: it may be started after VS Code. */
const defaultRetryMs = 30_000;

/**
 * All models that answer now: those of the configured endpoints, as named or as listed by them. The demo model replaces
 * them while there is none: VS Code's picker takes the first by name when nothing was chosen, and the script must not
 * be mistaken for the model that a user has just added. Nothing is requested from the network before `start`, and
 * nothing at all from endpoints whose models the setting names.
 */
export class ConfiguredModels implements ModelDirectory, Disposable {
	private readonly services: DirectoryServices;
	private readonly store = new DisposableStore();
	private readonly changed = this.store.add(new Emitter<void>());
	private readonly listed = new Map<string, readonly ListedModel[] | { readonly problem: string }>();
	/** The models that have answered. */
	private readonly loaded = new Set<string>();
	private readonly kept = new KeptMemory();
	/** The keywords in tools' definitions that models refused. */
	readonly refusals = new SchemaRefusals();
	private endpoints: readonly ModelEndpoint[] = [];
	private settingProblems: readonly string[] = [];
	private current: readonly ChatModel[] = [];
	private timer: NodeJS.Timeout | undefined;
	private running: Promise<void> | undefined;
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(services: DirectoryServices) {
		this.services = services;
	}

	get models(): readonly ChatModel[] {
		return this.current;
	}

	/** The endpoints in the order of the setting. */
	get statuses(): readonly EndpointStatus[] {
		return this.endpoints.map((endpoint) => {
			const known = this.listed.get(keyOf(endpoint));
			const problem = known !== undefined && "problem" in known ? known.problem : undefined;
			return { endpoint, problem, modelCount: this.modelsOf(endpoint).length };
		});
	}

	/** The problems of the setting, one sentence each. */
	get problems(): readonly string[] {
		return this.settingProblems;
	}

	/** Reads the setting, follows changes, and asks the endpoints for their models. Resolves when all have answered. */
	start(): Promise<void> {
		this.store.add(this.services.setting.onDidChange(() => void this.refresh()));
		this.store.add(this.services.demoOffered.onDidChange(() => this.publish()));
		return this.refresh();
	}

	/** Reads the setting and asks the endpoints again, as after a key was set. Never rejects; see `statuses`. */
	refresh(): Promise<void> {
		const { endpoints, problems } = parseEndpoints(this.services.setting.value);
		const isNews = problems.some((problem) => !this.settingProblems.includes(problem));
		this.endpoints = endpoints;
		this.settingProblems = problems;
		if (isNews) {
			for (const problem of problems) this.services.log.warn(problem);
			this.services.report?.(problems);
		}
		this.publish();
		return this.ask(endpoints.filter(({ models }) => models === undefined));
	}

	/** Resolves when the endpoints that are being asked have answered, or failed to. */
	async settled(): Promise<void> {
		await this.running;
	}

	dispose(): void {
		clearTimeout(this.timer);
		this.store.dispose();
	}

	private ask(endpoints: readonly ModelEndpoint[]): Promise<void> {
		clearTimeout(this.timer);
		const run = this.askAll(endpoints, this.running);
		this.running = run;
		return run;
	}

	private async askAll(endpoints: readonly ModelEndpoint[], previous: Promise<void> | undefined): Promise<void> {
		await previous;
		await Promise.all(endpoints.map((endpoint) => this.askOne(endpoint)));
		this.publish();
		this.scheduleRetry();
	}

	private async askOne(endpoint: ModelEndpoint): Promise<void> {
		try {
			const { keys, list } = this.services;
			const note = this.noteOn(endpoint);
			const models = await list(await keys.filled(endpoint), await keys.get(endpoint), { note });
			this.listed.set(keyOf(endpoint), chattingModels(models));
		} catch (error) {
			const before = this.listed.get(keyOf(endpoint));
			const problem = messageOf(error);
			const isNews = before === undefined || !("problem" in before) || before.problem !== problem;
			if (isNews) this.services.log.warn(problem);
			this.listed.set(keyOf(endpoint), { problem });
		}
	}

	/**
	 * Ollama and LM Studio know the context of a model only once it is loaded, as it is after an answer. LM Studio may
	 * have reloaded it since it was too short; Ollama then offers another model.
	 */
	private learnContext(endpoint: ModelEndpoint, { name, longerContext }: ListedModel): void {
		const key = `${keyOf(endpoint)}\n${name}`;
		const by = longerContext?.by ?? endpoint.kind;
		const isLate = by === "ollama" || by === "lm-studio";
		const isKnown = this.loaded.has(key) && longerContext?.by !== "lm-studio";
		if (!isLate || endpoint.models !== undefined || isKnown) return;
		this.loaded.add(key);
		void this.ask([endpoint]);
	}

	private scheduleRetry(): void {
		const failed = this.statuses.filter(({ problem }) => problem !== undefined).map(({ endpoint }) => endpoint);
		clearTimeout(this.timer);
		if (failed.length === 0 || this.store.isDisposed) return;
		this.timer = setTimeout(() => void this.ask(failed), this.services.retryMs ?? defaultRetryMs);
		// A window that closes does not wait for it.
		this.timer.unref();
	}

	private publish(): void {
		if (this.store.isDisposed) return;
		const configured = this.endpoints.flatMap((endpoint) =>
			this.modelsOf(endpoint).map((listed) => {
				const answered = (): void => this.learnContext(endpoint, listed);
				return createEndpointModel(endpoint, listed, this.services.keys, {
					note: this.noteOn(endpoint),
					kept: this.kept,
					refusals: this.refusals,
					answered,
				});
			}),
		);
		const models = configured.length === 0 && this.services.demoOffered.value ? [this.services.demoModel] : configured;
		const isSame =
			canonicalJson(models.map(({ info }) => info)) === canonicalJson(this.current.map(({ info }) => info));
		// The models are replaced all the same: an endpoint may have moved within its name.
		this.current = models;
		if (!isSame) this.changed.fire();
	}

	private noteOn({ baseURL }: ModelEndpoint): string {
		return this.services.note?.(baseURL) ?? "";
	}

	private modelsOf(endpoint: ModelEndpoint): readonly ListedModel[] {
		if (endpoint.models !== undefined) return endpoint.models.map((name) => ({ name }));
		const known = this.listed.get(keyOf(endpoint));
		return known === undefined || "problem" in known ? [] : known;
	}
}

/** The key under which an answer with models is remembered. */
function keyOf(endpoint: ModelEndpoint): string {
	return `${endpoint.name}\n${endpoint.baseURL}`;
}

/** The data that outlives a model, which is made again with every list; `note` is shown if it cannot be reached. */
interface EndpointMemory {
	readonly kept?: KeptMemory;
	readonly refusals?: SchemaRefusals;
	readonly answered?: () => void;
	readonly note?: string;
}

/**
 * A model of an endpoint, light enough to be made for every entry of a list: the key is read and the openai package
 * loaded by the first request. `answered` is called behind each answer that is complete.
 */
export function createEndpointModel(
	endpoint: ModelEndpoint,
	listed: ListedModel,
	keys: ApiKeys,
	{ kept = new KeptMemory(), refusals = new SchemaRefusals(), answered, note = "" }: EndpointMemory = {},
): ChatModel {
	const profile = profileOf(endpoint, listed);
	return {
		info: {
			id: `${endpoint.id}/${listed.name}`,
			name: listed.name,
			provider: endpointLabel(endpoint),
			maxInputTokens: profile.maxInputTokens,
			maxOutputTokens: profile.maxOutputTokens,
			supportsTools: profile.tools,
			supportsImages: profile.images,
			...(listed.longerContext !== undefined &&
				listed.longerContext.tokens > profile.maxInputTokens && { longerContext: listed.longerContext }),
			...(isLocal(endpoint) && { isLocal: true }),
		},
		async *respond(messages, options) {
			const [apiKey, filled, { respond }] = await Promise.all([
				keys.get(endpoint),
				keys.filled(endpoint),
				import("./openai/openai.ts"),
			]);
			const target = { endpoint: filled, model: listed.name, profile, apiKey, refusals, note };
			const { scope } = options;
			if (scope === undefined) yield* respond(target, messages, options);
			else {
				const keeper = keeperOf(endpoint, listed.name);
				yield* remembering(kept, keeper, scope, messages, (known) => respond(target, known, options));
			}
			answered?.();
		},
	};
}

/**
 * Servers that users run on their own machines. Any other server at a private address may be a gateway to a provider.
 */
const ownServers: ReadonlySet<EndpointKind> = new Set(["ollama", "lm-studio", "llama.cpp", "vllm"]);

/**
 * Whether an endpoint is on this machine, or a server of models in the user's own network, as far as its address shows:
 * no name server is asked. Its models cost nothing per token.
 */
function isLocal({ baseURL, kind }: Pick<ModelEndpoint, "baseURL" | "kind">): boolean {
	const url = new URL(baseURL);
	const range = literalRange(url);
	if (range === "loopback") return true;
	return ownServers.has(kind) && (range === "private" || /(^host\.docker\.internal|\.local)\.?$/.test(url.hostname));
}
