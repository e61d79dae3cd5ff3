import { isWhole } from "../../../base/guards.ts";
import { type Check, isFlag, isNumber, isText, listOf, shape } from "../../../base/shape.ts";
import { isJsonObject, type Json } from "../../../base/json.ts";
import { isSamplingContents, type RecordedEndKind, type SamplingContents } from "../samplingRecord.ts";

/** Which server an entry is about; its name as it was then. */
interface OfServer {
	readonly server: string;
	readonly serverId: string;
}

/** Who settled something: the user, one of their rules or grants, the host automatically, the server, or nobody. */
export type ActivityDecider = "user" | "rule" | "grant" | "trust" | "host" | "server";

/** Who settled it, with one line that says which rule or grant it was. */
interface DecidedBy {
	readonly by?: ActivityDecider;
	readonly byLabel?: string;
}

/** The state of a server: whether it may start, and whether it runs. */
export interface ServerActivity extends OfServer {
	readonly kind: "server";
	readonly event:
		| "approved"
		| "put-off"
		| "revoked"
		| "changed"
		| "added"
		| "removed"
		| "started"
		| "stopped"
		| "failed"
		| "crashed"
		| "switched-off"
		| "switched-on";
	readonly detail?: string;
}

/** One step of a call of a tool, or of a resource that a model reads. Steps of one call have its id. */
export interface CallActivity extends OfServer, DecidedBy {
	readonly kind: "call";
	readonly id: string;
	readonly phase: CallPhase;
	/** The tool; for a resource its URI. */
	readonly target: string;
	readonly isResource?: boolean;
	/** Who requested it: `agent` is that of VS Code or of another extension. For an app, its name. */
	readonly origin: "model" | "user" | "app" | "agent";
	readonly app?: string;
	/** The turn of the chat that it belongs to. */
	readonly turn?: string;
	/** Why it was denied, or failed. */
	readonly reason?: string;
	readonly isError?: boolean;
	readonly ms?: number;
	/** As `mcpHost.activity.contents` says. */
	readonly contents?: Json;
	/** Its exchange in the protocol trace. */
	readonly exchange?: string;
}

/** `unknown`: the connection ended after it was sent, and the server may have carried it out. */
export type CallPhase =
	| "invalid"
	| "asked"
	| "allowed"
	| "edited"
	| "denied"
	| "lapsed"
	| "sent"
	| "answered"
	| "failed"
	| "unknown"
	| "cancelled";

/** One step of a server's question: a form, a page to visit, or a request of an app. */
export interface QuestionActivity extends OfServer, DecidedBy {
	readonly kind: "question";
	readonly id: string;
	readonly phase: "asked" | "answered" | "opened" | "declined" | "dismissed" | "lapsed" | "refused";
	readonly what: "form" | "page" | "app";
	/** The host of a page. */
	readonly host?: string;
	/** The name of an app, and its request, such as `open a page at example.com`. */
	readonly app?: string;
	readonly action?: string;
	/** The call that caused it, in the host's words. */
	readonly during?: string;
	readonly reason?: string;
	/** The exchange in the protocol trace in which it was asked. */
	readonly exchange?: string;
}

/** A sign-in at a server, or its end. */
export interface AccountActivity extends OfServer {
	readonly kind: "account";
	readonly event: "asked" | "declined" | "signed-in" | "signed-out";
	/** Whom and where, in words. */
	readonly account?: string;
	/** The request. */
	readonly scopes?: readonly string[];
}

/** The permission or denial from now on. */
export interface PermissionActivity {
	readonly kind: "permission";
	readonly event: "granted" | "revoked" | "rules" | "definition" | "roots" | "runner";
	/** Its subject, in our words: `bookHotel of travel in this workspace`. */
	readonly subject: string;
	readonly server?: string;
	readonly serverId?: string;
}

/** A prompt whose messages were sent to a model, or an app's addition to a message of the user. */
export interface PromptActivity {
	readonly kind: "prompt";
	/** Absent for a prompt. */
	readonly what?: "context";
	/** The name of the prompt, or of the addition. */
	readonly target: string;
	readonly turn?: string;
}

/** One step of a request for a completion. Steps of one request have its id. */
export interface SamplingActivity extends OfServer, DecidedBy {
	readonly kind: "sampling";
	readonly id: string;
	readonly phase: "asked" | "sent" | RecordedEndKind;
	readonly model?: string;
	readonly exchange?: string;
	/** As `mcpHost.sampling.record` says. */
	readonly contents?: SamplingContents;
}

/** A change of the configuration, made from here. */
export interface ConfigurationActivity {
	readonly kind: "configuration";
	readonly event: "added" | "removed" | "edited" | "moved";
	/** Where it is written, in words. */
	readonly place: string;
	readonly names: readonly string[];
}

