import { type Redactor, SafeWriter } from "../../base/secrets/writer.ts";
import { homedir } from "node:os";
import { HostError, messageOf } from "../../base/errors.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { cap, oneLine, showHidden } from "../../base/text.ts";
import { namesOf } from "../../servers/definitions/serverNames.ts";
import { stateWord } from "../../servers/sessions/describeState.ts";
import type { SessionDirectory } from "../../servers/sessions/session.ts";
import type { DoctorView, FindingView, ServerView } from "./doctorProtocol.ts";
import type { DoctorFacts } from "./facts.ts";
import { grouped, inOrder, layers, type Finding, type Fix, type Layer } from "./finding.ts";
import type { Probes } from "./probes.ts";

/** The dependencies of an examination. */
export interface ExaminationServices {
	/** The current facts about a server; undefined when it is no longer configured. */
	readonly factsOf: (id: string) => Promise<DoctorFacts | undefined>;
	/** The problems in the configuration that belong to no server; read when all servers are examined. */
	readonly entryFaults: () => readonly Finding[];
	readonly probes: Probes;
	/** Takes secrets out of a text. */
	readonly redactor: Redactor;
	/** Receives all findings about a server when it was examined whole. */
	readonly onChecked?: (facts: DoctorFacts, findings: readonly Finding[]) => void;
}

/** The findings about one server so far. */
interface Patient {
	/** Another one once the server was moved. */
	id: string;
	facts: DoctorFacts | undefined;
	doing: Layer | undefined;
	findings: readonly Finding[];
	isDone: boolean;
}

const titles: Readonly<Record<Layer, string>> = {
	file: "Configuration",
	variables: "Variables",
	command: "Command",
	start: "Start",
	connection: "Connection",
	protocol: "Protocol",
	tools: "Tools",
	definitions: "Definitions",
	security: "Security",
	sharing: "Running Elsewhere",
};

/** How much of a line of others is shown, and how many of them. */
const longestLine = 500;
const mostLines = 40;

/**
 * An examination of one server or of all, which can be cancelled and repeated; its state is kept here, for any view.
 */
export class Examination implements Disposable {
	private readonly services: ExaminationServices;
	private patients: readonly Patient[];
	private readonly changed = new Emitter<void>();
	private running: AbortController | undefined;
	private wasCancelled = false;
	private directory: SessionDirectory | undefined;
	readonly onDidChange: Event<void> = this.changed.event;
	private readonly ended = new Emitter<void>();
	/** None of its servers is configured any more: there is nothing left to show. */
	readonly onDidEnd: Event<void> = this.ended.event;

	constructor(services: ExaminationServices, ids: readonly string[]) {
		this.services = services;
		this.patients = ids.map((id) => ({ id, facts: undefined, doing: undefined, findings: [], isDone: false }));
	}

	/** Examines all of its servers again, or one, replacing a running examination. Never rejects. */
	async run(only?: string): Promise<void> {
		this.running?.abort();
		const running = new AbortController();
		this.running = running;
		this.wasCancelled = false;
		for (const patient of this.patients) {
			if (only !== undefined && patient.id !== only && patient.isDone) continue;
			Object.assign(patient, { doing: undefined, findings: [], isDone: false });
		}
		this.changed.fire();
		try {
			for (const patient of this.patients) if (!patient.isDone) await this.look(patient, running.signal);
		} catch (error) {
			if (!running.signal.aborted) throw error;
		} finally {
			if (this.running === running) {
				this.running = undefined;
				this.changed.fire();
				// Something may have changed meanwhile.
				this.keepUp();
			}
		}
	}

	/**
	 * Keeps the findings true: a server whose state or definition changed since is examined again, one that was moved under
	 * its new place, and one that was removed is left out.
	 */
	follow(directory: SessionDirectory): Disposable {
		this.directory = directory;
		return directory.onDidChange(() => this.keepUp());
	}

	private keepUp(): void {
		const { directory } = this;
		if (directory === undefined || this.running !== undefined) return;
		const left = this.patients.filter((patient) => directory.get(this.placeNow(patient, directory)) !== undefined);
		if (left.length === 0 && this.patients.length > 0) return this.ended.fire();
		const moved = left.filter((patient) => this.placeNow(patient, directory) !== patient.id);
		for (const patient of moved) Object.assign(patient, { id: this.placeNow(patient, directory), isDone: false });
		const hasLost = left.length < this.patients.length;
		this.patients = left;
		if (hasLost) this.changed.fire();
		if (this.wasCancelled) return;
		const [changed = left.find((patient) => hasChanged(patient, directory))] = moved;
		if (changed !== undefined) void this.run(changed.id);
	}

	/** The id under which a server is configured now: the same, or that of the place to which it was moved. */
	private placeNow({ id, facts }: Patient, directory: SessionDirectory): string {
		if (facts === undefined || directory.get(id) !== undefined) return id;
		// The last of its names is the one in its file.
		const name = namesOf(facts.definition).names.at(-1);
		const known = new Set(this.patients.map((patient) => patient.id));
		const moved = directory.sessions.find(
			({ definition }) => !known.has(definition.id) && namesOf(definition).names.some((one) => one === name),
		);
		return moved?.definition.id ?? id;
	}

	/** Cancels the examination; the findings stay. */
	cancel(): void {
		if (this.running === undefined) return;
		this.wasCancelled = true;
		this.running.abort();
		this.running = undefined;
		for (const patient of this.patients) patient.doing = undefined;
		this.changed.fire();
	}

	/** The state for the view. */
	get view(): DoctorView {
		return {
			standing: this.running !== undefined ? "checking" : this.wasCancelled ? "cancelled" : "done",
			entries: inOrder(this.services.entryFaults()).map((finding) => this.findingView(finding)),
			servers: this.patients.map((patient) => this.viewOf(patient)),
		};
	}

