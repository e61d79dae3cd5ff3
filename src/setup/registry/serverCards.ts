import { HostError, messageOf } from "../../base/errors.ts";
import { type JsonObject, own } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { isObject } from "../../servers/formats/data.ts";
import { EndpointGuard } from "../../protocol/authorization/endpointGuard.ts";
import type { Network } from "../../protocol/http/network.ts";
import type { CandidateSource } from "../entries/candidateSource.ts";
import { askJson } from "../../protocol/http/askJson.ts";
import { type RegistryServer, readServer } from "../serverJson/registryServer.ts";
import { type DefinedWay, waysOf } from "../serverJson/serverJson.ts";

/** The servers that a domain publishes. */
export interface FoundCards {
	readonly servers: readonly RegistryServer[];
	/** Why cards that it names cannot be had, or why it has none: sentences. */
	readonly reasons: readonly string[];
}

const cardType = "application/mcp-server-card+json";
const mostCards = 20;

/**
 * The MCP Server Cards of a domain (SEP-2127, a draft:
 * https://github.com/modelcontextprotocol/experimental-ext-server-card): those of its AI catalog, otherwise the one at
 * the place of an earlier draft, or beside the address itself. Sends no credentials, and enters no network that the
 * domain is not in itself.
 * @throws HostError `unreachable` if nothing answers; the reason of `signal`.
 */
export async function findCards(
	address: URL,
	network: Pick<Network, "fetch">,
	signal: AbortSignal,
): Promise<FoundCards> {
	const guard = new EndpointGuard(address);
	const fetch = guard.guarding(async (url, init) => network.fetch(url, init), signal);
	const ask = async (url: string): Promise<unknown> => {
		const who = oneLine(new URL(url).host, 80);
		const headers = { accept: `${cardType}, application/ai-catalog+json, application/json` };
		try {
			return (await askJson(url, { network: { fetch }, who, signal, headers }))?.body;
		} catch (error) {
			const isRefused =
				HostError.is(error, "denied") || (error instanceof HostError && HostError.is(error.cause, "denied"));
			if (!isRefused) throw error;
			const where = oneLine(new URL(url).origin, 100);
			throw new HostError(
				"denied",
				`${oneLine(address.host, 80)} lists a card at ${where}, which was not read: the address is on this machine or in its network, or is not encrypted.`,
			);
		}
	};
	const reasons: string[] = [];
	const cardAt = async (url: string): Promise<readonly RegistryServer[]> => {
		try {
			const card = readCard(await ask(url));
			if (card === undefined) reasons.push(`${oneLine(url, 200)} is not a server card.`);
			return card === undefined ? [] : [card];
		} catch (error) {
			signal.throwIfAborted();
			reasons.push(messageOf(error));
			return [];
		}
	};
	const catalog = await ask(`${address.origin}/.well-known/ai-catalog.json`).catch((error: unknown) => {
		if (HostError.is(error, "unreachable") || signal.aborted) throw error;
		return undefined;
	});
	const servers: RegistryServer[] = [];
	for (const entry of entriesOf(catalog)) {
		const [data, url] = [own(entry, "data"), own(entry, "url")];
		const card = data === undefined ? undefined : readCard(data);
		if (card !== undefined) servers.push(card);
		else if (typeof url === "string" && URL.canParse(url)) servers.push(...(await cardAt(url)));
		else reasons.push("One of its cards has no address.");
	}
	if (servers.length > 0 || reasons.length > 0) return { servers, reasons };
	const beside = `${address.origin}${address.pathname === "/" ? "/mcp" : address.pathname.replace(/\/$/, "")}/server-card`;
	for (const url of [`${address.origin}/.well-known/mcp/server-card.json`, beside]) {
		const found = await cardAt(url);
		if (found.length > 0) return { servers: found, reasons: [] };
	}
	return { servers: [], reasons: [`${oneLine(address.host, 80)} publishes no server cards.`] };
}

/**
 * The preview before servers of a domain are added, each with the facts in its card; or the address itself, if it has
 * none.
 */
export function sourcesOfCards(address: URL, { servers, reasons }: FoundCards): readonly CandidateSource[] {
	const domain = oneLine(address.host, 80);
	const sources = servers.map((server) => sourceOfCard(server, address));
	if (sources.length === 0) {
		const url = address.pathname === "/" ? `${address.origin}/mcp` : address.href;
		const guess = { entry: { type: "http", url }, inputs: [], isOff: false, tools: {} };
		const remarks = [...reasons.slice(0, 3), "The address is a guess, based on the address that most servers use."];
		return [{ heading: domain, found: { format: "URL", servers: [{ ...guess, remarks }], refused: [] } }];
	}
	const refused = reasons.map((reason) => ({ reason }));
	const [first, ...others] = sources;
	return first === undefined
		? []
		: [{ ...first, found: { ...first.found, refused: [...first.found.refused, ...refused] } }, ...others];
}

function sourceOfCard(server: RegistryServer, address: URL): CandidateSource {
	const { ways, refused } = waysOf(server);
	const way = ways.find((one): one is DefinedWay => !("bundle" in one));
	const domain = oneLine(address.host, 80);
	const { name, title, version, description, website } = server;
	const line = (label: string, value: string | undefined) =>
		value === undefined || value === "" ? [] : [{ label, values: [oneLine(value, 300)] }];
	const url = way === undefined ? undefined : own(way.server.entry, "url");
	const host = typeof url === "string" && URL.canParse(url) ? new URL(url).host : undefined;
	return {
		heading: oneLine(title ?? name, 80),
		found: {
			format: "MCP Server Card",
			servers: way === undefined ? [] : [way.server],
			refused:
				way === undefined
					? [...refused, ...(refused.length === 0 ? ["It contains no address."] : [])].map((reason) => ({
							name,
							reason,
						}))
					: [],
		},
		about: [
			...line("Card of", `${domain} (experimental)`),
			...line("Described as", `${name} ${version}`),
			...line("Description", description),
			...line("Home page", website),
		],
		cautions: [
			"A server card is written by its publisher and not verified.",
			...(host === undefined || host === address.host
				? []
				: [`Its address belongs to ${oneLine(host, 80)}, not to ${domain}.`]),
		],
	};
}

/**
 * A card as the registry's `server.json`, which has the same members for remote servers; missing members are left out.
 */
function readCard(value: unknown): RegistryServer | undefined {
	if (!isObject(value)) return undefined;
	const server = readServer({ server: value });
	return server === undefined ? undefined : { ...server, packages: [] };
}

function entriesOf(catalog: unknown): readonly JsonObject[] {
	const entries = isObject(catalog) ? own(catalog, "entries") : undefined;
	return (Array.isArray(entries) ? entries : [])
		.slice(0, 10 * mostCards)
		.filter(isObject)
		.filter((entry) => own(entry, "type") === cardType)
		.slice(0, mostCards);
}
