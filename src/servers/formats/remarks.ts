import type { ForeignServers } from "./foreignServer.ts";

/** The same servers, each with more remarks. */
export function withRemarks(read: ForeignServers, ...remarks: readonly string[]): ForeignServers {
	if (remarks.length === 0) return read;
	const servers = read.servers.map((server) => Object.assign({}, server, { remarks: server.remarks.concat(remarks) }));
	return { ...read, servers };
}
