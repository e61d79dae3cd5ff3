import { randomUUID } from "node:crypto";
import { jsonObjectOf } from "../../base/guards.ts";
import { isThisMachine } from "../../base/addresses.ts";
import type { JsonObject } from "../../base/json.ts";
import type { DoctorFacts } from "./facts.ts";
import type { Finding, Weight } from "./finding.ts";
import { httpRules } from "./httpRules.ts";
import type { HttpAnswer, HttpLaunch, HttpQuestion, Probes } from "./probes.ts";

/** A host of the web that no server knows. */
const foreignHost = "mcp-host-check.invalid";
const noRevision = "1999-01-01";
/** Error codes of revision 2026-07-28. */
const [headerMismatch, unsupportedVersion, invalidParams] = [-32020, -32022, -32602];

/** Asks a server. Rejects with the signal's reason only. */
type Ask = (question: HttpQuestion) => Promise<HttpAnswer>;

/** Adds a finding of a rule. */
type Report = (rule: string, at: string, what: string, weight?: Weight) => void;

/**
 * Checks how a server follows the transport: sessions, headers, refused origins, and what it publishes about signing in. Opens
 * a session of its own, where the server has sessions, and ends it; calls nothing that has an effect. Rejects with the signal's
 * reason only.
 */
export async function checkHttp(
	{ state }: Pick<DoctorFacts, "state">,
	launch: HttpLaunch,
	probes: Pick<Probes, "ask">,
	signal: AbortSignal,
): Promise<readonly Finding[]> {
	const facts = state.kind === "running" ? state.facts : undefined;
	const mayNeedSignIn = state.kind === "needs-sign-in" || state.kind === "failed";
	if (facts?.transport !== "http" && !mayNeedSignIn) return [];
	const revision = facts?.protocolVersion;
	const found: Finding[] = [];
	const report: Report = (rule, at, what, weight = "warning") => {
		const { why, about } = httpRules[rule] ?? { why: "", about: () => undefined };
		const clauseOfRule = about(revision);
		found.push({
			layer: "protocol",
			weight,
			rule,
			what,
			why,
			at,
			...(clauseOfRule === undefined ? {} : { clause: clauseOfRule }),
		});
	};
	const ask: Ask = (question) => probes.ask(launch, question, signal);
	const isLocal = isThisMachine(new URL(launch.url));
	if (facts === undefined) {
		const first = await ask({ headers: usual, body: hello("2025-11-25") });
		if (isStatus(first, (status) => status === 401)) checkSignIn(first, report);
	} else if (facts.era === "modern") await checkStateless(ask, facts.protocolVersion, isLocal, report);
	else await checkSessions(ask, revision, isLocal, report);
	return found;
}

/** The headers of a message in the era of sessions. */
const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };

function hello(revision: string): string {
	return request("initialize", {
		protocolVersion: revision,
		capabilities: {},
		clientInfo: { name: "mcp-host-check", version: "0" },
	});
}

function request(method: string, params?: JsonObject): string {
	return JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) });
}

