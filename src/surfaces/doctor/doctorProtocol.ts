import type { Finding, Weight } from "./finding.ts";

/** A finding as it is shown: in words fit to show, what others wrote among them escaped and without secrets. */
export interface FindingView extends Pick<Finding, "weight" | "what" | "why" | "evidence" | "evidenceTitle"> {
	readonly key: string;
	/** Which kind of things it is about, in a word. */
	readonly layer: string;
	/** Where it stands, such as `.vscode/mcp.json:12`. */
	readonly where?: string;
	readonly fixes: readonly { readonly key: string; readonly title: string }[];
}

/** What was found out about one server. */
export interface ServerView {
	readonly id: string;
	readonly name: string;
	/** Where it is configured. */
	readonly origin: string;
	/** Its state in a word. */
	readonly state: string;
	/** What is looked at now; absent when all is looked at, or nothing is yet. */
	readonly doing?: string;
	/** The first words about it: the cause, or that nothing is wrong; absent as long as it is looked at. */
	readonly verdict?: { readonly weight: Weight; readonly words: string };
	readonly findings: readonly FindingView[];
}

/** All that the doctor's panel shows. */
export interface DoctorView {
	readonly standing: "checking" | "done" | "cancelled";
	/** What is wrong in the configuration that is no server's, so that an entry may be missing. */
	readonly entries: readonly FindingView[];
	readonly servers: readonly ServerView[];
}

/** What the panel asks of the host. */
export interface DoctorHostApi {
	ready(): DoctorView;
	again(): void;
	cancel(): void;
	/** Resolves with a sentence on what became of it. */
	fix(server: string, finding: string, fix: string): string;
	copyReport(): string;
}

/** What the host tells the panel. */
export interface DoctorViewApi {
	show(view: DoctorView): void;
}
