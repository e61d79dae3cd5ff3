/** The action of one of our links. */
export type ChatAction =
	| DecisionAction
	| ResultAction
	| "manage-models"
	| "add-model"
	| "detect-models"
	| "give-context"
	| "try-demo"
	| "manage-rules"
	| "choose-servers"
	| "show-servers"
	| "manage-trust"
	| "run-prompt"
	| "run-tool"
	| "open-review"
	| "turn-text"
	| "trace"
	| ElicitationAction;

/** The action of a link on a call, by the id of its question, its group, the running call or the server. */
type DecisionAction =
	| "allow"
	| "edit"
	| "deny"
	| "deny-reason"
	| "always"
	| "show-changes"
	| "show-instructions"
	| "allow-all"
	| "deny-all"
	| "cancel-call"
	| "continue-call";

/**
 * The action of a link below a result: shows the call or its app, opens all of the result, or a resource that a part of
 * it names.
 */
export type ResultAction = "details" | "open-app" | "open-result" | "open-resource";

/** The action of a link below a server's question. */
type ElicitationAction = "elicit-answer" | "elicit-open" | "elicit-decline" | "elicit-cancel" | "elicit-act";

/** A link in fixed words of ours; `detail` distinguishes several of one action. */
export interface ChatLink {
	readonly label: string;
	readonly action: ChatAction;
	readonly detail?: number | string;
	/** The text of its hover, such as its key. */
	readonly hint?: string;
}

/**
 * A piece of the chat's output. `text` is Markdown in which everything that is not ours is escaped; `links` is a row of
 * our own fixed words, the only part that may run commands, below the main answer as a button if there is one. `id` is
 * opaque.
 */
export type ChatPart =
	| { readonly kind: "text"; readonly markdown: string }
	| {
			readonly kind: "links";
			readonly id: string;
			readonly main?: ChatLink;
			readonly links: readonly ChatLink[];
	  };
