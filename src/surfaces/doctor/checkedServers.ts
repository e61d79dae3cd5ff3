import { isThisMachine } from "../../base/addresses.ts";
import { Emitter, type Event } from "../../base/event.ts";
import type { Disposable } from "../../base/lifecycle.ts";
import { packageOf } from "../../servers/definitions/packageOf.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { Session, SessionDirectory, SessionState } from "../../servers/sessions/session.ts";
import type { LocalFolder } from "../../setup/entries/localFolder.ts";
import type { Finding } from "./finding.ts";
import { kindOf } from "./ignored.ts";
import { settled } from "./settled.ts";
import type { SourcePlace } from "./sourcePlaces.ts";

/** A finding at the place in the source where the feature that it is about is defined. */
export interface PlacedFinding {
	readonly server: ServerDefinition;
	readonly place: SourcePlace;
	readonly finding: Finding;
}

/** The dependencies of `CheckedServers`. */
export interface CheckedServices {
	readonly directory: SessionDirectory;
	/** The open folders of this machine. */
	readonly folders: () => readonly LocalFolder[];
	/** The findings about the definitions of a server that runs; asks it nothing. */
	readonly lint: (session: Session) => Promise<readonly Finding[]>;
}

interface Checked {
	readonly definition: ServerDefinition;
	/** The state of the run that was checked. */
	state: SessionState;
	findings: readonly Finding[];
	placed: readonly PlacedFinding[];
	/** Ends the search or the renewal that is running. */
	readonly working: AbortController;
}

/**
 * The findings of the last check of each server, for the places where its author works: the source and the rows. The
 * definitions of a checked server are checked again after each of its starts. Findings are forgotten when the server is
 * removed or its entry changes.
 */
export class CheckedServers implements Disposable {
	private readonly services: CheckedServices;
	private readonly servers = new Map<string, Checked>();
	private readonly changed = new Emitter<{ readonly server: string }>();
	private readonly subscription: Disposable;
	readonly onDidChange: Event<{ readonly server: string }> = this.changed.event;

	constructor(services: CheckedServices) {
		this.services = services;
		this.subscription = services.directory.onDidChange(() => this.follow());
	}

	/** All findings that have a place in the source. */
	get placed(): readonly PlacedFinding[] {
		return [...this.servers.values()].flatMap(({ placed }) => placed);
	}

	/** The findings of the last check about a tool, a sentence each. */
	ofTool(server: string, tool: string): readonly string[] {
		const { findings = [] } = this.servers.get(server) ?? {};
		return findings.flatMap(({ subject, at = "", what }) => (subject === tool && /^tools?\b/.test(at) ? [what] : []));
	}

	/**
	 * Puts the findings of a check in the place of those of the one before, unless the checked run has ended: that says
	 * nothing about the definitions of the present one. Never rejects.
	 */
	async take(
		{ definition, state }: { readonly definition: ServerDefinition; readonly state: SessionState },
		all: readonly Finding[],
	): Promise<void> {
		const server = definition.id;
		if (state.kind !== "running" || this.services.directory.get(server)?.state !== state) return;
		this.servers.get(server)?.working.abort();
		const findings = all.filter(({ weight, subject }) => subject !== undefined && weight !== "fine");
		const one: Checked = { definition, state, findings, placed: [], working: new AbortController() };
		this.servers.set(server, one);
		this.changed.fire({ server });
		const { signal } = one.working;
		const placed = await this.place(one, signal).catch(() => []);
		if (signal.aborted || placed.length === 0) return;
		one.placed = placed;
		this.changed.fire({ server });
	}

	/** Forgets the findings of a kind about a server, which its entry ignores from now on. */
	leaveOut(server: string, kind: string): void {
		const one = this.servers.get(server);
		if (one === undefined) return;
		const isOther = (finding: Finding): boolean => kindOf(finding) !== kind;
		one.findings = one.findings.filter(isOther);
		one.placed = one.placed.filter(({ finding }) => isOther(finding));
		this.changed.fire({ server });
	}

	dispose(): void {
		this.subscription.dispose();
		for (const { working } of this.servers.values()) working.abort();
		this.servers.clear();
		this.changed.dispose();
	}

	private async place({ definition, findings }: Checked, signal: AbortSignal): Promise<readonly PlacedFinding[]> {
		const names = new Set(findings.flatMap(({ subject }) => subject ?? []));
		const folder = names.size === 0 ? undefined : await sourceFolder(definition, this.services.folders());
		if (folder === undefined) return [];
		const { sourcePlaces } = await import("./sourcePlaces.ts");
		const places = await sourcePlaces(folder, names, signal);
		return findings.flatMap((finding) => {
			const place = places.get(finding.subject ?? "");
			return place === undefined ? [] : [{ server: definition, place, finding }];
		});
	}

	private follow(): void {
		for (const [server, one] of this.servers) {
			const session = this.services.directory.get(server);
			if (session?.definition.hash === one.definition.hash) {
				if (session.state.kind === "running" && session.state !== one.state) void this.renew(session, one);
				continue;
			}
			one.working.abort();
			this.servers.delete(server);
			this.changed.fire({ server });
		}
	}

	/** Checks the definitions again after a start. */
	private async renew(session: Session, one: Checked): Promise<void> {
		const { state } = session;
		one.state = state;
		const { signal } = one.working;
		await settled(session, signal);
		const findings = await this.services.lint(session).catch(() => []);
		if (signal.aborted || session.state !== state) return;
		await this.take({ definition: session.definition, state }, findings);
	}
}

/** The open folder with the source of a server; undefined for a server that was not written there. */
async function sourceFolder(
	{ config, origin }: ServerDefinition,
	folders: readonly LocalFolder[],
): Promise<string | undefined> {
	const own = folders.find(({ path }) => path === origin.folder)?.path;
	if (config.kind !== "stdio") {
		return URL.canParse(config.url) && isThisMachine(new URL(config.url)) ? own : undefined;
	}
	const { command, args, cwd } = config;
	const entry = { command, args: [...args], ...(cwd === undefined ? {} : { cwd }) };
	const { fitOf } = await import("../../setup/entries/folderFit.ts");
	const fit = await fitOf(entry, folders);
	// A package that the folder only uses is written elsewhere.
	return fit?.folder.path ?? (packageOf(command, args) === undefined ? own : undefined);
}
