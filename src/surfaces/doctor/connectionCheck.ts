import { withWords } from "../../base/senderWords.ts";
import { oneLine } from "../../base/text.ts";
import type { Launch } from "../../protocol/launch.ts";
import { open, setIn } from "./definitionChecks.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding, Fix } from "./finding.ts";
import { placeIn } from "./place.ts";
import type { DialResult, Probes, SignInFacts } from "./probes.ts";
import { failedRemotely } from "./startCheck.ts";

/** The answer at the address of a server that does not run. */
export async function checkConnection(
	facts: DoctorFacts,
	launch: Exclude<Launch, { kind: "stdio" }>,
	probes: Probes,
	signal: AbortSignal,
): Promise<readonly Finding[]> {
	const result = await probes.dial(launch, signal);
	const finding = describe(facts, launch.url, result);
	const proxy = probes.proxyOf(launch.url);
	const way: readonly Finding[] =
		proxy === undefined
			? []
			: [
					{
						layer: "connection",
						weight: "note",
						what: `It is reached through the proxy ${oneLine(proxy, 100)}.`,
						why: "That comes from http.proxy in the settings, or from HTTP_PROXY and HTTPS_PROXY in the environment.",
					},
				];
	const isFailed = facts.state.kind === "failed";
	return [...(finding.weight === "fine" && isFailed ? [failedRemotely(facts)] : []), finding, ...way];
}

function describe(facts: DoctorFacts, url: string, result: DialResult): Finding {
	const { host, protocol } = new URL(url);
	const shown = oneLine(host, 100);
	const where = placeIn(facts.entry, ["url"]);
	const again: Fix = { kind: "start", title: "Start Again" };
	const more = (...fixes: readonly Fix[]): Pick<Finding, "where" | "fixes"> => ({
		...(where === undefined ? {} : { where }),
		fixes: [...fixes, ...(where === undefined ? [] : [open(where)])],
	});
	const useUrl = (title: string, value: string): Fix => setIn(facts.definition, title, [{ path: ["url"], value }]);
	const cause = (what: string, why: string, ...fixes: readonly Fix[]): Finding => ({
		layer: "connection",
		weight: "cause",
		what,
		why,
		...more(...fixes),
	});
	switch (result.kind) {
		case "mcp":
			return {
				layer: "connection",
				weight: "fine",
				what: `${shown} answers as an MCP server, in ${Math.round(result.milliseconds)} ms.`,
				...more(again),
			};
		case "sse":
			return {
				layer: "connection",
				weight: "warning",
				what: `${shown} supports only HTTP+SSE, the transport of revision 2024-11-05.`,
				why: `MCP Host must detect this at each start. Set "type": "sse" to avoid that.`,
				...more(setIn(facts.definition, "Switch to SSE", [{ path: ["type"], value: "sse" }])),
			};
		case "fault":
			return result.certificate === undefined
				? cause(`${shown} cannot be reached: ${lower(result.message)}`, faultAdvice(protocol), again)
				: cause(
						`The certificate of ${shown} is not trusted.`,
						`${result.certificate} ${result.message}`,
						{ kind: "command", title: "Open Settings", command: "workbench.action.openSettings" },
						again,
					);
		case "redirect": {
			const to = oneLine(result.to, 200);
			// Headers may hold a key: they are sent to that address only if the user agrees.
			return result.isOtherHost
				? cause(
						`${shown} redirects to another host: ${to}.`,
						"MCP Host does not follow, because keys in the headers would be sent there too. If that is the server's new address, set it in the entry.",
						useUrl("Use This URL", result.to),
					)
				: cause(
						`${shown} redirects to another address: ${to}.`,
						"Set that address in the entry.",
						useUrl("Use This URL", result.to),
					);
		}
		case "unauthorized":
			if (result.signIn !== undefined) return describeSignIn(facts, shown, result.signIn, cause);
			return result.sentHeader
				? cause(
						`${shown} rejects the key in "headers" (401).`,
						withWords(
							"Check that the key is complete, has not expired, and starts with “Bearer ” if the server needs it.",
							result.words,
						),
					)
				: cause(
						`${shown} needs a key or token (401), but does not offer sign-in.`,
						withWords(
							`Get one from the server's website, and add it to "headers" of the entry, usually as "Authorization": "Bearer …".`,
							result.words,
						),
						setIn(
							facts.definition,
							"Set Authorization Header…",
							[{ path: ["headers", "Authorization"], value: "Bearer ${input}" }],
							"Token, without Bearer",
						),
					);
		case "page":
			return cause(
				`${shown} answers with a web page${result.title === undefined ? "" : ` (“${oneLine(result.title, 80)}”)`}, not as an MCP server.`,
				result.better === undefined
					? "This is the address of a web page. The address of an MCP server often ends in /mcp or /sse. See its documentation."
					: `At ${oneLine(result.better, 200)} there is an MCP server.`,
				...(result.better === undefined ? [] : [useUrl("Use This URL", result.better)]),
			);
		case "status":
			return cause(
				`${shown} answers ${result.status}${result.text === "" ? "" : ` (“${oneLine(result.text, 120)}”)`}.`,
				withWords(statusAdvice(result.status), result.words),
				again,
			);
		case "foreign":
			return cause(
				`${shown} answers, but is not an MCP server.`,
				`Check the address, its port and its path. It answered ${result.type === "" ? "" : `as ${oneLine(result.type, 60)} `}“${oneLine(result.text, 120)}”.`,
			);
	}
}

