import { isThisMachine } from "../../base/addresses.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { IdentityProviderConfig, RegisteredClient } from "../../protocol/authorization.ts";

const keys = new Set(["issuer", "clientId", "clientSecret", "redirectPort", "clients"]);
const clientKeys = new Set(["clientId", "clientSecret"]);
/** Most clients of one setting. */
const maxClients = 1000;

/** Reads how to sign in at an identity provider, in a setting or the policy of a machine; a text says what is wrong. */
export function readIdentityProvider(value: Json): IdentityProviderConfig | string {
	if (!isJsonObject(value)) return "it must be an object";
	const unknown = Object.keys(value).find((key) => !keys.has(key));
	if (unknown !== undefined) return `"${oneLine(unknown, 60)}" is not a known key`;
	const { issuer, redirectPort, clients = {} } = value;
	if (typeof issuer !== "string" || !isIssuer(issuer)) return '"issuer" must be an https address';
	const client = readClient(value);
	if (typeof client === "string") return client;
	if (redirectPort !== undefined && !isPort(redirectPort)) return '"redirectPort" must be a port';
	if (!isJsonObject(clients)) return '"clients" must be an object';
	const entries = Object.entries(clients);
	if (entries.length > maxClients) return `"clients" has more than ${maxClients} entries`;
	const known = new Map<string, RegisteredClient>();
	for (const [at, entry] of entries) {
		const place = `"clients" of ${oneLine(at, 200)}: `;
		if (!isIssuer(at)) return `${place}the key must be the https address of an authorization server`;
		if (!isJsonObject(entry)) return `${place}it must be an object`;
		const other = Object.keys(entry).find((key) => !clientKeys.has(key));
		if (other !== undefined) return `${place}"${oneLine(other, 60)}" is not a known key`;
		const read = readClient(entry);
		if (typeof read === "string") return `${place}${read}`;
		known.set(at, read);
	}
	return { issuer, ...client, ...(redirectPort === undefined ? {} : { redirectPort }), clients: known };
}

function readClient({ clientId, clientSecret }: JsonObject): RegisteredClient | string {
	if (typeof clientId !== "string" || clientId === "") return '"clientId" must be a string';
	if (clientSecret === undefined) return { clientId };
	if (typeof clientSecret !== "string" || clientSecret === "") return '"clientSecret" must be a string';
	return { clientId, clientSecret };
}

/** An address of OpenID Connect Discovery; without encryption only on this machine. */
function isIssuer(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return false;
	return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url));
}

function isPort(value: Json): value is number {
	return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65_536;
}
