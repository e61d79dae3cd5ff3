import { own, parseJson } from "../../base/json.ts";
import { isObject } from "../../servers/formats/data.ts";
import type { ForeignServers } from "../../servers/formats/foreignServer.ts";
import { readServer } from "./registryServer.ts";
import { type BundleWay, type DefinedWay, waysOf } from "./serverJson.ts";

/** Longest text that is read, in characters. */
const longest = 500_000;

/**
 * Reads a `server.json`, as servers have it in their repositories, or as a registry answers with it; undefined for any
 * other text. If there are several ways to run the server, one must be chosen. Never throws; nothing is fetched.
 */
export function readServerJson(text: string): ForeignServers | undefined {
	if (text.length > longest || !/^\s*\{/.test(text)) return undefined;
	const value = parseJson(text);
	if (!isObject(value)) return undefined;
	const server = readServer(isObject(own(value, "server")) ? value : { server: value });
	if (server === undefined || server.packages.length + server.remotes.length === 0) return undefined;
	const { ways, refused } = waysOf(server);
	const defined = ways.filter((way): way is DefinedWay => !("bundle" in way));
	const bundle = ways.find((way) => "bundle" in way);
	const servers = defined.map((way) => ({ ...way.server, remarks: [`${way.label}.`, ...way.server.remarks] }));
	const reasons = [
		...refused,
		...(ways.length + refused.length === 0 ? ["MCP Host does not support its package types."] : []),
		...(bundle !== undefined && defined.length > 0
			? [`It is also available as a bundle. Paste ${bundle.bundle.url} to inspect it.`]
			: []),
	];
	return {
		format: "server.json",
		servers,
		refused: reasons.map((reason) => ({ name: server.name, reason })),
		...(servers.length > 1 ? { isChoice: true } : {}),
		...(bundle !== undefined && defined.length === 0 ? { bundle: bundle.bundle.url, ...hashOf(bundle) } : {}),
	};
}

function hashOf({ bundle: { sha256 } }: BundleWay): { readonly bundleSha256?: string } {
	return sha256 === undefined ? {} : { bundleSha256: sha256 };
}
