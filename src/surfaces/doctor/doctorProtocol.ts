import type { Finding, Weight } from "./finding.ts";

/** A finding as it is shown: in words fit to show, with others' text escaped and without secrets. */
export interface FindingView extends Pick<Finding, "weight" | "what" | "why" | "evidence" | "evidenceTitle"> {
	readonly key: string;
	/** Which kind of things it is about, in a word. */
	readonly layer: string;
	/** Its place, such as `.vscode/mcp.json:12`. */
	readonly where?: string;
	readonly fixes: readonly { readonly key: string; readonly title: string }[];
}

/** The findings about one server. */
export interface ServerView {
	readonly id: string;
	readonly name: string;
	/** Where it is configured. */
	readonly origin: string;
	/** Its state in a word. */
	readonly state: string;
	/** The current check; absent when all are done, or none has begun. */
	readonly doing?: string;
	/** The summary: the cause, or that there is no problem; absent while it is being examined. */
	readonly verdict?: { readonly weight: Weight; readonly words: string };
	readonly findings: readonly FindingView[];
}

/** All that the doctor's panel shows. */
export interface DoctorView {
	readonly standing: "checking" | "done" | "cancelled";
	/** The problems in the configuration that belong to no server, so that an entry may be missing. */
	readonly entries: readonly FindingView[];
	readonly servers: readonly ServerView[];
}

/** The requests of the panel to the host. */
export interface DoctorHostApi {
	ready(): DoctorView;
	again(): void;
	cancel(): void;
	/** Resolves with a sentence about the outcome. */
	fix(server: string, finding: string, fix: string): string;
	copyReport(): string;
}

/** The messages of the host to the panel. */
export interface DoctorViewApi {
	show(view: DoctorView): void;
}
