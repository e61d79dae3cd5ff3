/** A scenario of the conformance suite and the protocol revisions in which it is run. */
export interface Scenario {
	readonly name: string;
	readonly revisions: readonly string[];
	/** The suite's server has no `server/discover`: it expects a client that knows the era from an earlier connection. */
	readonly isKnownModern?: boolean;
}

const legacy = "2025-11-25";
const modern = "2026-07-28";

/** What the product claims to do. */
export const scenarios: readonly Scenario[] = [
	{ name: "initialize", revisions: [legacy] },
	{ name: "tools_call", revisions: [legacy, modern] },
	{ name: "elicitation-sep1034-client-defaults", revisions: [legacy] },
	{ name: "sse-retry", revisions: [legacy] },
	{ name: "request-metadata", revisions: [modern] },
	{ name: "sep-2322-client-request-state", revisions: [modern], isKnownModern: true },
	{ name: "http-standard-headers", revisions: [modern], isKnownModern: true },
	{ name: "http-custom-headers", revisions: [modern], isKnownModern: true },
	{ name: "http-invalid-tool-headers", revisions: [modern], isKnownModern: true },
	{ name: "json-schema-ref-no-deref", revisions: [modern] },
	{ name: "json-schema-2020-12-preservation", revisions: [legacy, modern] },
];

/** What it does not claim, by the beginning of the scenarios' names, and why. */
export const excluded: readonly { readonly prefix: string; readonly reason: string }[] = [
	{ prefix: "auth/", reason: "authorization is the subject of issue 3" },
	{ prefix: "sep-2640-", reason: "the skills extension is not declared" },
];