/** The text about a server that requires a sign-in; the last start may have tried one. */
function describeSignIn(
	{ state, definition: { config } }: DoctorFacts,
	shown: string,
	{ issuer, registers, problem }: SignInFacts,
	cause: (what: string, why: string, ...fixes: readonly Fix[]) => Finding,
): Finding {
	const at = issuer === undefined || !URL.canParse(issuer) ? "" : ` at ${oneLine(new URL(issuer).host, 100)}`;
	if (problem !== undefined)
		return cause(`${shown} requires you to sign in${at}, but the sign-in cannot start.`, oneLine(problem, 400));
	const isKnown = config.kind !== "stdio" && (config.oauth?.clientId ?? config.oauth?.clientMetadataUrl) !== undefined;
	if (!registers && !isKnown) {
		return cause(
			`${shown} requires you to sign in${at}, which accepts only registered clients.`,
			`Register a client there, and set its id in "oauth": { "clientId": … } of the entry.`,
		);
	}
	if (state.kind === "needs-sign-in")
		return { layer: "connection", weight: "fine", what: `${shown} asks you to sign in${at}.` };
	return cause(
		`${shown} requires you to sign in${at}.`,
		state.kind === "failed"
			? `The last start ended with: ${oneLine(state.message, 300)}`
			: "MCP Host opens your browser for that.",
		{ kind: "command", title: "Sign In…", command: "mcpHost.signIn" },
	);
}

function lower(message: string): string {
	return /^[A-Z][a-z]/.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message;
}

function faultAdvice(protocol: string): string {
	const proxy = "A proxy may be needed: http.proxy in the settings, or HTTP_PROXY and HTTPS_PROXY in the environment.";
	return protocol === "https:" ? proxy : `${proxy} Most servers that are not on this machine need https.`;
}

function statusAdvice(status: number): string {
	if (status === 403) return `It refuses access. Check the key in "headers" and the account.`;
	if (status === 404) return "It found nothing at this path. The path of an MCP server often ends in /mcp or /sse.";
	if (status === 405 || status === 400 || status === 406 || status === 415)
		return "It does not understand the request of an MCP client. Check the path.";
	if (status === 407) return "The proxy needs a user name and a password in its address.";
	if (status === 429) return "It received too many requests. Try again later.";
	if (status >= 500) return "This is an error of the server or of a proxy in front of it. Try again later.";
	return "Check the address.";
}
