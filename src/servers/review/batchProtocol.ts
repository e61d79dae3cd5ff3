import type { ServerReview } from "./reviewProtocol.ts";

/** A server among those that wait, shown in full. */
export interface BatchedServer {
	/** Stands for exactly the definition that is shown. */
	readonly key: string;
	readonly review: ServerReview;
}

/** All that the view of waiting servers shows, by where they are configured. */
export interface BatchState {
	readonly groups: readonly { readonly origin: string; readonly servers: readonly BatchedServer[] }[];
}

/** What the view of waiting servers asks of the host. */
export interface BatchHostApi {
	ready(): BatchState;
	/** Approves the servers with these keys, and no other. */
	approve(keys: readonly string[]): void;
	decline(): void;
}
