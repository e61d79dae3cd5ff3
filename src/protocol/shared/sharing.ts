import type { Event } from "../../base/event.ts";
import type { Root } from "@modelcontextprotocol/client";
import type { GuestStream } from "./guestTransport.ts";
import type { Hub } from "./hub.ts";

/** A process that this window runs, as other windows get to it. */
export interface SharedProcess {
	readonly hub: Hub;
	readonly pid: number | undefined;
	/** The revision that the conversation has, and its era. */
	readonly revision: SharedRevision;
}

/** How a conversation with a server began. */
export interface SharedRevision {
	readonly era: "legacy" | "modern";
	readonly version: string;
}

/** The right to start a process. Windows that want the same one wait until `offer` or `end`. */
export interface OwnClaim {
	readonly kind: "own";
	offer(process: SharedProcess): void;
	end(): void;
}

/** The way to a process that another window runs. */
export interface GuestClaim extends GuestStream {
	readonly kind: "guest";
	readonly revision: SharedRevision;
}

/** The windows of the user that share their processes. An identity is a text that is equal where a process can be shared. */
export interface SharingWindows {
	/** Asks the windows for a process. Never rejects, and takes a bounded time. */
	claim(identity: string, signal: AbortSignal): Promise<OwnClaim | GuestClaim>;
	/** Claims a process without asking. Never rejects. */
	own(identity: string): Promise<OwnClaim>;
}

/** Decides with which windows a server shares its process. */
export interface ServerSharing {
	readonly windows: SharingWindows;
	/** The hash of its definition. */
	readonly hash: string;
	/** Its roots now. A process is shared among windows with the same ones only. */
	readonly roots: () => readonly Root[];
	readonly onDidChangeRoots: Event<void>;
}