/** The checks of the revisions with `initialize`. */
async function checkSessions(ask: Ask, revision = "2025-11-25", isLocal: boolean, report: Report): Promise<void> {
	const first = await ask({ headers: usual, body: hello(revision) });
	if ("fault" in first) return;
	if (first.status === 401) return checkSignIn(first, report);
	if (first.status !== 200) {
		const what = `It refuses another session while one is open: HTTP ${first.status}.`;
		report("http-session-second", "initialize", what, "note");
		return;
	}
	const { session } = first;
	const hasHeader = revision >= "2025-06-18";
	const own: Record<string, string> = {
		...usual,
		...(hasHeader ? { "mcp-protocol-version": revision } : {}),
		...(session === undefined ? {} : { "mcp-session-id": session }),
	};
	const ping = (headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
		ask({ headers, body: request("ping") });
	try {
		const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
		const accepted = await ask({ headers: own, body: initialized });
		if (isStatus(accepted, (status) => status !== 202)) {
			const weight = accepted.status >= 400 ? "warning" : "note";
			report(
				"http-notification",
				"notifications/initialized",
				`It answers a notification with HTTP ${accepted.status} instead of 202.`,
				weight,
			);
		}
		if (session !== undefined) {
			const unknown = await ping({ ...own, "mcp-session-id": randomUUID() });
			if (isStatus(unknown, (status) => status !== 404))
				report(
					"http-session-unknown",
					"Mcp-Session-Id",
					`It answers a session that it does not know with HTTP ${unknown.status} instead of 404.`,
				);
			const { "mcp-session-id": _, ...without } = own;
			const missing = await ping(without);
			if (isStatus(missing, (status) => status < 400))
				report(
					"http-session-missing",
					"Mcp-Session-Id",
					`It answers a request without a session with HTTP ${missing.status} instead of 400.`,
					"note",
				);
		}
		if (hasHeader) {
			const wrong = await ping({ ...own, "mcp-protocol-version": noRevision });
			if (isStatus(wrong, (status) => status !== 400))
				report(
					"http-version-header",
					"MCP-Protocol-Version",
					`It answers the revision ${noRevision} in a header with HTTP ${wrong.status} instead of 400.`,
				);
		}
		await checkOrigin((headers) => ping({ ...own, ...headers }), isLocal, report);
		const json = await ping({ ...own, accept: "application/json" });
		if (isStatus(json, (status) => status === 200) && json.type !== "application/json")
			report("http-accept", "Accept", `It answers a request that accepts only JSON with ${json.type}.`, "note");
		const broken = await ask({ headers: own, body: "{" });
		const hasError = !("fault" in broken) && jsonObjectOf(broken.message)["error"] !== undefined;
		if (isStatus(broken, (status) => status >= 500 || (status < 400 && !hasError)))
			report("http-parse", "POST", `It answers a text that is not JSON with HTTP ${broken.status} instead of 400.`);
		const { "content-type": _, ...listening } = own;
		const stream = await ask({ method: "GET", headers: { ...listening, accept: "text/event-stream" } });
		if (isStatus(stream, (status) => status !== 405) && !(stream.status === 200 && stream.type === "text/event-stream"))
			// One stream of a session may be all that a server opens; the host has none here.
			report(
				"http-get",
				"GET",
				`It answers a request for its stream with HTTP ${stream.status}, and neither with an event stream nor with 405.`,
			);
	} finally {
		if (session !== undefined) await endSession(ask, own, ping, report);
	}
}

async function endSession(
	ask: Ask,
	own: Readonly<Record<string, string>>,
	ping: (headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>,
	report: Report,
): Promise<void> {
	const { "content-type": _, ...headers } = own;
	const ended = await ask({ method: "DELETE", headers });
	if ("fault" in ended || ended.status === 405) return;
	if (ended.status >= 300 && ended.status !== 404) {
		report("http-session-delete", "DELETE", `It answers the end of a session with HTTP ${ended.status}.`, "note");
		return;
	}
	const after = await ping(own);
	if (isStatus(after, (status) => status !== 404))
		report(
			"http-session-ended",
			"Mcp-Session-Id",
			`It answers a session that was ended with HTTP ${after.status} instead of 404.`,
		);
}

/** The checks of revision 2026-07-28, which has no sessions. */
async function checkStateless(ask: Ask, revision: string, isLocal: boolean, report: Report): Promise<void> {
	const method = "server/discover";
	const meta = (version: string): JsonObject => ({
		_meta: {
			"io.modelcontextprotocol/protocolVersion": version,
			"io.modelcontextprotocol/clientInfo": { name: "mcp-host-check", version: "0" },
			"io.modelcontextprotocol/clientCapabilities": {},
		},
	});
	const own = { ...usual, "mcp-protocol-version": revision, "mcp-method": method };
	const discover = (headers: Readonly<Record<string, string>>, params = meta(revision)): Promise<HttpAnswer> =>
		ask({ headers: { ...own, ...headers }, body: request(method, params) });
	const first = await discover({});
	if ("fault" in first) return;
	if (first.status === 401) return checkSignIn(first, report);
	if (first.status !== 200) return;
	const refused = (answer: HttpAnswer, code: number, rule: string, at: string, what: string): void => {
		if ("fault" in answer) return;
		const error = jsonObjectOf(jsonObjectOf(answer.message)["error"])["code"];
		if (answer.status === 400 && error === code) return;
		const how =
			error === undefined ? `HTTP ${answer.status}` : `HTTP ${answer.status} and error ${JSON.stringify(error)}`;
		const isRefused = answer.status >= 400 || error !== undefined;
		report(
			rule,
			at,
			`It answers ${what} with ${how} instead of 400 and error ${code}.`,
			isRefused ? "note" : "warning",
		);
	};
	refused(
		await discover({ "mcp-method": "prompts/list" }),
		headerMismatch,
		"http-header-mismatch",
		"Mcp-Method",
		"a header that names another method",
	);
	refused(
		await discover({ "mcp-protocol-version": "2025-11-25" }),
		headerMismatch,
		"http-header-mismatch",
		"MCP-Protocol-Version",
		"a header that names another revision",
	);
	refused(
		await discover({ "mcp-protocol-version": noRevision }, meta(noRevision)),
		unsupportedVersion,
		"http-version-unsupported",
		"MCP-Protocol-Version",
		`the revision ${noRevision}`,
	);
	refused(await discover({}, {}), invalidParams, "http-meta-missing", "_meta", "a request without _meta");
	await checkOrigin(discover, isLocal, report);
}

/** Looks whether a page of the web could use the server. Only on this machine does that need nothing else. */
async function checkOrigin(
	send: (headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>,
	isLocal: boolean,
	report: Report,
): Promise<void> {
	// As after DNS rebinding, which only servers on this machine are open to: elsewhere, Host selects the server.
	const answer = await send({ origin: `http://${foreignHost}`, ...(isLocal ? { host: foreignHost } : {}) });
	if (!isStatus(answer, (status) => status < 400)) return;
	const what = `It answers a request of the web page http://${foreignHost} with HTTP ${answer.status} instead of 403.`;
	report("http-origin", "Origin", what, isLocal ? "warning" : "note");
}

/** Looks at what a server publishes about signing in. */
function checkSignIn({ isChallenged, signIn }: Exclude<HttpAnswer, { fault: string }>, report: Report): void {
	const hasMetadata = signIn?.hasResourceMetadata === true;
	if (!isChallenged)
		report(
			"http-challenge",
			"WWW-Authenticate",
			"It answers 401 without WWW-Authenticate.",
			hasMetadata ? "note" : "warning",
		);
	if (signIn === undefined) return;
	if (!hasMetadata && signIn.problem === undefined)
		report("oauth-metadata", "oauth-protected-resource", "It has no protected resource metadata.");
	if (hasMetadata && signIn.namesServer !== true)
		report("oauth-servers", "authorization_servers", "Its protected resource metadata names no authorization server.");
	for (const what of signIn.tolerated ?? []) report("oauth-format", "oauth-protected-resource", what);
	if (signIn.problem !== undefined) report("oauth-discovery", "oauth-protected-resource", signIn.problem);
}

function isStatus(
	answer: HttpAnswer,
	isWanted: (status: number) => boolean,
): answer is Exclude<HttpAnswer, { fault: string }> {
	return !("fault" in answer) && isWanted(answer.status);
}
