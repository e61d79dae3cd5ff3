import path from "node:path";
import { canonicalJson } from "../../base/json.ts";
import { sha256 } from "../../base/hash.ts";
import { oneLine } from "../../base/text.ts";
import type { ClaimedClient } from "./link.ts";

/** The process at the other end of a connection, and its parents. */
export interface Peer {
	readonly pid: number;
	/** The program of the process and those of its parents, the nearest first: paths, or names where there is no more. */
	readonly chain: readonly string[];
	/** Whether the process proved its number. Otherwise the chain is its claim. */
	readonly isProven: boolean;
	/** Its working directory, if that is in none of the window's folders. */
	readonly folder?: string;
	/** The key by which it was let in over HTTP, where no process is known. */
	readonly clientKey?: { readonly id: string; readonly name: string };
}

/** A program that wants to use servers: its claimed name, and where it really comes from. */
export interface ClientProgram extends Pick<Peer, "chain" | "isProven" | "clientKey"> {
	readonly name: string;
}

const longestName = 100;

/** The program of each connection that asked last, and the keys of programs: both are wanted several times in each call. */
const asked = new WeakMap<Peer, ClientProgram>();
const keys = new WeakMap<ClientProgram, string>();

/** The program of a client at a connection. Its version is not a part: updates are frequent. */
export function programOf(peer: Peer, client: ClaimedClient): ClientProgram {
	const name = client.name.slice(0, longestName);
	const known = asked.get(peer);
	if (known?.name === name) return known;
	const { chain, isProven, clientKey } = peer;
	const program = { name, chain, isProven, ...(clientKey === undefined ? {} : { clientKey }) };
	asked.set(peer, program);
	return program;
}

/** Equal for the same program: another name, or other parents, are another one. Who has the same key is the same one. */
export function programKey(program: ClientProgram): string {
	const { name, chain, isProven, clientKey } = program;
	if (clientKey !== undefined) return `key ${clientKey.id}`;
	const key = keys.get(program) ?? sha256(canonicalJson([name, chain, isProven])).slice(0, 32);
	keys.set(program, key);
	return key;
}

/** The claimed name, fit for a line. */
export function nameOf({ name }: Pick<ClientProgram, "name">): string {
	return oneLine(name, 60) || "(no name)";
}

/** The parents in a line, the nearest first, with paths below the home folder shortened. */
export function chainWords({ chain, isProven, clientKey }: Omit<ClientProgram, "name">, home: string): string {
	if (clientKey !== undefined) return `over HTTP, with the key “${oneLine(clientKey.name, 60)}”`;
	const words = chain.map((program) => oneLine(shortened(program, home), 120));
	if (words.length === 0) return "its parents are unknown on this system";
	return `${words.join(" ← ")}${isProven ? "" : " (not proven on this system)"}`;
}

/** A client in a line, for the activity and the trace: with its version, its process and its parents. */
export function clientWords(client: ClaimedClient, peer: Peer, home: string): string {
	const named = `${nameOf(client)} ${oneLine(client.version, 30)}`.trim();
	if (peer.clientKey !== undefined) return oneLine(`${named} (${chainWords(peer, home)})`, 500);
	const place = peer.folder === undefined ? "" : ` in ${oneLine(shortened(peer.folder, home), 120)}`;
	return oneLine(`${named} (process ${peer.pid}${place}: ${chainWords(peer, home)})`, 500);
}

function shortened(file: string, home: string): string {
	const inHome = path.relative(home, file);
	const isInHome = path.isAbsolute(file) && !inHome.startsWith("..") && !path.isAbsolute(inHome);
	return isInHome ? `~${path.sep}${inHome}` : file;
}
