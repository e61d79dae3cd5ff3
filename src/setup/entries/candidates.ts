import { Emitter, type Event } from "../../base/event.ts";
import { messageOf } from "../../base/errors.ts";
import type { ForeignServer, ForeignServers } from "../../servers/formats/foreignServer.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import { parseConfig } from "../../servers/definitions/parseConfig.ts";
import { warningsFor } from "../../servers/review/review.ts";
import { Candidate } from "./candidate.ts";
import type { CandidateSource, Replacement } from "./candidateSource.ts";
import type { ConfigurationPlace, NewServer } from "../newServer.ts";
import { type ExistingServer, type Likeness, likenessOf, targetOf } from "./sameServer.ts";
import { freeName, nameProblem, suggestName } from "./serverName.ts";

/** A place where the user may keep servers. */
export interface PlaceChoice {
	readonly place: ConfigurationPlace;
	readonly label: string;
	readonly description: string;
}

/** The user's decisions. */
export interface Addition {
	readonly place: ConfigurationPlace;
	readonly servers: readonly NewServer[];
	/** The sources to be followed. */
	readonly followed: readonly CandidateSource[];
	/** The preparation before the servers are written; see `CandidateSource.prepare`. */
	readonly preparations: readonly NonNullable<CandidateSource["prepare"]>[];
	/** The server that the only one replaces. */
	readonly replaces?: Replacement;
	/** Whether the user wants to review the one server now. */
	readonly andReview: boolean;
}

/** The dependencies of adding servers. */
export interface AddingServices {
	readonly existing: () => readonly ExistingServer[];
	/** The cost of a server's tools for models, in words, if it ran before in this definition. */
	readonly costOf?: (definition: ServerDefinition) => string | undefined;
	readonly places: readonly PlaceChoice[];
	/** Why an organization does not allow a server, in a sentence. */
	readonly whyNot?: (server: Pick<NewServer, "name" | "entry">, isOfWorkspace: boolean) => string | undefined;
	/** Whether the environment has a variable. */
	readonly hasVariable: (name: string) => boolean;
	/** Reads the pasted text. */
	readonly readPasted: (text: string) => ForeignServers;
	/** Looks into a bundle that was pasted by its address, in a panel of its own. */
	readonly openBundle?: (address: string, sha256?: string) => void;
	/** Asks the domain that was pasted which servers it offers, and shows them in a panel of its own. */
	readonly openDomain?: (address: string) => void;
	/** Searches the registry for the name that was pasted. */
	readonly openListed?: (name: string) => void;
	/**
	 * Carries out the user's decision.
	 * @throws HostError whose message is shown: nothing was added, and the user may try again.
	 */
	readonly add: (addition: Addition) => Promise<void>;
}

/** Servers from one source, as they are shown together. */
export interface CandidateGroup {
	readonly id: string;
	readonly source: CandidateSource;
	readonly candidates: readonly Candidate[];
	isFollowed: boolean;
	/** Whether the user fills it in by hand. */
	readonly isByHand: boolean;
}

/** The facts about a candidate beside its entry. */
export interface CandidateFacts {
	readonly likeness: Likeness | { readonly kind: "repeated" };
	readonly nameProblem: string | undefined;
	/** The name that the text has for it, where another server has that. */
	readonly takenName: string | undefined;
	readonly problems: readonly string[];
	readonly warnings: readonly string[];
	/** The cost of its tools for models, in words, if it ran before. */
	readonly cost: string | undefined;
}

/**
 * Servers that a user may add, and their decisions about each, for any panel. Nothing is written before `add`, and
 * nothing is ever started by it.
 */
export class AddingServers {
	/** The title of the panel. */
	readonly heading: string;
	private readonly services: AddingServices;
	private readonly changed = new Emitter<void>();
	private sources: readonly CandidateGroup[];
	private lastId = 0;
	private pastedText: string | undefined;
	private placeIndex = 0;
	private adding = false;
	private lastFailure: string | undefined;
	/** Something to show changed. */
	readonly onDidChange: Event<void> = this.changed.event;

	/** With sources, it is for these only, under their own heading; without any, for pasted text. */
	constructor(services: AddingServices, sources?: readonly CandidateSource[], heading = "Import Servers") {
		this.services = services;
		this.heading = sources === undefined ? "Add Servers" : heading;
		this.pastedText = sources === undefined ? "" : undefined;
		this.sources = [];
		for (const source of sources ?? []) this.sources = [...this.sources, this.groupOf(source)];
	}

	get groups(): readonly CandidateGroup[] {
		return this.sources;
	}

	get places(): readonly PlaceChoice[] {
		return this.services.places;
	}

	get place(): number {
		return this.placeIndex;
	}

	/** The pasted text; undefined if the servers are from files. */
	get text(): string | undefined {
		return this.pastedText;
	}

	get isAdding(): boolean {
		return this.adding;
	}

