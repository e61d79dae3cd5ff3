import type { ForeignServers } from "../../servers/formats/foreignServer.ts";
import type { ServerDefinition } from "../../servers/definitions/config.ts";
import type { NewServer } from "../newServer.ts";

/** The source of servers to be added: pasted text, or a file of another host. */
export interface CandidateSource {
	/** Its display name, such as `Claude Desktop`. */
	readonly heading: string;
	/** The file's path, for display. */
	readonly path?: string;
	readonly found: ForeignServers;
	/** Whether the searched registry lists it: an organization may allow no others (REG-02). */
	readonly isListed?: true;
	/**
	 * Follows the file itself from now on, instead of copying from it; resolves with a function that reverts that. Absent
	 * if that is not possible.
	 */
	readonly follow?: () => Promise<() => Promise<void>>;
	/** The facts about the source of its servers, such as their author: lines of untrusted text. */
	readonly about?: readonly { readonly label: string; readonly values: readonly string[] }[];
	/** Cautions: our sentences, shown with each of its servers. */
	readonly cautions?: readonly string[];
	/**
	 * Makes the requirements of its servers, such as their files, before they are written; resolves with a function that
	 * reverts that.
	 * @throws HostError whose message is shown: nothing is left, and nothing was added.
	 */
	readonly prepare?: () => Promise<() => Promise<void>>;
	/** The existing server that its only server replaces. */
	readonly replaces?: Replacement;
}

/** A server whose place another one takes, under its name. */
export interface Replacement {
	readonly definition: ServerDefinition;
	/**
	 * Writes the other one in its place, and starts nothing.
	 * @throws HostError whose message is shown: the former entry is unchanged.
	 */
	readonly write: (server: NewServer) => Promise<void>;
}