	/**
	 * A displayed fix, by its keys.
	 * @throws HostError `cancelled` if the finding is no longer shown.
	 */
	fixOf(server: unknown, finding: unknown, fix: unknown): { readonly facts?: DoctorFacts; readonly fix: Fix } {
		if (server === "") {
			const fault = this.services.entryFaults().find((one) => keyOf(one) === finding);
			const opening = fault?.fixes?.find((one, index) => String(index) === fix && one.kind === "open");
			if (opening !== undefined) return { fix: opening };
		}
		const patient = this.patients.find(({ id }) => id === server);
		const found = patient === undefined ? undefined : inOrder(patient.findings).find((one) => keyOf(one) === finding);
		const wanted = found?.fixes?.find((_one, index) => String(index) === fix);
		if (patient?.facts === undefined || wanted === undefined)
			throw new HostError("cancelled", "The findings have changed. Check again.");
		return { facts: patient.facts, fix: wanted };
	}

	dispose(): void {
		this.running?.abort();
		this.directory = undefined;
		this.changed.dispose();
		this.ended.dispose();
	}

	private async look(patient: Patient, signal: AbortSignal): Promise<void> {
		patient.facts = await this.services.factsOf(patient.id).catch(() => undefined);
		signal.throwIfAborted();
		if (patient.facts === undefined) {
			const gone: Finding = { layer: "file", weight: "cause", what: "This server is no longer configured." };
			Object.assign(patient, { findings: [gone], isDone: true });
			this.changed.fire();
			return;
		}
		const [first] = layers;
		patient.doing = first;
		this.changed.fire();
		try {
			const { examine } = await import("./examine.ts");
			const all: Finding[] = [];
			for await (const { layer, findings } of examine(patient.facts, this.services.probes, signal)) {
				signal.throwIfAborted();
				all.push(...findings);
				patient.findings = [...patient.findings, ...grouped(findings)];
				patient.doing = layers[layers.indexOf(layer) + 1];
				this.changed.fire();
			}
			this.services.onChecked?.(patient.facts, all);
		} catch (error) {
			signal.throwIfAborted();
			const broken: Finding = { layer: "start", weight: "note", what: oneLine(messageOf(error), 300) };
			patient.findings = [...patient.findings, broken];
		}
		patient.doing = undefined;
		patient.isDone = true;
		this.changed.fire();
	}

	private viewOf({ id, facts, doing, findings, isDone }: Patient): ServerView {
		const shown = inOrder(findings);
		const [first] = shown;
		const name = facts?.definition.name ?? id;
		const verdict = !isDone
			? undefined
			: verdictOf(first, shown.filter(({ weight }) => weight === "warning").length, facts);
		return {
			id,
			name: oneLine(name, 100),
			origin: this.text(facts?.definition.origin.label ?? ""),
			state: facts === undefined ? "" : stateWord(facts.state),
			...(doing === undefined ? {} : { doing: titles[doing] }),
			...(verdict === undefined ? {} : { verdict: { ...verdict, words: this.text(verdict.words) } }),
			findings: shown.map((finding) => this.findingView(finding)),
		};
	}

	private findingView(finding: Finding): FindingView {
		const { layer, weight, what, where, evidence, evidenceTitle, fixes = [] } = finding;
		const place =
			where === undefined
				? finding.at
				: `${where.file ?? "User Settings"}${where.line === undefined ? "" : `:${where.line}`}`;
		const why = [finding.why, finding.clause?.words].filter((part) => part !== undefined).join(" ") || undefined;
		return {
			key: keyOf(finding),
			weight,
			layer: titles[layer],
			what: this.text(what),
			...(why === undefined ? {} : { why: this.text(why) }),
			...(place === undefined ? {} : { where: this.text(place) }),
			...(evidence === undefined ? {} : { evidence: evidence.slice(0, mostLines).map((line) => this.text(line)) }),
			...(evidenceTitle === undefined ? {} : { evidenceTitle }),
			fixes: fixes.map(({ title }, index) => ({ key: String(index), title })),
		};
	}

	/** A text as it is shown and copied: without secrets, without the name of the home folder, cut, with nothing hidden. */
	private text(text: string): string {
		const plain = new SafeWriter(this.services.redactor).text(text).replaceAll("\n", " ");
		const home = homedir();
		return showHidden(cap(home.length > 1 ? plain.replaceAll(home, "~") : plain, longestLine));
	}
}

/** Whether the findings are about another state or definition than that of now. */
function hasChanged({ id, facts }: Patient, directory: SessionDirectory): boolean {
	const session = directory.get(id);
	if (facts === undefined || session === undefined || session.state.kind === "starting") return false;
	return session.state.kind !== facts.state.kind || session.definition.hash !== facts.definition.hash;
}

function keyOf({ layer, what, where, at }: Finding): string {
	return JSON.stringify([layer, what, where?.path ?? at ?? []]);
}

function verdictOf(
	first: Finding | undefined,
	warnings: number,
	facts: DoctorFacts | undefined,
): ServerView["verdict"] {
	if (first?.weight === "cause" || first?.weight === "waiting") return { weight: first.weight, words: first.what };
	const state = facts?.state.kind;
	if (state === "running") {
		return first?.weight === "warning"
			? { weight: "warning", words: `It is running, with ${warnings === 1 ? "a warning" : `${warnings} warnings`}.` }
			: { weight: "fine", words: "It is running. No problems were found." };
	}
	if (first?.weight === "warning") return { weight: "warning", words: first.what };
	return {
		weight: "note",
		words: state === "starting" ? "It is starting." : "No problems were found that prevent it from starting.",
	};
}