	/** Why the last attempt to add failed. */
	get failure(): string | undefined {
		return this.lastFailure;
	}

	/** The candidates that would be added now. */
	get chosen(): readonly Candidate[] {
		return this.sources.flatMap((group) =>
			group.isFollowed ? [] : group.candidates.filter(({ isChosen }) => isChosen),
		);
	}

	/** Why nothing can be added now; undefined when it can. */
	get obstacle(): string | undefined {
		if (this.adding) return "The servers are being added.";
		const followed = this.sources.some(({ isFollowed }) => isFollowed);
		if (this.chosen.length === 0 && !followed) return "Choose at least one server.";
		const faulty = this.chosen.find((one) => {
			const { nameProblem: name, problems } = this.judge(one);
			return name !== undefined || problems.length > 0;
		});
		return faulty === undefined ? undefined : `Fix “${faulty.name}” first, or leave it out.`;
	}

	/** Takes the text that the user pasted or typed. */
	read(text: string): void {
		if (this.pastedText === undefined || text === this.pastedText) return;
		this.pastedText = text;
		this.lastFailure = undefined;
		const found = this.services.readPasted(text);
		this.sources = [];
		if (text.trim() !== "") this.sources = [this.groupOf({ heading: found.format, found })];
		this.changed.fire();
	}

	/** Resolves pasted text further: the bundle at an address, a domain's servers, or a registry's entries for a name. */
	lookInto(id: string, what: "bundle" | "domain" | "listed"): void {
		const { bundle, bundleSha256, domain, listed }: Partial<ForeignServers> =
			this.sources.find((group) => group.id === id)?.source.found ?? {};
		if (what === "bundle" && bundle !== undefined) this.services.openBundle?.(bundle, bundleSha256);
		if (what === "domain" && domain !== undefined) this.services.openDomain?.(domain);
		if (what === "listed" && listed !== undefined) this.services.openListed?.(listed);
	}

	/** Offers an empty server for the user to fill in. */
	byHand(): void {
		if (this.pastedText === undefined) return;
		this.pastedText = "";
		const server: ForeignServer = { name: "", entry: {}, inputs: [], isOff: false, tools: {}, remarks: [] };
		this.sources = [];
		const found = { format: "By hand", servers: [server], refused: [] };
		const group = this.groupOf({ heading: "By Hand", found }, true);
		for (const candidate of group.candidates) candidate.retarget("");
		this.sources = [group];
		this.changed.fire();
	}

	/** Makes a change to one candidate; nothing for one that is gone. */
	edit(id: string, change: (candidate: Candidate) => void): void {
		const candidate = this.sources.flatMap(({ candidates }) => candidates).find((one) => one.id === id);
		if (candidate === undefined || this.adding) return;
		change(candidate);
		this.lastFailure = undefined;
		this.changed.fire();
	}

	/** Takes the user's input for the command or URL; a server without its own name is named after it. */
	retarget(id: string, text: string): void {
		this.edit(id, (candidate) => {
			const { name } = candidate;
			const isNamedAfter = name === "" || name === this.suggested(candidate);
			candidate.retarget(text);
			if (isNamedAfter && candidate.fault === undefined) candidate.name = this.suggested(candidate);
		});
	}

	/** Chooses all of a group, or none. */
	chooseAll(id: string, isChosen: boolean): void {
		const group = this.sources.find((one) => one.id === id);
		if (group === undefined || this.adding) return;
		for (const candidate of group.candidates) candidate.isChosen = isChosen;
		this.changed.fire();
	}

	/** Has a file followed instead of copying from it, or not. */
	follow(id: string, isFollowed: boolean): void {
		const group = this.sources.find((one) => one.id === id);
		if (group?.source.follow === undefined || this.adding) return;
		group.isFollowed = isFollowed;
		this.changed.fire();
	}

	choosePlace(index: number): void {
		if (this.services.places[index] === undefined || this.adding) return;
		this.placeIndex = index;
		this.changed.fire();
	}

	/** Adds the selected servers; resolves with whether it did. A second call while one runs does nothing. */
	async add(andReview: boolean): Promise<boolean> {
		const place = this.services.places[this.placeIndex]?.place;
		if (this.obstacle !== undefined || place === undefined) return false;
		const ids = new Set<string>();
		const servers = this.chosen.map((candidate): NewServer => {
			const server = { name: candidate.name, ...candidate.compose(ids) };
			for (const { id } of server.inputs) if (typeof id === "string") ids.add(id);
			return server;
		});
		const followed = this.sources.filter(({ isFollowed }) => isFollowed).map(({ source }) => source);
		const chosen = new Set(this.chosen);
		const preparations = this.sources.flatMap(({ source: { prepare }, candidates, isFollowed }) =>
			prepare !== undefined && !isFollowed && candidates.some((one) => chosen.has(one)) ? [prepare] : [],
		);
		this.adding = true;
		this.lastFailure = undefined;
		this.changed.fire();
		try {
			const [replaces] = this.sources.flatMap((group) => group.source.replaces ?? []);
			const more = replaces === undefined ? {} : { replaces };
			await this.services.add({ place, servers, followed, preparations, andReview, ...more });
			return true;
		} catch (error) {
			this.lastFailure = messageOf(error);
			return false;
		} finally {
			this.adding = false;
			this.changed.fire();
		}
	}

