import { oneLine } from "../../../base/text.ts";
import { duration } from "../../../base/amounts.ts";
import { byHand } from "../samplingWords.ts";
import type { ActivityDecider, ActivityEntry, CallActivity, QuestionActivity, SamplingActivity } from "./entry.ts";

const deciders: Readonly<Record<ActivityDecider, string>> = {
	user: "you",
	rule: "a rule",
	grant: "a grant",
	trust: "a grant for read-only tools",
	host: "MCP Host",
	server: "the server",
};

/** Who settled something, in words; empty if nobody did. */
export function deciderOf({ by, byLabel }: { readonly by?: ActivityDecider; readonly byLabel?: string }): string {
	if (by === undefined || !Object.hasOwn(deciders, by)) return "";
	return by === "user" || byLabel === undefined ? deciders[by] : oneLine(byLabel, 160);
}

const serverWords = {
	approved: "approved by you",
	"put-off": "not approved for now",
	revoked: "approval withdrawn by you",
	changed: "its configuration changed",
	added: "added",
	removed: "removed from the configuration",
	started: "started",
	stopped: "stopped",
	failed: "did not start",
	crashed: "crashed",
	"switched-off": "switched off",
	"switched-on": "switched on",
} as const;

const callWords: Readonly<Record<CallActivity["phase"], string>> = {
	invalid: "rejected: the arguments do not match the schema",
	asked: "you were asked",
	allowed: "allowed",
	edited: "allowed with arguments that you changed",
	denied: "denied",
	lapsed: "the question ended without an answer",
	sent: "sent",
	answered: "answered",
	failed: "failed",
	unknown: "not answered: it may have taken effect",
	cancelled: "cancelled",
};

const questionWords: Readonly<Record<QuestionActivity["phase"], string>> = {
	asked: "you were asked",
	answered: "answered by you",
	opened: "page opened",
	declined: "declined by you",
	dismissed: "dismissed by you",
	lapsed: "ended without an answer",
	refused: "rejected without asking you",
};

const samplingWords: Readonly<Record<SamplingActivity["phase"], string>> = {
	asked: "the server asked for a completion",
	sent: "sent to the model",
	returned: "returned",
	rejected: "rejected",
	refused: "refused",
	lapsed: "ended without an answer",
	interrupted: "interrupted because its window closed",
};

const accountWords = {
	asked: "sign-in started",
	declined: "you did not sign in",
	"signed-in": "signed in",
	"signed-out": "signed out",
} as const;
const permissionWords = {
	granted: "granted",
	refused: "denied by you",
	revoked: "revoked",
	rules: "rules changed",
	definition: "definition",
	roots: "roots changed",
	runner: "chosen by you",
} as const;
const configurationWords = {
	added: "added to",
	removed: "removed from",
	edited: "edited in",
	moved: "moved to",
} as const;

/** The subject of an entry, on one line: the tool, the server, the prompt. */
export function subjectOf(entry: ActivityEntry): string {
	switch (entry.kind) {
		case "call":
			return oneLine(entry.target, 120);
		case "server":
		case "account":
			return oneLine(entry.server, 80);
		case "question":
			if (entry.what === "app") return `App ${oneLine(entry.app ?? "", 80)}`;
			return entry.what === "page" ? "A web page" : "A form";
		case "sampling":
			return "Sampling request";
		case "prompt":
			return `${entry.what === "context" ? "Context:" : "Prompt"} ${oneLine(entry.target, 100)}`;
		case "permission":
			return oneLine(entry.subject, 200);
		case "configuration":
			return entry.names.map((name) => oneLine(name, 60)).join(", ");
		case "turn":
			return "Chat turn";
		case "journal":
			return "Activity";
	}
}

/** The event, in our words and on one line, without its subject. */
export function eventOf(entry: ActivityEntry): string {
	switch (entry.kind) {
		case "server":
			return withNote(serverWords[entry.event] ?? entry.event, entry.detail);
		case "call":
			return callEvent(entry);
		case "question":
			return questionEvent(entry);
		case "account":
			return withNote(
				accountWords[entry.event] ?? entry.event,
				entry.account ?? (entry.scopes?.length ? `asked for ${entry.scopes.join(", ")}` : undefined),
			);
		case "permission":
			return permissionWords[entry.event] ?? entry.event;
		case "prompt":
			return "sent to the model";
		case "sampling":
			return samplingEvent(entry);
		case "configuration":
			return `${configurationWords[entry.event] ?? entry.event} ${oneLine(entry.place, 120)}`;
		case "turn":
			return entry.phase === "began" ? withNote("began", entry.model) : withNote("ended", entry.ending);
		case "journal":
			return journalEvent(entry);
	}
}

/** An app is allowed to do something, where a form is answered. */
function questionEvent({ what, phase, reason, action, during }: QuestionActivity): string {
	const isOfApp = what === "app";
	const words = isOfApp && phase === "answered" ? "allowed by you" : (questionWords[phase] ?? phase);
	return withNote(
		words,
		isOfApp ? [action, reason].filter((text) => text !== undefined).join("; ") || undefined : (reason ?? during),
	);
}

function callEvent(entry: CallActivity): string {
	const { phase, isError = false, ms, reason } = entry;
	const words = phase === "answered" && isError ? "answered with an error" : (callWords[phase] ?? phase);
	const took = ms === undefined ? words : `${words} after ${duration(ms)}`;
	const decided = phase === "allowed" || phase === "denied" ? withDecider(took, entry) : took;
	return withNote(decided, reason);
}

function samplingEvent(entry: SamplingActivity): string {
	const { phase, model } = entry;
	if (phase === "sent" && model === byHand) return "answered by hand";
	const words = withNote(samplingWords[phase] ?? phase, model);
	// Nobody decides that something ends.
	return phase === "lapsed" || phase === "interrupted" ? words : withDecider(words, entry);
}

function journalEvent(entry: Extract<ActivityEntry, { kind: "journal" }>): string {
	switch (entry.event) {
		case "opened":
			return withNote("a window was opened", `MCP Host ${entry.detail}`);
		case "closed":
			return "the window was closed";
		case "lost":
			return `${entry.count} entries could not be written`;
		case "witnessed":
			return "the last entries of other windows were recorded";
		case "removed":
			return `${entry.count} entries removed (${entry.why === "cleared" ? "cleared by you" : "too old, or over the size limit"})`;
		default:
			return "an entry from a newer version";
	}
}

function withDecider(words: string, by: { readonly by?: ActivityDecider; readonly byLabel?: string }): string {
	const decider = by.by === "server" ? "" : deciderOf(by);
	return decider === "" ? words : `${words} by ${decider}`;
}

function withNote(words: string, note: string | undefined): string {
	return note === undefined || note === "" ? words : `${words} (${oneLine(note, 300)})`;
}
