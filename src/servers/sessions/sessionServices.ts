import type { Authorization, OAuthConfig } from "../../protocol/authorization.ts";
import type { Event } from "../../base/event.ts";
import type { Log } from "../../base/log.ts";
import type { SecretsInUse } from "../../base/secrets/secretsInUse.ts";
import type { CallTimeouts } from "./sessionCalls.ts";
import type { ServerDefinition } from "../definitions/config.ts";
import type { Connection, ConnectRequest, EraVerdict } from "../../protocol/connection.ts";
import type { ConnectionLimits, NetworkSettings } from "../../protocol/limits.ts";
import type { ListLimits } from "./managedList.ts";
import type { UserRequests, RefusedState, Root, Session } from "./session.ts";
import type { Launch } from "../../protocol/launch.ts";
import type { SharingWindows } from "../../protocol/shared/sharing.ts";
import type { ServerTap } from "../../protocol/wireTap.ts";

/** The dependencies of a session on the host. */
export interface SessionServices {
	/** Never writes a secret, with any input. */
	readonly log: Log;
	/** The secrets that are removed from states and errors, because a server may repeat its input. */
	readonly secrets: SecretsInUse;
	readonly client: ConnectRequest["client"];
	/** The roots that a server may know of. */
	readonly listRoots: (session: Session) => readonly Root[];
	/** Who answers servers' questions to the user; loaded at the first question. */
	readonly requests: () => Promise<UserRequests>;
	/** Whether a model can answer servers, as by default; otherwise sampling is not declared to them. */
	readonly canSample?: boolean;
	/** The extensions of the protocol that are declared beside skills; read at each start. Absent without surfaces. */
	extensions?(): ConnectRequest["extensions"];
	/** Resolves the definition's variables, asking for inputs where a user waits; see `resolveVariables`. */
	resolve(definition: ServerDefinition, isAwaited: () => boolean): Promise<Launch>;
	/** Why the server may not start, as the state it has then; undefined when it may. Asked before every start, never cached. */
	whyNot(definition: ServerDefinition): RefusedState | undefined;
	verdict: { get(hash: string): EraVerdict | undefined; set(hash: string, verdict: EraVerdict | undefined): void };
	/** Read at each start, so that a changed setting counts from then on. */
	readonly limits: ConnectionLimits;
	readonly listLimits: ListLimits;
	readonly network: NetworkSettings;
	/** How to sign in at the server with this definition and its resolved `oauth`; undefined where nobody can. */
	authorization(
		definition: ServerDefinition,
		config: OAuthConfig,
		asks: SignInAsks,
	): Promise<Authorization | undefined>;
	/** The least severe level of the server's messages that its log shows; undefined for none. */
	logLevel(): ReturnType<ConnectRequest["logLevel"]>;
	/** Milliseconds; read at each use, so that a changed setting counts. */
	readonly timeouts: CallTimeouts & {
		readonly handshakeMs: number;
		/** How long a local server may take to say which revision it speaks; the connection's own default if absent. */
		readonly probeMs?: number;
	};
	/** Who follows the messages between the host and the server; undefined if nobody does. */
	tap?(definition: ServerDefinition): Promise<ServerTap | undefined>;
	/** The other windows of the user that share their processes; undefined while this one shares none. */
	sharing?(): Promise<SharingWindows | undefined>;
	/** The roots of servers, for the comparison with those in other windows. */
	readonly roots?: { of(definition: ServerDefinition): readonly Root[]; readonly onDidChange: Event<void> };
	/** Loads the connection module, which brings the SDK with it. */
	connect(request: ConnectRequest): Promise<Connection>;
}

/** The data that a sign-in needs about the calls that may wait for it. */
export type SignInAsks = Pick<Authorization, "isInteractive" | "whileAsking">;
