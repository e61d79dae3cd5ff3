import { exactLine } from "../../base/exactLine.ts";
import type { ServerConfig } from "../definitions/config.ts";

const own = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * What a yes to a server means, in sentences of ours: what a program may do on this machine, or for a URL what is sent to
 * whom, over what, with which headers, and that nothing of it runs here.
 */
export function meaningOf(config: ServerConfig): readonly string[] {
	const last = "You approve exactly what is shown; if anything changes, you are asked again.";
	if (config.kind === "stdio") {
		return [
			"A server runs with your rights: it can read your files and use the network.",
			"Start it only if you trust where it comes from.",
			last,
		];
	}
	const url = URL.parse(config.url);
	const host = exactLine(url?.host ?? config.url);
	const isOwn = url !== null && own.has(url.hostname);
	const over = /^https:/i.test(config.url)
		? "over an encrypted connection (HTTPS)"
		: /^http:/i.test(config.url)
			? "over a connection that is not encrypted (HTTP): anybody on the network path can read and change all of it"
			: "at an address that is only known when it starts";
	const names = Object.keys(config.headers).map((name) => exactLine(name));
	const headers =
		names.length === 0
			? "no headers of your own"
			: `the ${names.length === 1 ? "header" : "headers"} ${names.join(", ")}`;
	return [
		isOwn
			? `MCP Host starts nothing for it: it connects to ${host}, where a program on this machine already listens.`
			: `Nothing of it runs on this machine. MCP Host connects to ${host}, ${over}.`,
		`It gets the arguments of the calls that you allow, what you read, and the folders that it is told about (its roots), each time with ${headers}.`,
		"What it answers is shown to you, and to your models as far as they use its tools.",
		isOwn ? "Connect only if you trust that program." : `Connect only if you trust who runs ${host}.`,
		last,
	];
}
