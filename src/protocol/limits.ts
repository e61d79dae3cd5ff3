/** Caps on what one server may make the host hold. Sizes are in bytes; settings give them. */
export interface ConnectionLimits {
	/** One message: a line over stdio, an event of a stream (TRN-04, TRN-05). */
	readonly maxMessageBytes: number;
	/** One HTTP answer that is not a stream, decoded, regardless of its compressed size (TRN-45). */
	readonly maxResponseBytes: number;
	/** Nesting of arrays and objects in one message (TRN-08). */
	readonly maxJsonDepth: number;
	/** The maximum of messages that wait for a server that does not read its input (TRN-29). */
	readonly maxUnsentBytes: number;
}

const megabyte = 1024 * 1024;

/** The default caps. */
export const defaultConnectionLimits: ConnectionLimits = {
	maxMessageBytes: 64 * megabyte,
	maxResponseBytes: 64 * megabyte,
	maxJsonDepth: 256,
	maxUnsentBytes: 16 * megabyte,
};

/** How HTTP connections leave this machine. Everything absent: directly, trusting what Node trusts. */
export interface NetworkSettings {
	/** The proxy for `http:` and `https:` addresses; wins over the environment's `HTTP_PROXY` and `HTTPS_PROXY`. */
	readonly proxy?: string;
	/** Hosts that are reached directly, as in `NO_PROXY`; wins over the environment's. */
	readonly noProxy?: readonly string[];
	/** Absolute paths of PEM files with further certificate authorities. */
	readonly certificateAuthorities?: readonly string[];
	/** Whether the operating system's certificate authorities are trusted as well. */
	readonly trustSystem?: boolean;
	/** The environment that is asked for proxies and certificate files. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}
