import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ActivityJournal } from "../../../src/records/activity/journal/activityJournal.ts";
import { Seal } from "../../../src/records/activity/journal/seal.ts";
import { notedSampling } from "../../../src/records/activity/notedSampling.ts";
import { silentLog } from "../../../src/base/log.ts";
import { knowsNone } from "../../../src/base/secrets/writer.ts";
import { Store } from "../../../src/base/store/store.ts";
import type { ChatModel, ModelEvent } from "../../../src/models/model.ts";
import { PendingDecisions } from "../../../src/questions/decisions/pendingDecisions.ts";
import { DecisionQueue } from "../../../src/questions/decisions/queue.ts";
import { Repetition } from "../../../src/questions/decisions/repetition.ts";
import { BudgetPolicy } from "../../../src/permissions/budgets/budgetPolicy.ts";
import { Grants } from "../../../src/permissions/grants/grants.ts";
import { ModelUse } from "../../../src/permissions/budgets/modelUse.ts";
import { SamplingGuard } from "../../../src/features/sampling/guard.ts";
import { SamplingModels } from "../../../src/features/sampling/modelChoice/chooseModel.ts";
import { secretFinder } from "../../../src/features/sampling/redaction/secretFinder.ts";
import { SamplingService } from "../../../src/features/sampling/service.ts";
import type { Session } from "../../../src/servers/sessions/session.ts";

/** How many characters of an answer arrive at a time, about the size of a token. */
const pieceLength = 4;
/** How many arrive with one chunk of the network. */
const chunkLength = 400;
const plenty = 1_000_000_000;

/**
 * The part that answers a server's sampling requests, with a rule of the user that does it unseen: guard, limits and
 * budgets, the search for secrets, the record on the disk. Its model takes no time, so that only the host's addition is
 * measured.
 */
export class HostSampling {
	private readonly session: Session;
	private readonly folder = mkdtempSync(join(tmpdir(), "mcp-host-bench-"));
	private readonly grants: Grants;
	private readonly service: SamplingService;
	private answer = "";

	constructor(session: Session) {
		this.session = session;
		const ignore = (): void => undefined;
		const now = Date.now;
		const store = new Store({ folder: this.folder, onProblem: ignore });
		const { prices, chooser } = new SamplingModels();
		this.grants = new Grants({ store });
		const none = {
			requestsPerMinute: Infinity,
			waiting: Infinity,
			tokensPerDay: Infinity,
			costPerDay: Infinity,
			maxTokens: Infinity,
			requestLength: Infinity,
		};
		const journal = new ActivityJournal({
			folder: this.folder,
			window: "bench",
			isGone: () => false,
			bounds: () => ({ bytes: 20_000_000, days: 90 }),
			contents: () => "none",
			redactor: knowsNone,
			seal: async () => new Seal("key"),
			version: "1.0.0",
			onFault: ignore,
			now,
		});
		this.service = new SamplingService({
			guard: new SamplingGuard({ repetition: new Repetition(), loopLimit: () => Infinity }),
			policy: new BudgetPolicy({
				grants: this.grants,
				use: new ModelUse({ store, grants: this.grants, now, onProblem: ignore }),
				limits: {
					current: { total: none, of: () => none, problems: [], isIncomplete: false },
					onDidChange: () => ({ dispose: ignore }),
				},
				prices,
				isTrusted: () => true,
				now,
			}),
			findSecrets: secretFinder(
				() => ({ patterns: undefined, forms: undefined }),
				async () => ({ secrets: [], problems: [] }),
			),
			collectContext: async () => [],
			models: { models: [this.model()], onDidChange: () => ({ dispose: ignore }) },
			chooser,
			prices,
			record: notedSampling(journal, () => "full"),
			queue: new DecisionQueue(new PendingDecisions()),
			log: silentLog,
			now,
			expiresMs: () => 0,
			show: () => {
				throw new Error("The rule did not answer.");
			},
		});
	}

	/** Has a request of this many characters answered by equally many. */
	async ask(characters: number): Promise<void> {
		const { definition } = this.session;
		if (this.grants.about(definition).length === 0) {
			const budget = { per: "life", tokens: plenty } as const;
			await this.grants.set(definition, { kind: "auto", budget, coversUnasked: true }, "session");
		}
		this.answer = textOf(characters);
		const { signal } = new AbortController();
		const messages = [{ role: "user" as const, content: { type: "text" as const, text: textOf(characters) } }];
		const context = { signal, protocolVersion: "2025-11-25", during: "tools/call echo", isForUser: true };
		const result = await this.service.createMessage(this.session, { messages, maxTokens: plenty / 1000 }, context);
		if (!("text" in result.content) || result.content.text.length !== characters) throw new Error("Not all came back.");
	}

	dispose(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	private model(): ChatModel {
		const answer = (): string => this.answer;
		return {
			info: {
				id: "instant",
				name: "instant",
				provider: "bench",
				maxInputTokens: plenty,
				maxOutputTokens: plenty,
				supportsTools: true,
				supportsImages: false,
			},
			async *respond(): AsyncGenerator<ModelEvent> {
				const text = answer();
				for (let start = 0; start < text.length; start += pieceLength) {
					yield { type: "text", text: text.slice(start, start + pieceLength) };
					// As an endpoint's answer arrives: some pieces with each chunk of the network.
					if (start % chunkLength === 0) await setImmediate();
				}
				yield { type: "done", stopReason: "endTurn", model: "instant" };
			},
		};
	}
}

/** Prose with some numbers, names and an address, none of them a secret. */
const prose =
	"On 12 May the travelers left for Lisbon (https://example.com/trips/4711?day=2), with 3 bags and the key of room 12. ";

function textOf(characters: number): string {
	return prose.repeat(Math.ceil(characters / prose.length)).slice(0, characters);
}