	/** The notes about a candidate. */
	judge(candidate: Candidate): CandidateFacts {
		const others = new Set(this.chosen.filter((one) => one !== candidate).map(({ name }) => name));
		const taken = new Set([...this.services.existing().map(({ name }) => name), ...others]);
		const fault = candidate.fault?.reason;
		const { name: wanted } = candidate.source;
		const takenName = wanted !== undefined && wanted !== candidate.name && taken.has(wanted) ? wanted : undefined;
		if (fault !== undefined) {
			const problem = candidate.name === "" ? undefined : nameProblem(candidate.name, taken);
			return {
				likeness: { kind: "new" },
				nameProblem: problem,
				takenName,
				problems: [fault],
				warnings: [],
				cost: undefined,
			};
		}
		const { entry, inputs } = candidate.compose();
		const isWorkspace = this.services.places[this.placeIndex]?.place.kind === "folder";
		// The problem of a name is shown beside it.
		const name = nameProblem(candidate.name, new Set()) === undefined ? candidate.name : "server";
		const { definitions, problems } = parseConfig({
			origin: { kind: isWorkspace ? "mcp-json" : "user-settings", label: "", isWorkspace },
			content: { text: JSON.stringify({ servers: { [name]: entry }, inputs }) },
		});
		const [definition] = definitions;
		const likeness = this.likeness(candidate);
		const known = likeness.kind === "same" ? likeness.cost : undefined;
		const { url } = entry;
		const denied = this.services.whyNot?.({ name: candidate.name, entry }, isWorkspace);
		const isUrlOfEnvironment = isWorkspace && typeof url === "string" && url.includes("${env:");
		return {
			likeness,
			nameProblem: nameProblem(candidate.name, taken),
			takenName,
			problems: [
				...(denied === undefined ? [] : [denied]),
				...problems.filter(({ severity }) => severity === "error").map(({ message }) => message),
				...candidate.rows.flatMap((row) =>
					row.kind === "environment" && !/^\w+$/.test(row.variable.trim())
						? [`Enter the name of the variable for ${row.label}.`]
						: [],
				),
				...(isUrlOfEnvironment
					? ["A URL in a workspace file may not contain environment variables. Keep it as a secret instead."]
					: []),
			],
			warnings: definition === undefined ? [] : warningsFor(definition.config),
			cost: known ?? (definition && this.services.costOf?.(definition)),
		};
	}

	private likeness(candidate: Candidate): CandidateFacts["likeness"] {
		const all = this.sources.flatMap(({ candidates }) => candidates);
		const earlier = all.slice(0, Math.max(0, all.indexOf(candidate)));
		const target = targetOf(candidate.written);
		if (earlier.some((one) => one.fault === undefined && targetOf(one.written) === target)) return { kind: "repeated" };
		return likenessOf(candidate.written, this.services.existing());
	}

	private suggested(candidate: Candidate): string {
		const names = this.services.existing().map(({ name }) => name);
		const others = this.chosen.filter((one) => one !== candidate).map(({ name }) => name);
		return suggestName(candidate.written, new Set([...names, ...others]));
	}

	/** The candidates of a source; chosen are those that are new and that the other host had switched on. */
	private groupOf(source: CandidateSource, isByHand = false): CandidateGroup {
		const existing = this.services.existing();
		const taken = new Set([
			...existing.map(({ name }) => name),
			...this.sources.flatMap(({ candidates }) => candidates.map(({ name }) => name)),
		]);
		const targets = new Set(
			this.sources.flatMap(({ candidates }) => candidates.map(({ written }) => targetOf(written))),
		);
		const candidates = source.found.servers.map((server) => {
			const name = server.name === undefined ? suggestName(server.entry, taken) : freeName(server.name, taken);
			const candidate = new Candidate(`${++this.lastId}`, server, name, this.services.hasVariable);
			const target = targetOf(server.entry);
			if (likenessOf(server.entry, existing).kind === "same" || targets.has(target)) candidate.isChosen = false;
			if (this.services.whyNot?.({ name, entry: server.entry }, false) !== undefined) candidate.isChosen = false;
			if (source.found.isChoice === true && server !== source.found.servers[0]) candidate.isChosen = false;
			if (name !== "") taken.add(name);
			targets.add(target);
			return candidate;
		});
		return { id: `${++this.lastId}`, source, candidates, isFollowed: false, isByHand };
	}
}
