import type { FetchLike } from "@modelcontextprotocol/client";
import { HostError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { reasonIn, withoutSecrets } from "../../base/senderWords.ts";
import { decoded } from "../../base/words.ts";
import { wordsOf } from "../http/responseWords.ts";
import { type LenientNote, readRegistration, readTokens } from "./documents.ts";

/** Fields of a request for tokens that an answer may repeat. */
const open: ReadonlySet<string> = new Set(
	"grant_type redirect_uri resource scope audience client_id requested_token_type subject_token_type client_assertion_type".split(
		" ",
	),
);

/** The parts of a request to an authorization server that its answer depends on. */
interface Sent {
	readonly isRegistration: boolean;
	readonly fields: URLSearchParams;
	readonly redirectUris: readonly string[];
	/** Texts that must not be shown if the answer repeats them. */
	readonly secrets: readonly string[];
}

/**
 * A fetch for token requests and registrations. It reads their answers (`documents.ts`) and passes them on in the form
 * that the SDK expects: of a refusal the code and the words, without secrets of the request. GET requests get a 404,
 * because all metadata was read before (`discover`).
 * @throws HostError (from the returned fetch) `protocol` for an answer without required members; `unreachable` for a
 * refusal that is not of OAuth; anything that `fetch` throws.
 */
export function readingAnswers(fetch: FetchLike, note: LenientNote): FetchLike {
	return async (input, init) => {
		if (init?.method !== "POST") return new Response(null, { status: 404 });
		const response = await fetch(input, init);
		if (response.status >= 300 && response.status < 400) return response;
		const sent = sentIn(init);
		const { host } = new URL(input);
		const { status, headers } = response;
		const body = await response.text();
		const refusal = refusalIn(body, sent.secrets);
		if (refusal !== undefined) return Response.json(refusal, { status, headers: kept(headers) });
		if (!response.ok) {
			const what = sent.isRegistration ? "to register MCP Host" : "for a token";
			const { wait, says } = wordsOf(body, headers, sent.secrets);
			// The SDK recognizes a refused registration by its status.
			if (sent.isRegistration && status < 500 && status !== 429) return new Response(body, { status, headers });
			throw new HostError("unreachable", `${host} answered ${status} when asked ${what}.${wait}${says}`);
		}
		const document = sent.isRegistration
			? readRegistration(body, host, sent.redirectUris, note)
			: readTokens(body, host, sent.fields.has("requested_token_type"), note);
		return Response.json(document, { status, headers: kept(headers) });
	};
}

/** An error of OAuth (RFC 6749, section 5.2), which some send with a status of success. */
function refusalIn(
	body: string,
	secrets: readonly string[],
): { error: string; error_description?: string } | undefined {
	let read: unknown;
	try {
		read = JSON.parse(body);
	} catch {
		return undefined;
	}
	const error = isJsonObject(read) ? read["error"] : undefined;
	if (!isJsonObject(read) || typeof error !== "string" || typeof read["access_token"] === "string") return undefined;
	const description = reasonIn({ ...read, error: null });
	return {
		error,
		...(description === undefined ? {} : { error_description: withoutSecrets(description, secrets, "(secret)") }),
	};
}

/** The headers that a reader of the answer needs: others describe the original body. */
function kept(headers: Headers): Record<string, string> {
	const nonce = headers.get("dpop-nonce");
	return nonce === null ? {} : { "dpop-nonce": nonce };
}

function sentIn(init: RequestInit): Sent {
	const headers = new Headers(init.headers);
	const body = typeof init.body === "string" || init.body instanceof URLSearchParams ? String(init.body) : "";
	const isRegistration = headers.get("content-type")?.startsWith("application/json") === true;
	const fields = new URLSearchParams(isRegistration ? "" : body);
	const document: unknown = isRegistration ? JSON.parse(body) : {};
	const redirects = isJsonObject(document) ? document["redirect_uris"] : undefined;
	const basic = /^Basic (.+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
	const pair = Buffer.from(basic, "base64").toString("utf8").split(":").slice(1);
	return {
		isRegistration,
		fields,
		redirectUris: Array.isArray(redirects) ? redirects.filter((uri) => typeof uri === "string") : [],
		secrets: [
			...[...fields].flatMap(([name, value]) => (open.has(name) ? [] : [value])),
			basic,
			...pair.flatMap((part) => [part, decoded(part)]),
		].filter((secret) => secret.length > 3),
	};
}
