import { clause } from "./clauses.ts";
import type { Clause } from "./finding.ts";

const transports =
	(anchor: string, title: string) =>
	(revision: string | undefined): Clause =>
		clause(`basic/transports#${anchor}`, `Transports, ${title}`, revision);
const authorization =
	(anchor: string, title: string) =>
	(revision: string | undefined): Clause =>
		clause(`basic/authorization#${anchor}`, `Authorization, ${title}`, revision);
/** A part of the transport of revision 2026-07-28, which has pages of its own. */
const stateless = (anchor: string, title: string) => (): Clause => ({
	words: `Specification 2026-07-28, “Transports, ${title}”.`,
	url: `https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#${anchor}`,
});

/** The advice for a finding of each rule, and the part of the specification that it is about. */
export const httpRules: Readonly<
	Record<string, { readonly why: string; readonly about: (revision: string | undefined) => Clause | undefined }>
> = {
	"http-session-unknown": {
		why: "Clients open a new session after 404, and only then. Answer 404 to a session that you do not know.",
		about: transports("session-management", "Session Management"),
	},
	"http-session-ended": {
		why: "Answer 404 to a session that was ended.",
		about: transports("session-management", "Session Management"),
	},
	"http-session-missing": {
		why: "Answer 400 to a request without a session, other than initialize.",
		about: transports("session-management", "Session Management"),
	},
	"http-session-second": {
		why: "Windows and agents connect to a server at the same time. Make a session for each.",
		about: transports("session-management", "Session Management"),
	},
	"http-session-delete": {
		why: "Clients end sessions that they no longer need. End the session, or answer 405.",
		about: transports("session-management", "Session Management"),
	},
	"http-version-header": {
		why: "Answer 400 to a revision in MCP-Protocol-Version that you do not support.",
		about: transports("protocol-version-header", "Protocol Version Header"),
	},
	"http-origin": {
		why: "A page in a browser can reach the server by DNS rebinding. Check Origin, and answer 403 to one that you do not know.",
		about: transports("security-warning", "Security Warning"),
	},
	"http-notification": {
		why: "Answer 202 without a body to a notification.",
		about: transports("sending-messages-to-the-server", "Sending Messages to the Server"),
	},
	"http-accept": {
		why: "Answer with a type that the request accepts, or 406.",
		about: transports("sending-messages-to-the-server", "Sending Messages to the Server"),
	},
	"http-get": {
		why: "Clients ask for a stream of the server's own messages. Open an event stream, or answer 405.",
		about: transports("listening-for-messages-from-the-server", "Listening for Messages from the Server"),
	},
	"http-parse": {
		why: "Answer 400 with error -32700 to a text that is not JSON.",
		about: transports("sending-messages-to-the-server", "Sending Messages to the Server"),
	},
	"http-header-mismatch": {
		why: "Proxies decide by the headers. Answer 400 with error -32020 if a header says something else than the message.",
		about: stateless("server-validation", "Server Validation"),
	},
	"http-version-unsupported": {
		why: "Answer 400 with error -32022, which names the revisions that you support.",
		about: stateless("protocol-version-header", "Protocol Version Header"),
	},
	"http-meta-missing": {
		why: "Answer 400 with error -32602 to a request without the revision and the client's capabilities in _meta.",
		about: () => ({
			words: "Specification 2026-07-28, “_meta”.",
			url: "https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta",
		}),
	},
	"http-challenge": {
		why: "Clients learn from WWW-Authenticate how to sign in. Send it with each 401, with “resource_metadata”.",
		about: authorization("protected-resource-metadata-discovery-requirements", "Protected Resource Metadata Discovery"),
	},
	"oauth-metadata": {
		why: "Clients find the authorization server by it. Publish it at /.well-known/oauth-protected-resource.",
		about: authorization("protected-resource-metadata-discovery-requirements", "Protected Resource Metadata Discovery"),
	},
	"oauth-servers": {
		why: "Name at least one authorization server in “authorization_servers”.",
		about: authorization("authorization-server-location", "Authorization Server Location"),
	},
	"oauth-format": {
		why: "MCP Host reads the rest all the same, but other hosts may refuse all of it. Send what RFC 9728 and RFC 8414 ask for.",
		about: authorization("authorization-server-metadata-discovery", "Authorization Server Metadata Discovery"),
	},
	"oauth-discovery": {
		why: "Clients that follow the specification refuse to sign in.",
		about: authorization("authorization-server-metadata-discovery", "Authorization Server Metadata Discovery"),
	},
};