/** A turn of the chat: its calls have its id. */
export interface TurnActivity {
	readonly kind: "turn";
	readonly id: string;
	readonly phase: "began" | "ended";
	readonly model?: string;
	readonly ending?: string;
}

/** The last line of a window's chain, as another window saw it. */
export interface ChainHead {
	readonly n: number;
	readonly hash: string;
	/** Nothing can follow: the window was gone. */
	readonly isGone?: boolean;
}

/** Lines of a window that were removed: from one number to another, and the hash of the last of them. */
export type RemovedRange = {
	readonly from: number;
	readonly to: number;
	readonly hash: string;
};

/** Events of the journal itself. */
export type JournalActivity =
	| { readonly kind: "journal"; readonly event: "opened"; readonly detail: string }
	| { readonly kind: "journal"; readonly event: "closed" }
	/** Entries that could not be written, since the disk was full for too long. */
	| { readonly kind: "journal"; readonly event: "lost"; readonly count: number }
	/** The ends of other windows' chains, by their windows: later losses from there are noticed. */
	| { readonly kind: "journal"; readonly event: "witnessed"; readonly heads: Readonly<Record<string, ChainHead>> }
	/**
	 * The removed parts of existing chains, by windows; `why` is the reason of the current removal. `proof`: see `Seal`.
	 */
	| {
			readonly kind: "journal";
			readonly event: "removed";
			readonly why: "cleared" | "retention";
			readonly count: number;
			readonly ranges: Readonly<Record<string, readonly RemovedRange[]>>;
			readonly proof: string;
	  };

/** An event: a decision of a user or a rule, or an effect. */
export type ActivityEntry =
	| ServerActivity
	| CallActivity
	| QuestionActivity
	| AccountActivity
	| PermissionActivity
	| PromptActivity
	| SamplingActivity
	| ConfigurationActivity
	| TurnActivity
	| JournalActivity;

/** Where decisions and effects are recorded. */
export interface ActivityNotes {
	/** Never throws and never waits: a fault of the disk is reported, and the caller continues. */
	note(entry: Exclude<ActivityEntry, JournalActivity>): void;
}

const isTexts = listOf(isText);
const isPosition: Check = (value) => isWhole(value, 1);
const isHead = shape({ n: isPosition, hash: isText }, { isGone: isFlag });
const isRanges = listOf(shape({ from: isPosition, to: isPosition, hash: isText }));

/** The required type of each member, for every kind of entry. */
const members: Readonly<Record<string, Check>> = {
	server: isText,
	serverId: isText,
	event: isText,
	detail: isText,
	id: isText,
	phase: isText,
	target: isText,
	isResource: isFlag,
	origin: isText,
	app: isText,
	turn: isText,
	reason: isText,
	isError: isFlag,
	ms: isNumber,
	contents: () => true,
	exchange: isText,
	by: isText,
	byLabel: isText,
	what: isText,
	host: isText,
	action: isText,
	during: isText,
	account: isText,
	scopes: isTexts,
	subject: isText,
	model: isText,
	place: isText,
	names: isTexts,
	ending: isText,
	why: isText,
	proof: isText,
	count: isNumber,
	heads: (value) => isJsonObject(value) && Object.values(value).every(isHead),
	ranges: (value) => isJsonObject(value) && Object.values(value).every(isRanges),
};

/** The required members of an entry of each kind. */
const needed: Readonly<Record<string, readonly string[]>> = {
	server: ["server", "serverId", "event"],
	call: ["server", "serverId", "id", "phase", "target", "origin"],
	question: ["server", "serverId", "id", "phase", "what"],
	account: ["server", "serverId", "event"],
	permission: ["event", "subject"],
	prompt: ["target"],
	sampling: ["server", "serverId", "id", "phase"],
	configuration: ["event", "place", "names"],
	turn: ["id", "phase"],
	journal: ["event"],
};

const neededOfJournal: Readonly<Record<string, readonly string[]>> = {
	lost: ["count"],
	witnessed: ["heads"],
	removed: ["why", "count", "ranges", "proof"],
};

/** Whether a value of a file has the shape of an entry. Members that a later version adds are left alone. */
export function isActivityEntry(value: unknown): value is ActivityEntry {
	if (!isJsonObject(value)) return false;
	const { kind, event, contents } = value as Readonly<Record<string, unknown>>;
	if (typeof kind !== "string" || !Object.hasOwn(needed, kind)) return false;
	if (kind === "sampling" && contents !== undefined && !isSamplingContents(contents)) return false;
	const wanted = [
		...(needed[kind] ?? []),
		...((kind === "journal" ? neededOfJournal[String(event)] : undefined) ?? []),
	];
	return (
		wanted.every((name) => Object.hasOwn(value, name)) &&
		Object.entries(value).every(([name, member]) => !Object.hasOwn(members, name) || members[name]?.(member) === true)
	);
}
